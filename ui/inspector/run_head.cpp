#include "ui/inspector/run_head.h"

#include "ui/style/status_look.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/roomy.h"
#include "ui/widgets/times.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/wrap_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace holdfast::inspector
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
QString capitalised(const QString &sentence)
{
    return sentence.isEmpty() ? sentence : sentence.at(0).toUpper() + sentence.mid(1);
}

QString counted(int count, const QString &one, const QString &many)
{
    return u"%L1 %2"_s.arg(count).arg(count == 1 ? one : many);
}
} // namespace

RunHead::RunHead(QWidget *parent) : QWidget(parent)
{
    m_status = new widgets::TokenLabel;
    m_status->setObjectName(u"runStatus"_s);
    m_status->setAccessibleName(u"Status"_s);
    m_status->setSize(1.35, true);
    m_event = new widgets::ElidedLabel;
    m_event->setObjectName(u"runEvent"_s);
    m_event->setAccessibleName(u"Event id"_s);
    QFont large = m_event->font();
    large.setPointSizeF(large.pointSizeF() * 1.35);
    m_event->setFont(large);
    m_identity = new widgets::ElidedLabel;
    m_identity->setObjectName(u"runIdentity"_s);
    m_identity->setAccessibleName(u"Workflow and run id"_s);
    m_identity->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_verdict = new widgets::WrapLabel;
    m_verdict->setObjectName(u"verdict"_s);
    QFont clear = m_verdict->font();
    clear.setPointSizeF(clear.pointSizeF() * 1.1);
    m_verdict->setFont(clear);
    m_figures = new widgets::ElidedLabel;
    m_figures->setObjectName(u"runFigures"_s);
    m_figures->setAccessibleName(u"Times and counts"_s);
    m_review = new QPushButton;
    m_review->setObjectName(u"openReview"_s);
    m_review->setAutoDefault(false);
    auto *top = new QHBoxLayout;
    top->setSpacing(fontMetrics().averageCharWidth() * 2);
    top->addWidget(m_status);
    top->addWidget(m_event, 3);
    top->addWidget(m_identity, 2);
    auto *second = new QHBoxLayout;
    second->addWidget(m_verdict, 1);
    second->addWidget(m_review, 0, Qt::AlignTop);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(top);
    column->addLayout(second);
    column->addWidget(m_figures);
    connect(m_review, &QPushButton::clicked, this, [this] { Q_EMIT reviewWanted(m_reviewId); });
}

void RunHead::setStory(const RunStory &story, model::Instant now)
{
    const style::StatusLook look = style::statusLook(story.status);
    m_status->setText(look.text());
    m_status->setToken(look.token);
    m_event->setWhole(story.eventId);
    m_identity->setWhole(
        u"%1@%2 · run %3"_s.arg(story.workflow).arg(story.version).arg(story.runId));
    m_verdict->setToken(Token::text);
    m_verdict->setText(capitalised(story.verdict));
    m_figures->setWhole(figures(story, now));
    for (QWidget *widget :
         std::initializer_list<QWidget *>{m_status, m_event, m_identity, m_figures})
        widget->show();
    const QJsonArray reviews = story.whole["reviews"_L1].toArray();
    m_reviewId = reviews.isEmpty() ? QString() : reviews.first()["id"_L1].toString();
    widgets::setRoomyText(m_review, reviews.size() > 1
                                        ? u"◆ Answer %1 reviews"_s.arg(reviews.size())
                                        : u"◆ Answer in Review"_s);
    m_review->setAccessibleName(u"Open the review of this run"_s);
    m_review->setVisible(!m_reviewId.isEmpty());
    widgets::setTextColour(m_identity, style::colour(Token::muted));
    widgets::setTextColour(m_figures, style::colour(Token::muted));
}

QString RunHead::figures(const RunStory &story, model::Instant now) const
{
    QStringList parts;
    if (story.startedAt == model::never)
        parts << u"accepted %1, not started"_s.arg(widgets::shortTime(story.createdAt));
    else
        parts << u"started %1"_s.arg(widgets::shortTime(story.startedAt));
    const model::Instant from = story.startedAt == model::never ? story.createdAt : story.startedAt;
    if (story.finishedAt != model::never)
        parts << u"took %1"_s.arg(widgets::durationText(story.finishedAt - from));
    else
        parts << u"%1 old"_s.arg(widgets::durationText(now - from));
    const QJsonObject &whole = story.whole;
    parts << counted(int(story.attempts.size()), u"attempt"_s, u"attempts"_s)
          << counted(whole["retry_count"_L1].toInt(), u"retry"_s, u"retries"_s);
    if (const int count = whole["compensation_count"_L1].toInt(); count > 0)
        parts << counted(count, u"compensation"_s, u"compensations"_s);
    if (const int count = whole["duplicates_prevented"_L1].toInt(); count > 0)
        parts << counted(count, u"duplicate prevented"_s, u"duplicates prevented"_s);
    return parts.join(u" · "_s);
}

void RunHead::showNothing(const QString &why, bool isBad)
{
    for (QWidget *widget :
         std::initializer_list<QWidget *>{m_status, m_event, m_identity, m_figures, m_review})
        widget->hide();
    m_verdict->setToken(isBad ? Token::bad : Token::muted);
    m_verdict->setText(why);
}

void RunHead::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !m_figures)
        return;
    widgets::setTextColour(m_identity, style::colour(Token::muted));
    widgets::setTextColour(m_figures, style::colour(Token::muted));
}

} // namespace holdfast::inspector
