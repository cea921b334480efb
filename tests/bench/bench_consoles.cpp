// What twenty consoles cost a shared database.
//
// Method: the engine at full speed on PostgreSQL, alone and beside twenty connections that ask what
// every window asks four times a second whatever its page shows; rounds alternate in one process,
// and the ratio of the medians is the figure.
#include "bench/noop_engine.h"
#include "control/local_door.h"
#include "store/store_url.h"
#include "support/postgres_server.h"

#include <QCoreApplication>
#include <QTextStream>
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace holdfast;
using namespace holdfast::bench;

namespace
{
constexpr int consoleCount = 20;
constexpr int roundCount = 7;
constexpr std::chrono::milliseconds pulseEvery{250}; // as ui/bridge does

// Windows that look for news until they are closed.
class Consoles
{
public:
    Consoles(const QString &url, int count)
    {
        for (int i = 0; i < count; ++i)
            m_threads.emplace_back([this, url] { watch(url); });
    }
    ~Consoles()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_isClosing = true;
        }
        m_closing.notify_all();
        for (std::thread &thread : m_threads)
            thread.join();
    }
    Q_DISABLE_COPY_MOVE(Consoles)

    qint64 pulses() const { return m_pulses; }
    double averageMs() const
    {
        return m_pulses == 0 ? 0 : double(m_micros) / 1e3 / double(m_pulses);
    }

private:
    void watch(const QString &url)
    {
        auto store = must(store::openStore(url, store::Access::reader));
        must(store->open());
        control::LocalDoor door(*store);
        std::unique_lock lock(m_mutex);
        while (!m_isClosing) {
            lock.unlock();
            QElapsedTimer timer;
            timer.start();
            must(door.call(
                {QStringLiteral("pulse"), QStringLiteral("pulse"), {}, QStringLiteral("bench")}));
            m_micros += timer.nsecsElapsed() / 1000;
            ++m_pulses;
            lock.lock();
            m_closing.wait_for(lock, pulseEvery, [this] { return m_isClosing; });
        }
    }

    std::vector<std::thread> m_threads;
    std::mutex m_mutex;
    std::condition_variable m_closing;
    bool m_isClosing = false;
    std::atomic<qint64> m_pulses = 0;
    std::atomic<qint64> m_micros = 0;
};

double median(QVector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.at(values.size() / 2);
}
} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const int runs = argc > 1 ? QString::fromLocal8Bit(argv[1]).toInt() : 5000;
    tests::PostgresServer *server = tests::PostgresServer::shared();
    if (!server)
        die(QStringLiteral("PostgreSQL is not installed"));
    const QString url = server->createDatabase();
    auto store = must(store::openStore(url));
    must(store->open());
    deploy(*store, noopDefinitions);
    QVector<double> alone, beside;
    qint64 pulses = 0;
    double pulseMs = 0;
    qint64 done = 0;
    for (int i = 0; i < roundCount; ++i) {
        for (const int count : {0, consoleCount}) {
            startRuns(*store, runs);
            done += runs;
            const Consoles consoles(url, count);
            const double seconds = secondsOf(*store, done);
            (count == 0 ? alone : beside).append(3.0 * runs / seconds);
            pulses += consoles.pulses();
            pulseMs = std::max(pulseMs, consoles.averageMs());
        }
    }
    QTextStream(stdout) << "PostgreSQL: " << qRound(median(alone)) << " durable steps/s alone, "
                        << qRound(median(beside)) << " beside " << consoleCount
                        << " consoles; ratio "
                        << QString::number(100.0 * median(beside) / median(alone), 'f', 1)
                        << " % (medians of " << roundCount << " rounds; " << pulses
                        << " pulses, the slowest round " << QString::number(pulseMs, 'f', 1)
                        << " ms each)" << Qt::endl;
    return 0;
}
