// One suite for all stores: what the console looks at and sets. Method as in tst_conformance.cpp.
#include "model/ids.h"
#include "store/sql_store.h"
#include "store/store_suite.h"

#include <QTest>

using namespace holdfast;
using namespace holdfast::ports;
using holdfast::tests::StoreFixture;
using model::RunStatus;

class ConformanceViews : public QObject, private tests::StoreSuite
{
    Q_OBJECT

private:
    // Ends a run at a step, for a reason.
    void end(const NewRun &run, RunStatus status, const QString &step, const QString &reason)
    {
        RunRow row = run.run;
        row.status = status;
        row.due = model::never;
        row.finishedAt = model::isFinal(status) ? at() : model::never;
        row.step = step;
        row.reason = reason;
        const auto replaced = m_store->replaceRun(row);
        QVERIFY2(replaced.ok(), replaced.ok() ? "" : qPrintable(replaced.error().message));
    }
    QStringList eventsOf(const RunFilter &filter)
    {
        const auto page = m_store->runPage(filter);
        if (!page)
            qFatal("%s", qPrintable(page.error().message));
        QStringList events;
        for (const RunRow &row : page->rows)
            events.append(row.eventId);
        const auto counted = m_store->countRuns(filter, 1000);
        const auto plain = m_store->runs(filter);
        if (counted->count != plain->size() || plain->size() != events.size() || counted->capped)
            events.append(QStringLiteral("page, list and count differ"));
        return events;
    }

private Q_SLOTS:
    void initTestCase_data() { addKinds(); }
    void init() { freshStore(); }
    void cleanup() { dropStore(); }

    void a_page_says_whether_there_is_more()
    {
        QVector<NewRun> made;
        for (int i = 0; i < 5; ++i)
            made.append(start(QString::number(i)));
        RunFilter filter;
        filter.limit = 2;
        auto page = m_store->runPage(filter);
        OK(page);
        QCOMPARE(page->rows.size(), 2);
        QCOMPARE(page->cursor, made[3].run.runId);
        filter.cursor = page->cursor;
        filter.limit = 3;
        page = m_store->runPage(filter);
        QCOMPARE(page->rows.size(), 3);
        QVERIFY(page->cursor.isEmpty());
        QCOMPARE(page->rows.last().runId, made[0].run.runId);
    }

    void every_part_of_a_filter_must_hold()
    {
        const NewRun a = start("a", "billing");
        const NewRun b = start("b", "billing");
        const NewRun c = start("c", "refunds");
        const NewRun d = start("d", "refunds");
        end(a, RunStatus::failed, "pay", "card_declined");
        end(b, RunStatus::succeeded, "mail", {});
        end(c, RunStatus::failed, "pay", "timeout");
        RunFilter filter;
        filter.step = "pay";
        QCOMPARE(eventsOf(filter), (QStringList{"c", "a"}));
        filter.workflow = "refunds";
        QCOMPARE(eventsOf(filter), QStringList{"c"});
        filter = {};
        filter.standsAt = {{"billing", "pay"}, {"billing", "mail"}, {"refunds", "mail"}};
        QCOMPARE(eventsOf(filter), (QStringList{"b", "a"}));
        filter.statuses = {"failed", "queued"};
        QCOMPARE(eventsOf(filter), QStringList{"a"});
        filter = {};
        filter.reason = "timeout";
        filter.workflow = "billing";
        QCOMPARE(eventsOf(filter), QStringList());
        filter = {};
        filter.runIds = QStringList{d.run.runId, a.run.runId, "nobody"};
        QCOMPARE(eventsOf(filter), (QStringList{"d", "a"}));
        filter.statuses = {"queued"};
        QCOMPARE(eventsOf(filter), QStringList{"d"});
        filter = {};
        filter.runIds = QStringList();
        QCOMPARE(eventsOf(filter), QStringList());
    }

    void a_bare_id_is_a_run_or_an_event()
    {
        const NewRun a = start("a", "billing");
        start("a", "refunds");
        start("b", "billing");
        RunFilter filter;
        filter.ids = {a.run.runId};
        QCOMPARE(eventsOf(filter), QStringList{"a"});
        filter.ids = {"a"};
        QCOMPARE(eventsOf(filter), (QStringList{"a", "a"}));
        filter.ids = {"a", a.run.runId};
        QCOMPARE(eventsOf(filter), QStringList{"a"});
        filter.ids = {"a", "b"};
        QCOMPARE(eventsOf(filter), QStringList());
    }

