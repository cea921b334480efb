// I14, I15, I16: compensations start last confirmed effect first, one at a time, and not while the
// outcome of an effect is unknown; what was confirmed is undone or waived before a run calls itself
// compensated, and no run ends by itself and leaves it. A detached step that fails undoes nothing.
#include "simulation/checkers/all.h"

#include <QJsonArray>
#include <set>

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using model::Direction;
using model::EntryKind;

namespace
{
// What the committed entries of one run say, so far.
class Tale
{
public:
    Tale(Evidence &evidence, const RunFacts &run) : m_evidence(evidence), m_run(run) {}

    void add(const Fact &fact)
    {
        const model::Entry &entry = fact.entry;
        const bool undo = entry.direction == Direction::compensate;
        switch (entry.kind) {
        case EntryKind::confirmed:
            m_unknown.erase({entry.step, undo});
            if (undo)
                settleUndo(entry.step);
            else
                m_confirmed.append(entry.step);
            return;
        case EntryKind::replayed:
            if (undo)
                settleUndo(entry.step);
            return;
        case EntryKind::clearedAbsent:
        case EntryKind::stepSkipped: m_unknown.erase({entry.step, undo}); return;
        case EntryKind::compensationWaived: settleUndo(entry.step); return;
        case EntryKind::attemptEnded:
            if (isAction(entry.direction) && entry.failureClass == model::FailureClass::ambiguous)
                m_unknown.insert({entry.step, undo});
            return;
        case EntryKind::stepFailed: m_failed.insert(entry.step); return;
        case EntryKind::compensationBegan: begin(fact); return;
        case EntryKind::intent:
            if (undo)
                checkIntent(entry.step);
            return;
        case EntryKind::finished: checkEnd(entry); return;
        case EntryKind::accepted:
        case EntryKind::stepStarted:
        case EntryKind::prepared:
        case EntryKind::gated:
        case EntryKind::snapshotKept:
        case EntryKind::retryScheduled:
        case EntryKind::verifyScheduled:
        case EntryKind::reviewOpened:
        case EntryKind::reviewClosed:
        case EntryKind::approved:
        case EntryKind::waiting:
        case EntryKind::cancelAsked:
        case EntryKind::reopened:
        case EntryKind::lateReport:
        case EntryKind::noted: return;
        }
        Q_UNREACHABLE();
    }

private:
    bool canBeUndone(const QString &step) const
    {
        const auto *policy = m_evidence.stage.step(m_run.workflow, step);
        return policy && policy->undo && policy->forward.effect != model::Effect::read;
    }
    bool isOwed(const QString &step) const
    {
        return canBeUndone(step) && m_confirmed.contains(step) && !m_settled.count(step);
    }
    bool isChosen(const QString &step) const
    {
        return m_chosen.isEmpty() || m_chosen.contains(step);
    }

    void settleUndo(const QString &step)
    {
        m_settled.insert(step);
        m_started.remove(step);
    }

    void begin(const Fact &fact)
    {
        m_chosen.clear();
        for (const QJsonValue &step : fact.entry.detail.value("steps"_L1).toArray())
            m_chosen.append(step.toString());
        const bool byPerson = !fact.entry.actor.isEmpty() || fact.entry.reason == "cancelled"_L1;
        if (byPerson)
            return;
        for (const QString &step : m_failed) {
            if (!m_evidence.stage.step(m_run.workflow, step)->detached)
                return;
        }
        m_evidence.add("A6",
                       u"%1 is compensated because a detached step failed"_s.arg(m_run.eventId));
    }

