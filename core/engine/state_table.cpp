#include "engine/state_table.h"

#include "engine/decide.h"
#include "engine/fold.h"
#include "engine/invariants.h"
#include "engine/status.h"

#include <QMap>
#include <QSet>

#include <algorithm>
#include <deque>

namespace holdfast::engine
{

namespace
{
constexpr Instant startOfTime = 1'000'000'000'000;
constexpr int statesMax = 30000; // per workflow; all but the first are walked to the end
constexpr int violationsMax = 20;

using Cells = QMap<QString, QMap<RunStatus, QSet<QString>>>;

// What the runtime would answer within the turn comes before anything else can happen to a run.
using Question = std::variant<Prepare, ClaimKey, Collect>;

struct State {
    Run run;
    Instant now = startOfTime;
    QVector<Question> questions;
};

OperationPolicy operationOf(Effect effect, Protection protection, bool verify)
{
    OperationPolicy policy;
    policy.effect = effect;
    policy.protection = protection;
    policy.dependency = QStringLiteral("dependency");
    policy.retention = protection == Protection::native ? day : 0;
    policy.hasVerify = verify;
    policy.settleAfter = verify ? second : 0;
    policy.retry = {2, second, 200, minute, false};
    return policy;
}

StepPolicy writeStep(const char *name, Protection protection, bool verify, bool undo)
{
    StepPolicy step;
    step.step = QString::fromLatin1(name);
    step.forward = operationOf(Effect::write, protection, verify);
    if (undo)
        step.undo = operationOf(Effect::write, protection, verify);
    return step;
}

Policy policyOf(const QVector<StepPolicy> &steps, Millis deadline)
{
    Policy policy;
    policy.workflow = QStringLiteral("workflow");
    policy.version = 1;
    policy.deadline = deadline;
    policy.steps = steps;
    return policy;
}

Policy peoplesPolicy()
{
    StepPolicy approval;
    approval.step = QStringLiteral("approval");
    approval.forward.kind = StepKind::approval;
    approval.forward.approval = ApprovalPolicy{};
    StepPolicy wait;
    wait.step = QStringLiteral("wait");
    wait.forward.kind = StepKind::wait;
    wait.wait.event = QStringLiteral("event");
    wait.wait.timeout = hour;
    StepPolicy risky = writeStep("risky", Protection::natural, false, false);
    risky.forward.effect = Effect::destructive;
    risky.forward.approval = ApprovalPolicy{};
    risky.onFailure = OnFailure::review;
    return policyOf({approval, wait, risky}, 0);
}

QVector<Policy> policies()
{
    StepPolicy enrich = writeStep("enrich", Protection::none, false, false);
    enrich.detached = true;
    StepPolicy read = writeStep("read", Protection::none, false, false);
    read.forward.effect = Effect::read;
    StepPolicy check;
    check.step = QStringLiteral("check");
    check.forward.kind = StepKind::check;
    StepPolicy mail = writeStep("mail", Protection::none, false, false);
    mail.onFailure = OnFailure::continueRun;
    StepPolicy snapshot = writeStep("snapshot", Protection::probe, true, true);
    snapshot.hasSnapshot = true;
    Policy outputs = policyOf({check, read, mail}, 0);
    outputs.hasOutputs = true;
    return {policyOf({writeStep("native", Protection::native, false, true),
                      writeStep("none", Protection::none, false, true)},
                     hour),
            policyOf({snapshot, writeStep("last", Protection::native, true, false)}, 0),
            policyOf({enrich, writeStep("native", Protection::native, false, true)}, 0), outputs,
            peoplesPolicy()};
}

class Explorer
{
public:
    Explorer(const Policy &policy, Cells &cells, QStringList &breaches)
        : m_policy(policy), m_cells(cells), m_breaches(breaches)
    {
        m_paused.pauses = {Pause{{}, {}, PauseDepth::all}};
        m_intakePaused.pauses = {Pause{{}, {}, PauseDepth::intake}};
    }

    void explore()
    {
        start(false);
        start(true);
        while (!m_queue.empty() && m_seen.size() < statesMax) {
            const State state = m_queue.front();
            m_queue.pop_front();
            if (!state.questions.isEmpty()) {
                answer(state);
                continue;
            }
            reports(state);
            ticks(state);
            commands(state);
            stale(state);
        }
    }

private:
    void start(bool held)
    {
        Run run;
        run.runId = QStringLiteral("run");
        run.workflow = m_policy.workflow;
        run.version = m_policy.version;
        const Entry entry = acceptedEntry(run, startOfTime, m_policy.deadline, held);
        State state;
        fold(state.run, entry);
        enqueue(state);
    }

    // Times and numbers are left out of the key, counts are bucketed: that makes the walk finite.
    static QString keyOf(const Operation &operation)
    {
        return QStringLiteral("%1,%2%3%4,%5,%6,%7,%8,%9")
            .arg(phaseName(operation.phase))
            .arg(int(operation.ambiguous) + 2 * int(operation.lateEffect))
            .arg(int(operation.knownToHaveHappened))
            .arg(int(operation.approved))
            .arg(std::min(operation.tries, 2))
            .arg(std::min(operation.serverErrors, 2))
            .arg(operation.gate)
            .arg(operation.reviewKind ? reviewKindName(*operation.reviewKind) : QString())
            .arg(int(operation.replayed));
    }

