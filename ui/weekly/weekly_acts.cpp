// What a person does on the weekly page: decisions on a group, the sign-off, and exports.
#include "ui/weekly/ask_dialog.h"
#include "ui/weekly/change_dialog.h"
#include "ui/weekly/group_detail.h"
#include "ui/weekly/report_export.h"
#include "ui/weekly/report_text.h"
#include "ui/weekly/section_list.h"
#include "ui/weekly/weekly_page.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/filter_word.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/wrap_label.h"

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>

namespace holdfast::weekly
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr int ownerMax = 200;

QLineEdit *lineField(const QString &accessibleName, const QString &text)
{
    auto *field = new QLineEdit(text);
    field->setObjectName(u"askField"_s);
    field->setAccessibleName(accessibleName);
    return field;
}

QJsonArray tagsOf(const QString &text)
{
    QJsonArray tags;
    for (const QString &tag : text.split(u',', Qt::SkipEmptyParts)) {
        if (!tag.trimmed().isEmpty())
            tags << tag.trimmed();
    }
    return tags;
}
} // namespace

QJsonObject WeeklyPage::group() const
{
    const int row = m_groups.model->indexOf(m_chosen);
    return row < 0 ? QJsonObject() : m_groups.model->row(row);
}

void WeeklyPage::chooseGroup(const QString &id)
{
    if (id == m_chosen)
        return;
    m_chosen = id;
    m_detail = {};
    say({}, false);
    if (const int row = m_groups.model->indexOf(id); row >= 0) {
        if (m_groups.table->currentIndex().row() != row)
            m_groups.table->selectRow(row);
        askGroup();
    }
    showActs();
    Q_EMIT placeChanged();
}

// The row says most of it at once; grouping, notes and versions come a little later.
void WeeklyPage::askGroup()
{
    const QString id = m_chosen;
    if (detail()["id"_L1].toString() != id)
        m_groupDetail->setGroup(group());
    bridge().ask(
        u"group"_s,
        {{u"group"_s, id}, {u"since"_s, report()["since"_L1]}, {u"until"_s, report()["until"_L1]}},
        this, [this, id](const Result<QJsonValue> &answer) {
            if (id != m_chosen)
                return;
            if (!answer) {
                m_groupDetail->setProblem(answer.error().message);
                return;
            }
            m_detail = answer->toObject();
            m_groupDetail->setGroup(m_detail);
            showActs();
        });
}

void WeeklyPage::openRuns()
{
    if (!m_chosen.isEmpty())
        Q_EMIT goTo(u"runs"_s, {{u"filter"_s, widgets::filterWord(u"group"_s, m_chosen)}});
}

void WeeklyPage::changePolicy()
{
    const QJsonObject chosen = group();
    if (chosen.isEmpty())
        return;
    const QJsonObject suggestion = detail()["suggestion"_L1].toObject();
    if (detail()["id"_L1].toString() != m_chosen || suggestion.isEmpty()) {
        Q_EMIT goTo(u"workflows"_s,
                    {{u"workflow"_s, chosen["workflow"_L1]}, {u"step"_s, chosen["step"_L1]}});
        return;
    }
    auto *dialog =
        new ChangeDialog(groupWhere(chosen) + u" — "_s + groupReason(chosen), suggestion, this);
    connect(dialog, &ChangeDialog::fileWanted, this, [this, suggestion] {
        const bool isOfWorkflow = suggestion["of"_L1].toString() == "workflow"_L1;
        Q_EMIT goTo(isOfWorkflow ? u"workflows"_s : u"dependencies"_s,
                    {{isOfWorkflow ? u"workflow"_s : u"dependency"_s, suggestion["name"_L1]},
                     {u"line"_s, suggestion["line"_L1]}});
    });
    dialog->open();
}

void WeeklyPage::showActs()
{
    // The menu offers no act on a group that is not in sight.
    const bool isSeen = m_sections->current() == "groups"_L1;
    const bool canAct = !group().isEmpty() && isSeen && !m_isActing;
    for (QPushButton *button : std::as_const(m_actButtons))
        button->setEnabled(canAct);
    for (QAction *action : std::as_const(m_actActions))
        action->setEnabled(canAct);
    // The first names a version: without the versions it was seen in, it would propose a wrong one.
    const bool isKnown = detail()["id"_L1].toString() == m_chosen;
    m_actButtons.first()->setEnabled(canAct && isKnown);
    m_actActions.first()->setEnabled(canAct && isKnown);
}

void WeeklyPage::say(const QString &text, bool isBad)
{
    m_actLine->setToken(isBad ? style::Token::bad : style::Token::muted);
    m_actLine->setText(isBad ? u"▲ "_s + text : text);
    m_actLine->setVisible(!text.isEmpty());
}

