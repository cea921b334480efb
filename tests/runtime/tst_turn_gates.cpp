// Goal: a turn knows the gates of what it calls, and what a gate held goes on when it opens: a
// dependency deployed a moment ago, a breaker that a person closed, a pause lifted by stages.
#include "runtime/ramp_watch.h"
#include "runtime/turn_bench.h"
#include "support/store_fixture.h"

#include <QtTest>

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
    retry: {attempts: 3, delay: 1s}
    compensate: none
)"_s.arg(limit);
}

// A step beside the critical path at a dependency of its own, and one that ends that path.
QString besides(const QString &last)
{
    return uR"(holdfast: 1
dependency: side
owner: team@example.com
url: http://127.0.0.1:9
idempotency: {protection: none}
---
holdfast: 1
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
  - step: aside
    dependency: side
    effect: write
    detached: true
    key: aside:${ input.id }
    http: {method: POST, path: /aside}
    compensate: none
%1)"_s.arg(last);
}

// A paused engine with `count` runs held, oldest first.
struct Held {
    Held(StoreFixture &fixture, int count)
        : store(fixture.connect()), worker(*store, fixture.clock, u"worker"_s)
    {
        deploy(*store, definitions(u"concurrency: 100"_s));
        pause = call(*store, u"pause"_s, {{u"reason"_s, u"incident"_s}})[u"id"_s].toString();
        for (int i = 0; i < count; ++i)
            runs << startRun(*store, u"flow"_s, u"%1"_s.arg(i, 3, 10, QChar(u'0')));
        turn();
    }
    void turn(const QVector<model::CallResult> &results = {})
    {
        const auto done = worker.turn.turn(results);
        if (!done)
            qFatal("%s", qPrintable(done.error().message));
    }
    // Everything sent since the last time ends, well or not.
    void answer(bool well = true)
    {
        auto results = worker.sent.answers();
        worker.sent.calls.clear();
        for (model::CallResult &result : results)
            result.status = well ? 200 : 503;
        turn(results);
    }
    void look()
    {
        const auto looked = runtime::RampWatch(*store, worker.catalog).look();
        if (!looked)
            qFatal("%s", qPrintable(looked.error().message));
    }
    void startRamp()
    {
        call(*store, u"resume"_s,
             {{u"pause"_s, pause}, {u"ramp"_s, true}, {u"reason"_s, u"mended"_s}});
    }
    QJsonObject shown() const { return call(*store, u"pauses"_s, {})[u"pauses"_s][0].toObject(); }
    QStringList sent() const
    {
        QStringList ids;
        for (const model::Call &sent : worker.sent.calls)
            ids << sent.runId;
        ids.sort();
        return ids;
    }

    std::unique_ptr<ports::Store> store;
    Worker worker;
    QString pause;
    QStringList runs;
};
} // namespace

class TurnGatesTest : public QObject
{
    Q_OBJECT
    static void kinds()
    {
        QTest::addColumn<StoreFixture::Kind>("kind");
        for (const auto kind : StoreFixture::available())
            QTest::newRow(qPrintable(StoreFixture::nameOf(kind))) << kind;
    }

private Q_SLOTS:
    // A worker reads the catalog once a second; a run may come sooner than that.
    void aDependencyIsKnownToTheTurnThatFirstCallsIt_data() { kinds(); }
    void aDependencyIsKnownToTheTurnThatFirstCallsIt()
    {
        QFETCH(StoreFixture::Kind, kind);
        StoreFixture fixture(kind);
        const auto store = fixture.connect();
        Worker worker(*store, fixture.clock, u"worker"_s);
        QVERIFY(worker.turn.turn({}).ok());
        deploy(*store, definitions(u"concurrency: 1"_s));
        startRun(*store, u"flow"_s, u"1"_s);
        startRun(*store, u"flow"_s, u"2"_s);
        QVERIFY(worker.turn.turn({}).ok());
        QCOMPARE(worker.sent.calls.size(), 1);
        QCOMPARE(worker.sent.calls.first().dependencyRevision, 1);
    }

    void aBreakerClosedByAPersonIsNotWaitedOut_data() { kinds(); }
    void aBreakerClosedByAPersonIsNotWaitedOut()
    {
        QFETCH(StoreFixture::Kind, kind);
        StoreFixture fixture(kind);
        const auto store = fixture.connect();
        Worker worker(*store, fixture.clock, u"worker"_s);
        deploy(*store, definitions(u"concurrency: 1"_s));
        const auto force = [&](const QString &state) {
            call(*store, u"breaker"_s,
                 {{u"dependency"_s, u"world"_s}, {u"state"_s, state}, {u"reason"_s, u"test"_s}});
        };
        force(u"open"_s);
        startRun(*store, u"flow"_s, u"1"_s);
        QVERIFY(worker.turn.turn({}).ok());
        QCOMPARE(worker.sent.calls.size(), 0);
        force(u"closed"_s);
        QVERIFY(worker.turn.turn({}).ok());
        QCOMPARE(worker.sent.calls.size(), 1);
    }

