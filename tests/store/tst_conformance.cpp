// One suite for all stores: the turn. Goal: whatever the engine may rely on holds alike in memory,
// on SQLite and on PostgreSQL. Method: every test runs once per store, on a fresh database; where
// two connections are needed they wait for causes (a lock seen in the database, an answer), never
// for time.
#include "model/ids.h"
#include "store/store_suite.h"
#include "support/postgres_server.h"

#include <QTest>
#include <QUrl>
#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

using namespace holdfast;
using namespace holdfast::ports;
using holdfast::tests::newRun;
using holdfast::tests::StoreFixture;
using model::ErrorKind;
using model::RunStatus;

class Conformance : public QObject, private tests::StoreSuite
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase_data() { addKinds(); }
    void init() { freshStore(); }
    void cleanup() { dropStore(); }

    void a_fresh_store_is_empty_and_knows_its_schema()
    {
        QVERIFY(m_store->isOpen());
        QVERIFY(m_store->schemaVersion().value() >= 1);
        QVERIFY(m_store->now().value() > 1'600'000'000'000);
        QVERIFY(m_store->runs({})->isEmpty());
        QCOMPARE(m_store->nextDue().value(), model::never);
        QCOMPARE(m_store->unsettledRuns().value(), 0);
        QVERIFY(!m_store->describe().contains(QStringLiteral("password")));
        OK(m_store->open()); // again, as after a loss
        QVERIFY(m_store->runs({})->isEmpty());
    }

    void one_event_starts_one_run()
    {
        const NewRun first = start(QStringLiteral("e1"));
        NewRun second = newRun(QStringLiteral("billing"), QStringLiteral("e1"), at());
        const auto again = m_store->startRun(second);
        OK(again);
        QVERIFY(!again->created);
        QCOMPARE(again->run.runId, first.run.runId);
        const auto other = m_store->startRun(newRun("refunds", "e1", at()));
        QVERIFY(other->created);
        const auto stored = m_store->run(first.run.runId);
        QVERIFY(stored->has_value());
        QCOMPARE((*stored)->status, RunStatus::queued);
        QCOMPARE((*stored)->due, first.run.due);
        QCOMPARE(m_store->journal(first.run.runId)->size(), 1);
        QCOMPARE(m_store->runByEvent("billing", "e1").value()->runId, first.run.runId);
        QVERIFY(!m_store->runByEvent("billing", "e2").value());
        QVERIFY(!m_store->run("no such run").value());
    }

    void rollback_leaves_nothing()
    {
        const NewRun kept = start("kept");
        registerWorker("w");
        const auto counted = m_store->rollupSums(0, 0)->first().counts;
        OK(m_store->begin());
        const NewRun gone = start("gone");
        OK(m_store->addCommand(command("c", kept.run.runId)));
        OK(m_store->claimKeys({{key("k", kept.run.runId)}}));
        OK(m_store->addReview(review("r", kept.run.runId)));
        AuditRow entry;
        entry.chain = "system";
        OK(m_store->appendAudit(entry));
        OK(m_store->lockBreakers({"payments"}));
        TurnWrites writes;
        for (const ClaimedRun &run : claim(*m_store, "w"))
            add(writes, opened(run.run, "w"), run.run.fence);
        writes.rollups.append({60000, "billing", "pay", "payments", "w", {{"attempts", 1}}});
        OK(m_store->write(writes));
        m_store->rollback();
        QVERIFY(!m_store->run(gone.run.runId).value());
        QVERIFY(m_store->journal(gone.run.runId)->isEmpty());
        QCOMPARE(m_store->run(kept.run.runId).value()->seq, 1);
        QCOMPARE(m_store->journal(kept.run.runId)->size(), 1);
        QVERIFY(m_store->ledger("k")->isEmpty());
        QVERIFY(m_store->reviews({})->isEmpty());
        QVERIFY(m_store->audit(0, 10)->isEmpty());
        QVERIFY(m_store->breakers()->isEmpty());
        QVERIFY(m_store->pendingCommands(10)->isEmpty());
        QCOMPARE(m_store->rollupSums(0, 0)->size(), 1);
        QCOMPARE(m_store->rollupSums(0, 0)->first().counts, counted);
        QVERIFY(m_store->openRuns()->isEmpty());
        QCOMPARE(m_store->nextDue().value(), kept.run.due);
        OK(m_store->begin());
        QCOMPARE(claim(*m_store, "w").size(), 1);
        m_store->rollback();
    }

    void a_claimed_run_comes_with_its_journal_and_a_new_fence()
    {
        const NewRun run = start("e1");
        registerWorker("w");
        OK(m_store->begin());
        const auto claimed = claim(*m_store, "w");
        QCOMPARE(claimed.size(), 1);
        QCOMPARE(claimed[0].run.runId, run.run.runId);
        QCOMPARE(claimed[0].run.fence, 1);
        QVERIFY(!claimed[0].takenOver);
        QCOMPARE(claimed[0].journal.size(), 1);
        QCOMPARE(claimed[0].journal[0].entries, run.journal.entries);
        TurnWrites writes;
        add(writes, opened(claimed[0].run, "w"), claimed[0].run.fence);
        QVERIFY(m_store->write(writes)->isEmpty());
        QVERIFY(claim(*m_store, "w").isEmpty());
        OK(m_store->commit());
        const RunRow stored = *m_store->run(run.run.runId).value();
        QCOMPARE(stored.fence, 1);
        QCOMPARE(stored.seq, 2);
        QCOMPARE(stored.worker, QString("w"));
        QCOMPARE(stored.open, writes.runs[0].row.open);
        QCOMPARE(m_store->openRuns()->size(), 1);
        QCOMPARE(m_store->counts()->inFlight, 1);
        QCOMPARE(m_store->journal(run.run.runId)->size(), 2);
    }

    void a_decision_that_could_not_be_applied_leaves_the_item_open()
    {
        const NewRun run = start("e1");
        OK(m_store->addReview(review("r", run.run.runId)));
        QVERIFY(m_store->decideReview({"r", "absent", "ada", "looked", at()}).value());
        QVERIFY(m_store->reviews({})->isEmpty());
        TurnWrites writes;
        writes.reviewsReopened = {"r"};
        OK(m_store->begin());
        OK(m_store->write(writes));
        OK(m_store->commit());
        QCOMPARE(m_store->reviews({})->size(), 1);
        QVERIFY(m_store->decideReview({"r", "happened", "ben", "looked", at()}).value());
    }

    void a_claimed_run_for_which_nothing_changed_goes_back_with_a_new_instant()
    {
        const NewRun run = start("e1");
        registerWorker("w");
        for (const Instant due : {at() + 60000, model::never}) {
            OK(m_store->begin());
            const auto claimed = m_store->claim({"w", 10, at() + 60000, false});
            OK(claimed);
            QCOMPARE(claimed->size(), 1);
            TurnWrites writes;
            writes.releases.append({run.run.runId, claimed->first().run.fence, due});
            QVERIFY(m_store->write(writes)->isEmpty());
            OK(m_store->commit());
            const RunRow stored = *m_store->run(run.run.runId).value();
            QCOMPARE(stored.due, due);
            QCOMPARE(stored.seq, 1);
            QCOMPARE(stored.fence, 0);
            QCOMPARE(m_store->nextDue().value(), due);
            OK(m_store->begin());
            QVERIFY(claim(*m_store, "w").isEmpty());
            m_store->rollback();
        }
        // Somebody else's run is not given back.
        TurnWrites late;
        late.releases.append({run.run.runId, 7, at()});
        OK(m_store->begin());
        QVERIFY(m_store->write(late)->isEmpty());
        OK(m_store->commit());
        QCOMPARE(m_store->run(run.run.runId).value()->due, model::never);
    }

    void claims_respect_the_limit_the_order_and_the_instant()
    {
        QStringList ids;
        const Instant now = at();
        for (int i = 0; i < 5; ++i) {
            NewRun run = newRun("billing", QString::number(i), now);
            run.run.due = i == 4 ? now + 3600'000 : now - 100 * i;
            OK(m_store->startRun(run));
            ids.prepend(run.run.runId);
        }
        ids.removeFirst();
        OK(m_store->begin());
        const auto claimed = claim(*m_store, "w", 3);
        QCOMPARE(claimed.size(), 3);
        for (int i = 0; i < 3; ++i)
            QCOMPARE(claimed[i].run.runId, ids[i]);
        m_store->rollback();
        QCOMPARE(m_store->nextDue().value(), now - 300);
    }

    void a_zombie_changes_nothing()
    {
        const NewRun run = start("e1");
        registerWorker("old", 1000);
        const RunRow held = openAll("old").first();
        if (m_fixture->hasOwnClock())
            m_fixture->clock.advance(2000);
        else
            OK(m_store->renewLease("old", -1000, "running"));
        registerWorker("new");
        const RunRow taken = openAll("new").first();
        QCOMPARE(taken.fence, held.fence + 1);

        TurnWrites late;
        RunRow next = finished(held, at());
        add(late, next, held.fence);
        LedgerUpdate settle;
        settle.operation = key("k", {}).operation;
        settle.key = "k";
        settle.runId = held.runId;
        settle.status = "succeeded";
        late.ledger.append(settle);
        late.reviewsOpened.append(review("r", held.runId));
        late.commandsAdded.append(command("late", held.runId));
        OutboxRow told;
        told.id = "o";
        told.kind = "finished";
        told.runId = held.runId;
        told.at = 1;
        late.outbox.append(told);
        OK(m_store->begin());
        OK(m_store->claimKeys({{key("k2", held.runId)}}));
        const auto fenced = m_store->write(late);
        OK(fenced);
        QCOMPARE(*fenced, QSet<QString>{held.runId});
        OK(m_store->commit());
        QCOMPARE(m_store->run(run.run.runId).value()->fence, taken.fence);
        QCOMPARE(m_store->journal(run.run.runId)->size(), 3);
        QVERIFY(m_store->reviews({})->isEmpty());
        QVERIFY(m_store->undelivered(10)->isEmpty());
        QVERIFY(m_store->ledger("k2")->isEmpty());
        QVERIFY(m_store->command("late").value().has_value());
    }

    void a_version_that_moved_is_fenced_and_the_others_are_written()
    {
        start("e1");
        start("e2");
        registerWorker("w");
        const QVector<RunRow> held = openAll("w");
        QCOMPARE(held.size(), 2);
        RunRow stale = finished(held[0], at());
        ++stale.seq;
        const RunRow good = finished(held[1], at());
        TurnWrites writes;
        add(writes, stale, stale.fence);
        add(writes, good, good.fence);
        writes.reviewsClosed.append({"r", "happened", "ann", "seen", at()});
        writes.commandsApplied.append(command("c", stale.runId));
        writes.commandsApplied.last().appliedAt = at();
        writes.commandsApplied.last().result = "applied";
        OK(m_store->addReview(review("r", stale.runId)));
        OK(m_store->addCommand(command("c", stale.runId)));
        OK(m_store->begin());
        QCOMPARE(m_store->write(writes).value(), QSet<QString>{stale.runId});
        OK(m_store->commit());
        QCOMPARE(m_store->run(stale.runId).value()->status, RunStatus::running);
        QCOMPARE(m_store->run(good.runId).value()->status, RunStatus::succeeded);
        QCOMPARE(m_store->reviews({})->size(), 1); // still open: its run was fenced
        QCOMPARE(m_store->pendingCommands(10)->size(), 1);
    }

    void constraints_repeat_the_invariants()
    {
        start("e1");
        registerWorker("w");
        const auto refuses = [this](const std::function<void(RunRow &)> &spoil) {
            if (!m_store->begin().ok())
                return false;
            const auto claimed = claim(*m_store, "w");
            RunRow row = opened(claimed.first().run, "w");
            spoil(row);
            TurnWrites writes;
            add(writes, row, claimed.first().run.fence);
            const auto written = m_store->write(writes);
            m_store->rollback();
            return !written.ok() && written.error().kind == ErrorKind::conflict;
        };
        QVERIFY(refuses([](RunRow &row) { row.worker.clear(); }));
        QVERIFY(refuses([](RunRow &row) { row.open = {}; }));
        QVERIFY(refuses([](RunRow &row) { row.finishedAt = 5; }));
        QVERIFY(refuses([](RunRow &row) { row.status = RunStatus::failed; }));
        QVERIFY(!refuses([](RunRow &) {}));
    }

    void an_expired_lease_lets_another_take_over()
    {
        start("e1");
        registerWorker("old", m_fixture->hasOwnClock() ? 1000 : 600'000);
        registerWorker("new", 600'000);
        const RunRow held = openAll("old").first();
        OK(m_store->begin());
        QVERIFY(claim(*m_store, "new").isEmpty());
        m_store->rollback();
        QVERIFY(m_store->nextDue().value() > at());
        if (m_fixture->hasOwnClock())
            m_fixture->clock.advance(1001);
        else
            OK(m_store->renewLease("old", -1, "running"));
        QVERIFY(m_store->nextDue().value() < at());
        OK(m_store->begin());
        const auto claimed = claim(*m_store, "new");
        QCOMPARE(claimed.size(), 1);
        QVERIFY(claimed[0].takenOver);
        QCOMPARE(claimed[0].run.worker, QString("old"));
        QCOMPARE(claimed[0].run.fence, held.fence + 1);
        TurnWrites writes;
        add(writes, opened(claimed[0].run, "new"), claimed[0].run.fence);
        QVERIFY(m_store->write(writes)->isEmpty());
        OK(m_store->commit());
        QCOMPARE(m_store->run(held.runId).value()->worker, QString("new"));
        QVERIFY(!m_store->renewLease("nobody", 1000, "running").ok());
        QCOMPARE(m_store->workers()->size(), 2);
    }

    void a_run_of_a_worker_nobody_knows_is_an_orphan()
    {
        start("e1");
        openAll("ghost");
        QVERIFY(m_store->nextDue().value() != model::never);
        OK(m_store->begin());
        const auto claimed = claim(*m_store, "w");
        QCOMPARE(claimed.size(), 1);
        QVERIFY(claimed[0].takenOver);
        m_store->rollback();
    }

    void a_command_makes_a_waiting_run_claimable()
    {
        NewRun run = newRun("billing", "e1", at());
        run.run.due = model::never;
        run.run.status = RunStatus::review;
        OK(m_store->startRun(run));
        QCOMPARE(m_store->unsettledRuns().value(), 0);
        QCOMPARE(m_store->nextDue().value(), model::never);
        QVERIFY(m_store->addCommand(command("c1", run.run.runId)).value());
        QVERIFY(!m_store->addCommand(command("c1", run.run.runId)).value());
        QVERIFY(m_store->nextDue().value() != model::never);
        QCOMPARE(m_store->counts()->pendingCommands, 1);
        OK(m_store->begin());
        const auto claimed = m_store->claim({"w", 10, at(), true});
        QCOMPARE(claimed->size(), 1);
        QCOMPARE(m_store->pendingCommands(10)->size(), 1);
        TurnWrites writes;
        RunRow row = finished(claimed->first().run, at());
        row.status = RunStatus::cancelled;
        add(writes, row, claimed->first().run.fence);
        CommandRow applied = command("c1", run.run.runId);
        applied.appliedAt = at();
        applied.result = "applied";
        applied.message = "cancelled";
        writes.commandsApplied.append(applied);
        QVERIFY(m_store->write(writes)->isEmpty());
        OK(m_store->commit());
        QVERIFY(m_store->pendingCommands(10)->isEmpty());
        QCOMPARE(m_store->command("c1").value()->message, QString("cancelled"));
        QCOMPARE(m_store->nextDue().value(), model::never);
    }

    // A turn that holds the gates keeps a pause waiting; once the pause stands, the next turn sees
    // it.
    void a_pause_waits_for_the_turn_and_the_next_turn_sees_it()
    {
        if (!m_fixture->hasManyWriters())
            QSKIP("SQLite has one writer, so turn and pause cannot overlap");
        OK(m_store->begin());
        QVERIFY(m_store->lockGates({})->pauses.isEmpty());
        std::atomic<bool> paused = false;
        std::thread operatorThread([&] {
            auto console = m_fixture->connect();
            if (!console->addPause(pause("p")).ok())
                qFatal("pause");
            paused = true;
        });
        if (m_fixture->kind() == StoreFixture::Kind::postgres) {
            // The cause to wait for: somebody waits for a lock on the gate.
            QTRY_VERIFY_WITH_TIMEOUT(
                tests::PostgresServer::shared()->ask(
                    "select count(*) from pg_locks where not granted and mode = 'ExclusiveLock'",
                    QUrl(m_fixture->url()).path().mid(1)) == QLatin1String("1"),
                10000);
        }
        QVERIFY(!paused);
        const NewRun run = start("during");
        OK(m_store->commit());
        operatorThread.join();
        QVERIFY(paused);
        OK(m_store->begin());
        const auto gates = m_store->lockGates({});
        QCOMPARE(gates->pauses.size(), 1);
        QVERIFY(gates->pauses.first().journalMark >= m_store->journal(run.run.runId)->last().id);
        OK(m_store->commit());
    }

    void two_workers_never_claim_the_same_run()
    {
        if (!m_fixture->hasManyWriters())
            QSKIP("SQLite has one writer");
        QSet<QString> expected;
        for (int i = 0; i < 40; ++i)
            expected.insert(start(QString::number(i)).run.runId);
        if (m_fixture->kind() == StoreFixture::Kind::postgres) {
            auto other = m_fixture->connect();
            OK(m_store->begin());
            OK(other->begin());
            const auto mine = claim(*m_store, "a", 25);
            const auto theirs = claim(*other, "b", 25);
            QCOMPARE(mine.size(), 25);
            QCOMPARE(theirs.size(), 15); // locked ones are skipped, not waited for
            m_store->rollback();
            other->rollback();
        }
        std::atomic<int> claimedTwice = 0;
        std::mutex mutex;
        QSet<QString> seen;
        registerWorker("w0", 600'000);
        registerWorker("w1", 600'000);
        const auto work = [&](const QString &worker) {
            auto store = m_fixture->connect();
            for (;;) {
                if (!store->begin().ok())
                    qFatal("begin");
                const auto runs = claim(*store, worker, 3);
                TurnWrites writes;
                for (const ClaimedRun &run : runs)
                    add(writes, opened(run.run, worker), run.run.fence);
                const auto fenced = store->write(writes);
                if (!fenced.ok() || !fenced->isEmpty() || !store->commit().ok())
                    qFatal("turn");
                const std::lock_guard lock(mutex);
                for (const ClaimedRun &run : runs) {
                    if (seen.contains(run.run.runId))
                        ++claimedTwice;
                    seen.insert(run.run.runId);
                }
                if (seen.size() == expected.size())
                    return;
            }
        };
        std::thread first(work, QStringLiteral("w0"));
        std::thread second(work, QStringLiteral("w1"));
        first.join();
        second.join();
        QCOMPARE(claimedTwice.load(), 0);
        QCOMPARE(seen, expected);
    }

    void two_workers_claim_one_key_once()
    {
        if (!m_fixture->hasManyWriters())
            QSKIP("SQLite has one writer");
        const NewRun a = start("a");
        const NewRun b = start("b");
        std::atomic<int> inserted = 0;
        const auto work = [&](const QString &runId) {
            auto store = m_fixture->connect();
            for (int i = 0; i < 20; ++i) {
                if (!store->begin().ok())
                    qFatal("begin");
                const auto answers = store->claimKeys(
                    {{key(QString::number(i), runId)}, {key(QString::number(100 - i), runId)}});
                if (!answers.ok()) {
                    store->rollback();
                    --i;
                    continue;
                }
                inserted += int(answers->at(0).inserted) + int(answers->at(1).inserted);
                if (!store->commit().ok())
                    qFatal("commit");
            }
        };
        std::thread first(work, a.run.runId);
        std::thread second(work, b.run.runId);
        first.join();
        second.join();
        QCOMPARE(inserted.load(), 40);
    }

    void a_reader_sees_only_what_was_committed()
    {
        if (m_fixture->kind() == StoreFixture::Kind::memory)
            QSKIP("in memory a reader waits for the transaction");
        auto reader = m_fixture->connectReader();
        OK(m_store->begin());
        const NewRun run = start("a");
        QVERIFY(!reader->run(run.run.runId).value());
        OK(m_store->commit());
        QVERIFY(reader->run(run.run.runId).value());
        if (m_fixture->kind() == StoreFixture::Kind::sqlite)
            QVERIFY(!reader->addCommand(command("c", run.run.runId)).ok());
    }
};

QTEST_GUILESS_MAIN(Conformance)
#include "tst_conformance.moc"
