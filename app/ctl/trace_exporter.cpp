#include "app/ctl/trace_exporter.h"

#include "insight/tracer.h"

#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <cerrno>
#include <cstring>

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;
using actions::TracePost;
using model::Result;

namespace
{
constexpr std::chrono::milliseconds gather{1000};
constexpr std::chrono::milliseconds delayFirst{250};
constexpr std::chrono::milliseconds delayMax{30'000};
constexpr model::Millis postTimeout = 10 * model::second;

constexpr QFileDevice::Permissions onlyOurs = QFileDevice::ReadOwner | QFileDevice::WriteOwner;

bool endsMidLine(const QString &name)
{
    QFile file(name);
    char last = '\n';
    return QFileInfo(name).isFile() && file.open(QIODevice::ReadOnly) && file.size() > 0 &&
           file.seek(file.size() - 1) && file.getChar(&last) && last != '\n';
}
} // namespace

// Opened anew each time, so that a file that was moved away by whoever rotates logs is begun again.
// Without a buffer, which would not tell how much arrived.
Appended appendLines(const QString &file, const QByteArray &text, int descriptor)
{
    QFile out(file);
    const auto mode = QIODevice::WriteOnly | QIODevice::Unbuffered;
    const bool isOpen =
        descriptor >= 0 ? out.open(descriptor, mode) : out.open(mode | QIODevice::Append, onlyOurs);
    if (!isOpen)
        return {false, 0, out.errorString()};
    const bool isTorn = descriptor < 0 && endsMidLine(file);
    const qint64 sent = out.write(isTorn ? '\n' + text : text);
    // Where a part arrived, only the system knows what became of the rest.
    const QString problem =
        sent < 0 ? out.errorString() : QString::fromLocal8Bit(std::strerror(errno));
    const qint64 written = std::max<qint64>(0, isTorn ? sent - 1 : sent);
    return {written == text.size(), written, problem};
}

Result<void> checkAppends(const QString &file)
{
    const QFileInfo info(file);
    QFile out(file);
    if (info.exists() && !info.isFile() && !info.isDir())
        return info.isWritable() ? Result<void>()
                                 : model::invalid(u"cannot write to %1"_s.arg(file));
    if (!out.open(QIODevice::WriteOnly | QIODevice::Append, onlyOurs))
        return model::invalid(u"cannot write to %1: %2"_s.arg(file, out.errorString()));
    return {};
}

Result<std::unique_ptr<TraceExporter>> TraceExporter::to(TraceSettings settings)
{
    std::unique_ptr<TracePost> post;
    if (settings.target.startsWith("http://"_L1) || settings.target.startsWith("https://"_L1)) {
        auto made = TracePost::to(settings.target, settings.allowPrivate);
        if (!made)
            return made.error();
        post = std::move(*made);
    } else if (const auto fits = checkAppends(settings.target); !fits) {
        return model::invalid(u"traces: "_s + fits.error().message);
    }
    return std::unique_ptr<TraceExporter>(new TraceExporter(std::move(settings), std::move(post)));
}

TraceExporter::TraceExporter(TraceSettings settings, std::unique_ptr<TracePost> post)
    : m_settings(std::move(settings)), m_post(std::move(post))
{
    m_thread = std::thread([this] { run(); });
}

TraceExporter::~TraceExporter()
{
    {
        const std::lock_guard lock(m_mutex);
        m_end = Steady::now() + std::chrono::milliseconds(drainMax);
    }
    m_news.notify_all();
    m_thread.join();
    if (!m_spans.empty()) {
        tally(0, qint64(m_spans.size()));
        m_settings.say(u"%1 spans were not handed on in time and are lost; the journal has what "
                       "they say"_s.arg(m_spans.size()));
    }
}

void TraceExporter::add(const QVector<QByteArray> &spans)
{
    if (spans.isEmpty())
        return;
    qint64 lost = 0;
    bool isBatch = false;
    {
        const std::lock_guard lock(m_mutex);
        for (const QByteArray &span : spans) {
            if (m_spans.size() < spansMax)
                m_spans.push_back(span);
            else
                ++lost;
        }
        isBatch = m_spans.size() >= batchMax;
    }
    if (lost > 0)
        tally(0, lost);
    if (isBatch)
        m_news.notify_one();
}

bool TraceExporter::isOver() const
{
    const std::lock_guard lock(m_mutex);
    return Steady::now() >= m_end;
}

void TraceExporter::run()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        const auto isEnding = [this] { return m_end != Steady::time_point::max(); };
        m_news.wait_for(lock, gather, [&] { return isEnding() || m_spans.size() >= batchMax; });
        if (m_spans.empty() && !isEnding())
            continue;
        if (m_spans.empty() || Steady::now() >= m_end)
            return;
        const QVector<QByteArray> batch = takeBatch(lock);
        lock.unlock();
        handOn(batch);
        lock.lock();
    }
}

QVector<QByteArray> TraceExporter::takeBatch(std::unique_lock<std::mutex> &lock)
{
    Q_ASSERT(lock.owns_lock());
    QVector<QByteArray> batch;
    while (!m_spans.empty() && size_t(batch.size()) < batchMax) {
        batch.append(std::move(m_spans.front()));
        m_spans.pop_front();
    }
    return batch;
}

void TraceExporter::handOn(const QVector<QByteArray> &batch)
{
    const QByteArray body =
        insight::exportRequest(m_settings.worker, m_settings.programVersion, batch);
    auto delay = delayFirst;
    while (true) {
        const TracePost::Answer answer = deliver(body);
        if (answer.isTaken) {
            m_hasComplained = false;
            const qint64 rejected = std::clamp<qint64>(answer.rejected, 0, batch.size());
            tally(batch.size() - rejected, rejected);
            return;
        }
        complain(answer.problem);
        const auto wished =
            std::chrono::milliseconds(std::max<model::Millis>(0, answer.retryAfter));
        std::unique_lock lock(m_mutex);
        const auto again = Steady::now() + std::clamp(wished, delay, delayMax);
        const auto endBefore = m_end;
        // Once it is to end there is no time left for patience: it is tried again at once.
        if (answer.mayRetry)
            m_news.wait_until(lock, std::min(again, m_end), [&] { return m_end != endBefore; });
        const bool isLost = !answer.mayRetry || Steady::now() >= m_end;
        lock.unlock();
        if (isLost) {
            tally(0, batch.size());
            return;
        }
        delay = std::min(delay * 2, delayMax);
    }
}

TracePost::Answer TraceExporter::deliver(const QByteArray &body)
{
    return m_post ? m_post->post(body, postTimeout, [this] { return isOver(); }) : append(body);
}

TracePost::Answer TraceExporter::append(const QByteArray &body) const
{
    const Appended appended = appendLines(m_settings.target, body + '\n');
    TracePost::Answer answer;
    answer.isTaken = appended.isWhole;
    answer.problem = appended.problem;
    return answer;
}

void TraceExporter::complain(const QString &problem)
{
    if (!std::exchange(m_hasComplained, true))
        m_settings.say(u"cannot hand traces on to %1: %2. Runs go on; spans that wait too long are "
                       "lost"_s.arg(m_settings.target, problem));
}

void TraceExporter::tally(qint64 sent, qint64 lost)
{
    qint64 sentSoFar = 0;
    qint64 lostSoFar = 0;
    {
        const std::lock_guard lock(m_mutex);
        sentSoFar = m_sent += sent;
        lostSoFar = m_lost += lost;
    }
    m_settings.count(sentSoFar, lostSoFar);
}

} // namespace holdfast::ctl
