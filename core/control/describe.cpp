#include "control/describe.h"
#include "model/mask.h"

#include <QDateTime>
#include <QLocale>

namespace holdfast::control
{

using namespace Qt::StringLiterals;
using model::Phase;
using model::RunStatus;

namespace
{
struct Standing {
    const model::Step *step = nullptr;
    const model::Operation *operation = nullptr;
    bool undo = false;

    QString name() const
    {
        if (!step)
            return u"the run"_s;
        return undo ? u"the compensation of %1"_s.arg(step->step) : u"step %1"_s.arg(step->step);
    }
};

Standing findPhase(const model::Run &run, std::initializer_list<Phase> phases)
{
    for (const model::Step &step : run.steps) {
        for (const bool undo : {false, true}) {
            const model::Operation &operation = undo ? step.undo : step.forward;
            for (const Phase phase : phases) {
                if (operation.phase == phase)
                    return {&step, &operation, undo};
            }
        }
    }
    return {};
}

QString describeReview(const model::Run &run)
{
    const Standing at = findPhase(run, {Phase::review});
    if (!at.operation)
        return u"Waits for a person; see its review item."_s;
    const QString item = u"review %1"_s.arg(at.operation->reviewId);
    if (at.operation->reviewKind == model::ReviewKind::ambiguous) {
        const QString known = at.operation->knownToHaveHappened
                                  ? u"it happened, but its result could not be read"_s
                                  : u"nobody knows whether it happened"_s;
        return u"%1 was sent and its answer was lost (%2): %3; look in the target, then resolve "
               "%4."_s.arg(at.name(), reasonText(at.operation->reason), known, item);
    }
    return u"%1 stopped for a person (%2); decide %3."_s.arg(
        at.name(), reasonText(at.operation->reason), item);
}

QString describeWaiting(const model::Run &run)
{
    if (const Standing at = findPhase(run, {Phase::asking}); at.operation)
        return u"%1 waits for an approval; an approver decides review %2."_s.arg(
            at.name(), at.operation->reviewId);
    if (const Standing at = findPhase(run, {Phase::settling, Phase::verifying}); at.operation)
        return u"%1 has an unknown outcome (%2) and is about to be verified with the target; the "
               "engine goes on by itself."_s.arg(at.name(), reasonText(at.operation->reason));
    if (const Standing at = findPhase(run, {Phase::gated}); at.operation)
        return u"%1 waits for a gate (%2); the engine looks again by itself."_s.arg(
            at.name(), reasonText(at.operation->gate));
    if (const Standing at = findPhase(run, {Phase::waiting}); at.operation) {
        if (at.operation->due == model::never)
            return u"%1 waits for an event; whoever sends it is next."_s.arg(at.name());
        return u"%1 failed without effect (%2) or waits, and is tried again at %3 by itself."_s.arg(
            at.name(), reasonText(at.operation->reason), model::instantText(at.operation->due));
    }
    return u"Waits; the engine goes on by itself."_s;
}

QString effectsText(const LoadedRun &loaded)
{
    const QStringList standing = standingEffects(loaded);
    return standing.isEmpty() ? u"no effect stands"_s
                              : u"the effects of %1 stand"_s.arg(standing.join(u", "));
}

QString describeFailed(const LoadedRun &loaded)
{
    const model::Run &run = loaded.run;
    const QString item =
        run.deadLetterId.isEmpty() ? QString() : u" (review %1)"_s.arg(run.deadLetterId);
    return u"Failed at %1: %2; %3. A person decides whether to retry, compensate or leave it%4."_s
        .arg(run.failedStep.isEmpty() ? u"the run"_s : u"step "_s + run.failedStep,
             reasonText(run.reason), effectsText(loaded), item);
}

QString describeCompensated(const LoadedRun &loaded)
{
    const model::Run &run = loaded.run;
    const QString why = !run.failedStep.isEmpty()
                            ? u"Failed at step %1 (%2) and was compensated"_s.arg(
                                  run.failedStep, reasonText(run.reason))
                        : run.cancelRequested ? u"Cancelled and compensated"_s
                                              : u"Compensated by a person's decision"_s;
    return u"%1; %2. Rerun starts it anew."_s.arg(why, effectsText(loaded));
}

QString describeCompensationFailed(const model::Run &run)
{
    for (const model::Step &step : run.steps) {
        if (!step.undo.reviewId.isEmpty())
            return u"The compensation of %1 failed (%2); its effect stands and a person decides "
                   "review %3."_s.arg(step.step, reasonText(step.undo.reason), step.undo.reviewId);
    }
    return u"A compensation failed (%1) and was left as it is."_s.arg(reasonText(run.reason));
}
} // namespace

QString reasonText(const QString &reason)
{
    return reason.isEmpty() ? u"no reason given"_s : QString(reason).replace(u'_', u' ');
}

QString momentText(model::Instant instant, model::Instant now)
{
    const QDateTime moment = QDateTime::fromMSecsSinceEpoch(instant, Qt::UTC);
    const bool isToday = moment.date() == QDateTime::fromMSecsSinceEpoch(now, Qt::UTC).date();
    return QLocale::c().toString(moment, isToday ? u"HH:mm 'UTC'"_s : u"d MMM HH:mm 'UTC'"_s);
}

// It goes into reports and exports: what an address says of secrets stays out of it.
QString requestText(const model::Request &request)
{
    if (request.isCommand())
        return u"the program %1"_s.arg(request.argv.first());
    return request.method.isEmpty()
               ? QString()
               : request.method + u' ' + model::masked(QJsonValue(request.path)).toString();
}

QString unknownStep(const model::Run &run)
{
    for (const model::Step &step : run.steps) {
        if (step.forward.ambiguous || step.undo.ambiguous)
            return step.step;
    }
    return {};
}

QStringList standingEffects(const LoadedRun &loaded)
{
    QStringList standing;
    for (const model::Step &step : loaded.run.steps) {
        const model::StepPolicy *policy = loaded.stepPolicy(step.step);
        const bool writes = policy && policy->forward.effect != model::Effect::read;
        const bool stands = step.forward.phase == Phase::succeeded && !step.forward.replayed &&
                            step.undo.phase != Phase::succeeded;
        if (writes && (stands || step.forward.lateEffect))
            standing.append(step.step);
    }
    return standing;
}

QString describe(const LoadedRun &loaded)
{
    const model::Run &run = loaded.run;
    switch (run.status) {
    case RunStatus::queued: return u"Accepted; a worker is next."_s;
    case RunStatus::running: {
        const Standing at = findPhase(run, {Phase::sending, Phase::verifying, Phase::ready});
        return u"%1 is under way; the engine goes on by itself."_s.arg(at.name());
    }
    case RunStatus::waiting: return describeWaiting(run);
    case RunStatus::review: return describeReview(run);
    case RunStatus::compensating:
        return u"Compensating after %1; the engine goes on by itself."_s.arg(
            reasonText(run.reason.isEmpty() ? u"a person's decision"_s : run.reason));
    case RunStatus::held: return u"Held by a pause; whoever resumes it is next."_s;
    case RunStatus::succeeded: return u"Succeeded: every step is confirmed."_s;
    case RunStatus::succeededPartial:
        return u"Succeeded in part: what is critical is confirmed, some steps are missing."_s;
    case RunStatus::failed: return describeFailed(loaded);
    case RunStatus::compensated: return describeCompensated(loaded);
    case RunStatus::compensationFailed: return describeCompensationFailed(run);
    case RunStatus::cancelled: return u"Cancelled; %1."_s.arg(effectsText(loaded));
    }
    Q_UNREACHABLE();
}

QString describeLast(const LoadedRun &loaded)
{
    for (auto item = loaded.journal.crbegin(); item != loaded.journal.crend(); ++item) {
        const model::Entry &entry = item->entry;
        const QString what = QString(model::entryKindName(entry.kind)).replace(u'_', u' ');
        const QString where = entry.step.isEmpty() ? QString() : u" in step "_s + entry.step;
        const QString who = entry.actor.isEmpty() ? u"the engine"_s : entry.actor;
        return u"%1%2 at %3 by %4"_s.arg(what, where, model::instantText(entry.at), who);
    }
    return u"nothing is known"_s;
}

} // namespace holdfast::control
