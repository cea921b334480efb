// What a worker counts of its own work, and what it knows of the whole database, in the text form
// that Prometheus reads. Counters begin at zero with the process, as Prometheus expects.
#pragma once

#include "ports/store.h"
#include "ports/telemetry.h"

#include <array>
#include <map>
#include <mutex>

namespace holdfast::insight
{

// What a scrape asks the database for; nothing where the database is away.
struct Gauges {
    ports::StorePulse pulse;
    QVector<ports::PauseRow> pauses; // in force
    QVector<ports::BreakerRow> breakers;
    model::Instant now = model::never;
};

// Read with a store of the caller's thread.
model::Result<Gauges> readGauges(ports::Store &store);

// Any thread.
class Metrics
{
public:
    Metrics(QString worker, QString programVersion);

    void add(const ports::Committed &committed);
    // What nobody could take, of one of log, summaries and traces; so far.
    void setDropped(const QString &stream, qint64 count);
    void setSpansSent(qint64 count);
    QByteArray text(const std::optional<Gauges> &gauges) const;

private:
    // Upper bounds in seconds; a step may be a call of milliseconds or one with many retries.
    static constexpr std::array<double, 13> bounds{0.05, 0.1, 0.25, 0.5, 1,   2.5, 5,
                                                   10,   30,  60,   300, 900, 3600};
    struct Histogram {
        std::array<qint64, bounds.size()> upTo{}; // cumulative, as it is written
        qint64 count = 0;
        model::Millis sum = 0; // whole milliseconds: adding up loses nothing
    };
    using Labels = QByteArray; // as they are written, so that they are put together once

    void addConfirmed(const ports::Committed &committed, const model::Entry &entry);
    void addEntry(const ports::Committed &committed, const model::Entry &entry);
    void addDuration(const ports::Committed &committed, const model::Entry &entry);

    const QString m_worker;
    const QString m_programVersion;
    mutable std::mutex m_mutex;
    std::map<Labels, qint64> m_runs;
    std::map<Labels, qint64> m_attempts;
    std::map<Labels, qint64> m_retries;
    std::map<Labels, qint64> m_compensations;
    std::map<Labels, qint64> m_duplicates;
    std::map<Labels, Histogram> m_durations;
    std::map<Labels, qint64> m_dropped;
    qint64 m_spansSent = 0;
};

} // namespace holdfast::insight
