#include "ui/shell/palette.h"

#include "ui/widgets/plain_text.h"

#include <QAction>
#include <QJsonArray>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

namespace holdfast::shell
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr int shownMax = 40;
constexpr int idMin = 4; // shorter texts are no id or key

QString plainActionText(const QAction *action)
{
    QString text = action->text();
    text.remove(u'&');
    return text;
}
} // namespace

bool matches(const QString &in, const QString &text)
{
    const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
    return std::all_of(words.cbegin(), words.cend(),
                       [&](const QString &word) { return in.contains(word, Qt::CaseInsensitive); });
}

Palette::Palette(bridge::Bridge &bridge, const QVector<QAction *> &actions, QWidget *parent)
    : QDialog(parent), m_bridge(bridge), m_actions(actions)
{
    setObjectName(u"palette"_s);
    setWindowTitle(u"Search or run a command"_s);
    auto *column = new QVBoxLayout(this);
    m_text = new QLineEdit(this);
    m_text->setObjectName(u"paletteText"_s);
    m_text->setAccessibleName(u"Search actions, pages, workflows, runs and keys"_s);
    m_text->setPlaceholderText(u"An action, a page, a workflow, a run id, an event id or a key"_s);
    m_text->installEventFilter(this);
    m_list = new QListWidget(this);
    m_list->setObjectName(u"paletteFound"_s);
    m_list->setAccessibleName(u"Found"_s);
    m_list->setUniformItemSizes(true);
    column->addWidget(m_text);
    column->addWidget(m_list);
    const int em = fontMetrics().horizontalAdvance(u'm');
    resize(em * 52, fontMetrics().height() * 22);
    connect(m_text, &QLineEdit::textChanged, this, &Palette::search);
    connect(m_text, &QLineEdit::returnPressed, this, &Palette::choose);
    connect(m_list, &QListWidget::itemActivated, this, &Palette::choose);
    m_bridge.ask(u"workflows"_s, {}, this, [this](const Result<QJsonValue> &answer) {
        if (!answer)
            return;
        const QJsonArray list = answer->toObject().value("workflows"_L1).toArray();
        for (const QJsonValue &value : list) {
            const QString name = value["workflow"_L1].toString(value["name"_L1].toString());
            m_workflows.append(
                {name, u"workflow"_s, nullptr, u"workflows"_s, QJsonObject{{u"workflow"_s, name}}});
        }
        search(m_text->text());
    });
    search({});
}

bool Palette::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Up) {
            const int row = m_list->currentRow() + (key == Qt::Key_Down ? 1 : -1);
            m_list->setCurrentRow(std::clamp(row, 0, std::max(0, m_list->count() - 1)));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void Palette::search(const QString &text)
{
    ++m_turn;
    m_found.clear();
    m_list->clear();
    for (QAction *action : std::as_const(m_actions)) {
        const QString title = plainActionText(action);
        if (action->isEnabled() && !title.isEmpty() && matches(title, text))
            add({title, action->shortcut().toString(QKeySequence::NativeText), action, {}, {}});
    }
    for (const Find &workflow : std::as_const(m_workflows)) {
        if (matches(workflow.text, text))
            add(workflow);
    }
    m_list->setCurrentRow(0);
    if (text.trimmed().size() >= idMin)
        askDoor(text.trimmed());
}

// Exact ids and keys only: a search over everything would scan everything.
void Palette::askDoor(const QString &text)
{
    const int turn = m_turn;
    m_bridge.ask(
        u"runs"_s, {{u"filter"_s, u'"' + QString(text).remove(u'"') + u'"'}, {u"limit"_s, 5}}, this,
        [this, turn](const Result<QJsonValue> &answer) {
            if (!answer || turn != m_turn)
                return;
            const QJsonArray runs = answer->toObject().value("runs"_L1).toArray();
            for (const QJsonValue &run : runs)
                add({u"%1  %2"_s.arg(run["event_id"_L1].toString(), run["workflow"_L1].toString()),
                     u"run, %1"_s.arg(run["status"_L1].toString()),
                     nullptr,
                     u"run"_s,
                     {{u"run"_s, run["run_id"_L1]}}});
        });
    m_bridge.ask(u"ledger"_s, {{u"key"_s, text}}, this,
                 [this, turn, text](const Result<QJsonValue> &answer) {
                     if (!answer || turn != m_turn)
                         return;
                     if (!answer->toObject().value("ledger"_L1).toArray().isEmpty())
                         add({text, u"key"_s, nullptr, u"ledger"_s, {{u"key"_s, text}}});
                 });
}

void Palette::add(const Find &find)
{
    if (m_found.size() >= shownMax)
        return;
    m_found.append(find);
    const QString hint = find.hint.isEmpty() ? QString() : u"    "_s + find.hint;
    m_list->addItem(widgets::plainText(find.text, 120) + widgets::plainText(hint, 60));
    if (m_list->currentRow() < 0)
        m_list->setCurrentRow(0);
}

void Palette::choose()
{
    const int row = m_list->currentRow();
    if (row < 0 || row >= m_found.size())
        return;
    const Find find = m_found.at(row);
    accept();
    if (find.action)
        find.action->trigger();
    else
        Q_EMIT goTo(find.page, find.where);
}

} // namespace holdfast::shell
