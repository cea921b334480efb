#include "ui/weekly/ask_dialog.h"

#include "ui/widgets/roomy.h"
#include "ui/widgets/wrap_label.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QVBoxLayout>

namespace holdfast::weekly
{

using namespace Qt::StringLiterals;

AskDialog::AskDialog(const AskText &text, QWidget *field, std::function<QJsonObject()> value,
                     QWidget *parent)
    : QDialog(parent), m_value(std::move(value)), m_field(field)
{
    setObjectName(u"askDialog"_s);
    setWindowTitle(text.title);
    setAttribute(Qt::WA_DeleteOnClose);
    auto *about = new widgets::WrapLabel(u"askAbout"_s, u"Failure group"_s);
    about->setText(text.about);
    about->setLinesMax(2);
    auto *effect = new widgets::WrapLabel(u"askEffect"_s, u"What will happen"_s);
    effect->setToken(style::Token::muted);
    effect->setText(text.effect);
    m_problem = new widgets::WrapLabel(u"askProblem"_s, u"Why it was refused"_s);
    m_problem->setToken(style::Token::bad);
    m_problem->hide();
    auto *form = new QFormLayout;
    form->addRow(text.label, field);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Cancel)->setAccessibleName(u"Cancel"_s);
    m_act = buttons->addButton(text.button, QDialogButtonBox::AcceptRole);
    widgets::setRoomyText(m_act, text.button);
    m_act->setObjectName(u"askAct"_s);
    m_act->setAccessibleName(text.button);
    m_act->setDefault(true);
    auto *column = new QVBoxLayout(this);
    column->addWidget(about);
    column->addLayout(form);
    column->addWidget(effect);
    column->addWidget(m_problem);
    column->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 74, sizeHint().height());
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        if (const QJsonObject given = m_value(); !given.isEmpty())
            Q_EMIT confirmed(given);
    });
    field->setFocus();
    changed();
}

void AskDialog::changed() { m_act->setEnabled(!m_value().isEmpty()); }

void AskDialog::setBusy(bool busy)
{
    m_field->setEnabled(!busy);
    m_act->setEnabled(!busy && !m_value().isEmpty());
}

void AskDialog::showProblem(const QString &problem)
{
    setBusy(false);
    m_problem->setText(u"▲ "_s + problem);
    m_problem->show();
}

} // namespace holdfast::weekly
