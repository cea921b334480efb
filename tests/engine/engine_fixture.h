// A tiny driver around decide(), so that engine tests read like stories: it answers Prepare,
// ClaimKey and Collect within the turn as the runtime does, keeps the gates, and lets a test say
// how attempts end and how much time passes. Every single decision is also checked against what
// must always hold: folding its entries gives its next run (also after a JSON round trip), the same
// input gives the same outcome, a refusal changes nothing, and no invariant is violated.
#pragma once

#include "engine/decide.h"
#include "engine/engine_words.h"
#include "engine/fold.h"
#include "engine/invariants.h"
#include "engine/status.h"

#include <QMap>
#include <QSet>
#include <QtTest>

namespace holdfast::tests
{

class Story
{
public:
    explicit Story(const Policy &rules) : policy(rules)
    {
        run.runId = QStringLiteral("run-1");
        run.workflow = rules.workflow;
        run.version = rules.version;
        run.eventId = QStringLiteral("event-1");
    }

    Policy policy;
    Gates gates;
    Run run;
    Instant now = 1'700'000'000'000;
    qint64 fence = 1;
    Entries journal;
    Entries entries; // of the last turn
    QVector<Send> sends;
    QVector<TripPause> trips;
    QMap<QString, LedgerAnswered::Outcome> ledger; // by step; mine where nothing is said
    QSet<QString> skips;                           // steps whose `when` is false
    QSet<QString> checksFalse;
    QSet<QString> unpreparable;
    QByteArray body = QByteArrayLiteral("{\"amount\":1}");
    QMap<QString, int> othersInFlight;
    Outcome last;
    int decisions = 0;
    QStringList problems;
    bool failsTest = true; // false: whoever drives reads `problems`

    // One turn: the event, then whatever the engine asked.
    Outcome turn(const Event &event)
    {
        entries.clear();
        fillGates(event);
        QVector<ClaimKey> claims;
        const Outcome first = step(event, claims);
        while (!claims.isEmpty())
            step(answer(claims.takeFirst()), claims);
        if (!entries.isEmpty())
            ++run.seq;
        last = first;
        return first;
    }

    void start(bool held = false)
    {
        const Entry entry = acceptedEntry(run, now, policy.deadline, held);
        run = {};
        fold(run, entry);
        journal.append(entry);
        run.seq = 1;
        turn(Tick{});
    }

    // The open attempt ends. Which one has to be said only where several are open.
    Outcome end(Ended ended, const char *step = nullptr)
    {
        for (const Step &candidate : std::as_const(run.steps)) {
            const Attempt *open = openAttempt(candidate);
            if (!open || (step && candidate.step != QLatin1String(step)))
                continue;
            ended.step = candidate.step;
            ended.direction = open->direction;
            ended.attempt = open->number;
            return turn(ended);
        }
        problem(QStringLiteral("the story ends an attempt, but none is open"));
        return {};
    }

    void pass(Millis time)
    {
        now += time;
        turn(Tick{});
    }

    // Time passes until the run itself says that it wants to be looked at.
    void passUntilDue()
    {
        const Instant due = nextDue(run);
        if (due == never)
            problem(QStringLiteral("nothing is due"));
        now = std::max(now, due);
        turn(Tick{});
    }

    void takeOver()
    {
        ++fence;
        turn(TakenOver{});
    }

    const Operation &forward(const char *step) const { return run.find(at(step))->forward; }
    const Operation &undo(const char *step) const { return run.find(at(step))->undo; }
    QString phase(const char *step) const
    {
        return run.find(at(step)) ? phaseName(forward(step).phase) : QStringLiteral("unreached");
    }
    QString undoPhase(const char *step) const { return phaseName(undo(step).phase); }
    QString status() const { return runStatusName(run.status); }
    int sent(const char *step, Direction direction = Direction::forward) const
    {
        return int(std::count_if(sends.cbegin(), sends.cend(), [&](const Send &send) {
            return send.step == at(step) && send.direction == direction;
        }));
    }
    bool isOpen() const { return hasOpenAttempt(run); }
    QStringList sentInOrder(Direction direction) const
    {
        QStringList steps;
        for (const Send &send : sends) {
            if (send.direction == direction)
                steps.append(send.step);
        }
        return steps;
    }
    // What waits for a person in this step, as "kind:reason", or nothing.
    QString review(const char *step, Direction direction = Direction::forward) const
    {
        const Operation &operation =
            direction == Direction::compensate ? undo(step) : forward(step);
        return operation.reviewKind ? reviewKindName(*operation.reviewKind) : QString();
    }
    int opened(ReviewKind reviewKind) const
    {
        return int(std::count_if(journal.cbegin(), journal.cend(), [&](const Entry &entry) {
            return entry.kind == EntryKind::reviewOpened && entry.reviewKind == reviewKind;
        }));
    }
    const Entry *lastEntry(EntryKind entryKind) const
    {
        for (auto entry = journal.crbegin(); entry != journal.crend(); ++entry) {
            if (entry->kind == entryKind)
                return &*entry;
        }
        return nullptr;
    }

