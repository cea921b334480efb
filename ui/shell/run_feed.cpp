#include "ui/shell/run_feed.h"

#include <utility>

namespace holdfast::shell
{

using namespace Qt::StringLiterals;

RunFeed::RunFeed(FeedSources sources, QObject *parent)
    : QObject(parent), m_sources(std::move(sources)), m_timer(this)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(feedIntervalMs);
    connect(&m_timer, &QTimer::timeout, this, &RunFeed::refresh);
}

void RunFeed::refresh()
{
    auto answer = read();
    Snapshot snapshot;
    if (answer) {
        snapshot = std::move(*answer);
        snapshot.takenAt = m_sources.now();
    } else {
        // Never zeros: the last figures stay, with the time they are from.
        if (m_last)
            snapshot = *m_last;
        snapshot.isAway = true;
        snapshot.problem = answer.error().message;
    }
    if (m_sources.engine)
        snapshot.engine = m_sources.engine();
    auto shared = std::make_shared<const Snapshot>(std::move(snapshot));
    if (!shared->isAway)
        m_last = shared;
    Q_EMIT arrived(shared);
    m_timer.start();
}

model::Result<Snapshot> RunFeed::read()
{
    Snapshot snapshot;
    if (const auto done = readRuns(snapshot); !done)
        return done.error();
    const auto summary = m_sources.call(u"summary"_s, {});
    if (!summary)
        return summary.error();
    if (const auto done = readSummary(*summary, snapshot); !done)
        return done.error();
    const auto reviews = m_sources.call(u"reviews"_s, {});
    if (!reviews)
        return reviews.error();
    const auto counts = reviewCounts(*reviews);
    if (!counts)
        return counts.error();
    snapshot.reviewsByKind = *counts;
    const auto pauses = m_sources.call(u"pauses"_s, {});
    if (!pauses)
        return pauses.error();
    const auto lines = pauseLines(*pauses);
    if (!lines)
        return lines.error();
    snapshot.pauses = *lines;
    return snapshot;
}

model::Result<void> RunFeed::readRuns(Snapshot &snapshot)
{
    QString cursor;
    for (int page = 0; page < feedPagesMax; ++page) {
        QJsonObject arguments;
        if (!cursor.isEmpty())
            arguments.insert(u"cursor"_s, cursor);
        const auto answer = m_sources.call(u"runs"_s, arguments);
        if (!answer)
            return answer.error();
        const auto lines = runLines(*answer);
        if (!lines)
            return lines.error();
        snapshot.runs += *lines;
        cursor = answer->toObject().value("cursor"_L1).toString();
        if (cursor.isEmpty() || lines->isEmpty())
            return {};
        if (snapshot.runs.size() >= feedRunsMax)
            break;
    }
    snapshot.moreRuns = true;
    return {};
}

FeedThread::FeedThread(FeedSources sources, QObject *parent)
    : QThread(parent), m_sources(std::move(sources))
{
    qRegisterMetaType<SnapshotPtr>("holdfast::shell::SnapshotPtr");
}

FeedThread::~FeedThread() { stop(); }

void FeedThread::stop()
{
    quit();
    wait();
}

void FeedThread::run()
{
    RunFeed feed(std::exchange(m_sources, {}));
    connect(&feed, &RunFeed::arrived, this, &FeedThread::arrived);
    connect(this, &FeedThread::refreshWanted, &feed, &RunFeed::refresh);
    feed.refresh();
    exec();
}

} // namespace holdfast::shell
