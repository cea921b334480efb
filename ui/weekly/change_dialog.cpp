#include "ui/weekly/change_dialog.h"

#include "ui/weekly/report_text.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/roomy.h"
#include "ui/widgets/wrap_label.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QPushButton>
#include <QVBoxLayout>

namespace holdfast::weekly
{

using namespace Qt::StringLiterals;

namespace
{
QString nextText(const QJsonObject &suggestion)
{
    const bool isOfWorkflow = suggestion["of"_L1].toString() == "workflow"_L1;
    if (suggestion["field"_L1].toString().isEmpty())
        return u"That is more than one value, so it is left to the author of the file."_s;
    if (suggestion["diff"_L1].toString().isEmpty())
        return u"The file is laid out so that this has to be written by hand."_s;
    return isOfWorkflow ? u"Nothing is changed here. Put these lines into the file and deploy it: "
                          "runs that are under way stay with version %1."_s.arg(
                              suggestion["version"_L1].toInt())
                        : u"Nothing is changed here. Put these lines into the file and deploy it: "
                          "a new revision of a dependency counts at once."_s;
}
} // namespace

ChangeDialog::ChangeDialog(const QString &about, const QJsonObject &suggestion, QWidget *parent)
    : QDialog(parent)
{
    setObjectName(u"changeDialog"_s);
    setWindowTitle(u"Change policy"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    const auto label = [](const QString &name, const QString &title, const QString &text) {
        auto *made = new widgets::WrapLabel(name, title);
        made->setText(text);
        made->setLinesMax(4);
        return made;
    };
    const QString diff = suggestion["diff"_L1].toString();
    auto *lines = new widgets::CodeView(u"The lines that would change"_s);
    lines->setObjectName(u"changeLines"_s);
    lines->setDiff(diff);
    if (diff.isEmpty())
        lines->hide();
    const int unit = fontMetrics().averageCharWidth();
    lines->setMinimumHeight(fontMetrics().height() * 14);
    auto *next = label(u"changeNext"_s, u"What happens next"_s, nextText(suggestion));
    next->setToken(style::Token::muted);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setAccessibleName(u"Close"_s);
    const auto button = [&](const QString &name, const QString &text) {
        QPushButton *made = buttons->addButton(text, QDialogButtonBox::ActionRole);
        widgets::setRoomyText(made, text);
        made->setObjectName(name);
        made->setAccessibleName(text);
        return made;
    };
    QPushButton *copy = button(u"changeCopy"_s, u"Copy the lines"_s);
    copy->setEnabled(!diff.isEmpty());
    QPushButton *show = button(u"changeShow"_s, u"Show in the file"_s);
    auto *column = new QVBoxLayout(this);
    column->addWidget(label(u"changeAbout"_s, u"Failure group"_s, about));
    column->addWidget(label(u"changeWhy"_s, u"Suggestion"_s, suggestionText(suggestion)));
    column->addWidget(lines, 1);
    column->addWidget(next);
    column->addWidget(buttons);
    resize(unit * 96, sizeHint().height());
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(copy, &QPushButton::clicked, this,
            [diff] { QGuiApplication::clipboard()->setText(diff); });
    connect(show, &QPushButton::clicked, this, [this] {
        Q_EMIT fileWanted();
        accept();
    });
}

} // namespace holdfast::weekly