    static QString keyOf(const State &state)
    {
        QStringList parts{runStatusName(state.run.status), state.run.failedStep,
                          QString::number(int(state.run.held) + 2 * int(state.run.compensating) +
                                          4 * int(state.run.cancelRequested) +
                                          8 * int(state.run.partial) +
                                          16 * int(state.run.deadLetterId.isEmpty())),
                          state.run.chosenSteps.join(u'+')};
        for (const Step &step : state.run.steps)
            parts << keyOf(step.forward) << keyOf(step.undo)
                  << QString::number(int(step.waived) + 2 * int(step.hasBefore));
        for (const Question &question : state.questions)
            parts << QString::number(question.index());
        return parts.join(u'|');
    }

    void enqueue(const State &state)
    {
        const QString key = keyOf(state);
        if (m_seen.contains(key))
            return;
        m_seen.insert(key);
        m_queue.push_back(state);
    }

    // Decides, notes what came of it, and remembers where it led.
    void apply(const State &state, const Event &event, const Gates &gates, bool follow = true)
    {
        const Outcome outcome = decide(state.run, event, m_policy, {state.now, 1, gates});
        QSet<QString> &cell = m_cells[eventName(event)][state.run.status];
        switch (outcome.kind) {
        case Outcome::Kind::replayed: cell.insert(QStringLiteral("replayed")); return;
        case Outcome::Kind::rejected: cell.insert(QStringLiteral("rejected")); return;
        case Outcome::Kind::accepted:
            cell.insert(QStringLiteral("→ ") + runStatusName(outcome.next.status));
        }
        if (!follow)
            return;
        noteBreaches(state, event, outcome.next);
        State next{outcome.next, state.now, state.questions};
        next.run.seq = state.run.seq + 1;
        for (const auto &effect : outcome.effects) {
            if (const auto *prepare = std::get_if<Prepare>(&effect))
                next.questions.append(*prepare);
            else if (const auto *claim = std::get_if<ClaimKey>(&effect))
                next.questions.append(*claim);
            else if (std::get_if<Collect>(&effect))
                next.questions.append(Collect{});
        }
        enqueue(next);
    }

    void noteBreaches(const State &state, const Event &event, const Run &next)
    {
        for (const QString &breach : violations(next, m_policy)) {
            const QString text =
                QStringLiteral("%1 on %2: %3")
                    .arg(eventName(event), runStatusName(state.run.status), breach);
            if (m_breaches.size() < violationsMax && !m_breaches.contains(text))
                m_breaches.append(text);
        }
    }

    void answer(State state)
    {
        const Question question = state.questions.takeFirst();
        if (const auto *prepare = std::get_if<Prepare>(&question)) {
            answerPrepare(state, *prepare);
        } else if (const auto *claim = std::get_if<ClaimKey>(&question)) {
            using Answer = LedgerAnswered::Outcome;
            for (const Answer outcome : {Answer::mine, Answer::succeeded, Answer::processing,
                                         Answer::compensated, Answer::otherRequest}) {
                const QJsonObject receipt{{QStringLiteral("id"), 1}};
                apply(state,
                      LedgerAnswered{claim->step, claim->direction, outcome, {}, receipt, {}},
                      m_open);
            }
        } else {
            apply(state, Collected{}, m_open);
        }
    }

    void answerPrepare(const State &state, const Prepare &question)
    {
        const StepPolicy &step = *std::find_if(
            m_policy.steps.cbegin(), m_policy.steps.cend(),
            [&](const StepPolicy &candidate) { return candidate.step == question.step; });
        const bool undo = question.direction == Direction::compensate;
        const Step *known = state.run.find(question.step);
        Prepared prepared;
        prepared.step = question.step;
        prepared.direction = question.direction;
        prepared.key = directionName(question.direction) + question.step;
        prepared.hash = prepared.key;
        if (!undo && step.hasSnapshot && !(known && known->hasBefore))
            prepared.outcome = Prepared::Outcome::snapshot;
        else if (step.forward.kind == StepKind::check)
            prepared.outcome = Prepared::Outcome::checkTrue;
        else if (step.forward.kind != StepKind::http)
            prepared.outcome = Prepared::Outcome::nothing;
        apply(state, prepared, m_open);
        apply(state, prepared, m_paused);
        prepared.outcome = step.forward.kind == StepKind::check ? Prepared::Outcome::checkFalse
                                                                : Prepared::Outcome::failed;
        apply(state, prepared, m_open);
    }

