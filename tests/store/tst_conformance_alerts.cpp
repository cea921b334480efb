// One suite for all stores: alerts are handed out once, a try is one worker's until its time is
// over, and a tripwire pulls exactly at its threshold, once, with all that belongs to it.
#include "engine/tripwire.h"
#include "ports/alert.h"
#include "runtime/tripwire_watch.h"
#include "store/sqlite_store.h"
#include "store/statements.h"
#include "store/store_suite.h"

#include <QJsonArray>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>
#include <thread>

using namespace holdfast;
using namespace holdfast::ports;
using namespace Qt::StringLiterals;
using holdfast::tests::StoreFixture;

class ConformanceAlerts : public QObject, private tests::StoreSuite
{
    Q_OBJECT

private:
    OutboxRow alert(const QString &id, const QString &kind = u"run.failed"_s)
    {
        return {id, at(), kind, {}, {{u"workflow"_s, u"billing"_s}}};
    }
    void addTarget(const QString &name, const QStringList &kinds = {})
    {
        AlertTargetRow row{name, u"https://hooks.example.com"_s, {u"HOOK"_s}, kinds};
        row.madeBy = u"ada"_s;
        row.madeAt = at();
        QCOMPARE(m_store->addAlertTarget(row).value(), true);
        QCOMPARE(m_store->addAlertTarget(row).value(), false);
    }
    int handOutAll()
    {
        if (!m_store->begin().ok())
            qFatal("begin");
        const auto rows = m_store->lockOutbox(100);
        const auto targets = m_store->alertTargets();
        for (const OutboxRow &row : *rows) {
            QVector<DeliveryRow> deliveries;
            for (const AlertTargetRow &target : *targets) {
                if (wants(target, row))
                    deliveries.append({row.id, target.name, row.kind, row.runId, row.at});
            }
            if (!m_store->handOut(row.id, deliveries, at()).ok())
                qFatal("handOut");
        }
        if (!m_store->commit().ok())
            qFatal("commit");
        return int(rows->size());
    }
    TripwireRow tripwire(const QString &measure, qint64 threshold, qint64 least)
    {
        TripwireRow row;
        row.name = u"guard"_s;
        row.measure = measure;
        row.scope = u"all"_s;
        row.depth = u"writes"_s;
        row.window = 15 * model::minute;
        row.threshold = threshold;
        row.least = least;
        row.madeBy = u"ada"_s;
        row.madeAt = at();
        return row;
    }
    void count(const QMap<QString, qint64> &counts, const QString &step = u"pay"_s)
    {
        const Instant now = at();
        const Instant minute = now - now % model::minute;
        TurnWrites writes;
        writes.rollups.append({minute, u"billing"_s, step, u"payments"_s, u"w"_s, counts});
        OK(m_store->begin());
        OK(m_store->write(writes));
        OK(m_store->commit());
    }
    void look(ports::Store &store)
    {
        const auto looked = runtime::TripwireWatch(store).look();
        QVERIFY2(looked.ok(), looked ? "" : qPrintable(looked.error().message));
    }
    qsizetype pauses() { return m_store->pauses(true)->size(); }
    qsizetype tripwireItems()
    {
        ReviewFilter filter;
        filter.kind = u"tripwire"_s;
        filter.onlyOpen = false;
        return m_store->reviews(filter)->size();
    }

private Q_SLOTS:
    void initTestCase_data()
    {
        QTest::addColumn<StoreFixture::Kind>("kind");
        for (const StoreFixture::Kind kind : StoreFixture::available())
            QTest::newRow(qPrintable(StoreFixture::nameOf(kind))) << kind;
    }
    void init()
    {
        QFETCH_GLOBAL(StoreFixture::Kind, kind);
        m_fixture = std::make_unique<StoreFixture>(kind);
        m_store = m_fixture->connect();
    }
    void cleanup()
    {
        m_store.reset();
        m_fixture.reset();
    }

