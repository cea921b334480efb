#include "ui/review/grace.h"

namespace holdfast::review
{

namespace
{
constexpr int tickMs = 100;
} // namespace

Grace::Grace(QObject *parent) : QObject(parent)
{
    m_timer.setInterval(tickMs);
    connect(&m_timer, &QTimer::timeout, this, &Grace::tick);
}

void Grace::add(const Decision &decision)
{
    m_pending.append({decision, QDeadlineTimer(m_millis)});
    m_timer.start();
    Q_EMIT changed();
    if (m_millis <= 0)
        tick();
}

std::optional<Decision> Grace::undo(const QString &reviewId)
{
    for (qsizetype i = m_pending.size() - 1; i >= 0; --i) {
        if (!reviewId.isEmpty() && m_pending.at(i).decision.reviewId != reviewId)
            continue;
        const Decision decision = m_pending.takeAt(i).decision;
        Q_EMIT changed();
        return decision;
    }
    return std::nullopt;
}

bool Grace::holds(const QString &reviewId) const
{
    return std::any_of(m_pending.begin(), m_pending.end(), [&](const Pending &pending) {
        return pending.decision.reviewId == reviewId;
    });
}

int Grace::secondsLeft(const Pending &pending)
{
    return int((pending.until.remainingTime() + 999) / 1000);
}

void Grace::tick()
{
    QVector<Decision> ripe;
    for (qsizetype i = 0; i < m_pending.size();) {
        if (m_pending.at(i).until.hasExpired())
            ripe.append(m_pending.takeAt(i).decision);
        else
            ++i;
    }
    if (m_pending.isEmpty())
        m_timer.stop();
    Q_EMIT changed();
    for (const Decision &decision : ripe)
        Q_EMIT due(decision);
}

} // namespace holdfast::review
