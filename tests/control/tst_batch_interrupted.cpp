// Goal (H7): a bulk act over 5,000 runs that is interrupted again and again does to each run
// exactly what was ordered, once, and says so for each. Method: on every kind of database the
// process that carries it out dies in the middle of a look, after one, and while its decisions are
// being applied; each time another one finds the database as it was left.
#include "control/local_door.h"
#include "engine/decide.h"
#include "model/entry.h"
#include "model/ids.h"
#include "runtime/batch_watch.h"
#include "runtime/turn.h"
#include "store/audit_chain.h"
#include "support/store_fixture.h"

#include "control/door_bench.h"

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
constexpr int runsTotal = 5000;

// One process: it can die, and another takes its place on the same database.
class Process
{
public:
    explicit Process(StoreFixture &fixture)
        : m_fixture(fixture), store(fixture.connect()),
          m_door(*store, {store::auditHash, [] { return QJsonObject(); }}),
          m_turn(*store, m_catalog, m_sender, fixture.clock, options())
    {
    }
    QJsonValue ok(const char *name, const QJsonObject &arguments)
    {
        const auto answer = m_door.call(
            {model::newId(m_fixture.clock.now()), QString::fromLatin1(name), arguments, u"ada"_s});
        if (!answer)
            qFatal("%s was refused: %s", name, qPrintable(answer.error().message));
        return *answer;
    }
    void look()
    {
        m_fixture.clock.advance(model::second);
        const auto looked = runtime::BatchWatch(*store).look();
        if (!looked)
            qFatal("a look failed: %s", qPrintable(looked.error().message));
    }
    void turn()
    {
        const auto turned = m_turn.turn({});
        if (!turned)
            qFatal("a turn failed: %s", qPrintable(turned.error().message));
    }

private:
    static runtime::TurnOptions options()
    {
        runtime::TurnOptions options;
        options.worker = u"w"_s;
        options.maySend = false;
        options.onlyCommanded = true;
        return options;
    }

    StoreFixture &m_fixture;

public:
    std::unique_ptr<ports::Store> store;

private:
    control::LocalDoor m_door;
    CollectingSender m_sender;
    runtime::Catalog m_catalog;
    runtime::Turn m_turn;
};

// As the door would start it; five thousand times that would be five thousand syncs.
ports::NewRun acceptedRun(const QString &eventId, model::Instant at)
{
    ports::NewRun made = newRun(u"one"_s, eventId, at);
    model::Run run;
    run.runId = made.run.runId;
    run.workflow = made.run.workflow;
    run.version = 1;
    run.eventId = eventId;
    run.input = {{u"id"_s, eventId}};
    made.journal.entries =
        model::entriesToJson({engine::acceptedEntry(run, at, model::hour, false)});
    return made;
}

void deployAndStart(Process &process)
{
    const QJsonObject file{{u"file"_s, u"f.yaml"_s}, {u"text"_s, oneStepWorkflow()}};
    process.ok("deploy", {{u"files"_s, QJsonArray{file}}});
    const auto now = process.store->now();
    QVERIFY(process.store->begin().ok());
    for (int i = 0; i < runsTotal; ++i) {
        const auto started = process.store->startRun(acceptedRun(u"event-%1"_s.arg(i), *now));
        QVERIFY(started && started->created);
    }
    QVERIFY(process.store->commit().ok());
}

QJsonArray planned(Process &process)
{
    QJsonObject arguments{{u"act"_s, u"cancel"_s}, {u"filter"_s, u"workflow:one"_s}};
    QJsonArray items;
    while (true) {
        const QJsonValue page = process.ok("batch_plan", arguments);
        for (const QJsonValue &item : page["items"_L1].toArray())
            items.append(item);
        if (page["cursor"_L1].isNull())
            return items;
        arguments.insert(u"cursor"_s, page["cursor"_L1]);
    }
}

