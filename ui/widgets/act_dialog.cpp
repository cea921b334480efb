#include "ui/widgets/act_dialog.h"

#include "ui/style/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/roomy.h"
#include "ui/widgets/typed_word.h"
#include "ui/widgets/wrap_label.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace holdfast::widgets
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
constexpr int reasonMax = 1000;

WrapLabel *sentence(const QString &objectName, const QString &text, Token token)
{
    auto *label = new WrapLabel;
    label->setObjectName(objectName);
    label->setText(text);
    label->setToken(token);
    label->setVisible(!text.isEmpty());
    return label;
}
} // namespace

ActDialog::ActDialog(const ActText &text, QWidget *parent) : QDialog(parent)
{
    setObjectName(u"actDialog"_s);
    setWindowTitle(text.title);
    setAttribute(Qt::WA_DeleteOnClose);
    m_effect = sentence(u"actEffect"_s, text.effect, Token::text);
    m_then = sentence(u"actThen"_s, text.then.isEmpty() ? QString() : u"Now: "_s + text.then,
                      Token::busy);
    m_safe = sentence(u"actSafe"_s, text.safe, Token::muted);
    m_problem = sentence(u"actProblem"_s, {}, Token::bad);
    m_reasonLabel = plainLabel(u"actReasonLabel"_s, u"Reason"_s);
    m_reasonLabel->setText(u"&Reason (goes into the audit)"_s);
    m_reason = new QLineEdit;
    m_reason->setObjectName(u"actReason"_s);
    m_reason->setAccessibleName(u"Reason"_s);
    m_reason->setPlaceholderText(u"Why, in a few words"_s);
    m_reason->setMaxLength(reasonMax);
    m_reasonLabel->setBuddy(m_reason);
    m_confirm = new QCheckBox(text.confirm);
    m_confirm->setObjectName(u"actConfirm"_s);
    m_confirm->setAccessibleName(text.confirm.isEmpty() ? u"Confirm"_s : text.confirm);
    m_confirm->setVisible(!text.confirm.isEmpty());
    m_typed = new TypedWord(u"actTyped"_s);
    if (text.isDestructive)
        m_typed->ask(parent);
    m_act = new QPushButton;
    setRoomyText(m_act, text.button);
    m_act->setObjectName(u"actButton"_s);
    m_act->setAccessibleName(text.button);
    m_act->setDefault(true);
    m_close = new QPushButton(u"Leave it"_s);
    m_close->setObjectName(u"actClose"_s);
    m_close->setAccessibleName(u"Leave it as it is"_s);
    m_close->setAutoDefault(false);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(m_close);
    buttons->addWidget(m_act);
    auto *column = new QVBoxLayout(this);
    column->setSpacing(fontMetrics().height() / 2);
    for (QWidget *widget : std::initializer_list<QWidget *>{
             m_effect, m_then, m_safe, m_reasonLabel, m_reason, m_confirm, m_typed, m_problem})
        column->addWidget(widget);
    column->addStretch();
    column->addLayout(buttons);
    connect(m_reason, &QLineEdit::textChanged, this, &ActDialog::updateButton);
    connect(m_confirm, &QCheckBox::toggled, this, &ActDialog::updateButton);
    connect(m_typed, &TypedWord::changed, this, &ActDialog::updateButton);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_act, &QPushButton::clicked, this, [this] { Q_EMIT confirmed(reason()); });
    setMinimumWidth(fontMetrics().averageCharWidth() * 64);
    m_reason->setFocus();
    updateButton();
}

QString ActDialog::reason() const { return m_reason->text().trimmed(); }

bool ActDialog::isConfirmed() const
{
    return !m_confirm->text().isEmpty() && m_confirm->isChecked();
}

void ActDialog::refuse(const QString &why)
{
    m_isRefused = true;
    for (QWidget *widget : std::initializer_list<QWidget *>{m_then, m_safe, m_reasonLabel, m_reason,
                                                            m_confirm, m_typed, m_act})
        widget->hide();
    m_close->setText(u"Close"_s);
    m_close->setAccessibleName(u"Close"_s);
    m_close->setDefault(true);
    m_close->setFocus();
    showProblem(why);
}