    Outcome resolve(const QString &review, Resolve::Verdict verdict,
                    const QJsonObject &receipt = {})
    {
        return turn(
            Resolve{QStringLiteral("ada"), QStringLiteral("looked"), review, verdict, receipt});
    }
    Outcome resolve(const char *step, Resolve::Verdict verdict,
                    Direction direction = Direction::forward)
    {
        const Operation &operation =
            direction == Direction::compensate ? undo(step) : forward(step);
        return resolve(operation.reviewId, verdict,
                       {{QStringLiteral("id"), QStringLiteral("by-hand")}});
    }
    Outcome cancel() { return turn(Cancel{QStringLiteral("ada"), QStringLiteral("stop")}); }
    Outcome retry() { return turn(Retry{QStringLiteral("ada"), QStringLiteral("again")}); }
    Outcome compensate(const QStringList &steps = {})
    {
        return turn(Compensate{QStringLiteral("ada"), QStringLiteral("wrong order"), steps});
    }
    Outcome approve(const char *step)
    {
        return turn(Approve{QStringLiteral("ada"), {}, forward(step).reviewId, forward(step).hash});
    }

    // Gives the dependency a gate with plenty of everything; a test then takes something away.
    DependencyGate &gate(const char *dependency = "payments")
    {
        const bool known = gates.dependencies.contains(at(dependency));
        DependencyGate &found = gates.dependencies[at(dependency)];
        if (!known) {
            found.retries = 1'000'000;
            found.revision = 1;
            found.compatibleSince = 1;
        }
        return found;
    }

    void problem(const QString &text)
    {
        problems.append(text);
        if (failsTest)
            QTest::qFail(qPrintable(text), __FILE__, __LINE__);
    }

private:
    static QString at(const char *text) { return QString::fromLatin1(text); }

    Outcome step(const Event &event, QVector<ClaimKey> &claims)
    {
        const Situation situation{now, fence, gates};
        const Outcome outcome = decide(run, event, policy, situation);
        ++decisions;
        checkOutcome(event, outcome, situation);
        if (!outcome.accepted())
            return outcome;
        run = outcome.next;
        journal += outcome.entries;
        entries += outcome.entries;
        noteBreakers(outcome.entries);
        for (const auto &effect : outcome.effects) {
            if (const auto *prepare = std::get_if<Prepare>(&effect))
                step(answer(*prepare), claims);
            else if (std::get_if<Collect>(&effect))
                step(Collected{{{QStringLiteral("out"), 1}}, {}}, claims);
            else if (const auto *claim = std::get_if<ClaimKey>(&effect))
                claims.append(*claim);
            else if (const auto *send = std::get_if<Send>(&effect)) {
                spend(gates, send->question, now);
                sends.append(*send);
            } else if (const auto *trip = std::get_if<TripPause>(&effect)) {
                trips.append(*trip);
            }
        }
        return outcome;
    }

    void checkOutcome(const Event &event, const Outcome &outcome, const Situation &situation)
    {
        const QString where = QStringLiteral("%1 #%2: ").arg(eventName(event)).arg(decisions);
        const QByteArray next = picture(outcome.next);
        if (!outcome.accepted()) {
            if (next != picture(run) || !outcome.entries.isEmpty() || !outcome.effects.isEmpty())
                problem(where +
                        QStringLiteral("a decision that was not accepted changed something"));
            if (outcome.kind == Outcome::Kind::rejected && outcome.reason.isEmpty())
                problem(where + QStringLiteral("a rejection without a reason"));
            return;
        }
        Run folded = run;
        Run reread = run;
        for (const Entry &entry : outcome.entries)
            fold(folded, entry);
        for (const Entry &entry : entriesFromJson(entriesToJson(outcome.entries)))
            fold(reread, entry);
        if (picture(folded) != next)
            problem(where + QStringLiteral("folding the entries does not give the next run"));
        if (picture(reread) != next)
            problem(where +
                    QStringLiteral("folding the entries read back does not give the next run"));
        const Outcome again = decide(run, event, policy, situation);
        if (picture(again.next) != next || again.effects.size() != outcome.effects.size() ||
            entriesToJson(again.entries) != entriesToJson(outcome.entries))
            problem(where + QStringLiteral("the same input gave another outcome"));
        const QStringList broken = violations(outcome.next, policy);
        if (!broken.isEmpty())
            problem(where + broken.join(QStringLiteral("; ")));
    }

