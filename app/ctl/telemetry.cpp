#include "app/ctl/telemetry.h"

#include "insight/log_line.h"
#include "insight/run_summary.h"
#include "model/json.h"

#include <unistd.h>

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;
using model::EntryKind;

Telemetry::Telemetry(TelemetrySettings settings)
    : m_settings(std::move(settings)), m_metrics(m_settings.worker, m_settings.programVersion),
      m_tracer(m_settings.originOf)
{
    if (!m_settings.logFile.isEmpty() || !m_settings.summaryFile.isEmpty())
        m_writer = std::thread([this] { write(); });
}

Telemetry::~Telemetry()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_news.notify_all();
    if (m_writer.joinable())
        m_writer.join();
}

model::Result<void> Telemetry::open()
{
    for (const QString *file : {&m_settings.logFile, &m_settings.summaryFile}) {
        if (file->isEmpty() || *file == "-"_L1)
            continue;
        if (const auto fits = checkAppends(*file); !fits)
            return fits;
    }
    if (m_settings.traces.isEmpty())
        return {};
    TraceSettings settings{m_settings.traces,         m_settings.tracesPrivate, m_settings.worker,
                           m_settings.programVersion, m_settings.say,           {}};
    settings.count = [this](qint64 sent, qint64 lost) {
        m_metrics.setSpansSent(sent);
        m_metrics.setDropped(u"traces"_s, lost);
    };
    auto exporter = TraceExporter::to(std::move(settings));
    if (!exporter)
        return exporter.error();
    m_exporter = std::move(*exporter);
    return {};
}

void Telemetry::sending(const model::Call &call)
{
    if (m_exporter)
        m_tracer.sending(call);
}

void Telemetry::committed(const ports::Committed &committed)
{
    m_metrics.add(committed);
    if (m_exporter)
        m_exporter->add(m_tracer.spans(committed));
    for (const model::Entry &entry : committed.entries) {
        if (!m_settings.logFile.isEmpty())
            add(Stream::log, insight::logLine(committed, entry, m_settings.worker));
        if (!m_settings.summaryFile.isEmpty() && entry.kind == EntryKind::finished)
            add(Stream::summaries, insight::runSummary(committed.run));
    }
}

void Telemetry::add(Stream stream, const QJsonObject &object)
{
    if (object.isEmpty())
        return;
    Line line{stream, model::compactJson(object) + '\n'};
    {
        const std::lock_guard lock(m_mutex);
        if (m_lines.size() < linesMax)
            m_lines.push_back(std::move(line));
        else
            drop(stream, 1);
    }
    m_news.notify_one();
}

void Telemetry::drop(Stream stream, qint64 count)
{
    if (count > 0)
        m_metrics.setDropped(stream == Stream::log ? u"log"_s : u"summaries"_s,
                             m_dropped[size_t(stream)] += count);
}

void Telemetry::write()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_news.wait(lock, [this] { return m_isEnding || !m_lines.empty(); });
        if (m_lines.empty())
            return;
        const std::deque<Line> lines = std::exchange(m_lines, {});
        lock.unlock();
        std::array<qint64, 2> lost{};
        for (const Stream stream : {Stream::log, Stream::summaries}) {
            QByteArray text;
            for (const Line &line : lines) {
                if (line.stream == stream)
                    text += line.text;
            }
            lost[size_t(stream)] = text.isEmpty() ? 0 : append(stream, text);
        }
        lock.lock();
        drop(Stream::log, lost[size_t(Stream::log)]);
        drop(Stream::summaries, lost[size_t(Stream::summaries)]);
    }
}

// How many lines are lost: those whose end did not arrive.
qint64 Telemetry::append(Stream stream, const QByteArray &text)
{
    const bool isLog = stream == Stream::log;
    const QString &file = isLog ? m_settings.logFile : m_settings.summaryFile;
    const int standard = isLog ? STDERR_FILENO : STDOUT_FILENO;
    const Appended appended = appendLines(file, text, file == "-"_L1 ? standard : -1);
    if (appended.isWhole) {
        m_hasComplained = false;
        return 0;
    }
    if (!std::exchange(m_hasComplained, true))
        m_settings.say(u"cannot write to %1: %2. Runs go on; the lines are lost"_s.arg(
            file, appended.problem));
    return text.mid(appended.written).count('\n');
}

} // namespace holdfast::ctl