    void time_is_a_bound_on_both_sides()
    {
        if (!m_fixture->hasOwnClock())
            QSKIP("the time of this database cannot be set");
        for (int i = 0; i < 4; ++i) {
            start(QString::number(i));
            m_fixture->clock.advance(model::day);
        }
        const Instant now = m_fixture->clock.now();
        RunFilter filter;
        filter.since = now - 3 * model::day;
        QCOMPARE(eventsOf(filter), (QStringList{"3", "2", "1"}));
        filter.until = now - model::day;
        QCOMPARE(eventsOf(filter), (QStringList{"2", "1"}));
        filter.statuses = {"queued"};
        QCOMPARE(eventsOf(filter), (QStringList{"2", "1"}));
    }

    void counting_stops_where_it_is_told_to()
    {
        for (int i = 0; i < 5; ++i)
            start(QString::number(i), i % 2 ? "billing" : "refunds");
        RunFilter filter;
        auto counted = m_store->countRuns(filter, 5);
        QCOMPARE(counted->count, 5);
        QVERIFY(!counted->capped);
        counted = m_store->countRuns(filter, 4);
        QCOMPARE(counted->count, 4);
        QVERIFY(counted->capped);
        filter.statuses = {"queued", "failed"};
        counted = m_store->countRuns(filter, 4);
        QCOMPARE(counted->count, 4);
        QVERIFY(counted->capped);
    }

    // Whatever a page may look at, all pages together show every run that matches, once and in
    // order.
    void a_page_that_stops_early_goes_on_where_it_stopped()
    {
        auto *sql = dynamic_cast<store::SqlStore *>(m_store.get());
        if (!sql)
            QSKIP("this store looks at everything");
        sql->examineAtMost(3);
        QStringList expected;
        for (int i = 0; i < 20; ++i) {
            const NewRun run = start(QString::number(i), i % 3 ? "billing" : "refunds");
            if (i % 5 == 0) {
                end(run, i % 2 ? RunStatus::failed : RunStatus::succeeded, "pay", "timeout");
                expected.prepend(run.run.eventId);
            }
        }
        RunFilter byStep;
        byStep.step = "pay";
        RunFilter byPlace;
        byPlace.standsAt = {{"billing", "pay"}, {"refunds", "pay"}};
        RunFilter byStatus = byStep;
        byStatus.statuses = {"failed", "succeeded", "queued"};
        for (RunFilter filter : {byStep, byPlace, byStatus}) {
            filter.limit = 2;
            QStringList found;
            int pages = 0;
            do {
                const auto page = m_store->runPage(filter);
                OK(page);
                QVERIFY(page->rows.size() <= 2);
                for (const RunRow &row : page->rows)
                    found.append(row.eventId);
                filter.cursor = page->cursor;
                QVERIFY(++pages < 30);
            } while (!filter.cursor.isEmpty());
            QCOMPARE(found, expected);
            QVERIFY(pages > 2);
        }
        const auto counted = m_store->countRuns(byStep, 100);
        QVERIFY(counted->capped);
        QVERIFY(counted->count < 4);
        LedgerFilter keys;
        keys.status = "failed";
        for (int i = 0; i < 8; ++i) {
            LedgerRow row = key(QString::number(i), model::newId(at()));
            row.status = i == 6 ? "failed" : "succeeded";
            OK(m_store->replaceLedger(row));
        }
        int found = 0;
        while (true) {
            const auto page = m_store->ledgerOf(keys);
            OK(page);
            found += int(page->rows.size());
            if (!page->more)
                break;
            keys.afterKey = page->lastKey;
            keys.afterOperation = page->lastOperation;
        }
        QCOMPARE(found, 1);
    }

    void reasons_are_listed_once()
    {
        QVERIFY(m_store->runReasons(10)->isEmpty());
        int number = 0;
        for (const char *reason : {"timeout", "card_declined", "timeout", ""})
            end(start(QString::number(number++)), RunStatus::failed, "pay", reason);
        QCOMPARE(*m_store->runReasons(10), (QStringList{"card_declined", "timeout"}));
        QCOMPARE(m_store->runReasons(1)->size(), 1);
    }

