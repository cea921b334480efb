// Goal: alerts and tripwires give nobody a right they do not have. A worker pauses where a rule of
// a person says so and never resumes; who is told is an admin's to say. Method: one login for each
// role; the program's own way, and plain SQL past it.
#include "control/local_door.h"
#include "model/ids.h"
#include "runtime/tripwire_watch.h"
#include "store/audit_chain.h"
#include "support/shared_database.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
const QString refusedByRights = u"42501"_s;

QString pauseCall(const QString &scope, const QString &target)
{
    return u"select holdfast.insert_pause('p-%1', '%1', '%2', 'writes', 'x', 'engine', 0, 0)"_s.arg(
        scope, target);
}
} // namespace

class PostgresAlertRights : public QObject
{
    Q_OBJECT

private:
    // Empty: it was done.
    QString refusal(const QString &login, const QString &name, const QJsonObject &arguments)
    {
        const auto store = m_team.openAs(login);
        control::LocalDoor door(*store, {store::auditHash, [] { return QJsonObject(); }});
        const auto answer = door.call({model::newId(1'800'000'000'000), name, arguments, login});
        return answer ? QString() : answer.error().message;
    }
    static QJsonObject target(const QString &act)
    {
        return {{u"act"_s, act},
                {u"name"_s, u"desk"_s},
                {u"url"_s, u"https://hooks.example.com/x"_s},
                {u"secrets"_s, QJsonArray{u"HOOK"_s}}};
    }

    SharedDatabase m_team;

private Q_SLOTS:
    void initTestCase()
    {
        if (!PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        QVERIFY(m_team.start());
        ports::WorkflowRow flow{u"flow"_s, 1, u"ada"_s, u"-"_s, u"-"_s, 1, u"ada"_s};
        QVERIFY(m_team.openAs({})->deployWorkflow(flow).value());
    }

    void an_admin_says_who_is_told()
    {
        QVERIFY(
            refusal(u"omar"_s, u"alert_target_do"_s, target(u"add"_s)).contains(u"role admin"_s));
        QVERIFY(!refusal(u"wendy"_s, u"alert_target_do"_s, target(u"add"_s)).isEmpty());
        QCOMPARE(refusal(u"adam"_s, u"alert_target_do"_s, target(u"add"_s)), QString());
        QCOMPARE(refusal(u"omar"_s, u"alert_target_do"_s, target(u"disable"_s)), QString());
        QCOMPARE(refusal(u"omar"_s, u"alert_target_do"_s, target(u"enable"_s)), QString());
        QCOMPARE(refusal(u"omar"_s, u"alert_target_do"_s, target(u"test"_s)), QString());
        QVERIFY(!refusal(u"vera"_s, u"alert_target_do"_s, target(u"disable"_s)).isEmpty());
        QCOMPARE(refusal(u"vera"_s, u"alert_targets"_s, {}), QString());
        QCOMPARE(refusal(u"vera"_s, u"deliveries"_s, {}), QString());
        // Past the program: an engine only disables, and nobody changes a target without an audit.
        QCOMPARE(m_team.refusalOf(
                     u"wendy"_s,
                     {u"select holdfast.set_alert_target('enabled', '', 'engine', 'desk')"_s}),
                 refusedByRights);
        QVERIFY(
            !m_team
                 .refusalOf(u"omar"_s,
                            {u"select holdfast.set_alert_target('disabled', '', 'omar', 'desk')"_s})
                 .isEmpty());
        QCOMPARE(
            m_team.refusalOf(u"omar"_s, {u"select holdfast.announce('x', 1, 'run.failed', null, "
                                         "'{}', null)"_s}),
            refusedByRights);
    }

    void a_worker_pauses_where_a_rule_says_so_and_never_resumes()
    {
        QCOMPARE(m_team.refusalOf(u"wendy"_s, {pauseCall(u"workflow"_s, u"flow"_s)}),
                 refusedByRights);
        const QJsonObject rule{{u"act"_s, u"add"_s},          {u"name"_s, u"guard"_s},
                               {u"measure"_s, u"failures"_s}, {u"threshold"_s, 2},
                               {u"within_ms"_s, 900'000},     {u"workflow"_s, u"flow"_s}};
        QVERIFY(!refusal(u"wendy"_s, u"tripwire_do"_s, rule).isEmpty());
        QVERIFY(!refusal(u"vera"_s, u"tripwire_do"_s, rule).isEmpty());
        QCOMPARE(refusal(u"omar"_s, u"tripwire_do"_s, rule), QString());
        QCOMPARE(refusal(u"vera"_s, u"tripwires"_s, {}), QString());
        const auto worker = m_team.openAs(u"wendy"_s);
        QVERIFY(runtime::TripwireWatch(*worker).look().ok());
        const ports::Instant now = worker->now().value();
        ports::TurnWrites writes;
        writes.rollups.append(
            {now - now % model::minute, u"flow"_s, u"s"_s, {}, u"w"_s, {{u"failed"_s, 2}}});
        QVERIFY(worker->begin().ok());
        QVERIFY(worker->write(writes).ok());
        QVERIFY(worker->commit().ok());
        const auto looked = runtime::TripwireWatch(*worker).look();
        QVERIFY2(looked.ok(), looked ? "" : qPrintable(looked.error().message));
        const auto standing = worker->pauses(true);
        QCOMPARE(standing->size(), 1);
        QCOMPARE(standing->first().target, u"flow"_s);
        ports::PauseRow lifted;
        lifted.id = standing->first().id;
        lifted.liftedBy = u"engine"_s;
        const auto resumed = worker->liftPauses(u"workflow"_s, u"flow"_s, {}, lifted);
        QVERIFY(!resumed.ok());
        QVERIFY(resumed.error().message.contains(u"does not resume"_s));
        // The rule is none of its business, either.
        QVERIFY(!worker->setTripwire(u"guard"_s, u"disabled"_s, u"wendy"_s).ok());
        QCOMPARE(refusal(u"omar"_s, u"resume"_s, {{u"workflow"_s, u"flow"_s}}), QString());
    }

    // What the worker does for alerts, with no more rights than a worker has.
    void a_worker_hands_out_takes_and_settles()
    {
        const auto worker = m_team.openAs(u"wendy"_s);
        const ports::Instant now = worker->now().value();
        QVERIFY(worker->announce({u"a1"_s, now, u"review.tripwire"_s, {}, {}}).ok());
        QVERIFY(worker->begin().ok());
        QVERIFY(!worker->lockOutbox(10)->isEmpty());
        QVERIFY(worker->handOut(u"a1"_s, {{u"a1"_s, u"desk"_s, u"review.tripwire"_s, {}, now}}, now)
                    .ok());
        QVERIFY(worker->commit().ok());
        const auto taken = worker->takeDeliveries(now, now + 1000, 10);
        QCOMPARE(taken->size(), 1);
        ports::DeliveryRow row = taken->first();
        row.state = u"delivered"_s;
        row.nextAt = model::never;
        row.endedAt = now;
        QCOMPARE(worker->settleDelivery(row).value(), true);
        QVERIFY(worker->sweepOutbox(1, 10).ok());
        QVERIFY(!m_team.refusalOf(u"omar"_s, {u"select holdfast.hand_out(1, 'a1')"_s}).isEmpty());
    }
};

QTEST_GUILESS_MAIN(PostgresAlertRights)
#include "tst_postgres_alert_rights.moc"
