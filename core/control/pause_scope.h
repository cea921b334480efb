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

Result<int> heldUnder(Context &context, const ports::PauseRow &pause);

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
    QMap<QString, std::shared_ptr<const Definition>> m_definitions; // by run id
    int m_count = 0;
};

} // namespace holdfast::control
