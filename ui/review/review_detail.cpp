#include "ui/review/review_detail.h"

#include "ui/review/evidence_view.h"
#include "ui/review/json_diff_view.h"
#include "ui/shell/permits.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/times.h"
#include "ui/widgets/token_label.h"

#include <QDateTime>
#include <QEvent>
#include <QPushButton>
#include <QVBoxLayout>

namespace holdfast::review
{

using namespace Qt::StringLiterals;
using style::Token;

ReviewDetail::ReviewDetail(QWidget *parent) : QWidget(parent)
{
    setObjectName(u"detail"_s);
    m_evidence = new EvidenceView;
    m_diff = new JsonDiffView;
    m_diff->hide();
    m_answers = new AnswersBox;
    m_panel = new widgets::Panel;
    auto *inside = new QVBoxLayout(m_panel);
    inside->addWidget(widgets::heading(u"Answer, and what Holdfast will do then"_s));
    inside->addWidget(m_answers);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(fontMetrics().averageCharWidth() * 2, 0, 0, 0);
    column->addLayout(buildHead());
    column->addWidget(m_evidence, 3);
    column->addWidget(m_diff, 2);
    column->addWidget(m_panel);
    colour();
}

QLayout *ReviewDetail::buildHead()
{
    m_kind = new widgets::ElidedLabel(u"kind"_s, u"Kind"_s);
    QFont bold = m_kind->font();
    bold.setBold(true);
    m_kind->setFont(bold);
    m_where = new widgets::ElidedLabel(u"where"_s, u"Workflow, step and key"_s);
    m_claim = new widgets::ElidedLabel(u"claim"_s, u"Claim"_s);
    auto *row = new QHBoxLayout;
    row->addWidget(m_kind);
    row->addWidget(m_where, 1);
    row->addWidget(m_claim);
    m_claimButton = tool(u"claimButton"_s, u"Claim"_s, u"Claim for 30 minutes, key C"_s);
    m_snoozeButton = tool(u"snoozeButton"_s, u"Snooze…"_s, u"Snooze, key S"_s);
    m_noteButton = tool(u"noteButton"_s, u"Note…"_s, u"Add a note to the run, key T"_s);
    m_openButton = tool(u"openButton"_s, u"Open run"_s, u"Open the run, key Enter"_s);
    shell::Permits::name(m_claimButton, u"claim"_s);
    shell::Permits::name(m_snoozeButton, u"snooze"_s);
    shell::Permits::name(m_noteButton, u"note"_s);
    for (QPushButton *button : {m_claimButton, m_snoozeButton, m_noteButton, m_openButton})
        row->addWidget(button);
    connect(m_claimButton, &QPushButton::clicked, this, &ReviewDetail::claimWanted);
    connect(m_snoozeButton, &QPushButton::clicked, this, &ReviewDetail::snoozeWanted);
    connect(m_noteButton, &QPushButton::clicked, this, &ReviewDetail::noteWanted);
    connect(m_openButton, &QPushButton::clicked, this, &ReviewDetail::openWanted);
    return row;
}

QPushButton *ReviewDetail::tool(const QString &name, const QString &text, const QString &accessible)
{
    auto *button = new QPushButton(text);
    button->setObjectName(name);
    button->setAccessibleName(accessible);
    button->setToolTip(accessible);
    button->setAutoDefault(false);
    return button;
}

bool ReviewDetail::isDecided() const { return m_detail.value("decided_by"_L1).isString(); }

void ReviewDetail::setDetail(const QJsonObject &detail, const QString &actor, model::Instant now)
{
    m_detail = detail;
    m_item = Item::fromJson(detail);
    setProperty("shown", m_item.id);
    setEnabled(true);
    m_evidence->setDetail(detail);
    showHead(actor, now);
    showPayloads();
    showAnswers();
    colour();
}

void ReviewDetail::showHead(const QString &actor, model::Instant now)
{
    const KindLook look = kindLook(m_item.kind);
    m_kind->setWhole(look.shape + u' ' + look.word);
    QStringList parts{m_item.workflow, m_item.what(), m_item.key};
    parts.removeAll(QString());
    parts.removeDuplicates();
    m_where->setWhole(parts.join(u" · "_s));
    const QString claimant = m_item.claimant(now);
    m_isMine = !claimant.isEmpty() && claimant == actor;
    const QString until = QDateTime::fromMSecsSinceEpoch(m_item.claimedUntil).toString(u"HH:mm"_s);
    m_claim->setWhole(claimant.isEmpty()
                          ? QString()
                          : u"claimed: %1 until %2"_s.arg(m_isMine ? u"you"_s : claimant, until));
    m_claimButton->setText(m_isMine ? u"Release"_s : u"Claim"_s);
    m_snoozeButton->setText(m_item.isSnoozed(now) ? u"Snoozed…"_s : u"Snooze…"_s);
    const bool hasRun = !m_item.runId.isEmpty();
    m_noteButton->setVisible(hasRun);
    m_openButton->setVisible(hasRun);
    for (QPushButton *button : {m_claimButton, m_snoozeButton})
        button->setEnabled(!isDecided());
}

void ReviewDetail::showPayloads()
{
    const QJsonValue payloads = m_detail.value("payloads"_L1);
    m_diff->setVisible(payloads.isObject());
    if (payloads.isObject())
        m_diff->setPayloads(payloads["this"_L1], payloads["other"_L1]);
}

void ReviewDetail::showAnswers()
{
    QJsonArray answers = m_detail.value("answers"_L1).toArray();
    if (m_item.kind == "ambiguous"_L1 && !isDecided())
        answers.append(QJsonObject{
            {u"verdict"_s, u"snooze"_s},
            {u"label"_s, u"Still unknown"_s},
            {u"then"_s, u"Snooze it: nothing is sent, and the item comes back at the time you "
                        "choose."_s},
            {u"allowed"_s, true}});
    m_answers->setAnswers(answers);
    m_panel->setVisible(!isDecided() && !answers.isEmpty());
}

void ReviewDetail::clear()
{
    m_detail = {};
    m_item = {};
    setProperty("shown", QString());
    m_evidence->setDetail({});
    m_diff->hide();
    m_answers->setAnswers({});
    m_panel->hide();
    for (widgets::ElidedLabel *label : {m_kind, m_where, m_claim})
        label->setWhole({});
    setEnabled(false);
}

void ReviewDetail::setPending(const QString &text)
{
    m_answers->setEnabled(text.isEmpty());
    m_answers->setToolTip(text.toHtmlEscaped());
}

void ReviewDetail::colour()
{
    widgets::setTextColour(m_kind, style::colour(kindLook(m_item.kind).token));
    widgets::setTextColour(m_where, style::colour(Token::muted));
    widgets::setTextColour(m_claim, style::colour(m_isMine ? Token::good : Token::attention));
}

void ReviewDetail::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_answers)
        colour();
}

} // namespace holdfast::review
