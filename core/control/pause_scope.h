// What a pause covers: attempts in flight, intents committed after it, runs that it holds.
#pragma once

#include "control/loaded_run.h"

#include <QJsonArray>
#include <QMap>

namespace holdfast::control
{

QJsonObject pauseJson(const ports::PauseRow &row);

// Open attempts in the pause's scope and depth: they started before it and end by themselves.
QJsonArray inFlightUnder(const ports::PauseRow &pause, const QVector<ports::RunRow> &openRuns);

// What a pause names.
struct PauseTarget {
    QString scope;
    QString target;
};

struct HeldRun {
    QString runId;
    model::Instant createdAt = model::never;
};

// Newest first, as lists of runs are; no more than `most`.
Result<QVector<HeldRun>> heldBy(Context &context, const ports::PauseRow &pause, qsizetype most);
Result<int> heldUnder(Context &context, const ports::PauseRow &pause);

// The pause stays and lets runs through stage by stage.
Result<QJsonValue> resumeByRamp(Context &context, const PauseTarget &target, const QString &reason);

// Counts the intents (for the depth intake: the runs let in) that were committed after a pause. It
// must stay at zero; it is counted so that nobody has to believe it.
class StartedSince
{
public:
    StartedSince(Context &context, const ports::PauseRow &pause);

    Result<void> add(const ports::JournalRow &row);
    int count() const { return m_count; }

private:
    Result<std::shared_ptr<const Definition>> definitionOf(const QString &runId);

    Context &m_context;
    const ports::PauseRow m_pause;
    const QString m_admits; // the newest run that its ramp lets through
    QMap<QString, std::shared_ptr<const Definition>> m_definitions; // by run id
    int m_count = 0;
};

} // namespace holdfast::control
