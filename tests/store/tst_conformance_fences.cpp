// One suite for all stores: what a worker decided means nothing once its run is somebody else's.
// Method as in tst_conformance.cpp.
#include "store/store_suite.h"
#include "support/postgres_server.h"

#include <QTest>
#include <QUrl>
#include <thread>

using namespace holdfast;
using namespace holdfast::ports;
using holdfast::tests::StoreFixture;

class ConformanceFences : public QObject, private tests::StoreSuite
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase_data() { addKinds(); }
    void init() { freshStore(); }
    void cleanup() { dropStore(); }

    // What was decided on a run that stays as it is stands only if the run is still the decider's;
    // whoever is taking it over at this moment is waited for.
    void nothing_decided_on_a_run_that_was_taken_stands()
    {
        const NewRun run = start("e1");
        registerWorker("old", 1000);
        const RunRow held = openAll("old").first();
        OK(m_store->addCommand(command("c", held.runId)));
        TurnWrites writes;
        writes.unchanged.append({held.runId, held.fence, held.seq});
        writes.commandsApplied.append(command("c", held.runId));
        writes.commandsApplied.last().appliedAt = 20;
        writes.commandsApplied.last().result = "rejected";
        OK(m_store->begin());
        QCOMPARE(m_store->write(writes).value(), QSet<QString>());
        QCOMPARE(m_store->command("c").value()->result, QString("rejected"));
        m_store->rollback();

        if (m_fixture->hasOwnClock())
            m_fixture->clock.advance(2000);
        else
            OK(m_store->renewLease("old", -1000, "running"));
        registerWorker("new");
        OK(m_store->begin());
        const ClaimedRun taken = claim(*m_store, "new").first();
        TurnWrites taking;
        add(taking, opened(taken.run, "new"), taken.run.fence);
        OK(m_store->write(taking));
        QSet<QString> fenced;
        const auto settle = [&](Store &store) {
            const auto begun = store.begin();
            const auto written = store.write(writes);
            fenced = begun && written ? *written : QSet<QString>{"failed"};
            if (!store.commit())
                fenced = {"not committed"};
        };
        if (m_fixture->kind() == StoreFixture::Kind::postgres) {
            std::thread sleeper([&] { settle(*m_fixture->connect()); });
            QTRY_COMPARE_WITH_TIMEOUT(tests::PostgresServer::shared()->ask(
                                          "select (count(*) > 0)::text from pg_stat_activity where "
                                          "wait_event_type = 'Lock' and "
                                          "datname = current_database()",
                                          QUrl(m_fixture->url()).path().mid(1)),
                                      QString("true"), 30000);
            OK(m_store->commit());
            sleeper.join();
        } else {
            OK(m_store->commit());
            settle(*m_store);
        }
        QCOMPARE(fenced, QSet<QString>{held.runId});
        QCOMPARE(m_store->command("c").value()->appliedAt, model::never);
        QCOMPARE(m_store->run(run.run.runId).value()->fence, taken.run.fence);
    }
};

QTEST_GUILESS_MAIN(ConformanceFences)
#include "tst_conformance_fences.moc"