    void alerts_are_handed_out_once_to_those_who_want_them()
    {
        addTarget(u"all"_s);
        addTarget(u"reviews"_s, {u"review"_s});
        OK(m_store->announce(alert(u"a"_s)));
        OK(m_store->announce(alert(u"a"_s))); // written twice, told once
        OK(m_store->announce(alert(u"b"_s, u"review.ambiguous"_s)));
        QCOMPARE(m_store->anyDeliveryDue(at()).value(), true);
        QCOMPARE(handOutAll(), 2);
        QCOMPARE(handOutAll(), 0);
        QVERIFY(m_store->undelivered(10)->isEmpty());
        OK(m_store->deliveries({}));
        QCOMPARE(m_store->deliveries({})->size(), 3);
        QCOMPARE(m_store->deliveries({u"reviews"_s, {}, 10})->size(), 1);
        QCOMPARE(m_store->deliveries({{}, u"delivered"_s, 10})->size(), 0);
        QCOMPARE(m_store->outbox(u"b"_s).value()->kind, u"review.ambiguous"_s);
        QVERIFY(!m_store->outbox(u"c"_s).value());
    }

    void a_try_is_its_takers_until_its_time_is_over()
    {
        addTarget(u"desk"_s);
        OK(m_store->announce(alert(u"a"_s)));
        handOutAll();
        const Instant now = at();
        const auto first = m_store->takeDeliveries(now, now + deliveryLease, 10);
        QCOMPARE(first->size(), 1);
        QCOMPARE(first->first().attempts, 1);
        QCOMPARE(m_store->takeDeliveries(now, now + deliveryLease, 10)->size(), 0);
        // Whoever took it is gone.
        const Instant later = now + deliveryLease;
        const auto second = m_store->takeDeliveries(later, later + deliveryLease, 10);
        QCOMPARE(second->size(), 1);
        QCOMPARE(second->first().attempts, 2);
        // The first speaks up late: its failure says nothing any more, its success does.
        DeliveryRow row = first->first();
        const ParcelResult failed{u"a"_s, u"desk"_s, 1, 500, u"answered 500"_s};
        QCOMPARE(m_store->settleDelivery(afterTry(row, failed, later)).value(), false);
        const ParcelResult taken{u"a"_s, u"desk"_s, 1, 200, {}};
        QCOMPARE(m_store->settleDelivery(afterTry(row, taken, later)).value(), true);
        QCOMPARE(m_store->settleDelivery(afterTry(row, taken, later)).value(), false);
        const DeliveryRow ended = m_store->deliveries({})->first();
        QCOMPARE(ended.state, u"delivered"_s);
        QCOMPARE(ended.status, 200);
        QCOMPARE(ended.nextAt, model::never);
        QCOMPARE(m_store->anyDeliveryDue(later + model::day).value(), false);
    }

    void a_try_that_was_not_sent_is_given_back()
    {
        addTarget(u"desk"_s);
        OK(m_store->announce(alert(u"a"_s)));
        handOutAll();
        Instant now = at();
        for (int i = 0; i < 12; ++i) {
            const auto taken = m_store->takeDeliveries(now, now + deliveryLease, 10);
            QCOMPARE(taken->size(), 1);
            QCOMPARE(taken->first().attempts, 1);
            const ParcelResult held{u"a"_s, u"desk"_s, 1, heldBack, u"secret_missing"_s};
            QCOMPARE(m_store->settleDelivery(afterTry(taken->first(), held, now)).value(), true);
            const DeliveryRow row = m_store->deliveries({})->first();
            QCOMPARE(row.state, u"waiting"_s);
            QCOMPARE(row.attempts, 0);
            QCOMPARE(row.status, 0);
            QCOMPARE(row.error, u"secret_missing"_s);
            now = row.nextAt;
        }
    }

    // One that never answers has a share of what is under way, and no more.
    void a_target_that_hangs_leaves_room_for_others()
    {
        addTarget(u"hangs"_s);
        for (int i = 0; i < 3 * deliveriesAtOnce; ++i)
            OK(m_store->announce(alert(u"a%1"_s.arg(i, 3, 10, QChar(u'0')))));
        handOutAll();
        addTarget(u"quick"_s);
        OK(m_store->announce(alert(u"b"_s)));
        handOutAll();
        const Instant now = at();
        const auto taken = m_store->takeDeliveries(now, now + deliveryLease, 32);
        QMap<QString, int> byTarget;
        for (const DeliveryRow &row : *taken)
            ++byTarget[row.target];
        QCOMPARE(byTarget.value(u"hangs"_s), deliveriesAtOnce);
        QCOMPARE(byTarget.value(u"quick"_s), 1);
        QCOMPARE(m_store->takeDeliveries(now, now + deliveryLease, 32)->size(), 0);
        // One that is done makes room for one.
        const DeliveryRow first =
            taken->first().target == "hangs"_L1 ? taken->first() : taken->last();
        OK(m_store->settleDelivery(
            afterTry(first, {first.outboxId, first.target, 1, 200, {}}, now)));
        QCOMPARE(m_store->takeDeliveries(now, now + deliveryLease, 32)->size(), 1);
    }