    void checkIntent(const QString &step)
    {
        for (const auto &[unknown, undo] : m_unknown) {
            if (!undo)
                m_evidence.add("I15", u"%1 undoes %2 while nobody knows whether %3 happened"_s.arg(
                                          m_run.eventId, step, unknown));
        }
        const qsizetype place = m_confirmed.lastIndexOf(step);
        if (place < 0)
            m_evidence.add("I14",
                           u"%1 undoes %2, which was never confirmed"_s.arg(m_run.eventId, step));
        for (qsizetype i = place + 1; i < m_confirmed.size(); ++i) {
            if (isOwed(m_confirmed.at(i)) && isChosen(m_confirmed.at(i)))
                m_evidence.add(
                    "I14", u"%1 undoes %2 before %3"_s.arg(m_run.eventId, step, m_confirmed.at(i)));
        }
        for (const QString &other : m_started) {
            if (other != step && !m_failed.count(other))
                m_evidence.add("I14",
                               u"%1 undoes %2 and %3 at once"_s.arg(m_run.eventId, step, other));
        }
        m_started.insert(step);
    }

    void checkEnd(const model::Entry &entry)
    {
        if (!entry.runStatus || *entry.runStatus == model::RunStatus::succeeded ||
            *entry.runStatus == model::RunStatus::succeededPartial ||
            *entry.runStatus == model::RunStatus::compensationFailed)
            return;
        const bool isWhole = *entry.runStatus == model::RunStatus::compensated;
        for (const QString &step : m_confirmed) {
            if (isOwed(step) && (isWhole || m_chosen.isEmpty()))
                m_evidence.add("I16",
                               u"%1 ends as %2 and %3 is not undone"_s.arg(
                                   m_run.eventId, model::runStatusName(*entry.runStatus), step));
        }
    }

    Evidence &m_evidence;
    const RunFacts &m_run;
    QStringList m_confirmed; // forward, in order; what the ledger answered is not ours
    QStringList m_chosen;
    QSet<QString> m_started;
    std::set<QString> m_settled;
    std::set<QString> m_failed;
    std::set<std::pair<QString, bool>> m_unknown;
};

// What left a worker that had frozen after its last look at the clock, and died before it could
// tell, is the one thing no client can know of (I1c): nobody owes a compensation for it. As a
// compensation it counts all the same, since the service knows it when it is sent again.
enum class Seen { byAClient, inTheBooks };

bool hadEffect(const Evidence &evidence, Seen seen, const QString &service, const QString &key,
               const QString &runId)
{
    for (const Arrival &arrival : evidence.record.arrivals) {
        const SentCall &sent = evidence.record.sent.at(arrival.sent);
        const bool isBeyondAClient = sent.pastLastCheck && !sent.reachedTurn;
        if (arrival.effect && arrival.service == service && arrival.key == key &&
            sent.call.runId == runId && (seen == Seen::inTheBooks || !isBeyondAClient))
            return true;
    }
    return false;
}

// The same by the books: what this run did at a service is made up for there.
void checkBooks(Evidence &evidence, const RunFacts &run)
{
    const auto stored = evidence.database.runs.find(run.runId);
    if (stored == evidence.database.runs.end() ||
        stored->second.status != model::RunStatus::compensated)
        return;
    for (const model::StepPolicy &policy : evidence.stage.policy(run.workflow).steps) {
        if (!policy.undo || evidence.personDecided(run.runId, policy.step, {}))
            continue;
        const QString key = evidence.keyOf(run, policy.step, Direction::forward);
        const QString undoKey = evidence.keyOf(run, policy.step, Direction::compensate);
        if (hadEffect(evidence, Seen::byAClient, policy.forward.dependency, key, run.runId) &&
            !hadEffect(evidence, Seen::inTheBooks, policy.undo->dependency, undoKey, run.runId))
            evidence.add("I16",
                         u"%1 is compensated and %2 stands in the books"_s.arg(run.eventId, key));
    }
}
} // namespace

void checkCompensation(Evidence &evidence)
{
    for (const RunFacts &run : evidence.runs) {
        Tale tale(evidence, run);
        for (const Fact &fact : run.facts)
            tale.add(fact);
        checkBooks(evidence, run);
    }
}

} // namespace holdfast::simulation
