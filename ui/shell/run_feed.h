// The one object of the window that crosses threads. It lives in a thread of its own, asks the
// control door again and again, and sends finished snapshots to the window, which so never waits
// for a database.
#pragma once

#include "ui/shell/snapshot.h"

#include <QJsonObject>
#include <QObject>
#include <QThread>
#include <QTimer>
#include <functional>

namespace holdfast::shell
{

// One operation of the control door. Called, and destroyed, on the feed's thread only: it may own a
// connection that belongs to that thread.
using Call =
    std::function<model::Result<QJsonValue>(const QString &name, const QJsonObject &arguments)>;

struct FeedSources {
    Call call;
    std::function<EngineLine()> engine; // must answer at once
    std::function<model::Instant()> now;
};

constexpr int feedRunsMax = 500;
constexpr int feedPagesMax = 10;
constexpr int feedIntervalMs = 500;

// Used directly by tests; the window uses the thread below.
class RunFeed : public QObject
{
    Q_OBJECT
public:
    explicit RunFeed(FeedSources sources, QObject *parent = nullptr);

public Q_SLOTS:
    // Reads now, and again after the interval, for ever.
    void refresh();

Q_SIGNALS:
    void arrived(const holdfast::shell::SnapshotPtr &snapshot);

private:
    model::Result<Snapshot> read();
    model::Result<void> readRuns(Snapshot &snapshot);

    FeedSources m_sources;
    QTimer m_timer;
    SnapshotPtr m_last; // the last that was no failure, with its figures
};

class FeedThread : public QThread
{
    Q_OBJECT
public:
    explicit FeedThread(FeedSources sources, QObject *parent = nullptr);
    ~FeedThread() override;

    void stop(); // waits for the call under way

Q_SIGNALS:
    void arrived(const holdfast::shell::SnapshotPtr &snapshot);
    void refreshWanted();

protected:
    void run() override;

private:
    FeedSources m_sources; // moved into the thread when it starts
};

} // namespace holdfast::shell