void ActDialog::showProblem(const QString &problem)
{
    m_isBusy = false;
    // The engine's reasons are clauses; here they stand alone.
    const QString text =
        problem.isEmpty() ? QString() : u"▲ "_s + problem.at(0).toUpper() + problem.mid(1);
    m_problem->setText(text);
    m_problem->setVisible(!problem.isEmpty());
    updateButton();
}

void ActDialog::setBusy(bool busy)
{
    m_isBusy = busy;
    if (busy)
        showProblem({});
    m_isBusy = busy;
    updateButton();
}

void ActDialog::updateButton()
{
    const bool isTicked = m_confirm->text().isEmpty() || m_confirm->isChecked();
    m_act->setEnabled(!m_isBusy && !m_isRefused && isTicked && m_typed->isTyped() &&
                      !reason().isEmpty());
    m_act->setToolTip(reason().isEmpty() ? u"Give a reason first."_s : m_typed->hint());
}

namespace
{
ActText retryText(const RunAct &act, const QString &what)
{
    return {u"Retry"_s,
            u"Holdfast tries what failed or waits in %1 again, now, under the same key and with "
            "the same request."_s.arg(what),
            {},
            u"Steps that are confirmed are not repeated. Nothing ambiguous is sent again: that "
            "needs an answer in Review first."_s,
            act.count == 1 ? u"Retry now"_s : u"Retry %L1 runs"_s.arg(act.count),
            {}};
}

ActText cancelText(const RunAct &act, const QString &what)
{
    ActText text{
        u"Cancel"_s,
        u"Holdfast starts no further step of %1 and compensates what is confirmed, in "
        "reverse order."_s.arg(what),
        {},
        u"An attempt that is on the wire cannot be recalled: it is waited for, and what it "
        "did is kept."_s,
        act.count == 1 ? u"Cancel the run"_s : u"Cancel %L1 runs"_s.arg(act.count),
        {}};
    if (act.count == 1 && act.isOnTheWire) {
        text.button = u"Stop after this attempt"_s;
        text.safe = u"An attempt is on the wire now and cannot be recalled: the run stops after "
                    "it, and what it did is kept."_s;
    }
    return text;
}

ActText rerunText(const RunAct &act, const QString &what)
{
    ActText text{u"Run again"_s,
                 u"Holdfast starts %1 anew, as a run of its own with the same input and new "
                 "keys."_s.arg(what),
                 {},
                 u"The present run stays as it is. Where its effects stand or its outcome is "
                 "ambiguous this is refused."_s,
                 act.count == 1 ? u"Start it again"_s : u"Start %L1 runs again"_s.arg(act.count),
                 {}};
    if (act.hasEffects)
        text.confirm = u"Its effects stand and will be done a second time; I mean that."_s;
    return text;
}

ActText verifyText(const QString &what)
{
    return {u"Verify"_s,
            u"Holdfast asks the target once more whether the ambiguous attempt of %1 "
            "happened."_s.arg(what),
            {},
            u"This only reads. What the target answers decides whether the run goes on; without a "
            "clear answer it stays in Review."_s,
            u"Ask the target"_s,
            {}};
}
} // namespace

namespace
{
ActText textOf(const RunAct &act)
{
    const QString what =
        act.count == 1 ? (act.name.isEmpty() ? u"the run"_s : act.name) : u"the runs chosen"_s;
    if (act.act == "retry"_L1)
        return retryText(act, what);
    if (act.act == "cancel"_L1)
        return cancelText(act, what);
    if (act.act == "rerun"_L1)
        return rerunText(act, what);
    return verifyText(what);
}
} // namespace

ActText runActText(const RunAct &act)
{
    ActText text = textOf(act);
    text.then = act.then;
    text.isDestructive = act.act == "cancel"_L1 || act.act == "rerun"_L1;
    return text;
}

} // namespace holdfast::widgets
