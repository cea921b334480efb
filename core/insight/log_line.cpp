#include "insight/log_line.h"

#include "insight/disposition.h"
#include "model/trace.h"

namespace holdfast::insight
{

using namespace Qt::StringLiterals;
using model::EntryKind;

namespace
{
enum class Level { none, info, warning, error };

Level levelOf(const model::Entry &entry)
{
    switch (entry.kind) {
    case EntryKind::stepStarted:
    case EntryKind::prepared:
    case EntryKind::snapshotKept:
    case EntryKind::noted: return Level::none;
    case EntryKind::accepted:
    case EntryKind::stepSkipped:
    case EntryKind::intent:
    case EntryKind::clearedAbsent:
    case EntryKind::confirmed:
    case EntryKind::replayed:
    case EntryKind::reviewClosed:
    case EntryKind::approved:
    case EntryKind::waiting:
    case EntryKind::reopened: return Level::info;
    case EntryKind::gated:
    case EntryKind::retryScheduled:
    case EntryKind::verifyScheduled:
    case EntryKind::compensationBegan:
    case EntryKind::compensationWaived:
    case EntryKind::cancelAsked:
    case EntryKind::lateReport: return Level::warning;
    case EntryKind::stepFailed: return Level::error;
    case EntryKind::attemptEnded:
        return entry.failureClass == model::FailureClass::none ? Level::info : Level::warning;
    case EntryKind::reviewOpened:
        return entry.reviewKind == model::ReviewKind::approval ? Level::info : Level::error;
    case EntryKind::finished:
        return entry.runStatus && endsBadly(*entry.runStatus) ? Level::error : Level::info;
    }
    Q_UNREACHABLE();
}

QString levelName(Level level)
{
    switch (level) {
    case Level::none: break;
    case Level::info: return u"info"_s;
    case Level::warning: return u"warning"_s;
    case Level::error: return u"error"_s;
    }
    Q_UNREACHABLE();
}

void insertIf(QJsonObject &line, const QString &name, const QString &value)
{
    if (!value.isEmpty())
        line.insert(name, value);
}
} // namespace

QJsonObject logLine(const ports::Committed &committed, const model::Entry &entry,
                    const QString &worker)
{
    const Level level = levelOf(entry);
    if (level == Level::none)
        return {};
    const model::Run &run = committed.run;
    const model::Operation *operation = operationOf(run, entry);
    QJsonObject line{{u"time"_s, model::instantText(entry.at)},
                     {u"level"_s, levelName(level)},
                     {u"event"_s, model::entryKindName(entry.kind)},
                     {u"run_id"_s, run.runId},
                     {u"workflow"_s, run.workflow},
                     {u"version"_s, run.version},
                     {u"retry_count"_s, run.retryCount},
                     {u"disposition"_s, dispositionOf(run, operation)},
                     {u"worker"_s, worker}};
    if (operation) {
        line.insert(u"step"_s, entry.step);
        line.insert(u"action"_s, model::directionName(entry.direction));
        insertIf(line, u"key"_s, operation->key);
    }
    if (entry.attempt > 0)
        line.insert(u"attempt"_s, entry.attempt);
    if (entry.status != 0)
        line.insert(u"status"_s, entry.status);
    if (entry.failureClass != model::FailureClass::none)
        line.insert(u"class"_s, model::failureClassName(entry.failureClass));
    // A person's reason is their words; the engine's is a code.
    if (entry.actor.isEmpty())
        insertIf(line, u"reason"_s, entry.reason);
    insertIf(line, u"actor"_s, entry.actor);
    insertIf(line, u"review"_s, entry.reviewId);
    if (entry.reviewKind)
        line.insert(u"review_kind"_s, model::reviewKindName(*entry.reviewKind));
    insertIf(line, u"trace_id"_s, model::traceOf(run.runId, run.traceparent).traceId);
    if (entry.due != model::never)
        line.insert(u"due"_s, model::instantText(entry.due));
    return line;
}

} // namespace holdfast::insight