    Prepared answer(const Prepare &question) const
    {
        Prepared prepared;
        prepared.step = question.step;
        prepared.direction = question.direction;
        const bool undoing = question.direction == Direction::compensate;
        const StepPolicy &rules = *std::find_if(
            policy.steps.cbegin(), policy.steps.cend(),
            [&](const StepPolicy &candidate) { return candidate.step == question.step; });
        const Step *known = run.find(question.step);
        const StepKind stepKind = undoing ? rules.undo->kind : rules.forward.kind;
        prepared.key =
            (undoing ? QStringLiteral("undo:key:") : QStringLiteral("key:")) + question.step;
        prepared.hash = QStringLiteral("hash-of-") + prepared.key;
        prepared.operation = QStringLiteral("payments POST /") + prepared.key;
        prepared.request.method = QStringLiteral("POST");
        prepared.request.path = QStringLiteral("/") + question.step;
        prepared.request.body = body;
        if (unpreparable.contains(prepared.key)) {
            prepared.outcome = Prepared::Outcome::failed;
            prepared.message = QStringLiteral("input.email is missing");
        } else if (!undoing && rules.hasWhen && skips.contains(question.step)) {
            prepared.outcome = Prepared::Outcome::skipped;
        } else if (stepKind == StepKind::check) {
            prepared.outcome = checksFalse.contains(question.step) ? Prepared::Outcome::checkFalse
                                                                   : Prepared::Outcome::checkTrue;
        } else if (stepKind != StepKind::http && stepKind != StepKind::command) {
            prepared.outcome = Prepared::Outcome::nothing;
        } else if (!undoing && rules.hasSnapshot && !(known && known->hasBefore)) {
            prepared.outcome = Prepared::Outcome::snapshot;
        }
        return prepared;
    }

    LedgerAnswered answer(const ClaimKey &claim) const
    {
        LedgerAnswered answered;
        answered.step = claim.step;
        answered.direction = claim.direction;
        const QString name = claim.direction == Direction::compensate
                                 ? QStringLiteral("undo:") + claim.step
                                 : claim.step;
        answered.outcome = ledger.value(name, LedgerAnswered::Outcome::mine);
        answered.ownerRunId = QStringLiteral("run-0");
        answered.result = {{QStringLiteral("id"), QStringLiteral("theirs")}};
        return answered;
    }

    QString dependencyOf(const Step &step, Direction direction) const
    {
        for (const StepPolicy &rules : policy.steps) {
            if (rules.step != step.step)
                continue;
            const bool undoing = direction == Direction::compensate ||
                                 (direction == Direction::verify && step.undo.phase != Phase::idle);
            return undoing && rules.undo ? rules.undo->dependency : rules.forward.dependency;
        }
        return {};
    }

    void fillGates(const Event &event)
    {
        for (auto found = gates.dependencies.begin(); found != gates.dependencies.end(); ++found) {
            found->inFlight = othersInFlight.value(found.key());
        }
        const Ended *ended = std::get_if<Ended>(&event);
        for (const Step &candidate : std::as_const(run.steps)) {
            const Attempt *open = openAttempt(candidate);
            if (!open || (ended && ended->step == candidate.step))
                continue;
            const auto found = gates.dependencies.find(dependencyOf(candidate, open->direction));
            if (found != gates.dependencies.end())
                ++found->inFlight;
        }
    }

    void noteBreakers(const Entries &added)
    {
        for (const Entry &entry : added) {
            const bool ended = entry.kind == EntryKind::attemptEnded ||
                               entry.kind == EntryKind::snapshotKept ||
                               (entry.kind == EntryKind::confirmed && entry.attempt > 0);
            if (!ended || entry.reason == QLatin1String("worker_lost"))
                continue;
            const auto found =
                gates.dependencies.find(dependencyOf(*run.find(entry.step), entry.direction));
            if (found == gates.dependencies.end())
                continue;
            const bool failed = entry.failureClass == FailureClass::transient ||
                                entry.failureClass == FailureClass::ambiguous;
            found->breaker =
                afterAttempt(found->breaker, found->breakerPolicy, failed, entry.reason, now);
        }
    }
};

} // namespace holdfast::tests