// Takes items as a look would, and dies before it commits.
void dieInTheMiddle(Process &process)
{
    QVERIFY(process.store->begin().ok());
    const auto batches = process.store->lockBatches();
    QCOMPARE(batches->size(), 1);
    const ports::BatchRow &batch = batches->first();
    const auto items = process.store->batchItems({batch.id, {}, batch.taken, 3});
    for (ports::BatchItemRow item : *items) {
        item.state = u"recorded"_s;
        QVERIFY(process.store->takeBatchItem(batch, item, *process.store->now()).ok());
    }
}
} // namespace

class BatchInterrupted : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyRunOnceWhateverHappens_data()
    {
        QTest::addColumn<int>("kind");
        for (const StoreFixture::Kind kind : StoreFixture::available())
            QTest::newRow(qPrintable(StoreFixture::nameOf(kind))) << int(kind);
    }
    void everyRunOnceWhateverHappens()
    {
        QFETCH(int, kind);
        StoreFixture fixture{StoreFixture::Kind(kind)};
        auto process = std::make_unique<Process>(fixture);
        deployAndStart(*process);
        const QJsonArray items = planned(*process);
        QCOMPARE(items.size(), runsTotal);
        const QString id = process
                               ->ok("batch_start", {{u"act"_s, u"cancel"_s},
                                                    {u"reason"_s, u"order withdrawn"_s},
                                                    {u"rate"_s, 1000},
                                                    {u"items"_s, items}})["id"_L1]
                               .toString();
        int deaths = 0;
        int before = 0;
        QElapsedTimer patience;
        patience.start();
        while (true) {
            process->look();
            const QJsonValue batch = process->ok("batch", {{u"batch"_s, id}});
            qint64 sum = 0;
            for (const QJsonValue &count : batch["totals"_L1]["states"_L1].toObject())
                sum += count.toInteger();
            QCOMPARE(sum, runsTotal);
            const int taken = batch["taken"_L1].toInt();
            QVERIFY(taken >= before);
            before = taken;
            if (batch["state"_L1] != "running"_L1) {
                QCOMPARE(batch["state"_L1].toString(), u"done"_s);
                QCOMPARE(batch["totals"_L1]["states"_L1]["applied"_L1].toInt(), runsTotal);
                QCOMPARE(batch["totals"_L1]["runs_now"_L1]["cancelled"_L1].toInt(), runsTotal);
                break;
            }
            if (taken / 1000 > deaths && taken < runsTotal) {
                if (++deaths % 2 == 0)
                    dieInTheMiddle(*process);
                process.reset();
                process = std::make_unique<Process>(fixture);
            }
            process->turn();
            QVERIFY(!patience.hasExpired(550'000));
        }
        QVERIFY(deaths >= 4);
        verifyEachOnce(*process, id);
    }

private:
    static void verifyEachOnce(Process &process, const QString &id)
    {
        QSet<QString> runs;
        int after = 0;
        while (true) {
            const auto page = process.store->batchItems({id, {}, after, 500});
            for (const ports::BatchItemRow &item : *page) {
                const auto command = process.store->command(item.command);
                QVERIFY(command && *command);
                QCOMPARE((*command)->runId, item.runId);
                QCOMPARE((*command)->actor, u"ada"_s);
                runs.insert(item.runId);
                after = item.place;
            }
            if (page->size() < 500)
                break;
        }
        QCOMPARE(runs.size(), runsTotal);
        // No more commands and no more audit rows than items: nothing was recorded twice.
        int audited = 0;
        qint64 seq = 0;
        while (true) {
            const auto rows = process.store->audit(seq, 1000);
            for (const ports::AuditRow &row : *rows) {
                audited += row.action == "cancel"_L1;
                seq = row.seq;
            }
            if (rows->size() < 1000)
                break;
        }
        QCOMPARE(audited, runsTotal);
    }
};

QTEST_GUILESS_MAIN(BatchInterrupted)
#include "tst_batch_interrupted.moc"