// The dialog is the page's: it goes with it, and its answer with it.
void WeeklyPage::ask(const AskText &text, QWidget *field, const QString &act,
                     std::function<QJsonObject()> value)
{
    AskText whole = text;
    const QJsonObject chosen = group();
    whole.about = groupWhere(chosen) + u" — "_s + groupReason(chosen);
    auto *dialog = new AskDialog(whole, field, std::move(value), this);
    if (auto *line = qobject_cast<QLineEdit *>(field))
        connect(line, &QLineEdit::textChanged, dialog, &AskDialog::changed);
    if (auto *plain = qobject_cast<QPlainTextEdit *>(field))
        connect(plain, &QPlainTextEdit::textChanged, dialog, &AskDialog::changed);
    connect(dialog, &AskDialog::confirmed, this,
            [this, dialog, act, id = m_chosen](const QJsonObject &given) {
                QJsonObject arguments = given;
                arguments.insert(u"group"_s, id);
                arguments.insert(u"act"_s, act);
                tell(arguments, dialog);
            });
    dialog->open();
}

void WeeklyPage::tell(QJsonObject arguments, AskDialog *dialog)
{
    if (m_isActing)
        return;
    m_isActing = true;
    if (dialog)
        dialog->setBusy(true);
    say(u"Recording…"_s, false);
    showActs();
    bridge().act(u"group_do"_s, arguments, this,
                 [this, guard = QPointer<AskDialog>(dialog)](const Result<QJsonValue> &answer) {
                     m_isActing = false;
                     showActs();
                     if (!answer) {
                         say(guard ? QString() : answer.error().message, !guard);
                         if (guard)
                             guard->showProblem(answer.error().message);
                         return;
                     }
                     if (guard)
                         guard->accept();
                     say(u"✔ Recorded, with your name in the audit."_s, false);
                     Q_EMIT said(u"The decision on the failure group is recorded."_s);
                     m_detail = {};
                     showActs();
                     if (m_isAsking)
                         m_isWanted = true;
                     else
                         askReport(); // what was decided is seen at once
                 });
}

void WeeklyPage::resolve()
{
    if (group().isEmpty() || detail()["id"_L1].toString() != m_chosen)
        return;
    int newest = 0;
    for (const QJsonValue &version : detail()["versions"_L1].toArray())
        newest =
            std::max(newest, version.isObject() ? version["version"_L1].toInt() : version.toInt());
    auto *field = new QSpinBox;
    field->setObjectName(u"askField"_s);
    field->setAccessibleName(u"Version with the fix"_s);
    field->setRange(1, 1'000'000);
    field->setValue(newest + 1);
    ask({u"Fixed in version"_s,
         {},
         u"Seen again at that version or a later one, the group is shown as regressed."_s,
         u"&Version of the workflow:"_s,
         u"Mark as fixed"_s},
        field, u"resolve"_s, [field] {
            return QJsonObject{{u"version"_s, field->value()}};
        });
}

void WeeklyPage::archive()
{
    if (!group().isEmpty())
        tell({{u"group"_s, m_chosen}, {u"act"_s, u"archive"_s}}, nullptr);
}

void WeeklyPage::reopen()
{
    if (!group().isEmpty())
        tell({{u"group"_s, m_chosen}, {u"act"_s, u"reopen"_s}}, nullptr);
}

void WeeklyPage::assign()
{
    if (group().isEmpty())
        return;
    const QString owner = group()["owner"_L1].toString();
    QLineEdit *field =
        lineField(u"Who looks after it"_s, owner.isEmpty() ? bridge().actor() : owner);
    field->setMaxLength(ownerMax);
    ask({u"Assign"_s,
         {},
         u"Who opens this group sees who looks after it. Left empty, nobody does."_s,
         u"&Owner:"_s,
         u"Assign"_s},
        field, u"assign"_s, [field] {
            return QJsonObject{{u"owner"_s, field->text().trimmed()}};
        });
}

void WeeklyPage::merge()
{
    if (group().isEmpty())
        return;
    auto *field = new QComboBox;
    field->setObjectName(u"askField"_s);
    field->setAccessibleName(u"Group it becomes part of"_s);
    field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    field->setMinimumContentsLength(40);
    for (int row = 0; row < m_groups.model->rowCount(); ++row) {
        const QJsonObject other = m_groups.model->row(row);
        if (other["id"_L1].toString() != m_chosen)
            field->addItem(widgets::plainText(groupWhere(other) + u" — "_s + groupReason(other) +
                                                  u" — "_s + other["message"_L1].toString(),
                                              160),
                           other["id"_L1].toString());
    }
    ask({u"Merge"_s,
         {},
         field->count() == 0 ? u"There is no other group in this week."_s
                             : u"Its runs are counted in the other group from now on. It can be "
                               "taken out again from the command line."_s,
         u"&Into:"_s,
         u"Merge groups"_s},
        field, u"merge"_s, [field] {
            const QString into = field->currentData().toString();
            return into.isEmpty() ? QJsonObject() : QJsonObject{{u"into"_s, into}};
        });
}

