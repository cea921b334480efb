// What a worker tells others of its work: log lines and run summaries, written by a thread of its
// own so that no disk holds the engine up, spans for an exporter, and counters for whoever scrapes
// them. What cannot be written is dropped and counted.
#pragma once

#include "app/ctl/trace_exporter.h"
#include "insight/metrics.h"
#include "insight/tracer.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <thread>

namespace holdfast::ctl
{

struct TelemetrySettings {
    QString worker;
    QString programVersion;
    QString logFile;                          // empty: no log; "-": standard error
    QString summaryFile;                      // empty: no summaries; "-": standard output
    QString traces;                           // as in TraceSettings; empty: none
    bool tracesPrivate = false;               // the same
    insight::Tracer::OriginOf originOf;       // on the engine's thread
    std::function<void(const QString &)> say; // messages for a person
};

class Telemetry : public ports::Telemetry
{
public:
    static constexpr size_t linesMax = 50'000; // that wait to be written

    explicit Telemetry(TelemetrySettings settings);
    ~Telemetry() override; // writes what waits
    Q_DISABLE_COPY_MOVE(Telemetry)

    // Before the first commit. An error: something has nowhere to go.
    model::Result<void> open();

    void sending(const model::Call &call) override;
    void committed(const ports::Committed &committed) override;
    const insight::Metrics &metrics() const { return m_metrics; }

private:
    enum class Stream { log, summaries };
    struct Line {
        Stream stream = Stream::log;
        QByteArray text;
    };
    void add(Stream stream, const QJsonObject &object);
    void drop(Stream stream, qint64 count); // with the lock
    void write();
    qint64 append(Stream stream, const QByteArray &text);

    const TelemetrySettings m_settings;
    insight::Metrics m_metrics;
    std::mutex m_mutex;
    std::condition_variable m_news;
    std::deque<Line> m_lines;
    std::array<qint64, 2> m_dropped{}; // by stream
    bool m_isEnding = false;
    bool m_hasComplained = false; // the writer's own
    std::thread m_writer;
    insight::Tracer m_tracer;
    std::unique_ptr<TraceExporter> m_exporter;
};

} // namespace holdfast::ctl