    void reports(const State &state)
    {
        for (const Step &step : state.run.steps) {
            const Attempt *open = openAttempt(step);
            if (!open)
                continue;
            AttemptEnded ended;
            ended.step = step.step;
            ended.direction = open->direction;
            ended.attempt = open->number;
            const auto end = [&](int status, bool readable, AttemptEnded::Verdict verdict) {
                ended.status = status;
                ended.readable = readable;
                ended.verdict = verdict;
                apply(state, ended, m_open);
            };
            using Verdict = AttemptEnded::Verdict;
            if (open->direction == Direction::verify) {
                for (const Verdict verdict : {Verdict::happened, Verdict::absent, Verdict::unknown})
                    end(200, true, verdict);
            } else {
                end(200, true, Verdict::none);
                end(200, false, Verdict::none);
            }
            for (const int status : {401, 422, 429, 500})
                end(status, false, Verdict::none);
        }
        apply(state, TakenOver{}, m_open);
    }

    void ticks(const State &state)
    {
        apply(state, Tick{}, m_open);
        apply(state, Tick{}, m_paused);
        apply(state, Tick{}, m_intakePaused);
        State later = state;
        later.now = std::max(state.now, nextDue(state.run));
        apply(later, Tick{}, m_open);
        apply(later, Tick{}, m_paused);
        later.now += 2 * hour;
        apply(later, Tick{}, m_open);
    }

    QStringList reviews(const Run &run) const
    {
        QStringList ids{QStringLiteral("unknown")};
        for (const Step &step : run.steps)
            ids << step.forward.reviewId << step.undo.reviewId;
        ids << run.deadLetterId;
        ids.removeAll(QString());
        return ids;
    }

    void commands(const State &state)
    {
        const QString actor = QStringLiteral("person");
        apply(state, Cancel{actor, {}}, m_open);
        apply(state, Retry{actor, {}}, m_open);
        apply(state, Compensate{actor, {}, {}}, m_open);
        apply(state, Compensate{actor, {}, {m_policy.steps.first().step}}, m_open);
        apply(state, Signal{actor, QStringLiteral("event"), {}}, m_open);
        apply(state, Note{actor, {}}, m_open, false);
        using Verdict = Resolve::Verdict;
        for (const QString &review : reviews(state.run)) {
            for (const Verdict verdict : {Verdict::happened, Verdict::absent, Verdict::retry,
                                          Verdict::waive, Verdict::dismiss, Verdict::verify})
                apply(state, Resolve{actor, {}, review, verdict, {}}, m_open);
            QString hash;
            for (const Step &step : state.run.steps) {
                if (step.forward.reviewId == review)
                    hash = step.forward.hash;
                if (step.undo.reviewId == review)
                    hash = step.undo.hash;
            }
            apply(state, Approve{actor, {}, review, hash}, m_open);
            apply(state, Reject{actor, {}, review}, m_open);
        }
        lateReports(state);
    }

    void lateReports(const State &state)
    {
        LateReport report;
        report.step = QStringLiteral("unknown");
        apply(state, report, m_open, false);
        for (const Step &step : state.run.steps) {
            if (step.attempts.isEmpty())
                continue;
            report.step = step.step;
            report.direction = step.attempts.first().direction;
            report.attempt = 1;
            if (step.attempts.first().endedAt == never)
                continue;
            for (const FailureClass known :
                 {FailureClass::none, FailureClass::ambiguous, FailureClass::transient}) {
                report.failureClass = known;
                apply(state, report, m_open);
            }
        }
    }

    // Answers to questions nobody has asked, and reports of attempts long over. They must be
    // harmless, so what they lead to is noted and not followed.
    void stale(const State &state)
    {
        AttemptEnded ended;
        ended.step = m_policy.steps.first().step;
        ended.attempt = 99;
        apply(state, ended, m_open, false);
        LedgerAnswered ledger;
        ledger.step = QStringLiteral("unknown");
        apply(state, ledger, m_open, false);
        Prepared prepared;
        prepared.step = QStringLiteral("unknown");
        apply(state, prepared, m_open, false);
        apply(state, Collected{}, m_open, false);
    }

    const Policy &m_policy;
    Cells &m_cells;
    QStringList &m_breaches;
    Gates m_open;
    Gates m_paused;
    Gates m_intakePaused;
    QSet<QString> m_seen;
    std::deque<State> m_queue;
};

QString cellText(const QSet<QString> &outcomes)
{
    QStringList sorted(outcomes.cbegin(), outcomes.cend());
    std::sort(sorted.begin(), sorted.end());
    return sorted.join(QStringLiteral("<br>"));
}
} // namespace

StateTable stateTable()
{
    Cells cells;
    StateTable table;
    const QVector<Policy> all = policies();
    for (const Policy &policy : all)
        Explorer(policy, cells, table.violations).explore();
    QString &text = table.text;
    text = QStringLiteral("| event |");
    QString rule = QStringLiteral("|---|");
    for (const RunStatus status : allRunStatuses) {
        text += QStringLiteral(" %1 |").arg(runStatusName(status));
        rule += QStringLiteral("---|");
    }
    text += u'\n' + rule + u'\n';
    for (auto row = cells.cbegin(); row != cells.cend(); ++row) {
        text += QStringLiteral("| %1 |").arg(row.key());
        for (const RunStatus status : allRunStatuses)
            text += QStringLiteral(" %1 |").arg(cellText(row.value().value(status)));
        text += u'\n';
    }
    return table;
}

} // namespace holdfast::engine
