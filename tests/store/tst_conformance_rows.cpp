// One suite for all stores: ledger, reviews, gates, audit, definitions, lists, and hostile text in
// all of them. Method as in tst_conformance.cpp.
#include "model/json.h"
#include "store/audit_chain.h"
#include "store/store_suite.h"

#include <QTest>

using namespace holdfast;
using namespace holdfast::ports;
using holdfast::tests::newRun;
using holdfast::tests::StoreFixture;
using model::ErrorKind;
using model::RunStatus;

class ConformanceRows : public QObject, private tests::StoreSuite
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase_data() { addKinds(); }
    void init() { freshStore(); }
    void cleanup() { dropStore(); }

    void the_first_claim_of_a_key_wins()
    {
        const NewRun a = start("a");
        const NewRun b = start("b");
        OK(m_store->begin());
        const auto answers = m_store->claimKeys(
            {{key("k1", a.run.runId)}, {key("k1", b.run.runId)}, {key("k2", b.run.runId)}});
        OK(answers);
        QVERIFY((*answers)[0].inserted);
        QVERIFY(!(*answers)[1].inserted);
        QCOMPARE((*answers)[1].row.runId, a.run.runId);
        QVERIFY((*answers)[2].inserted);
        OK(m_store->commit());
        OK(m_store->begin());
        const auto again = m_store->claimKeys({{key("k3", b.run.runId)}, {key("k2", a.run.runId)}});
        QVERIFY((*again)[0].inserted);
        QVERIFY(!(*again)[1].inserted);
        QCOMPARE((*again)[1].row.runId, b.run.runId);
        QCOMPARE((*again)[1].row.request, key({}, {}).request);
        OK(m_store->commit());
        QCOMPARE(m_store->ledger("k2")->size(), 1);
        QCOMPARE(m_store->ledgerPage({}, {}, 10)->size(), 3);
        const auto page = m_store->ledgerPage({}, {}, 2);
        QCOMPARE(m_store->ledgerPage(page->last().operation, page->last().key, 2)->size(), 1);
    }

    void only_the_owner_settles_a_key_and_a_failed_one_can_pass_on()
    {
        const NewRun a = start("a");
        const NewRun b = start("b");
        const auto update = [this](const QString &runId, const QString &status, bool takeOver) {
            LedgerUpdate made;
            made.operation = key({}, {}).operation;
            made.key = "k";
            made.runId = runId;
            made.status = status;
            made.result = QJsonObject{{"id", "inv_1"}};
            made.expiresAt = 1000;
            made.takeOver = takeOver;
            made.taken = key("k", runId);
            made.taken.hash = "h2";
            TurnWrites writes;
            writes.ledger.append(made);
            if (!m_store->begin().ok() || !m_store->write(writes).ok() || !m_store->commit().ok())
                qFatal("write");
            return m_store->ledger("k")->first();
        };
        OK(m_store->begin());
        OK(m_store->claimKeys({{key("k", a.run.runId)}}));
        OK(m_store->commit());
        QCOMPARE(update(b.run.runId, "succeeded", false).status, QString("processing"));
        QCOMPARE(update(b.run.runId, "processing", true).runId, a.run.runId);
        QCOMPARE(update(a.run.runId, "failed", false).status, QString("failed"));
        const LedgerRow passed = update(b.run.runId, "processing", true);
        QCOMPARE(passed.runId, b.run.runId);
        QCOMPARE(passed.hash, QString("h2"));
        const LedgerRow done = update(b.run.runId, "succeeded", false);
        QCOMPARE(done.result.value("id").toString(), QString("inv_1"));
        QCOMPARE(done.expiresAt, 1000);
    }

    void expired_keys_become_tombstones()
    {
        const NewRun a = start("a");
        for (int i = 0; i < 4; ++i) {
            LedgerRow row = key(QString::number(i), a.run.runId);
            row.status = i == 3 ? "processing" : "succeeded";
            row.expiresAt = i == 2 ? model::never : 100 + i;
            OK(m_store->replaceLedger(row));
        }
        // An open run still needs its keys, however old they are.
        QCOMPARE(m_store->sweepLedger(200, 10).value(), 0);
        RunRow ended = a.run;
        ended.status = model::RunStatus::succeeded;
        ended.startedAt = ended.createdAt;
        ended.finishedAt = ended.createdAt;
        OK(m_store->replaceRun(ended));
        QCOMPARE(m_store->sweepLedger(99, 10).value(), 0);
        QCOMPARE(m_store->sweepLedger(200, 1).value(), 1);
        QCOMPARE(m_store->ledger("0")->first().status, QString("expired"));
        QCOMPARE(m_store->sweepLedger(200, 10).value(), 1);
        QCOMPARE(m_store->sweepLedger(200, 10).value(), 0);
        const LedgerRow tombstone = m_store->ledger("1")->first();
        QCOMPARE(tombstone.hash, QString("h1"));
        QVERIFY(tombstone.request.isEmpty());
        QCOMPARE(m_store->ledger("2")->first().status, QString("succeeded"));
        QCOMPARE(m_store->ledger("3")->first().status, QString("processing"));
    }

    void reviews_are_decided_once()
    {
        const NewRun a = start("a");
        OK(m_store->addReview(review("r1", a.run.runId)));
        ReviewRow tripwire = review("r2", {});
        tripwire.kind = "tripwire";
        OK(m_store->addReview(tripwire));
        QCOMPARE(m_store->reviews({})->size(), 2);
        QCOMPARE(m_store->counts()->openReviewsByKind.value("ambiguous"), 1);
        ReviewFilter byRun;
        byRun.runId = a.run.runId;
        QCOMPARE(m_store->reviews(byRun)->size(), 1);
        ReviewFilter others;
        others.onlyOpen = false;
        QCOMPARE(m_store->reviews(others)->size(), 2);
        others.notKind = "tripwire";
        QCOMPARE(m_store->reviews(others)->first().id, QString("r1"));
        QCOMPARE(m_store->reviews(others)->size(), 1);
        QVERIFY(m_store->decideReview({"r1", "happened", "ann", "saw it", 20}).value());
        QVERIFY(!m_store->decideReview({"r1", "absent", "bob", "no", 21}).value());
        const auto missing = m_store->decideReview({"r9", "absent", "bob", "no", 21});
        QVERIFY(!missing.ok() && missing.error().kind == ErrorKind::notFound);
        QCOMPARE(m_store->reviews({})->size(), 1);
        ReviewFilter all;
        all.onlyOpen = false;
        all.id = "r1";
        const ReviewRow decided = m_store->reviews(all)->first();
        QCOMPARE(decided.decision, QString("happened"));
        QCOMPARE(decided.decidedBy, QString("ann"));
        QCOMPARE(decided.decidedAt, 20);
        QCOMPARE(decided.evidence.value("status").toInt(), 500);
        ReviewFilter kinds;
        kinds.onlyOpen = false;
        kinds.kind = "tripwire";
        QCOMPARE(m_store->reviews(kinds)->size(), 1);
    }

    void pauses_stack_and_lift_exactly()
    {
        start("a");
        const auto first = m_store->addPause(pause("p1"));
        OK(first);
        QVERIFY(first->at > 0);
        QCOMPARE(first->journalMark, m_store->journalAfter(0, 10)->last().id);
        OK(m_store->addPause(pause("p1"))); // sent twice
        PauseRow second = pause("p2");
        second.scope = "dependency";
        second.target = "payments";
        OK(m_store->addPause(second));
        OK(m_store->begin());
        const auto gates = m_store->lockGates({});
        OK(gates);
        QCOMPARE(gates->pauses.size(), 2);
        QVERIFY(gates->now >= first->at);
        OK(m_store->commit());
        PauseRow lifted;
        lifted.liftedBy = "bob";
        lifted.liftedReason = "over";
        QCOMPARE(m_store->liftPauses("dependency", "mail", {}, lifted)->size(), 0);
        const auto done = m_store->liftPauses("dependency", "payments", "writes", lifted);
        QCOMPARE(done->size(), 1);
        QCOMPARE(done->first().liftedBy, QString("bob"));
        QVERIFY(done->first().liftedAt > 0);
        QCOMPARE(m_store->pauses(true)->size(), 1);
        QCOMPARE(m_store->pauses(false)->size(), 2);
        QCOMPARE(m_store->pauses(true)->first().id, QString("p1"));
    }

    void breakers_are_created_closed_and_written_whole()
    {
        OK(m_store->begin());
        const auto locked = m_store->lockBreakers({"payments", "mail", "payments"});
        OK(locked);
        QCOMPARE(locked->size(), 2);
        QCOMPARE(locked->at(0).dependency, QString("mail"));
        QCOMPARE(locked->at(0).state, QString("closed"));
        TurnWrites writes;
        BreakerRow row = locked->at(1);
        row.state = "open";
        row.failures = {1, 2, 1'800'000'000'000};
        row.openUntil = 77;
        row.reason = "5 failures";
        writes.breakers.append({row, "closed"});
        OK(m_store->write(writes));
        OK(m_store->commit());
        OK(m_store->begin());
        const auto gates = m_store->lockGates({});
        QCOMPARE(gates->breakers.size(), 2);
        const BreakerRow read = gates->breakers.at(1);
        QCOMPARE(read.state, QString("open"));
        QCOMPARE(read.failures, row.failures);
        QCOMPARE(read.openUntil, 77);
        QCOMPARE(read.trialUntil, model::never);
        OK(m_store->commit());
        row.state = "half_open";
        row.trialUntil = 99;
        OK(m_store->setBreaker(row));
        QCOMPARE(m_store->breakers()->at(1).trialUntil, 99);
    }

    // A turn that saw it closed counts one more failure; a person had forced it open meanwhile.
    void a_breaker_that_was_moved_meanwhile_stays_where_it_is()
    {
        BreakerRow forced;
        forced.dependency = "payments";
        forced.state = "open";
        forced.openUntil = 77;
        OK(m_store->setBreaker(forced));
        BreakerRow counted;
        counted.dependency = "payments";
        counted.state = "closed";
        counted.failures = {5};
        BreakerRow fresh = counted;
        fresh.dependency = "mail"; // nobody has used it yet
        TurnWrites writes;
        writes.breakers = {{counted, "closed"}, {fresh, "closed"}};
        OK(m_store->begin());
        OK(m_store->write(writes));
        OK(m_store->commit());
        const auto rows = m_store->breakers();
        QCOMPARE(rows->size(), 2);
        QCOMPARE(rows->at(0).failures.size(), 1);
        QCOMPARE(rows->at(1).state, QString("open"));
        QCOMPARE(rows->at(1).openUntil, 77);
        writes.breakers = {{counted, "open"}};
        OK(m_store->begin());
        OK(m_store->write(writes));
        OK(m_store->commit());
        QCOMPARE(m_store->breakers()->at(1).state, QString("closed"));
    }

    void rollups_add_up()
    {
        const auto add = [this](const QVector<RollupRow> &rows) {
            TurnWrites writes;
            writes.rollups = rows;
            return m_store->begin().ok() && m_store->write(writes).ok() && m_store->commit().ok();
        };
        const RollupRow one{60000, "billing", "pay", "payments", "w", {{"attempts", 2}, {"ok", 1}}};
        const RollupRow two{60000, "billing", "pay", "payments", "w", {{"attempts", 3}}};
        const RollupRow three{120000, "billing", "", "", "w", {{"runs_started", 1}}};
        QVERIFY(add({one, two}));
        QVERIFY(add({one, three}));
        const auto rows = m_store->rollups(0, 0);
        QCOMPARE(rows->size(), 2);
        QCOMPARE(rows->at(0).counts, (QMap<QString, qint64>{{"attempts", 7}, {"ok", 2}}));
        QCOMPARE(m_store->rollups(60000, 120000)->size(), 1);
        OK(m_store->replaceRollups({three}));
        QCOMPARE(m_store->rollups(0, 0)->size(), 1);
    }

    void audit_chains_verify()
    {
        for (int i = 0; i < 6; ++i) {
            AuditRow row;
            row.chain = i % 2 ? "system" : "run-1";
            row.at = 100 + i;
            row.actor = "ann";
            row.action = "pause";
            row.subject = QString::number(i);
            row.body = QStringLiteral("{\"n\":%1}").arg(i);
            OK(m_store->appendAudit(row));
        }
        const auto rows = m_store->audit(0, 100);
        QCOMPARE(rows->size(), 6);
        QMap<QString, AuditRow> heads;
        qint64 last = 0;
        for (const AuditRow &row : *rows) {
            QVERIFY(row.seq > last);
            last = row.seq;
            QCOMPARE(row.chainSeq, heads.value(row.chain).chainSeq + 1);
            QCOMPARE(row.previous, QString(heads.value(row.chain).hash));
            QCOMPARE(row.hash, store::auditHash(row));
            heads[row.chain] = row;
        }
        QCOMPARE(m_store->audit(rows->at(3).seq, 100)->size(), 2);
    }

    void definitions_are_immutable_versions()
    {
        WorkflowRow workflow{"billing", 1, "me", "yaml", "h1", 5, "ann"};
        QVERIFY(m_store->deployWorkflow(workflow).value());
        QVERIFY(m_store->deployWorkflow(workflow).value());
        workflow.hash = "h2";
        QVERIFY(!m_store->deployWorkflow(workflow).value());
        workflow.version = 3;
        QVERIFY(m_store->deployWorkflow(workflow).value());
        QCOMPARE(m_store->workflow("billing", 0).value()->version, 3);
        QCOMPARE(m_store->workflow("billing", 1).value()->hash, QString("h1"));
        QVERIFY(!m_store->workflow("billing", 2).value());
        QCOMPARE(m_store->workflows()->size(), 2);
        DependencyRow dependency{"mail", 0, "me", "yaml", "d1", 5, "ann"};
        QCOMPARE(m_store->deployDependency(dependency)->revision, 1);
        QCOMPARE(m_store->deployDependency(dependency)->revision, 1);
        dependency.hash = "d2";
        QCOMPARE(m_store->deployDependency(dependency)->revision, 2);
        QCOMPARE(m_store->dependency("mail", 0).value()->hash, QString("d2"));
        QCOMPARE(m_store->dependency("mail", 1).value()->hash, QString("d1"));
        QCOMPARE(m_store->dependencies()->size(), 1);
    }

    void lists_filter_and_page()
    {
        QVector<NewRun> made;
        for (int i = 0; i < 7; ++i)
            made.append(start(QString::number(i), i % 2 ? "refunds" : "billing"));
        RunRow failed = made[3].run;
        failed.status = RunStatus::failed;
        failed.due = model::never;
        failed.finishedAt = at();
        failed.step = "pay";
        failed.reason = "card_declined";
        OK(m_store->replaceRun(failed));
        RunFilter filter;
        filter.limit = 3;
        auto page = m_store->runs(filter);
        QCOMPARE(page->size(), 3);
        QCOMPARE(page->first().runId, made[6].run.runId);
        filter.cursor = page->last().runId;
        page = m_store->runs(filter);
        QCOMPARE(page->first().runId, made[3].run.runId);
        filter = {};
        filter.statuses = {"failed", "queued"};
        QCOMPARE(m_store->runs(filter)->size(), 7);
        filter.statuses = {"failed"};
        filter.workflow = "refunds";
        QCOMPARE(m_store->runs(filter)->size(), 1);
        filter = {};
        filter.workflow = "billing";
        QCOMPARE(m_store->runs(filter)->size(), 4);
        filter = {};
        filter.reason = "card_declined";
        filter.step = "pay";
        QCOMPARE(m_store->runs(filter)->size(), 1);
        filter = {};
        filter.eventId = "2";
        QCOMPARE(m_store->runs(filter)->size(), 1);
        filter = {};
        filter.until = made[0].run.createdAt;
        QCOMPARE(m_store->runs(filter)->size(), 0);
        QCOMPARE(m_store->counts()->runsByStatus.value("queued"), 6);
        QCOMPARE(m_store->unsettledRuns().value(), 6);
        const auto first = m_store->runsPage({}, 5);
        QCOMPARE(first->first().runId, made[0].run.runId);
        QCOMPARE(m_store->runsPage(first->last().runId, 5)->size(), 2);
        const auto journal = m_store->journalAfter(0, 4);
        QCOMPARE(journal->size(), 4);
        QCOMPARE(m_store->journalAfter(journal->last().id, 10)->size(), 3);
    }

    void hostile_text_survives()
    {
        const QStringList texts{
            QStringLiteral(
                "quote ' double \" back \\ slash \\' \\\" braces {a,b} comma , null NULL"),
            QStringLiteral("; drop table run; -- ? :name $1 $$ /* */"),
            QStringLiteral("line\nfeed\r\ttab \u00e4\u20ac \U0001F600 \u202e rtl"),
            QStringLiteral(""),
            QStringLiteral("NULL"),
            QStringLiteral("{}"),
            QStringLiteral(" "),
            QString(1 << 20, u'x') + QStringLiteral("\"'\\")};
        registerWorker("w");
        for (const QString &text : texts) {
            const QString event = QStringLiteral("e") + text.left(200);
            NewRun run = newRun("hostile", event, at());
            run.run.step = text;
            run.journal.entries = model::compactJson(QJsonArray{text, QString(QChar(u'\0'))});
            OK(m_store->startRun(run));
            OK(m_store->begin());
            const auto claimed = claim(*m_store, "w");
            QCOMPARE(claimed.size(), 1);
            QCOMPARE(claimed[0].run.step, text);
            QCOMPARE(claimed[0].journal[0].entries, run.journal.entries);
            LedgerRow ledger = key(QStringLiteral("k") + text.left(200), run.run.runId);
            ledger.request = QJsonObject{{text.left(100), text}};
            OK(m_store->claimKeys({{ledger}}));
            TurnWrites writes;
            RunRow row = finished(claimed[0].run, at());
            row.reason = text.left(500);
            row.outputs = QJsonObject{{"out", text}};
            add(writes, row, claimed[0].run.fence);
            writes.journal.last().entries = run.journal.entries;
            LedgerUpdate update;
            update.operation = ledger.operation;
            update.key = ledger.key;
            update.runId = run.run.runId;
            update.status = "succeeded";
            update.result = QJsonObject{{"r", text}};
            writes.ledger.append(update);
            ReviewRow item = review(QStringLiteral("r") + text.left(100), run.run.runId);
            item.evidence = QJsonObject{{"e", text}};
            writes.reviewsOpened.append(item);
            writes.rollups.append({60000, text.left(100), "", "", "w", {{"ok", 1}}});
            const auto fenced = m_store->write(writes);
            OK(fenced);
            QVERIFY(fenced->isEmpty());
            OK(m_store->commit());
            const RunRow stored = *m_store->run(run.run.runId).value();
            QCOMPARE(stored.eventId, event);
            QCOMPARE(stored.reason, row.reason);
            QCOMPARE(stored.outputs, row.outputs);
            QCOMPARE(m_store->journal(run.run.runId)->last().entries, run.journal.entries);
            const LedgerRow kept = m_store->ledger(ledger.key)->first();
            QCOMPARE(kept.request, ledger.request);
            QCOMPARE(kept.result, update.result);
            ReviewFilter byRun;
            byRun.runId = run.run.runId;
            QCOMPARE(m_store->reviews(byRun)->first().evidence, item.evidence);
        }
    }

    // A zero character in free text must neither cut a statement short nor wedge the turn.
    void a_zero_character_does_no_harm()
    {
        NewRun run = newRun("hostile", "e", at());
        run.run.reason = QStringLiteral("a") + QChar(u'\0') + QStringLiteral("b'; select 1");
        OK(m_store->startRun(run));
        const QString stored = m_store->run(run.run.runId).value()->reason;
        QVERIFY(stored.startsWith(u'a') && stored.endsWith(QLatin1String("b'; select 1")));
        registerWorker("w");
        OK(m_store->begin());
        const auto claimed = claim(*m_store, "w");
        TurnWrites writes;
        RunRow row = finished(claimed[0].run, at());
        row.reason = run.run.reason;
        add(writes, row, claimed[0].run.fence);
        QVERIFY(m_store->write(writes)->isEmpty());
        OK(m_store->commit());
        QCOMPARE(m_store->run(run.run.runId).value()->status, RunStatus::succeeded);
    }
};

QTEST_GUILESS_MAIN(ConformanceRows)
#include "tst_conformance_rows.moc"