    void a_target_hears_of_nothing_that_was_before_it()
    {
        OutboxRow old = alert(u"a"_s);
        old.at -= 1;
        OK(m_store->announce(old));
        addTarget(u"desk"_s);
        OK(m_store->announce(alert(u"b"_s)));
        QCOMPARE(handOutAll(), 2);
        QCOMPARE(m_store->deliveries({})->size(), 1);
        QCOMPARE(m_store->deliveries({})->first().outboxId, u"b"_s);
    }

    // What was announced before there was anybody to tell is not sent all at once.
    void alerts_of_before_are_history()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"a.sqlite"_s);
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"before"_s);
            database.setDatabaseName(path);
            QVERIFY(database.open());
            const auto &migrations = store::Statements::of(store::Dialect::sqlite).migrations();
            for (int i = 0; i < 9; ++i) {
                for (const QString &text : migrations.at(i).statements)
                    QVERIFY2(QSqlQuery(database).exec(text), qPrintable(text));
            }
            QSqlQuery query(database);
            constexpr int applicationId = store::SqliteStore::applicationId;
            QVERIFY(query.exec(u"pragma application_id=%1"_s.arg(applicationId)));
            QVERIFY(query.exec(u"insert into setting (name, value) values ('schema_version', '9')"
                               " on conflict (name) do update set value = '9'"_s));
            QVERIFY(query.exec(u"insert into outbox (id, at, kind, payload) values "
                               "('old', 5, 'run.failed', '{}')"_s));
        }
        QSqlDatabase::removeDatabase(u"before"_s);
        store::SqliteStore migrated(path);
        OK(migrated.open());
        QVERIFY(migrated.undelivered(10)->isEmpty());
        QCOMPARE(migrated.outbox(u"old"_s).value()->deliveredAt, 5);
    }

    void a_disabled_target_waits_and_a_removed_one_is_given_up()
    {
        addTarget(u"desk"_s);
        OK(m_store->announce(alert(u"a"_s)));
        handOutAll();
        QCOMPARE(m_store->setAlertTarget(u"desk"_s, u"disabled"_s, u"gone"_s, u"ada"_s).value(),
                 true);
        QCOMPARE(m_store->alertTargets()->first().reason, u"gone"_s);
        const Instant now = at();
        QCOMPARE(m_store->anyDeliveryDue(now).value(), false);
        QCOMPARE(m_store->takeDeliveries(now, now + 1, 10)->size(), 0);
        QCOMPARE(m_store->setAlertTarget(u"desk"_s, u"enabled"_s, {}, u"ada"_s).value(), true);
        QCOMPARE(m_store->anyDeliveryDue(now).value(), true);
        QCOMPARE(m_store->removeAlertTarget(u"desk"_s, u"ada"_s).value(), true);
        QCOMPARE(m_store->removeAlertTarget(u"desk"_s, u"ada"_s).value(), false);
        QCOMPARE(m_store->deliveries({})->first().state, u"given_up"_s);
    }

    void what_ended_long_ago_is_swept_and_what_waits_is_not()
    {
        addTarget(u"desk"_s);
        for (const QString &id : {u"a"_s, u"b"_s})
            OK(m_store->announce(alert(id)));
        handOutAll();
        const Instant now = at();
        const auto taken = m_store->takeDeliveries(now, now + deliveryLease, 1);
        OK(m_store->settleDelivery(
            afterTry(taken->first(), {taken->first().outboxId, u"desk"_s, 1, 200, {}}, now)));
        QCOMPARE(m_store->sweepOutbox(now - model::minute, 10).value(), 0);
        QCOMPARE(m_store->sweepOutbox(now + 1, 10).value(), 1);
        QCOMPARE(m_store->deliveries({})->size(), 1);
        QCOMPARE(m_store->deliveries({})->first().state, u"waiting"_s);
        QVERIFY(m_store->outbox(m_store->deliveries({})->first().outboxId).value());
    }

    void changes_of_gates_are_announced_with_them()
    {
        OK(m_store->begin());
        OK(m_store->addPause(pause(u"p"_s)));
        m_store->rollback();
        QVERIFY(m_store->undelivered(10)->isEmpty());
        OK(m_store->addPause(pause(u"p"_s)));
        PauseRow lifted;
        lifted.liftedBy = u"ada"_s;
        OK(m_store->liftPauses(u"all"_s, {}, {}, lifted));
        BreakerRow breaker{u"payments"_s, u"open"_s, {}, 7, model::never, u"maintenance"_s};
        OK(m_store->setBreaker(breaker));
        OK(m_store->setBreaker(breaker)); // as open as it was
        QStringList kinds;
        const auto told = m_store->undelivered(10);
        for (const OutboxRow &row : *told)
            kinds << row.kind;
        kinds.sort();
        QCOMPARE(kinds, (QStringList{u"breaker.opened"_s, u"pause.cleared"_s, u"pause.set"_s}));
    }

    // Whoever owns what is paused is named, where the pause was nobody's act.
    void a_pause_names_the_owner_of_what_it_holds()
    {
        OK(m_store->deployDependency(
            {u"payments"_s, 0, u"pay@example.com"_s, u"x"_s, u"h"_s, at(), u"ada"_s}));
        PauseRow row = pause(u"p"_s);
        row.scope = u"dependency"_s;
        row.target = u"payments"_s;
        OK(m_store->addPause(row));
        ReviewRow item = review(u"rv-p"_s, {});
        item.kind = u"tripwire"_s;
        item.dependency = u"payments"_s;
        OK(m_store->addReview(item));
        OK(m_store->addPause(pause(u"all"_s)));
        const auto told = m_store->undelivered(10);
        QCOMPARE(told->size(), 3);
        for (const OutboxRow &each : *told) {
            const bool isOfAll = each.payload["scope"_L1].toString() == "all"_L1;
            QCOMPARE(each.payload["next"_L1]["who"_L1].toArray(),
                     isOfAll ? QJsonArray() : QJsonArray{u"pay@example.com"_s});
        }
    }

    void each_measure_pulls_at_its_threshold_data()
    {
        QTest::addColumn<QString>("measure");
        QTest::addColumn<QString>("counted");
        QTest::addColumn<QString>("rest");
        QTest::newRow("compensation_rate")
            << u"compensation_rate"_s << u"compensated"_s << u"confirmed"_s;
        QTest::newRow("ambiguity_rate") << u"ambiguity_rate"_s << u"ambiguous"_s << u"attempts"_s;
        QTest::newRow("failure_rate") << u"failure_rate"_s << u"failed"_s << u"confirmed"_s;
        QTest::newRow("retry_rate") << u"retry_rate"_s << u"retries"_s << u"attempts"_s;
        QTest::newRow("failures") << u"failures"_s << u"failed"_s << QString();
    }
    void each_measure_pulls_at_its_threshold()
    {
        QFETCH(QString, measure);
        QFETCH(QString, counted);
        QFETCH(QString, rest);
        const bool isShare = !rest.isEmpty();
        const bool isOfAll = measure != "failure_rate"_L1;
        count({{counted, 50}, {u"confirmed"_s, 50}, {u"attempts"_s, 50}}); // before it was set
        QCOMPARE(m_store->addTripwire(tripwire(measure, isShare ? 20 : 2, 10)).value(), true);
        look(*m_store);
        QCOMPARE(m_store->tripwires()->first().armedAt != model::never, true);
        look(*m_store);
        QCOMPARE(pauses(), 0); // what came before does not count
        // 2 of 9 is beyond the threshold, of too small a sample; 2 of 10 is exactly there.
        count({{counted, isShare ? 2 : 1}});
        if (isShare)
            count({{rest, isOfAll ? 9 : 7}});
        look(*m_store);
        QCOMPARE(pauses(), 0);
        count({{isShare ? rest : counted, 1}});
        look(*m_store);
        QCOMPARE(pauses(), 1);
        QCOMPARE(tripwireItems(), 1);
        const TripwireRow pulled = m_store->tripwires()->first();
        QCOMPARE(pulled.pause, m_store->pauses(true)->first().id);
        ReviewFilter filter;
        filter.kind = u"tripwire"_s;
        const ReviewRow item = m_store->reviews(filter)->first();
        QCOMPARE(item.evidence["figures"_L1]["measure"_L1].toString(), measure);
        QVERIFY(item.evidence["figures"_L1]["count"_L1].toInt() >= 2);
        int audited = 0;
        const auto audit = m_store->audit(0, 100);
        for (const AuditRow &row : *audit)
            audited += row.action == "pause"_L1 && row.actor == "engine"_L1 ? 1 : 0;
        QCOMPARE(audited, 1);
        QStringList kinds;
        const auto told = m_store->undelivered(10);
        for (const OutboxRow &row : *told)
            kinds << row.kind;
        QVERIFY(kinds.contains(u"pause.set"_s) && kinds.contains(u"review.tripwire"_s));
    }

    void it_pulls_once_and_counts_anew_after_a_resume()
    {
        OK(m_store->addTripwire(tripwire(u"failures"_s, 3, 3)));
        look(*m_store);
        count({{u"failed"_s, 3}});
        look(*m_store);
        count({{u"failed"_s, 30}});
        look(*m_store);
        QCOMPARE(pauses(), 1);
        PauseRow lifted;
        lifted.liftedBy = u"ada"_s;
        QCOMPARE(m_store->liftPauses(u"all"_s, {}, {}, lifted)->size(), 1);
        look(*m_store); // counts from here
        look(*m_store);
        QCOMPARE(pauses(), 0);
        count({{u"failed"_s, 2}});
        look(*m_store);
        QCOMPARE(pauses(), 0);
        count({{u"failed"_s, 1}});
        look(*m_store);
        QCOMPARE(pauses(), 1);
        QCOMPARE(tripwireItems(), 2);
        // Disabled, it looks at nothing.
        OK(m_store->liftPauses(u"all"_s, {}, {}, lifted));
        OK(m_store->setTripwire(u"guard"_s, u"disabled"_s, u"ada"_s));
        look(*m_store);
        count({{u"failed"_s, 30}});
        look(*m_store);
        QCOMPARE(pauses(), 0);
        QCOMPARE(m_store->removeTripwire(u"guard"_s, u"ada"_s).value(), true);
        QCOMPARE(m_store->removeTripwire(u"guard"_s, u"ada"_s).value(), false);
    }

    void failures_are_of_the_step_and_the_reason_that_were_named()
    {
        TripwireRow row = tripwire(u"failures"_s, 2, 2);
        row.workflow = u"billing"_s;
        row.step = u"compare"_s;
        row.failure = u"check_failed"_s;
        row.scope = u"dependency"_s;
        row.target = u"payments"_s;
        OK(m_store->addTripwire(row));
        look(*m_store);
        count({{u"failed"_s, 5}, {u"failed:check_failed"_s, 5}}, u"other"_s);
        count({{u"failed"_s, 5}, {u"failed:expression"_s, 5}}, u"compare"_s);
        count({{u"failed"_s, 1}, {u"failed:check_failed"_s, 1}}, u"compare"_s);
        look(*m_store);
        QCOMPARE(pauses(), 0);
        count({{u"failed"_s, 1}, {u"failed:check_failed"_s, 1}}, u"compare"_s);
        look(*m_store);
        QCOMPARE(pauses(), 1);
        QCOMPARE(m_store->pauses(true)->first().target, u"payments"_s);
    }

    void two_workers_pull_once()
    {
        if (!m_fixture->hasManyWriters())
            QSKIP("one process owns the file");
        OK(m_store->addTripwire(tripwire(u"failures"_s, 3, 3)));
        look(*m_store);
        count({{u"failed"_s, 3}});
        auto other = m_fixture->connect();
        std::thread second([&] { look(*other); });
        look(*m_store);
        second.join();
        look(*other);
        QCOMPARE(pauses(), 1);
        QCOMPARE(tripwireItems(), 1);
    }
};

QTEST_GUILESS_MAIN(ConformanceAlerts)
#include "tst_conformance_alerts.moc"
