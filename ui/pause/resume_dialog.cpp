#include "ui/pause/resume_dialog.h"

#include "ui/pause/preflight_view.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/times.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/typed_word.h"
#include "ui/widgets/wrap_label.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace holdfast::pause
{

using namespace Qt::StringLiterals;
using model::Result;
using style::Token;

namespace
{
constexpr int noteMax = 1000;
} // namespace

ResumeDialog::ResumeDialog(bridge::Bridge &bridge, const PauseState &pause, QWidget *parent)
    : QDialog(parent), m_bridge(bridge), m_pause(pause)
{
    setWindowTitle(u"Resume"_s);
    setObjectName(u"resumeDialog"_s);
    auto *title = new widgets::WrapLabel(u"resumeTitle"_s, u"What is resumed"_s);
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 1.2);
    large.setBold(true);
    title->setFont(large);
    title->setText(u"Resume %1"_s.arg(gateText(pause)));
    auto *why = new widgets::WrapLabel(u"resumeWhy"_s, u"Why it was paused"_s);
    why->setToken(Token::muted);
    why->setText(u"Paused by %1, %2 ago: “%3”"_s.arg(
        pause.actor, widgets::ageText(pause.at, bridge.now()), pause.reason));
    m_preflight = new PreflightView;
    auto *panel = new widgets::Panel;
    auto *inside = new QVBoxLayout(panel);
    inside->addWidget(m_preflight);
    m_problem = new widgets::WrapLabel(u"resumeProblem"_s, u"Problem"_s);
    m_problem->setToken(Token::bad);
    m_problem->hide();
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    QPushButton *stay = buttons->button(QDialogButtonBox::Cancel);
    stay->setText(u"Stay paused"_s);
    stay->setAccessibleName(u"Stay paused"_s);
    m_resume = buttons->addButton(u"Resume"_s, QDialogButtonBox::AcceptRole);
    m_resume->setObjectName(u"resumeNow"_s);
    QPushButton *again = buttons->addButton(u"Check again"_s, QDialogButtonBox::ActionRole);
    again->setObjectName(u"checkAgain"_s);
    again->setAccessibleName(u"Check again"_s);
    auto *column = new QVBoxLayout(this);
    column->setSpacing(fontMetrics().height() / 2);
    column->addWidget(title);
    column->addWidget(why);
    column->addWidget(panel);
    column->addLayout(buildPace());
    column->addLayout(buildConfirm());
    column->addWidget(m_problem);
    column->addStretch(1);
    column->addWidget(buttons);
    for (QPushButton *other : {stay, again})
        other->setAutoDefault(false);
    m_resume->setDefault(true);
    resize(fontMetrics().averageCharWidth() * 92, sizeHint().height());
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, &ResumeDialog::resumeNow);
    connect(again, &QPushButton::clicked, this, &ResumeDialog::check);
    m_confirm->setFocus();
    showState();
    check();
}

QLayout *ResumeDialog::buildPace()
{
    m_ramp = new QRadioButton(u"By a &ramp: 1 → 5 → 10 % → 50 % → 100 %"_s);
    m_ramp->setObjectName(u"byRamp"_s);
    m_ramp->setAccessibleName(u"By a ramp: 1, 5, 10 percent, 50 percent, 100 percent"_s);
    m_atOnce = new QRadioButton(u"&At once"_s);
    m_atOnce->setObjectName(u"atOnce"_s);
    m_atOnce->setAccessibleName(u"At once"_s);
    m_ramp->setChecked(true);
    auto *grid = new QGridLayout;
    grid->setColumnStretch(1, 1);
    grid->setHorizontalSpacing(fontMetrics().averageCharWidth() * 2);
    grid->addWidget(m_ramp, 0, 0);
    grid->addWidget(new widgets::TokenLabel(u"Oldest first; stops by itself when too much fails."_s,
                                            Token::muted),
                    0, 1);
    grid->addWidget(m_atOnce, 1, 0);
    grid->addWidget(new widgets::TokenLabel(u"Everything that is held is sent as fast as it can."_s,
                                            Token::muted),
                    1, 1);
    connect(m_ramp, &QRadioButton::toggled, this, &ResumeDialog::showState);
    return grid;
}

QLayout *ResumeDialog::buildConfirm()
{
    auto *grid = new QGridLayout;
    grid->setColumnStretch(1, 1);
    m_confirm = new widgets::TypedWord(u"resumeConfirm"_s);
    m_confirm->ask(parentWidget(), confirmWord(m_pause));
    m_note = new QLineEdit;
    m_note->setObjectName(u"resumeNote"_s);
    m_note->setAccessibleName(u"Note, required"_s);
    m_note->setPlaceholderText(u"Required: what is mended, and how you know"_s);
    m_note->setMaxLength(noteMax);
    grid->addWidget(m_confirm, 0, 0, 1, 2);
    grid->addWidget(new widgets::TokenLabel(u"Note"_s), 1, 0);
    grid->addWidget(m_note, 1, 1);
    connect(m_confirm, &widgets::TypedWord::changed, this, &ResumeDialog::showState);
    connect(m_note, &QLineEdit::textChanged, this, &ResumeDialog::showState);
    return grid;
}

void ResumeDialog::check()
{
    m_bridge.ask(u"resume_check"_s, {{u"pause"_s, m_pause.id}}, this,
                 [this](const Result<QJsonValue> &answer) {
                     if (answer)
                         m_preflight->setCheck(answer->toObject(), m_bridge.now());
                     else
                         m_preflight->setProblem(answer.error().message);
                     resize(width(), std::max(height(), sizeHint().height()));
                 });
}

void ResumeDialog::showState()
{
    if (!m_resume || !m_note)
        return;
    m_resume->setText(m_ramp->isChecked() ? u"Resume by a ramp"_s : u"Resume at once"_s);
    m_resume->setAccessibleName(m_resume->text());
    m_resume->setEnabled(!m_isBusy && m_confirm->isTyped() && !m_note->text().trimmed().isEmpty());
    m_resume->setToolTip(m_confirm->hint());
}

void ResumeDialog::resumeNow()
{
    if (!m_resume->isEnabled())
        return;
    m_isBusy = true;
    m_problem->hide();
    showState();
    m_bridge.act(u"resume"_s,
                 {{u"pause"_s, m_pause.id},
                  {u"reason"_s, m_note->text().trimmed()},
                  {u"ramp"_s, m_ramp->isChecked()}},
                 this, [this](const Result<QJsonValue> &answer) { answered(answer); });
}

void ResumeDialog::answered(const Result<QJsonValue> &answer)
{
    m_isBusy = false;
    if (answer) {
        Q_EMIT resumed();
        accept();
        return;
    }
    m_problem->setText(u"✖ It is still paused: %1."_s.arg(answer.error().message));
    m_problem->show();
    showState();
}

} // namespace holdfast::pause
