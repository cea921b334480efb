#include "engine/draft.h"

#include "engine/fold.h"

#include <QCryptographicHash>

#include <algorithm>

namespace holdfast::engine
{

Draft::Draft(Run run, const Policy &policy, const Situation &situation)
    : m_policy(policy), m_situation(situation)
{
    m_outcome.next = std::move(run);
}

const StepPolicy *Draft::stepPolicy(const QString &step) const
{
    return model::stepPolicy(m_policy, step);
}

const OperationPolicy *Draft::operationPolicy(const QString &step, Direction target) const
{
    return model::operationPolicy(m_policy, step, target);
}

Direction Draft::target(const Step &step, Direction direction)
{
    switch (direction) {
    case Direction::forward:
    case Direction::snapshot: return Direction::forward;
    case Direction::compensate: return Direction::compensate;
    case Direction::verify:
        return step.undo.phase == Phase::idle ? Direction::forward : Direction::compensate;
    }
    Q_UNREACHABLE();
}

const Operation &Draft::operation(const Step &step, Direction direction)
{
    return target(step, direction) == Direction::compensate ? step.undo : step.forward;
}

void Draft::add(Entry entry)
{
    entry.at = now();
    fold(m_outcome.next, entry);
    m_outcome.entries.append(std::move(entry));
}

Entry Draft::entry(EntryKind kind, const QString &step, Direction direction) const
{
    Entry entry;
    entry.kind = kind;
    entry.step = step;
    entry.direction = direction;
    return entry;
}

QString Draft::newReviewId(const QString &step, ReviewKind kind) const
{
    // Derived, not drawn: the same decision made again after a lost commit names the same item.
    const QString text = run().runId + u'|' + QString::number(run().seq) + u'|' +
                         QString::number(m_outcome.entries.size()) + u'|' + step + u'|' +
                         reviewKindName(kind);
    const QByteArray hash = QCryptographicHash::hash(text.toUtf8(), QCryptographicHash::Sha256);
    return QStringLiteral("rv-") + QString::fromLatin1(hash.toHex().left(16));
}

bool Draft::asksFor(const QString &step, Direction direction) const
{
    return std::any_of(m_outcome.effects.cbegin(), m_outcome.effects.cend(),
                       [&](const auto &effect) {
                           const ClaimKey *claim = std::get_if<ClaimKey>(&effect);
                           return claim && claim->step == step && claim->direction == direction;
                       });
}

bool Draft::deadlinePassed() const
{
    return run().deadlineAt != never && run().clockStoppedAt == never && now() >= run().deadlineAt;
}

GateAnswer Draft::askGate(const GateQuestion &question) const
{
    Gates gates = m_situation.gates;
    for (const auto &effect : m_outcome.effects) {
        if (const Send *send = std::get_if<Send>(&effect))
            spend(gates, send->question, now());
    }
    return ask(gates, question, now());
}

void Draft::lookAgain(Instant due)
{
    if (due != never && (m_outcome.lookAgainAt == never || due < m_outcome.lookAgainAt))
        m_outcome.lookAgainAt = due;
}

void Draft::limitedBy(const QString &dependency) { m_outcome.limitedBy = dependency; }

Outcome Draft::accept()
{
    m_outcome.kind = Outcome::Kind::accepted;
    return std::move(m_outcome);
}

Outcome Draft::replayed()
{
    Q_ASSERT(!changed());
    Outcome outcome;
    outcome.kind = Outcome::Kind::replayed;
    outcome.next = std::move(m_outcome.next);
    outcome.lookAgainAt = m_outcome.lookAgainAt;
    outcome.limitedBy = m_outcome.limitedBy;
    return outcome;
}

Outcome Draft::reject(const QString &reason)
{
    Q_ASSERT(!changed());
    Outcome outcome;
    outcome.kind = Outcome::Kind::rejected;
    outcome.next = std::move(m_outcome.next);
    outcome.reason = reason;
    return outcome;
}

} // namespace holdfast::engine
