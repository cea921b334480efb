#include "runtime/ramp_watch.h"

#include "model/entry.h"
#include "model/json.h"

#include <algorithm>

namespace holdfast::runtime
{

using namespace Qt::StringLiterals;
using model::Direction;
using model::Entry;
using model::EntryKind;

namespace
{
constexpr int rampPageSize = 1000;
constexpr int moversMax = 200; // looked at to see whether any is on its way

bool isEnd(const Entry &entry)
{
    return entry.kind == EntryKind::attemptEnded ||
           (entry.kind == EntryKind::confirmed && entry.attempt > 0);
}

engine::GateQuestion questionOf(const DeployedWorkflow &deployed, const Entry &entry)
{
    engine::GateQuestion question;
    question.workflow = deployed.workflow.name;
    question.direction = entry.direction;
    for (const model::StepPolicy &step : deployed.policy.steps) {
        if (step.step != entry.step)
            continue;
        const bool undo = entry.direction == Direction::compensate && step.undo;
        const model::OperationPolicy &operation = undo ? *step.undo : step.forward;
        question.dependency = operation.dependency;
        question.effect = operation.effect;
    }
    return question;
}

bool moves(const ports::RunRow &row)
{
    switch (row.status) {
    case model::RunStatus::queued:
    case model::RunStatus::running:
    case model::RunStatus::compensating: return true;
    case model::RunStatus::held: return row.due != model::never;
    case model::RunStatus::waiting:
    case model::RunStatus::review:
    case model::RunStatus::succeeded:
    case model::RunStatus::succeededPartial:
    case model::RunStatus::failed:
    case model::RunStatus::compensated:
    case model::RunStatus::compensationFailed:
    case model::RunStatus::cancelled: return false;
    }
    Q_UNREACHABLE();
}

bool namesDependency(const model::Policy &policy, const QString &dependency)
{
    return std::any_of(policy.steps.cbegin(), policy.steps.cend(), [&](const auto &step) {
        return step.forward.dependency == dependency ||
               (step.undo && step.undo->dependency == dependency);
    });
}
} // namespace

Result<void> RampWatch::look()
{
    if (const auto begun = m_store.begin(); !begun)
        return begun;
    const auto looked = [this]() -> Result<void> {
        const auto rows = m_store.lockPauses();
        if (!rows)
            return rows.error();
        const auto now = m_store.now();
        if (!now)
            return now.error();
        for (const ports::PauseRow &row : *rows) {
            if (const auto done = lookAt(row, *now); !done)
                return done;
        }
        return {};
    }();
    if (!looked) {
        m_store.rollback();
        return looked;
    }
    return m_store.commit();
}

Result<void> RampWatch::lookAt(const ports::PauseRow &row, model::Instant now)
{
    const engine::Ramp ramp = engine::Ramp::fromText(row.ramp);
    if (!ramp.isUnderWay())
        return {};
    const engine::Pause pause = engine::pauseFrom(row.scope, row.target, row.depth, row.ramp);
    auto look = seenSince(pause, ramp);
    if (!look)
        return look.error();
    const auto moving = anyMoves(pause.admits);
    if (!moving)
        return moving.error();
    look->anyMoves = *moving;
    const auto breaker = openBreaker(pause, now);
    if (!breaker)
        return breaker.error();
    look->openBreaker = *breaker;
    return keep(row, ramp, engine::afterLook(ramp, *look, now), now);
}

Result<engine::RampLook> RampWatch::seenSince(const engine::Pause &pause, const engine::Ramp &ramp)
{
    engine::RampLook look;
    look.mark = ramp.mark;
    while (true) {
        const auto page = m_store.journalAfter(look.mark, rampPageSize);
        if (!page)
            return page.error();
        for (const ports::JournalRow &row : *page) {
            look.mark = row.id;
            if (row.runId > pause.admits)
                continue;
            if (const auto counted = count(pause, row, look); !counted)
                return counted.error();
        }
        if (page->size() < rampPageSize)
            return look;
    }
}

Result<void> RampWatch::count(const engine::Pause &pause, const ports::JournalRow &row,
                              engine::RampLook &look)
{
    const model::Entries entries = model::entriesFromJson(row.entries);
    if (std::none_of(entries.cbegin(), entries.cend(), isEnd))
        return {};
    const auto run = m_store.run(row.runId);
    if (!run)
        return run.error();
    if (!*run)
        return {};
    const auto deployed = m_catalog.workflow(m_store, (*run)->workflow, (*run)->version);
    if (!deployed)
        return deployed.error();
    for (const Entry &entry : entries) {
        if (!isEnd(entry) || !engine::concerns(pause, questionOf(**deployed, entry)))
            continue;
        if (entry.failureClass != model::FailureClass::none) {
            ++look.failed;
            look.failure = entry.reason;
        } else {
            ++look.ok;
        }
    }
    return {};
}

// What waits for a retry, a person or another pause is not on its way; a stage does not wait for
// it.
Result<bool> RampWatch::anyMoves(const QString &admits)
{
    ports::RunFilter filter;
    filter.statuses = {u"queued"_s, u"running"_s, u"compensating"_s, u"held"_s};
    filter.cursor = admits; // lists go on after it; the newest one let through is asked for alone
    filter.limit = moversMax;
    const auto rows = m_store.runs(filter);
    if (!rows)
        return rows.error();
    const auto newest = m_store.run(admits);
    if (!newest)
        return newest.error();
    return (*newest && moves(**newest)) || std::any_of(rows->cbegin(), rows->cend(), moves);
}

Result<QString> RampWatch::openBreaker(const engine::Pause &pause, model::Instant now)
{
    const auto rows = m_store.breakers();
    if (!rows)
        return rows.error();
    for (const ports::BreakerRow &row : *rows) {
        if (row.state != "open"_L1 || row.openUntil <= now)
            continue;
        if (!pause.dependency.isEmpty() && pause.dependency != row.dependency)
            continue;
        if (!pause.workflow.isEmpty()) {
            const auto deployed = m_catalog.workflow(m_store, pause.workflow, 0);
            if (!deployed)
                return deployed.error();
            if (!namesDependency((*deployed)->policy, row.dependency))
                continue;
        }
        return row.dependency;
    }
    return QString();
}

Result<void> RampWatch::keep(ports::PauseRow row, const engine::Ramp &before,
                             const engine::Ramp &after, model::Instant now)
{
    if (after == before)
        return {};
    if (after.isDone()) {
        ports::PauseRow lifted;
        lifted.id = row.id;
        lifted.liftedBy = u"engine"_s;
        lifted.liftedReason = u"the ramp reached 100 %"_s;
        if (const auto done = m_store.liftPauses(row.scope, row.target, row.depth, lifted); !done)
            return done.error();
    } else {
        if (after.state == engine::RampState::repaused) {
            const auto mark = m_store.journalMark();
            if (!mark)
                return mark.error();
            row.journalMark = *mark;
        }
        row.ramp = after.toText();
        const QString wake = after.stage != before.stage ? after.admits() : QString();
        if (const auto kept = m_store.setRamp(row, wake); !kept)
            return kept;
    }
    if (after.stage == before.stage && after.state == before.state)
        return {};
    ports::AuditRow audit;
    audit.chain = u"system"_s;
    audit.at = now;
    audit.actor = u"engine"_s;
    audit.action = u"ramp"_s;
    audit.subject = row.id;
    audit.body = QString::fromUtf8(model::canonicalJson(
        QJsonObject{{u"state"_s, after.isDone() ? u"done"_s : engine::rampStateName(after.state)},
                    {u"stage"_s, after.stages.at(after.stage).label},
                    {u"admitted"_s, after.admitted()},
                    {u"note"_s, after.note}}));
    return m_store.appendAudit(audit);
}

} // namespace holdfast::runtime