    void the_pulse_counts_what_is_open()
    {
        auto pulse = m_store->pulse();
        OK(pulse);
        QCOMPARE(pulse->journal, 0);
        QVERIFY(pulse->openRunsByStatus.isEmpty());
        const NewRun a = start("a");
        const NewRun b = start("b");
        end(b, RunStatus::failed, "pay", "timeout");
        ReviewRow late = review("r2", b.run.runId);
        late.openedAt = 20;
        OK(m_store->addReview(late));
        OK(m_store->addReview(review("r1", a.run.runId)));
        OK(m_store->addCommand(command("c1", a.run.runId)));
        registerWorker("w", 10000);
        registerWorker("gone", -1000);
        AuditRow audit;
        audit.chain = "system";
        OK(m_store->appendAudit(audit));
        pulse = m_store->pulse();
        QCOMPARE(pulse->journal, m_store->journalAfter(0, 10)->last().id);
        QCOMPARE(pulse->audit, m_store->audit(0, 10)->last().seq);
        QCOMPARE(pulse->pendingCommands, 1);
        QCOMPARE(pulse->workersAlive, 1);
        QCOMPARE(pulse->openRunsByStatus, (QMap<QString, qint64>{{"queued", 1}}));
        QCOMPARE(pulse->openReviewsByKind, (QMap<QString, qint64>{{"ambiguous", 2}}));
        QCOMPARE(pulse->oldestReviewByKind.value("ambiguous"), 10);
        const auto counts = m_store->counts();
        QCOMPARE(counts->runsByStatus, (QMap<QString, qint64>{{"failed", 1}, {"queued", 1}}));
        openAll("w");
        QCOMPARE(m_store->pulse()->inFlight, 1);
    }

    void one_person_at_a_time_claims_an_item()
    {
        const auto read = [this] {
            ReviewFilter filter;
            filter.id = "r";
            return m_store->reviews(filter)->first();
        };
        OK(m_store->addReview(review("r", start("a").run.runId)));
        QVERIFY(read().claimedBy.isEmpty());
        QVERIFY(*m_store->claimReview({"r", "ann", 100, 50}));
        QCOMPARE(read().claimedBy, QString("ann"));
        QCOMPARE(read().claimedUntil, 100);
        QVERIFY(!*m_store->claimReview({"r", "bob", 150, 60}));
        QVERIFY(!*m_store->claimReview({"r", "bob", model::never, 60}));
        QVERIFY(*m_store->claimReview({"r", "ann", 120, 60}));
        QVERIFY(*m_store->claimReview({"r", "bob", 200, 120}));
        QCOMPARE(read().claimedBy, QString("bob"));
        QVERIFY(*m_store->claimReview({"r", "bob", model::never, 130}));
        QVERIFY(read().claimedBy.isEmpty());
        QCOMPARE(read().claimedUntil, model::never);
        QVERIFY(*m_store->snoozeReview("r", 500));
        QCOMPARE(read().snoozedUntil, 500);
        QVERIFY(*m_store->snoozeReview("r", model::never));
        QCOMPARE(read().snoozedUntil, model::never);
        QVERIFY(!*m_store->claimReview({"none", "ann", 100, 50}));
        QVERIFY(!*m_store->snoozeReview("none", 500));
        QVERIFY(*m_store->decideReview({"r", "absent", "ann", "looked", 300}));
        QVERIFY(!*m_store->claimReview({"r", "ann", 400, 300}));
        QVERIFY(!*m_store->snoozeReview("r", 500));
    }

    void items_of_a_span_come_oldest_first_and_the_newest_of_them()
    {
        const QString run = start("a").run.runId;
        for (int i = 1; i <= 4; ++i) {
            ReviewRow row = review(QString::number(i), run);
            row.openedAt = 10 * i;
            OK(m_store->addReview(row));
        }
        QVERIFY(*m_store->decideReview({"2", "absent", "ann", "looked", 300}));
        ReviewFilter filter;
        filter.onlyOpen = false;
        filter.since = 20;
        filter.until = 40;
        auto rows = m_store->reviews(filter);
        QCOMPARE(rows->size(), 2);
        QCOMPARE(rows->first().id, QString("2"));
        filter.limit = 1;
        QCOMPARE(m_store->reviews(filter)->first().id, QString("3"));
    }

    void settings_are_found_by_prefix()
    {
        const int before = int(m_store->settings({})->size());
        OK(m_store->putSetting({"view:b", "status:failed"}));
        OK(m_store->putSetting({"view:a", "x"}));
        OK(m_store->putSetting({"views", "no"}));
        OK(m_store->putSetting({"view:a", "status:review"}));
        const auto rows = m_store->settings("view:");
        QCOMPARE(rows->size(), 2);
        QCOMPARE(rows->first().name, QString("view:a"));
        QCOMPARE(rows->first().value, QString("status:review"));
        QVERIFY(*m_store->removeSetting("view:a"));
        QVERIFY(!*m_store->removeSetting("view:a"));
        QCOMPARE(m_store->settings({})->size(), before + 2);
        OK(m_store->begin());
        QVERIFY(*m_store->removeSetting("view:b"));
        m_store->rollback();
        QCOMPARE(m_store->settings("view:")->size(), 1);
    }

