// Goal: concurrency and rate of a dependency hold for all workers together. Method: two engines
// without threads on one database take turns; what both have sent and not yet answered is counted.
#include "runtime/turn_bench.h"
#include "support/store_fixture.h"

#include <QRandomGenerator>
#include <QtTest>
#include <thread>

using namespace holdfast;
using namespace holdfast::tests;

namespace
{
QString definitions(const QString &limit)
{
    return uR"(holdfast: 1
dependency: world
owner: team@example.com
url: http://127.0.0.1:9
idempotency: {protection: native, header: Idempotency-Key, retention: 24h}
limit: {%1}
---
holdfast: 1
workflow: flow
version: 1
owner: team@example.com
event_id: ${ input.id }
input: {type: object, required: [id]}
steps:
  - step: first
    dependency: world
    effect: write
    key: first:${ input.id }
    http: {method: POST, path: /first}
    retry: {attempts: 9, delay: 10ms, max_delay: 10ms}
    compensate: none
)"_s.arg(limit);
}

struct Engine {
    Engine(StoreFixture &fixture, const QString &name, model::Millis lease)
        : store(fixture.connect()), worker(*store, fixture.clock, name, lease)
    {
    }
    void turn(const QVector<model::CallResult> &results = {})
    {
        const auto done = worker.turn.turn(results);
        if (!done)
            qFatal("%s", qPrintable(done.error().message));
        report = *done;
    }
    // The oldest of what is open ends.
    void answer(int count)
    {
        auto results = worker.sent.answers().first(count);
        worker.sent.calls.remove(0, count);
        turn(results);
    }
    int open() const { return int(worker.sent.calls.size()); }

    std::unique_ptr<ports::Store> store;
    Worker worker;
    runtime::TurnReport report;
};
} // namespace

class SharedLimitsTest : public QObject
{
    Q_OBJECT
    static void kinds()
    {
        QTest::addColumn<StoreFixture::Kind>("kind");
        for (const auto kind : StoreFixture::available()) {
            if (kind != StoreFixture::Kind::sqlite) // whose file has one worker
                QTest::newRow(qPrintable(StoreFixture::nameOf(kind))) << kind;
        }
    }
    static int placesOfBen(StoreFixture &fixture, Engine &ann, Engine &ben)
    {
        fixture.clock.advance(50);
        ben.turn();
        ann.turn();
        return ben.open();
    }
    static qint64 unfinished(ports::Store &store)
    {
        const auto pulse = store.pulse();
        qint64 open = 0;
        for (const qint64 count : std::as_const(pulse->openRunsByStatus))
            open += count;
        return open;
    }

private Q_SLOTS:
    void twoWorkersShareThePlaces_data() { kinds(); }
    void twoWorkersShareThePlaces()
    {
        QFETCH(StoreFixture::Kind, kind);
        StoreFixture fixture(kind);
        Engine ann(fixture, u"ann"_s, model::hour);
        Engine ben(fixture, u"ben"_s, model::hour);
        deploy(*ann.store, definitions(u"concurrency: 3"_s));
        for (int i = 0; i < 30; ++i)
            startRun(*ann.store, u"flow"_s, QString::number(i));
        ann.turn();
        QCOMPARE(ann.open(), 3);
        ben.turn();
        QCOMPARE(ben.open(), 0);
        // Whoever has places to spare gives them back to those who want them.
        ann.worker.turn.setClaiming(false);
        ann.answer(2);
        QTRY_COMPARE(placesOfBen(fixture, ann, ben), 2);
        ann.worker.turn.setClaiming(true);
        QRandomGenerator dice(5);
        int most = 0;
        QElapsedTimer patience;
        patience.start();
        while (unfinished(*ann.store) > 0 && patience.elapsed() < 60'000) {
            for (Engine *engine : {&ann, &ben}) {
                engine->answer(dice.bounded(engine->open() + 1));
                most = std::max(most, ann.open() + ben.open());
            }
            fixture.clock.advance(20);
        }
        QCOMPARE(unfinished(*ann.store), 0);
        QCOMPARE(most, 3);
    }

