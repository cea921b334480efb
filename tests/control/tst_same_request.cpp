// Goal: a request that arrives twice acts once, also where the second arrives while the first is
// being written, as after a connection that was lost in a commit. Method: two doors on one
// database; where the one is about to write, the other is asked for the same.
#include "control/door_bench.h"
#include "store/memory_store.h"

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
class OvertakenStore : public store::MemoryStore
{
public:
    using MemoryStore::MemoryStore;
    std::function<void()> overtake; // once, before the next transaction

    model::Result<void> begin() override
    {
        if (const auto act = std::exchange(overtake, {}))
            act();
        return MemoryStore::begin();
    }
};
} // namespace

class SameRequest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void acts_once_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QJsonObject>("arguments");
        QTest::addColumn<QString>("action");
        QTest::newRow("breaker") << u"breaker"_s
                                 << QJsonObject{{u"dependency"_s, u"payments"_s},
                                                {u"state"_s, u"open"_s},
                                                {u"reason"_s, u"incident"_s}}
                                 << u"breaker"_s;
        QTest::newRow("pause") << u"pause"_s << QJsonObject{{u"reason"_s, u"incident"_s}}
                               << u"pause"_s;
        QTest::newRow("resume") << u"resume"_s << QJsonObject{{u"reason"_s, u"over"_s}}
                                << u"resume"_s;
        QTest::newRow("hold a batch")
            << u"batch_do"_s << QJsonObject{{u"batch"_s, u"many"_s}, {u"do"_s, u"hold"_s}}
            << u"batch"_s;
    }
    void acts_once()
    {
        QFETCH(QString, name);
        QFETCH(QJsonObject, arguments);
        QFETCH(QString, action);
        const auto database = std::make_shared<store::MemoryDatabase>();
        SettableClock clock;
        OvertakenStore late(&clock, database);
        store::MemoryStore early(&clock, database);
        QVERIFY(late.open().ok() && early.open().ok());
        control::LocalDoor lateDoor(late, DoorBench::surroundings());
        control::LocalDoor earlyDoor(early, DoorBench::surroundings());
        prepare(early, earlyDoor, name);
        const auto before = rowsOf(early, action);
        const control::Request request{u"same"_s, name, arguments, u"ada"_s};
        bool isDone = false;
        late.overtake = [&] { isDone = earlyDoor.call(request).ok(); };
        const auto second = lateDoor.call(request);
        QVERIFY(isDone);
        if (!second)
            QCOMPARE(
                int(second.error().kind),
                int(name == "resume"_L1 ? model::ErrorKind::notFound : model::ErrorKind::conflict));
        QCOMPARE(rowsOf(early, action), before + 1);
        // Asked once more, it answers.
        QVERIFY(lateDoor.call(request).ok());
        QCOMPARE(rowsOf(early, action), before + 1);
    }

private:
    static void prepare(ports::Store &store, control::LocalDoor &door, const QString &name)
    {
        ports::DependencyRow payments;
        payments.name = u"payments"_s;
        QVERIFY(store.deployDependency(payments).ok());
        if (name == "resume"_L1)
            QVERIFY(
                door.call({u"stop"_s, u"pause"_s, {{u"reason"_s, u"incident"_s}}, u"ada"_s}).ok());
        ports::BatchRow batch;
        batch.id = u"many"_s;
        batch.act = u"retry"_s;
        batch.state = u"running"_s;
        QVERIFY(store.startBatch(batch, {}).ok());
    }
    static qsizetype rowsOf(ports::Store &store, const QString &action)
    {
        return store.auditOf({{}, action, {}, 0, 100})->rows.size();
    }
};

QTEST_GUILESS_MAIN(SameRequest)
#include "tst_same_request.moc"
