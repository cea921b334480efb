// I12: no intent without the approval it needs, given by a person for these very bytes; none after
// the deadline, where nothing ever stopped its clock. And what is to be kept before a write is read
// before it.
#include "simulation/checkers/all.h"

#include <algorithm>

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using model::EntryKind;

namespace
{
// Of the operation that this fact is about, before it.
bool isApprovalBefore(const Evidence &evidence, const Act &act, const RunFacts &run,
                      const Fact &fact)
{
    return act.name == "approve"_L1 && act.runId == run.runId && act.step == fact.entry.step &&
           act.direction == fact.entry.direction && act.order < fact.order &&
           !evidence.wasTurnedDown(act);
}

void checkApproval(Evidence &evidence, const RunFacts &run, const Fact &intent)
{
    bool approved = false;
    QString hash;
    for (const Fact &fact : run.facts) {
        if (fact.journal > intent.journal || fact.entry.step != intent.entry.step ||
            fact.entry.direction != intent.entry.direction)
            continue;
        if (fact.entry.kind == EntryKind::prepared)
            hash = fact.entry.hash;
        approved = approved || fact.entry.kind == EntryKind::approved;
    }
    const QVector<Act> &acts = evidence.record.acts;
    const bool isTheirs = std::any_of(acts.cbegin(), acts.cend(), [&](const Act &act) {
        return isApprovalBefore(evidence, act, run, intent) && act.hash == hash;
    });
    if (!approved || !isTheirs)
        evidence.add("I12", u"%1 sent %2 and nobody approved these bytes"_s.arg(run.eventId,
                                                                                intent.entry.step));
}

// A step that is nothing but an approval has no request, so no bytes of it were shown. And nobody's
// yes counts once the question has expired.
void checkAnswer(Evidence &evidence, const RunFacts &run, const Fact &yes)
{
    Instant expires = model::never;
    for (const Fact &fact : run.facts) {
        if (fact.journal < yes.journal && fact.entry.kind == EntryKind::reviewOpened &&
            fact.entry.reviewKind == model::ReviewKind::approval &&
            fact.entry.step == yes.entry.step && fact.entry.direction == yes.entry.direction)
            expires = fact.entry.due;
    }
    if (expires != model::never && yes.entry.at >= expires)
        evidence.add("I12", u"%1 of %2 was approved after it had expired"_s.arg(yes.entry.step,
                                                                                run.eventId));
    for (const Act &act : evidence.record.acts) {
        if (isApprovalBefore(evidence, act, run, yes) && act.actor == yes.entry.actor)
            return;
    }
    evidence.add("I12", u"%1 of %2 was approved by nobody"_s.arg(yes.entry.step, run.eventId));
}

bool isYes(const Evidence &evidence, const RunFacts &run, const model::Entry &entry)
{
    if (entry.kind == EntryKind::approved)
        return true;
    const model::StepPolicy *policy = evidence.stage.step(run.workflow, entry.step);
    return entry.kind == EntryKind::confirmed && policy &&
           policy->forward.kind == model::StepKind::approval;
}

bool stopsTheClock(const model::Entry &entry)
{
    return entry.kind == EntryKind::reviewOpened || entry.kind == EntryKind::reopened ||
           (entry.kind == EntryKind::gated && entry.reason == "pause"_L1) ||
           (entry.kind == EntryKind::accepted && entry.detail.contains("held"_L1));
}
} // namespace

void checkGates(Evidence &evidence)
{
    for (const RunFacts &run : evidence.runs) {
        Instant deadline = run.facts.first().entry.due;
        std::map<QString, bool> kept;
        for (const Fact &fact : run.facts) {
            const model::Entry &entry = fact.entry;
            if (stopsTheClock(entry))
                deadline = model::never;
            if (isYes(evidence, run, entry))
                checkAnswer(evidence, run, fact);
            if (entry.kind == EntryKind::snapshotKept)
                kept[entry.step] = true;
            if (entry.kind != EntryKind::intent || !isAction(entry.direction))
                continue;
            const auto *policy =
                evidence.stage.operation(run.workflow, entry.step, entry.direction);
            if (policy && policy->approval)
                checkApproval(evidence, run, fact);
            const bool forward = entry.direction == model::Direction::forward;
            if (forward && deadline != model::never && entry.at >= deadline)
                evidence.add("I12",
                             u"%1 started %2 after its deadline"_s.arg(run.eventId, entry.step));
            if (forward && evidence.stage.step(run.workflow, entry.step)->hasSnapshot &&
                !kept[entry.step])
                evidence.add("D4", u"%1 wrote %2 before it kept what was there"_s.arg(run.eventId,
                                                                                      entry.step));
        }
    }
}

} // namespace holdfast::simulation