    void thePlacesOfADeadWorkerAreTakenOver_data() { kinds(); }
    void thePlacesOfADeadWorkerAreTakenOver()
    {
        QFETCH(StoreFixture::Kind, kind);
        StoreFixture fixture(kind);
        Engine dead(fixture, u"dead"_s, -1);
        Engine ben(fixture, u"ben"_s, model::hour);
        deploy(*ben.store, definitions(u"concurrency: 2"_s));
        for (int i = 0; i < 4; ++i)
            startRun(*ben.store, u"flow"_s, QString::number(i));
        dead.turn();
        QCOMPARE(dead.open(), 2);
        fixture.clock.advance(10);
        QElapsedTimer patience;
        patience.start();
        while (unfinished(*ben.store) > 0 && patience.elapsed() < 60'000) {
            ben.answer(ben.open());
            QVERIFY(ben.open() <= 2);
            fixture.clock.advance(20);
        }
        QCOMPARE(unfinished(*ben.store), 0);
    }

    void twoWorkersShareTheRate_data() { kinds(); }
    void twoWorkersShareTheRate()
    {
        QFETCH(StoreFixture::Kind, kind);
        StoreFixture fixture(kind);
        Engine ann(fixture, u"ann"_s, model::hour);
        Engine ben(fixture, u"ben"_s, model::hour);
        deploy(*ann.store, definitions(u"rate: 5/s"_s));
        for (int i = 0; i < 4; ++i)
            startRun(*ann.store, u"flow"_s, QString::number(i));
        ann.turn();
        QCOMPARE(ann.open(), 4);
        for (int i = 4; i < 20; ++i)
            startRun(*ann.store, u"flow"_s, QString::number(i));
        const QDateTime began = QDateTime::currentDateTime();
        ben.turn();
        if (fixture.hasOwnClock() || began.msecsTo(QDateTime::currentDateTime()) < 500)
            QCOMPARE(ben.open(), 1);
        // All of them start, five a second at the most.
        QElapsedTimer patience;
        patience.start();
        while (unfinished(*ann.store) > 0 && patience.elapsed() < 60'000) {
            for (Engine *engine : {&ann, &ben})
                engine->answer(engine->open());
            fixture.clock.advance(20);
        }
        QCOMPARE(unfinished(*ann.store), 0);
        QVector<model::Instant> starts;
        const auto rows = ann.store->journalAfter(0, 1000);
        QVERIFY(rows.ok());
        for (const ports::JournalRow &row : *rows) {
            for (const model::Entry &entry : model::entriesFromJson(row.entries)) {
                if (entry.kind == model::EntryKind::intent)
                    starts.append(entry.at);
            }
        }
        QCOMPARE(starts.size(), 20);
        std::sort(starts.begin(), starts.end());
        // By the shared database's clock, a turn lies between its instant and what it takes.
        const model::Millis window = fixture.hasOwnClock() ? model::second : model::second * 9 / 10;
        for (qsizetype i = 5; i < starts.size(); ++i)
            QVERIFY(starts.at(i) - starts.at(i - 5) >= window);
    }

    // Whoever reads a quota a moment too early does not use more than there is.
    void aQuotaIsMadeSureOfBeforeItIsUsed_data() { kinds(); }
    void aQuotaIsMadeSureOfBeforeItIsUsed()
    {
        QFETCH(StoreFixture::Kind, kind);
        StoreFixture fixture(kind);
        Engine ann(fixture, u"ann"_s, model::hour);
        Engine ben(fixture, u"ben"_s, model::hour);
        deploy(*ann.store, definitions(u"concurrency: 4"_s));
        for (int round = 0; round < 20; ++round) {
            for (int i = 0; i < 4; ++i)
                startRun(*ann.store, u"flow"_s, u"%1-%2"_s.arg(round).arg(i));
            std::thread other([&ben] { ben.turn(); });
            ann.turn();
            other.join();
            QVERIFY(ann.open() + ben.open() <= 4);
            ann.answer(ann.open());
            ben.answer(ben.open());
            fixture.clock.advance(300);
        }
    }
};

QTEST_GUILESS_MAIN(SharedLimitsTest)
#include "tst_shared_limits.moc"