void WeeklyPage::note()
{
    if (group().isEmpty())
        return;
    auto *field = new QPlainTextEdit;
    field->setObjectName(u"askField"_s);
    field->setAccessibleName(u"Note"_s);
    field->setTabChangesFocus(true);
    field->setPlaceholderText(u"What you found out. Everybody who opens the group reads it."_s);
    ask({u"Note"_s, {}, {}, u"&Note:"_s, u"Add note"_s}, field, u"note"_s, [field] {
        const QString text = field->toPlainText().trimmed();
        return text.isEmpty() ? QJsonObject() : QJsonObject{{u"text"_s, text}};
    });
}

void WeeklyPage::tag()
{
    if (group().isEmpty())
        return;
    QLineEdit *field = lineField(u"Tags"_s, tagsText(group()["tags"_L1].toArray()));
    field->setPlaceholderText(u"root cause first, then others, with commas between"_s);
    ask({u"Root cause"_s,
         {},
         u"The first tag is the root cause that the report counts by."_s,
         u"&Tags:"_s,
         u"Set tags"_s},
        field, u"tag"_s, [field] {
            return QJsonObject{{u"tags"_s, tagsOf(field->text())}};
        });
}

void WeeklyPage::sign()
{
    if (m_isActing || m_report.isEmpty())
        return;
    m_isActing = true;
    m_signProblem.clear();
    showSignoff();
    showActs();
    bridge().act(u"report_sign"_s,
                 {{u"since"_s, report()["since"_L1]},
                  {u"until"_s, report()["until"_L1]},
                  {u"note"_s, m_signNote->text().trimmed()},
                  {u"figures_hash"_s, report()["figures_hash"_L1]}},
                 this, [this, week = m_week](const Result<QJsonValue> &answer) {
                     signAnswered(week, answer);
                 });
}

// By then another week may be shown; what became of this one is said all the same.
void WeeklyPage::signAnswered(const Week &week, const Result<QJsonValue> &answer)
{
    m_isActing = false;
    const bool isShown = week == m_week;
    if (!answer && isShown)
        m_signProblem = answer.error().message;
    Q_EMIT said(
        answer ? u"The week %1 is signed."_s.arg(week.title())
               : u"The week %1 was not signed: %2"_s.arg(week.title(), answer.error().message));
    if (answer && isShown)
        m_signNote->clear();
    showActs();
    showSignoff();
    // After a conflict, too: what stands by now is to be seen before it is signed.
    const bool mayBeOther = answer || answer.error().kind == model::ErrorKind::conflict;
    if (!mayBeOther || !isShown)
        return;
    if (m_isAsking)
        m_isWanted = true;
    else
        askReport();
}

void WeeklyPage::chooseExport(const QString &format)
{
    if (m_report.isEmpty() || m_export)
        return;
    const QString suffix = ReportExport::suffixOf(format);
    auto *dialog =
        new QFileDialog(this, u"Export the report"_s, u"weekly-%1.%2"_s.arg(m_week.text(), suffix));
    dialog->setObjectName(u"exportDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(u"weekly-%1.%2"_s.arg(m_week.text(), suffix));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, format](const QString &path) { exportTo(format, path); });
    dialog->open();
}

void WeeklyPage::exportTo(const QString &format, const QString &path)
{
    if (m_report.isEmpty() || m_export)
        return;
    m_export = new ReportExport(bridge(), {format, path, m_report}, this);
    m_exportBar->show();
    m_exportText->setWhole(u"Writing %1…"_s.arg(path));
    m_exportProgress->setRange(0, format == "pdf"_L1 ? 100 : 0);
    m_exportProgress->setValue(0);
    m_exportProgress->show();
    m_exportStop->setText(u"Stop"_s);
    const auto ended = [this](const QString &text) {
        m_export = nullptr;
        m_exportText->setWhole(text);
        m_exportProgress->hide();
        m_exportStop->setText(u"Close"_s);
        showState();
        Q_EMIT said(text);
    };
    connect(m_export, &ReportExport::progressed, m_exportProgress, &QProgressBar::setValue);
    connect(m_export, &ReportExport::finished, this,
            [ended, path] { ended(u"✔ The report was written to %1."_s.arg(path)); });
    connect(m_export, &ReportExport::stopped, this,
            [ended] { ended(u"The export was stopped; no file was written."_s); });
    connect(m_export, &ReportExport::failed, this,
            [ended](const QString &why) { ended(u"▲ No file was written: %1."_s.arg(why)); });
    showState();
    m_export->start();
}

} // namespace holdfast::weekly
