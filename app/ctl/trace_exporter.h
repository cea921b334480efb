// Hands spans on in batches on a thread of its own: to a collector over HTTP or to the end of a
// file. What waits is bounded, what fails is tried again, what cannot be handed on is dropped and
// counted; the engine never waits for any of it.
#pragma once

#include "actions/trace_post.h"

#include <QVector>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace holdfast::ctl
{

struct TraceSettings {
    QString target; // http://… or https://…: a collector; else a file
    bool allowPrivate = false;
    QString worker;
    QString programVersion;
    std::function<void(const QString &)> say;            // messages for a person
    std::function<void(qint64 sent, qint64 lost)> count; // so far; on any thread
};

// Appends whole lines to a file, or to an open descriptor where there is one. A line that an
// earlier write left half done, for instance on a full disk, is ended first.
struct Appended {
    bool isWhole = false;
    qint64 written = 0; // bytes of the text
    QString problem;
};
Appended appendLines(const QString &file, const QByteArray &text, int descriptor = -1);
// Whether that would go, without waiting for whoever reads a pipe.
model::Result<void> checkAppends(const QString &file);

class TraceExporter
{
public:
    static constexpr size_t spansMax = 20'000; // that wait
    static constexpr size_t batchMax = 512;
    static constexpr model::Millis drainMax = 5 * model::second;

    static model::Result<std::unique_ptr<TraceExporter>> to(TraceSettings settings);
    ~TraceExporter(); // hands on what waits, for as long as drainMax
    Q_DISABLE_COPY_MOVE(TraceExporter)

    void add(const QVector<QByteArray> &spans); // any thread

private:
    using Steady = std::chrono::steady_clock;

    TraceExporter(TraceSettings settings, std::unique_ptr<actions::TracePost> post);
    void run();
    QVector<QByteArray> takeBatch(std::unique_lock<std::mutex> &lock);
    void handOn(const QVector<QByteArray> &batch);
    actions::TracePost::Answer deliver(const QByteArray &body);
    actions::TracePost::Answer append(const QByteArray &body) const;
    bool isOver() const; // draining, and the time for it is gone
    void complain(const QString &problem);
    void tally(qint64 sent, qint64 lost);

    const TraceSettings m_settings;
    const std::unique_ptr<actions::TracePost> m_post; // null: a file

    mutable std::mutex m_mutex; // guards the next five
    std::condition_variable m_news;
    std::deque<QByteArray> m_spans;
    Steady::time_point m_end = Steady::time_point::max();
    qint64 m_sent = 0;
    qint64 m_lost = 0;

    bool m_hasComplained = false; // the thread's own
    std::thread m_thread;
};

} // namespace holdfast::ctl
