// I20: attempts stay within the policy unless a person grants more, waits stay within its longest,
// waits that should be spread are not all alike, and all workers together spend no more retries on
// a service than its budget.
#include "simulation/checkers/all.h"

#include <set>

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using model::EntryKind;

namespace
{
constexpr Millis retryAfterMost = 20 * model::second; // what the simulated services ask for
constexpr int enoughToTell = 5;

bool isFree(const model::Entry &ended)
{
    return ended.reason == "credentials_refused"_L1 || ended.reason == "key_in_use"_L1;
}

void checkAttempts(Evidence &evidence, const RunFacts &run)
{
    std::map<std::pair<QString, int>, int> tries;
    for (const Fact &fact : run.facts) {
        const model::Entry &entry = fact.entry;
        if (!isAction(entry.direction))
            continue;
        int &count = tries[{entry.step, int(entry.direction)}];
        if (entry.kind == EntryKind::attemptEnded && isFree(entry))
            --count;
        if (entry.kind == EntryKind::reopened || !entry.actor.isEmpty())
            count = 0;
        const auto *policy = evidence.stage.operation(run.workflow, entry.step, entry.direction);
        if (entry.kind == EntryKind::intent && policy && ++count > policy->retry.attempts)
            evidence.add("I20", u"%1 tried %2 %3 times"_s.arg(run.eventId, entry.step).arg(count));
    }
}

void checkWaits(Evidence &evidence, const RunFacts &run, int &jittered, int &exact)
{
    int attempt = 1;
    for (const Fact &fact : run.facts) {
        const model::Entry &entry = fact.entry;
        if (entry.kind == EntryKind::intent)
            attempt = entry.attempt;
        if (entry.kind != EntryKind::retryScheduled || !isAction(entry.direction))
            continue;
        const auto *policy = evidence.stage.operation(run.workflow, entry.step, entry.direction);
        if (!policy)
            continue;
        const Millis wait = entry.due - entry.at;
        if (wait > std::max(policy->retry.delayMax, retryAfterMost))
            evidence.add(
                "I20", u"%1 waits %2 ms to retry %3"_s.arg(run.eventId).arg(wait).arg(entry.step));
        if (!policy->retry.jitter || policy->retry.delay < model::second || attempt != 1)
            continue;
        ++jittered;
        exact += wait == policy->retry.delay ? 1 : 0;
    }
}

// The first question about a send is a first try, however often the send before was asked about;
// so is one after a question that does not count.
class Questions
{
public:
    bool isRetry(const model::Entry &intent)
    {
        if (intent.direction != model::Direction::verify)
            return intent.attempt > 1;
        return !m_asked.insert(intent.step).second;
    }
    void end(const model::Entry &ended)
    {
        if (ended.direction != model::Direction::verify || !ended.counts)
            m_asked.erase(ended.step);
    }

private:
    std::set<QString> m_asked;
};

// A bucket of ten, ten more each second, and a share of the first tries.
void checkBudget(Evidence &evidence)
{
    std::map<QString, QVector<std::pair<Instant, bool>>> starts; // by service
    for (const RunFacts &run : evidence.runs) {
        Questions questions;
        for (const Fact &fact : run.facts) {
            const auto *policy =
                evidence.stage.operation(run.workflow, fact.entry.step, fact.entry.direction);
            if (fact.entry.kind == EntryKind::attemptEnded)
                questions.end(fact.entry);
            if (fact.entry.kind == EntryKind::intent && policy && !policy->dependency.isEmpty())
                starts[policy->dependency].append({fact.entry.at, questions.isRetry(fact.entry)});
        }
    }
    for (auto &[service, calls] : starts)
        std::sort(calls.begin(), calls.end());
    for (const auto &[service, calls] : starts) {
        const model::LimitPolicy &limit = evidence.stage.dependency(service).limit;
        for (qsizetype from = 0; from < calls.size(); ++from) {
            if (from > 0 && calls.at(from - 1).first == calls.at(from).first)
                continue; // of one instant all or none, because nobody knows what came first
            int retries = 0;
            int firsts = 0;
            for (qsizetype i = from; i < calls.size(); ++i) {
                const Millis passed = calls.at(i).first - calls.at(from).first;
                if (passed > 2 * model::second)
                    break;
                (calls.at(i).second ? retries : firsts) += 1;
                // In thousandths.
                const qint64 allowed = (limit.retryFloorPerSecond + 1) * 1000 +
                                       passed * limit.retryFloorPerSecond +
                                       firsts * limit.retryRatioPercent * 10;
                if (retries * 1000 > allowed) {
                    evidence.add(
                        "I20",
                        u"%1 retries were sent to %2 within %3 ms"_s.arg(retries).arg(service).arg(
                            passed));
                    return;
                }
            }
        }
    }
}
} // namespace

void checkBoundedRetries(Evidence &evidence)
{
    int jittered = 0;
    int exact = 0;
    for (const RunFacts &run : evidence.runs) {
        checkAttempts(evidence, run);
        checkWaits(evidence, run, jittered, exact);
    }
    if (jittered >= enoughToTell && exact == jittered)
        evidence.add("I20", u"%1 retries waited exactly as long as each other"_s.arg(exact));
    checkBudget(evidence);
}

} // namespace holdfast::simulation