    void a_start_is_counted_once()
    {
        const NewRun run = start("a");
        OK(m_store->startRun(run));
        start("b");
        start("c", "refunds");
        const auto sums = m_store->rollupSums(model::never, model::never);
        QCOMPARE(sums->size(), 2);
        QCOMPARE(sums->first().workflow, QString("billing"));
        QCOMPARE(sums->first().counts.value("runs_started"), 2);
        OK(m_store->begin());
        start("d");
        m_store->rollback();
        QCOMPARE(
            m_store->rollupSums(model::never, model::never)->first().counts.value("runs_started"),
            2);
    }

    void counters_are_summed_by_bucket_and_by_operation()
    {
        const auto row = [](Instant minute, const QString &step, const QString &worker, int n) {
            return RollupRow{minute * model::minute, "billing", step, "payments", worker,
                             {{"attempts", n}}};
        };
        OK(m_store->replaceRollups({row(10, "pay", "w1", 1), row(10, "pay", "w2", 2),
                                    row(11, "mail", "w1", 4), row(13, "pay", "w1", 8),
                                    row(99, "pay", "w1", 16)}));
        const auto series =
            m_store->rollupSeries(10 * model::minute, 20 * model::minute, 2 * model::minute);
        QCOMPARE(series->size(), 2);
        QCOMPARE(series->at(0).minute, 10 * model::minute);
        QCOMPARE(series->at(0).counts.value("attempts"), 7);
        QCOMPARE(series->at(1).minute, 12 * model::minute);
        QCOMPARE(series->at(1).counts.value("attempts"), 8);
        const auto sums = m_store->rollupSums(10 * model::minute, 20 * model::minute);
        QCOMPARE(sums->size(), 2);
        QCOMPARE(sums->at(0).step, QString("mail"));
        QCOMPARE(sums->at(1).counts.value("attempts"), 11);
    }

    void the_ledger_pages_by_status()
    {
        const QString run = start("a").run.runId;
        for (int i = 0; i < 5; ++i) {
            LedgerRow row = key(QString::number(i), run);
            row.status = i % 2 ? "failed" : "succeeded";
            OK(m_store->replaceLedger(row));
        }
        LedgerFilter filter;
        filter.limit = 2;
        auto page = m_store->ledgerOf(filter);
        OK(page);
        QCOMPARE(page->rows.size(), 2);
        QVERIFY(page->more);
        QCOMPARE(page->lastKey, QString("1"));
        filter.status = "succeeded";
        filter.afterKey = page->lastKey;
        filter.afterOperation = page->lastOperation;
        page = m_store->ledgerOf(filter);
        QCOMPARE(page->rows.size(), 2);
        QCOMPARE(page->rows.first().key, QString("2"));
        QVERIFY(!page->more);
        filter = {};
        filter.status = "expired";
        QVERIFY(m_store->ledgerOf(filter)->rows.isEmpty());
    }

    void the_audit_is_read_from_its_end()
    {
        for (int i = 0; i < 6; ++i) {
            AuditRow row;
            row.chain = i % 2 ? "system" : "run-1";
            row.at = i;
            row.actor = i < 3 ? "ann" : "bob";
            row.action = i == 5 ? "resume" : "pause";
            OK(m_store->appendAudit(row));
        }
        AuditFilter filter;
        filter.limit = 4;
        auto page = m_store->auditOf(filter);
        OK(page);
        QCOMPARE(page->rows.size(), 4);
        QCOMPARE(page->rows.first().at, 5);
        QVERIFY(page->before > 0);
        filter.before = page->before;
        page = m_store->auditOf(filter);
        QCOMPARE(page->rows.size(), 2);
        QCOMPARE(page->before, 0);
        filter = {};
        filter.actor = "ann";
        QCOMPARE(m_store->auditOf(filter)->rows.size(), 3);
        filter.chain = "run-1";
        QCOMPARE(m_store->auditOf(filter)->rows.size(), 2);
        filter = {};
        filter.action = "resume";
        QCOMPARE(m_store->auditOf(filter)->rows.first().at, 5);
        filter.actor = "ann";
        QVERIFY(m_store->auditOf(filter)->rows.isEmpty());
    }
};

QTEST_GUILESS_MAIN(ConformanceViews)
#include "tst_conformance_views.moc"
