// Goal: a pause that has returned is a pause, however busy it is (I11). Method: four engines turn
// as fast as they can on one PostgreSQL, in threads and without an outside, and are paused again
// and again; after each pause every one of them takes turns, and no intent may have been committed.
#include "runtime/turn_bench.h"
#include "support/store_fixture.h"

#include <QElapsedTimer>
#include <QtTest>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace holdfast;
using namespace holdfast::tests;

namespace
{
constexpr int engines = 4;
constexpr int runsAlive = 40;
// Nobody renews it, and an engine whose lease has run out loses its runs to the others.
constexpr model::Millis lease = 24 * model::hour;

QString definitions()
{
    QString text = uR"(holdfast: 1
dependency: world
owner: team@example.com
url: http://127.0.0.1:9
idempotency: {protection: native, header: Idempotency-Key, retention: 24h}
---
holdfast: 1
workflow: flow
version: 1
owner: team@example.com
event_id: ${ input.id }
input: {type: object, required: [id]}
steps:
)"_s;
    for (int i = 0; i < 20; ++i)
        text += uR"(  - step: s%1
    dependency: world
    effect: write
    key: s%1:${ input.id }
    http: {method: POST, path: /s%1}
    compensate: none
)"_s.arg(i);
    return text;
}

// Rung by every engine after every turn, so that nobody has to look every so often.
class Bell
{
public:
    void ring()
    {
        const std::lock_guard lock(m_mutex);
        m_rung.notify_all();
    }
    template <typename Condition>
    bool waitUntil(const Condition &condition)
    {
        std::unique_lock lock(m_mutex);
        return m_rung.wait_for(lock, std::chrono::minutes(1), condition);
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_rung;
};

// An engine whose every call is answered in the next turn.
class Engine
{
public:
    Engine(StoreFixture &fixture, int number, Bell &bell)
        : m_fixture(fixture), m_number(number), m_bell(bell)
    {
    }
    ~Engine()
    {
        if (m_thread.joinable())
            stop();
    }

    void start()
    {
        m_thread = std::thread([this] { run(); });
    }
    void stop()
    {
        m_isAsked = true;
        m_thread.join();
    }
    int turns() const { return m_turns; }
    // What ended it before it was asked to; empty while it goes on.
    QString problem() const { return m_hasFailed ? m_problem : QString(); }

private:
    void run()
    {
        const auto store = m_fixture.connect();
        Worker worker(*store, m_fixture.clock, u"engine-%1"_s.arg(m_number), lease);
        QVector<model::CallResult> results;
        while (!m_isAsked) {
            const auto done = worker.turn.turn(results);
            if (!done) {
                m_problem = done.error().message;
                m_hasFailed = true;
                m_bell.ring();
                return;
            }
            results = worker.sent.answers();
            worker.sent.calls.clear();
            ++m_turns;
            m_bell.ring();
        }
    }

    StoreFixture &m_fixture;
    const int m_number;
    Bell &m_bell;
    std::thread m_thread;
    std::atomic<bool> m_isAsked = false;
    std::atomic<int> m_turns = 0;
    std::atomic<bool> m_hasFailed = false;
    QString m_problem; // written once, before m_hasFailed
};
} // namespace

class PauseStormTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void noIntentFollowsAPause()
    {
        if (!StoreFixture::available().contains(StoreFixture::Kind::postgres))
            QSKIP("needs PostgreSQL: SQLite has one writer");
        const int pauses = qEnvironmentVariableIsSet("HOLDFAST_TEST_LONG") ? 10'000 : 40;
        StoreFixture fixture(StoreFixture::Kind::postgres);
        const auto store = fixture.connect();
        deploy(*store, definitions());
        control::LocalDoor door(*store); // one for all, so that it parses the workflow once
        Bell bell;
        std::array<std::unique_ptr<Engine>, engines> all;
        for (int i = 0; i < engines; ++i) {
            all[size_t(i)] = std::make_unique<Engine>(fixture, i, bell);
            all[size_t(i)]->start();
        }
        QVector<qint64> took; // microseconds
        int late = 0;
        qint64 sent = 0;
        for (int i = 0; i < pauses; ++i) {
            feed(*store, door);
            const qint64 before = *store->journalMark();
            QVERIFY2(bell.waitUntil([&] { return *store->journalMark() > before; }),
                     qPrintable(standing(all)));
            QElapsedTimer timer;
            timer.start();
            call(door, u"pause"_s, {{u"reason"_s, u"storm"_s}});
            took.append(timer.nsecsElapsed() / 1000);
            const auto wanted = turnsFromNow(all, 2);
            QVERIFY2(bell.waitUntil([&] { return haveTurned(all, wanted); }),
                     qPrintable(standing(all)));
            late += call(door, u"pauses"_s, {})[u"pauses"_s][0][u"started_since"_s].toInt();
            sent += *store->journalMark() - before;
            call(door, u"resume"_s, {{u"reason"_s, u"calm"_s}});
        }
        for (const auto &engine : all) {
            engine->stop();
            QCOMPARE(engine->problem(), QString());
        }
        std::sort(took.begin(), took.end());
        const auto at = [&took](int percent) {
            return double(took.at(took.size() * percent / 101));
        };
        qInfo(
            "%d pauses under %lld commits of runs: %d late intents; latency p50 %.1f ms, p90 %.1f "
            "ms, p99 %.1f ms, max %.1f ms",
            pauses, sent, late, at(50) / 1000, at(90) / 1000, at(99) / 1000, at(100) / 1000);
        QCOMPARE(late, 0);
    }

private:
    // Enough unfinished runs that every turn has something to decide.
    void feed(ports::Store &store, control::LocalDoor &door)
    {
        const auto pulse = store.pulse();
        qint64 open = 0;
        for (const qint64 count : std::as_const(pulse->openRunsByStatus))
            open += count;
        for (; open < runsAlive; ++open)
            startRun(door, u"flow"_s, QString::number(++m_started));
    }
    using Engines = std::array<std::unique_ptr<Engine>, engines>;
    using Turns = std::array<int, engines>;

    static Turns turnsFromNow(const Engines &all, int more)
    {
        Turns wanted{};
        std::transform(all.begin(), all.end(), wanted.begin(),
                       [more](const auto &engine) { return engine->turns() + more; });
        return wanted;
    }
    static bool haveTurned(const Engines &all, const Turns &wanted)
    {
        return std::equal(all.begin(), all.end(), wanted.begin(),
                          [](const auto &engine, int turns) { return engine->turns() >= turns; });
    }

    static QString standing(const Engines &all)
    {
        QStringList lines;
        for (const auto &engine : all)
            lines.append(u"%1 turns %2"_s.arg(engine->turns()).arg(engine->problem()));
        return lines.join(u"; "_s);
    }

    int m_started = 0;
};

QTEST_GUILESS_MAIN(PauseStormTest)
#include "tst_pause_storm.moc"
