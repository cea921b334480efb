// Goal: a worker that slept past its own lease (a suspended laptop) finds its own runs among the
// orphans. They are still its own while nobody took them, with the results that came in meanwhile;
// once somebody did, its results are that one's evidence and nothing of its own stands.
#include "runtime/turn_bench.h"
#include "store/memory_store.h"
#include "store/sqlite_store.h"
#include "support/store_fixture.h"

#include <QFile>
#include <QtTest>

using namespace holdfast;
using namespace Qt::StringLiterals;
using tests::StoreFixture;
using namespace tests;

namespace
{
const QString definitions = uR"(holdfast: 1
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
  - step: first
    dependency: world
    effect: write
    key: first:${ input.id }
    http: {method: POST, path: /first}
    receipt: {id: "${ response.body.id }"}
    compensate: none
  - step: second
    dependency: world
    effect: write
    key: second:${ input.id }
    http: {method: POST, path: /second}
    receipt: {id: "${ response.body.id }"}
    compensate: none
---
holdfast: 1
workflow: asked
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
    receipt: {id: "${ response.body.id }"}
    retry: {attempts: 4, delay: 1ms}
    compensate: none
  - step: aside
    dependency: world
    effect: write
    detached: true
    key: aside:${ input.id }
    http: {method: POST, path: /aside}
    receipt: {id: "${ response.body.id }"}
    compensate: none
  - step: risky
    dependency: world
    effect: write
    approval: {who: []}
    key: risky:${ input.id }
    http: {method: POST, path: /risky}
    receipt: {id: "${ response.body.id }"}
    compensate: none
)"_s;

// The next commit takes, and its answer is lost.
class Unsure : public store::MemoryStore
{
public:
    using store::MemoryStore::MemoryStore;

    model::Result<void> commit() override
    {
        const auto committed = MemoryStore::commit();
        if (!std::exchange(losesTheAnswer, false))
            return committed;
        return model::Error{model::ErrorKind::unknownOutcome, u"lost during commit"_s};
    }
    bool losesTheAnswer = false;
};
} // namespace

class LeaseTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aSleeperKeepsWhatNobodyTook_data() { rows(); }
    void aSleeperKeepsWhatNobodyTook()
    {
        QFETCH(StoreFixture::Kind, kind);
        StoreFixture fixture(kind);
        const auto store = fixture.connect();
        start(*store);
        Worker sleeper(*store, fixture.clock, u"sleeper"_s);
        QVERIFY(sleeper.turn.turn({}).ok());
        QCOMPARE(sleeper.sent.calls.size(), 1);
        fixture.clock.advance(model::hour);
        const auto results = sleeper.sent.answers();
        sleeper.sent.calls.clear();
        QVERIFY(sleeper.turn.turn(results).ok());
        QCOMPARE(sleeper.sent.calls.size(), 1);
        QCOMPARE(sleeper.sent.calls.first().step, u"second"_s);
        const auto last = sleeper.sent.answers();
        QVERIFY(sleeper.turn.turn(last).ok());
        QCOMPARE(statusOf(*store), u"succeeded"_s);
    }

    // A key grows too old while a worker stands still: the call itself says until when its first
    // byte may leave.
    void aCallMayNotLeaveAfterItsKeyIsForgotten_data() { rows(); }
    void aCallMayNotLeaveAfterItsKeyIsForgotten()
    {
        QFETCH(StoreFixture::Kind, kind);
        StoreFixture fixture(kind);
        const auto store = fixture.connect();
        start(*store);
        Worker worker(*store, fixture.clock, u"worker"_s);
        const model::Millis before = fixture.clock.monotonic();
        QVERIFY(worker.turn.turn({}).ok());
        QCOMPARE(worker.sent.calls.size(), 1);
        const model::Millis last = worker.sent.calls.first().sendBeforeMonotonic;
        QVERIFY(last > before && last < before + 24 * model::hour);
    }

    void aSleeperThatSawNothingYetKeepsItsAttempt_data() { rows(); }
    void aSleeperThatSawNothingYetKeepsItsAttempt()
    {
        QFETCH(StoreFixture::Kind, kind);
        StoreFixture fixture(kind);
        const auto store = fixture.connect();
        start(*store);
        Worker sleeper(*store, fixture.clock, u"sleeper"_s);
        QVERIFY(sleeper.turn.turn({}).ok());
        fixture.clock.advance(model::hour);
        QVERIFY(sleeper.turn.turn({}).ok());
        QCOMPARE(sleeper.sent.calls.size(), 1);
        QCOMPARE(sleeper.turn.owned(), 1);
    }

    void whatWasTakenIsNotOursAnyMore_data() { rows(); }
    void whatWasTakenIsNotOursAnyMore()
    {
        QFETCH(StoreFixture::Kind, kind);
        StoreFixture fixture(kind);
        const auto store = fixture.connect();
        start(*store);
        Worker sleeper(*store, fixture.clock, u"sleeper"_s);
        QVERIFY(sleeper.turn.turn({}).ok());
        fixture.clock.advance(model::hour);
        // Both leases are over, so what one opens the other finds; the taker re-sends the same key.
        Worker taker(*store, fixture.clock, u"taker"_s);
        QVERIFY(taker.turn.turn({}).ok());
        QVERIFY(sleeper.turn.turn(sleeper.sent.answers()).ok());
        for (const model::Call &call : sleeper.sent.calls + taker.sent.calls)
            QCOMPARE(call.key, u"first:1"_s);
        const auto journal = store->journal(m_runId);
        QVERIFY(journal.ok());
        QSet<int> versions;
        for (const ports::JournalRow &row : *journal)
            versions.insert(row.seq);
        QCOMPARE(versions.size(), journal->size());
    }

    // Without a lease there is still the age of the key.
    void whatWasCommittedWhileItsKeyWasFreshDoesNotLeaveLater()
    {
        SettableClock clock;
        Unsure shaky(&clock, std::make_shared<store::MemoryDatabase>());
        QVERIFY(shaky.open().ok());
        start(shaky);
        Worker worker(shaky, clock, u"worker"_s);
        shaky.losesTheAnswer = true;
        QVERIFY(!worker.turn.turn({}).ok());
        clock.advance(25 * model::hour);
        QVERIFY(worker.turn.turn({}).ok());
        QVERIFY(!worker.sent.calls.isEmpty());
        QVERIFY(worker.sent.calls.first().sendBeforeMonotonic < clock.monotonic());
    }

    // A backup was put back under the worker. What its attempt came to is evidence all the same.
    void whatTheDatabaseHasForgottenIsToldToIt()
    {
        StoreFixture fixture(StoreFixture::Kind::sqlite);
        const auto store = fixture.connect();
        auto &file = dynamic_cast<store::SqliteStore &>(*store);
        const QString path = fixture.url().section(u':', 1);
        start(*store);
        Worker worker(*store, fixture.clock, u"worker"_s);
        QVERIFY(worker.turn.turn({}).ok());
        auto busy = worker.sent.answers();
        busy.first().status = 429;
        worker.sent.calls.clear();
        QVERIFY(worker.turn.turn(busy).ok());
        file.close();
        QVERIFY(QFile::copy(path, path + u".backup"_s));
        QVERIFY(file.open().ok());
        fixture.clock.advance(model::minute);
        QVERIFY(worker.turn.turn({}).ok());
        QCOMPARE(worker.sent.calls.size(), 1);
        file.close();
        QVERIFY(QFile::remove(path) && QFile::copy(path + u".backup"_s, path));
        QVERIFY(file.open().ok());
        worker.turn.doubtOwned();
        QVERIFY(worker.turn.turn(worker.sent.answers()).ok());
        QVERIFY(store->command(u"late-%1-first-forward-2"_s.arg(m_runId))->has_value());
    }

    // Another server, but nothing is lost: what was ours is found to be so, and goes on.
    void whatIsOursAfterAFailoverGoesOn()
    {
        StoreFixture fixture(StoreFixture::Kind::memory);
        const auto store = fixture.connect();
        start(*store);
        Worker worker(*store, fixture.clock, u"worker"_s);
        QVERIFY(worker.turn.turn({}).ok());
        const auto answers = worker.sent.answers();
        worker.sent.calls.clear();
        worker.turn.doubtOwned();
        QVERIFY(worker.turn.turn(answers).ok());
        QCOMPARE(worker.sent.calls.size(), 1);
        QCOMPARE(worker.sent.calls.first().step, u"second"_s);
    }

    // By the time it is known that the intent was committed, somebody else may have answered for
    // it.
    void whatWasCommittedUnderOneLeaseDoesNotLeaveUnderTheNext()
    {
        SettableClock clock;
        const auto database = std::make_shared<store::MemoryDatabase>();
        Unsure shaky(&clock, database);
        store::MemoryStore steady(&clock, database);
        QVERIFY(shaky.open().ok() && steady.open().ok());
        start(steady);
        Worker sleeper(shaky, clock, u"sleeper"_s);
        sleeper.turn.setLease(clock.monotonic() + model::second);
        shaky.losesTheAnswer = true;
        QVERIFY(!sleeper.turn.turn({}).ok());
        QVERIFY(sleeper.sent.calls.isEmpty());
        clock.advance(model::hour);
        Worker taker(steady, clock, u"taker"_s);
        QVERIFY(taker.turn.turn({}).ok());
        sleeper.turn.setLease(clock.monotonic() + model::second);
        QVERIFY(sleeper.turn.turn({}).ok());
        for (const model::Call &call : std::as_const(sleeper.sent.calls)) {
            QVERIFY(call.sendBeforeMonotonic != 0);
            QVERIFY(call.sendBeforeMonotonic < clock.monotonic());
        }
        QVERIFY(!sleeper.sent.calls.isEmpty());
    }

    // It remembers a run in which nobody had asked yet, so the answer would mean nothing to it.
    void aSleeperSettlesNoDecisionOfARunThatWasTaken_data() { rows(); }
    void aSleeperSettlesNoDecisionOfARunThatWasTaken()
    {
        QFETCH(StoreFixture::Kind, kind);
        StoreFixture fixture(kind);
        const auto store = fixture.connect();
        deploy(*store, definitions);
        m_runId = startRun(*store, u"asked"_s, u"1"_s);
        Worker sleeper(*store, fixture.clock, u"sleeper"_s);
        QVERIFY(sleeper.turn.turn({}).ok());
        fixture.clock.advance(model::hour);
        Worker taker(*store, fixture.clock, u"taker"_s, model::hour);
        const auto hasSent = [&] {
            fixture.clock.advance(model::second);
            return taker.turn.turn({}).ok() && !taker.sent.calls.isEmpty();
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasSent(), 30000);
        QVERIFY(taker.turn.turn(taker.sent.answers()).ok());
        const auto open = store->reviews({});
        QCOMPARE(open->size(), 1);
        QCOMPARE(taker.turn.owned(), 1);
        const QString command =
            call(*store, u"approve"_s,
                 {{u"review"_s, open->first().id}, {u"reason"_s, u"looked"_s}})[u"command"_s]
                .toString();
        QVERIFY(sleeper.turn.turn({}).ok());
        QCOMPARE((*store->command(command))->result, QString());
        QVERIFY(taker.turn.turn({}).ok());
        QCOMPARE((*store->command(command))->result, u"applied"_s);
        QCOMPARE(taker.sent.calls.last().step, u"risky"_s);
    }

private:
    static void rows()
    {
        QTest::addColumn<StoreFixture::Kind>("kind");
        for (const auto kind : StoreFixture::available())
            QTest::newRow(qPrintable(StoreFixture::nameOf(kind))) << kind;
    }
    void start(ports::Store &store)
    {
        deploy(store, definitions);
        m_runId = startRun(store, u"flow"_s, u"1"_s);
    }
    QString statusOf(ports::Store &store)
    {
        return call(store, u"show"_s, {{u"run"_s, m_runId}})[u"status"_s].toString();
    }

    QString m_runId;
};

QTEST_GUILESS_MAIN(LeaseTest)
#include "tst_lease.moc"