    // Lifting a pause wakes runs that nobody holds, and this one is held by its open attempt.
    void aPauseLiftedWhileAnAttemptIsOpenHoldsNothingBack_data() { kinds(); }
    void aPauseLiftedWhileAnAttemptIsOpenHoldsNothingBack()
    {
        QFETCH(StoreFixture::Kind, kind);
        StoreFixture fixture(kind);
        const auto store = fixture.connect();
        Worker worker(*store, fixture.clock, u"worker"_s, model::minute);
        deploy(*store, besides(uR"(  - step: last
    dependency: world
    effect: write
    key: last:${ input.id }
    http: {method: POST, path: /last}
    compensate: none
)"_s));
        const QJsonObject side{{u"dependency"_s, u"side"_s}, {u"reason"_s, u"incident"_s}};
        call(*store, u"pause"_s, side);
        startRun(*store, u"flow"_s, u"1"_s);
        QVERIFY(worker.turn.turn({}).ok());
        QCOMPARE(worker.sent.calls.size(), 1);
        QCOMPARE(worker.sent.calls.first().step, u"last"_s);
        call(*store, u"resume"_s, side);
        QVERIFY(worker.turn.turn(worker.sent.answers()).ok());
        QCOMPARE(worker.sent.calls.size(), 2);
        QCOMPARE(worker.sent.calls.last().step, u"aside"_s);
    }

    // A worker that drains puts down what it may not send, and who comes next sends it at once,
    // whatever else the run waits for.
    void whatADrainingWorkerPutsDownIsDueAtOnce_data() { kinds(); }
    void whatADrainingWorkerPutsDownIsDueAtOnce()
    {
        QFETCH(StoreFixture::Kind, kind);
        StoreFixture fixture(kind);
        const auto store = fixture.connect();
        Worker worker(*store, fixture.clock, u"worker"_s, model::minute);
        deploy(*store, besides(uR"(  - step: asked
    approval: {who: []}
    detached: true
  - step: first
    dependency: world
    effect: write
    key: first:${ input.id }
    http: {method: POST, path: /first}
    compensate: none
  - step: second
    dependency: world
    effect: write
    key: second:${ input.id }
    http: {method: POST, path: /second}
    compensate: none
)"_s));
        startRun(*store, u"flow"_s, u"1"_s);
        QVERIFY(worker.turn.turn({}).ok());
        QCOMPARE(worker.sent.calls.size(), 2);
        worker.turn.setMaySend(false);
        worker.turn.setClaiming(false);
        QVERIFY(worker.turn.turn(worker.sent.answers()).ok());
        QCOMPARE(worker.sent.calls.size(), 2);
        worker.turn.setMaySend(true);
        worker.turn.setClaiming(true);
        QVERIFY(worker.turn.turn({}).ok());
        QCOMPARE(worker.sent.calls.size(), 3);
        QCOMPARE(worker.sent.calls.last().step, u"second"_s);
    }

    // Nor is it listed as held while it waits for a person besides.
    void aPauseLiftedWhileAPersonIsAskedHoldsNothingBack_data() { kinds(); }
    void aPauseLiftedWhileAPersonIsAskedHoldsNothingBack()
    {
        QFETCH(StoreFixture::Kind, kind);
        StoreFixture fixture(kind);
        const auto store = fixture.connect();
        Worker worker(*store, fixture.clock, u"worker"_s);
        deploy(*store, besides(u"  - step: last\n    approval: {who: []}\n"_s));
        const QJsonObject side{{u"dependency"_s, u"side"_s}, {u"reason"_s, u"incident"_s}};
        call(*store, u"pause"_s, side);
        const QString id = startRun(*store, u"flow"_s, u"1"_s);
        QVERIFY(worker.turn.turn({}).ok());
        QCOMPARE(store->unsettledRuns().value(), 0);
        call(*store, u"resume"_s, side);
        const auto run = store->run(id);
        QVERIFY(run.ok() && *run);
        QCOMPARE(model::runStatusName((*run)->status), u"waiting"_s);
        QVERIFY((*run)->due != model::never);
        QVERIFY((*run)->due <= store->now().value() + model::minute);
        if (!fixture.hasOwnClock())
            return;
        fixture.clock.advance(model::minute);
        QVERIFY(worker.turn.turn({}).ok());
        QCOMPARE(worker.sent.calls.size(), 1);
    }

    void aRampLetsThroughOldestFirstAndNoMoreThanItsStage_data() { kinds(); }
    void aRampLetsThroughOldestFirstAndNoMoreThanItsStage()
    {
        QFETCH(StoreFixture::Kind, kind);
        StoreFixture fixture(kind);
        Held held(fixture, 12);
        QCOMPARE(held.sent(), QStringList());
        QCOMPARE(held.shown()[u"held"_s].toInt(), 12);
        held.startRamp();
        held.turn();
        QCOMPARE(held.sent(), held.runs.first(1));
        held.look(); // still on its way: no proof yet
        held.turn();
        QCOMPARE(held.sent(), held.runs.first(1));
        held.answer();
        held.look();
        held.look(); // another worker looks at the same moment
        held.turn();
        QCOMPARE(held.sent(), held.runs.mid(1, 4));
        QCOMPARE(held.shown()[u"started_since"_s].toInt(), 0);
        QCOMPARE(held.shown()[u"ramp"_s][u"admitted"_s].toInt(), 5);
        held.answer();
        held.look();
        held.turn();
        QCOMPARE(held.sent(), held.runs.mid(5, 1)); // half of twelve
        // Who comes now waits until the end.
        const QString late = startRun(*held.store, u"flow"_s, u"late"_s);
        held.turn();
        QVERIFY(!held.sent().contains(late));
        held.answer();
        held.look();
        QCOMPARE(held.shown(), QJsonObject());
        held.turn();
        QCOMPARE(held.sent().size(), 7);
        QVERIFY(held.sent().contains(late));
        ports::AuditFilter ramps;
        ramps.action = u"ramp"_s;
        const auto audit = held.store->auditOf(ramps);
        QVERIFY(audit.ok());
        QCOMPARE(audit->rows.size(), 3);
    }

    void aRampIsStoppedByFailuresAndNothingMoreIsSent_data() { kinds(); }
    void aRampIsStoppedByFailuresAndNothingMoreIsSent()
    {
        QFETCH(StoreFixture::Kind, kind);
        StoreFixture fixture(kind);
        Held held(fixture, 12);
        held.startRamp();
        held.turn();
        held.answer(false);
        held.look();
        QCOMPARE(held.shown()[u"ramp"_s][u"state"_s].toString(), u"repaused"_s);
        QCOMPARE(held.shown()[u"started_since"_s].toInt(), 0);
        fixture.clock.advance(model::hour); // its retry is due, and held
        held.turn();
        QCOMPARE(held.sent(), QStringList());
        QCOMPARE(held.shown()[u"started_since"_s].toInt(), 0);
        held.startRamp();
        held.turn();
        QCOMPARE(held.sent().size(), 1);
    }

    void aPersonHoldsARampAndPausesAgain_data() { kinds(); }
    void aPersonHoldsARampAndPausesAgain()
    {
        QFETCH(StoreFixture::Kind, kind);
        StoreFixture fixture(kind);
        Held held(fixture, 12);
        const auto tell = [&](const QString &what) {
            call(*held.store, u"ramp"_s, {{u"pause"_s, held.pause}, {u"do"_s, what}});
        };
        held.startRamp();
        tell(u"hold"_s);
        held.turn();
        held.answer();
        held.look();
        held.turn();
        QCOMPARE(held.sent(), QStringList());
        tell(u"go"_s);
        held.look();
        held.turn();
        QCOMPARE(held.sent().size(), 4);
        tell(u"repause"_s);
        QCOMPARE(held.shown()[u"ramp"_s][u"note"_s].toString(), u"paused again by ada"_s);
        QCOMPARE(held.shown()[u"in_flight"_s].toInt(), 4);
        control::LocalDoor door(*held.store);
        QVERIFY(
            !door.call(
                     {u"x"_s, u"ramp"_s, {{u"pause"_s, held.pause}, {u"do"_s, u"go"_s}}, u"ada"_s})
                 .ok());
    }

    void aRampOverNothingHeldIsAnOrdinaryResume_data() { kinds(); }
    void aRampOverNothingHeldIsAnOrdinaryResume()
    {
        QFETCH(StoreFixture::Kind, kind);
        StoreFixture fixture(kind);
        Held held(fixture, 0);
        held.startRamp();
        QCOMPARE(held.shown(), QJsonObject());
    }
};

QTEST_GUILESS_MAIN(TurnGatesTest)
#include "tst_turn_gates.moc"
