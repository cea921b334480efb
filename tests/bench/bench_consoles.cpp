// What twenty consoles cost a shared database.
//
// Method: the engine at full speed on PostgreSQL, alone and beside twenty connections that ask what
// every window asks four times a second whatever its page shows. Rounds come in pairs, one of each
// right after the other and in changing order, so that a machine that is busy with other things is
// as busy for both; the figure is the middle of the pairs' ratios. It ends by the clock: with a
// slow machine there are fewer pairs, not a longer wait.
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
constexpr int pairsMin = 3;
constexpr int pairsMax = 15;
constexpr qint64 beginsUntilMs = 40'000; // no pair begins after that, but for the first few
constexpr std::chrono::milliseconds pulseEvery{250}; // as ui/bridge does

// Windows that look for news until they are closed.
class Consoles
{
public:
    Consoles(const QString &url, int count)
    {
        for (int i = 0; i < count; ++i)
            m_threads.emplace_back([this, url] { watch(url); });
        // Opening a window is not what is measured.
        std::unique_lock lock(m_mutex);
        m_opened.wait(lock, [this, count] { return m_open == count; });
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
        bool isOpen = false;
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
            if (!std::exchange(isOpen, true)) {
                ++m_open;
                m_opened.notify_all();
            }
            m_closing.wait_for(lock, pulseEvery, [this] { return m_isClosing; });
        }
    }

    std::vector<std::thread> m_threads;
    std::mutex m_mutex;
    std::condition_variable m_opened;
    std::condition_variable m_closing;
    int m_open = 0;
    bool m_isClosing = false;
    std::atomic<qint64> m_pulses = 0;
    std::atomic<qint64> m_micros = 0;
};

double middle(QVector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.at(values.size() / 2);
}

struct Figures {
    QVector<double> alone;  // steps a second
    QVector<double> beside; // steps a second, with all consoles open
    QVector<double> ratios; // of each pair
    qint64 pulses = 0;
    double pulseMs = 0; // of the slowest round, on average
};

class Bench
{
public:
    Bench(ports::Store &store, const QString &url, int runs)
        : m_store(store), m_url(url), m_runs(runs)
    {
    }
    Figures measure()
    {
        round(0); // what is read for the first time is read now
        m_figures = {};
        QElapsedTimer clock;
        clock.start();
        for (int pair = 0; pair < pairsMax; ++pair) {
            if (pair >= pairsMin && clock.elapsed() > beginsUntilMs)
                break;
            const bool aloneFirst = pair % 2 == 0;
            const double first = round(aloneFirst ? 0 : consoleCount);
            const double second = round(aloneFirst ? consoleCount : 0);
            m_figures.alone << (aloneFirst ? first : second);
            m_figures.beside << (aloneFirst ? second : first);
            m_figures.ratios << m_figures.beside.last() / m_figures.alone.last();
        }
        return m_figures;
    }

private:
    double round(int open)
    {
        startRuns(m_store, m_runs);
        m_done += m_runs;
        const Consoles consoles(m_url, open);
        const double seconds = secondsOf(m_store, m_done);
        m_figures.pulses += consoles.pulses();
        m_figures.pulseMs = std::max(m_figures.pulseMs, consoles.averageMs());
        return 3.0 * m_runs / seconds;
    }

    ports::Store &m_store;
    const QString m_url;
    const int m_runs;
    qint64 m_done = 0;
    Figures m_figures;
};
} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const int runs = argc > 1 ? QString::fromLocal8Bit(argv[1]).toInt() : 1000;
    tests::PostgresServer *server = tests::PostgresServer::shared();
    if (!server)
        die(QStringLiteral("PostgreSQL is not installed"));
    const QString url = server->createDatabase();
    auto store = must(store::openStore(url));
    must(store->open());
    deploy(*store, noopDefinitions);
    const Figures figures = Bench(*store, url, runs).measure();
    const auto percent = [](double ratio) { return QString::number(100.0 * ratio, 'f', 1); };
    const auto [least, most] = std::minmax_element(figures.ratios.begin(), figures.ratios.end());
    QTextStream(stdout) << "PostgreSQL beside " << consoleCount
                        << " consoles: " << percent(middle(figures.ratios))
                        << " % of the steps a second alone (middle of " << figures.ratios.size()
                        << " pairs of rounds, " << percent(*least) << " to " << percent(*most)
                        << "); " << qRound(middle(figures.beside)) << " and "
                        << qRound(middle(figures.alone)) << " steps/s; " << figures.pulses
                        << " pulses, " << QString::number(figures.pulseMs, 'f', 1)
                        << " ms each in the slowest round" << Qt::endl;
    store.reset();
    server->dropDatabase(url);
    return 0;
}
