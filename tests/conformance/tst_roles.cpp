// Goal: a team works with one login each, through our own client: each role can do its job, nothing
// else, and is told why. Method: a shared database on a server of our own, one machine per login;
// runs end in the sandbox's books and every act in the audit, in the name of whoever logged in.
#include "store/audit_chain.h"
#include "support/machine.h"
#include "support/shared_database.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
QString definitions(const Machine &machine)
{
    StepText bill{.name = u"bill"_s, .path = u"/payments/v1/invoices"_s};
    bill.extra = u"    approval: {four_eyes: true}\n"_s;
    return machine.dependencyText(u"native"_s) + Machine::workflowText({Machine::stepText(bill)});
}
} // namespace

class Roles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        m_team = std::make_unique<SharedDatabase>();
        QVERIFY(m_team->start());
    }

    void everybody_does_their_part()
    {
        Machine adam(urlOf(u"adam"_s)), olga(urlOf(u"olga"_s)), ana(urlOf(u"ana"_s)),
            omar(urlOf(u"omar"_s)), vera(urlOf(u"vera"_s)), wendy(urlOf(u"wendy"_s));
        const QString text = definitions(adam);
        const QJsonObject files{
            {u"files"_s, QJsonArray{QJsonObject{{u"file"_s, u"a.yaml"_s}, {u"text"_s, text}}}}};
        QVERIFY(olga.refusal(u"deploy"_s, files).contains("role admin"));
        adam.deploy(text);
        QVERIFY(vera.refusal(u"start"_s, {{u"workflow"_s, u"flow"_s}}).contains("role operator"));
        const QString run = olga.start(u"e1"_s);
        wendy.runUntilIdle();
        QCOMPARE(adam.world.books().effectCount(), 0);
        const QJsonArray items = vera.reviews();
        QCOMPARE(items.size(), 1);
        const QString item = items.first()["id"_L1].toString();
        const QJsonObject decision{{u"review"_s, item}, {u"reason"_s, u"I looked"_s}};
        QVERIFY(omar.refusal(u"approve"_s, decision).contains("role approver"));
        QVERIFY(olga.refusal(u"approve"_s, decision).contains("somebody else"));
        QVERIFY(vera.refusal(u"approve"_s, decision).contains("role approver"));
        ana.call(u"approve"_s, decision);
        QVERIFY(ana.refusal(u"approve"_s, decision).contains("ana decided"));
        wendy.runUntilIdle();
        QCOMPARE(adam.world.books().effectCount(), 1);
        QCOMPARE(vera.statusOf(run), u"succeeded"_s);
    }

    void an_operator_operates()
    {
        Machine omar(urlOf(u"omar"_s)), wendy(urlOf(u"wendy"_s)), ana(urlOf(u"ana"_s));
        const QJsonObject why{{u"reason"_s, u"an incident"_s}};
        QVERIFY(wendy.refusal(u"pause"_s, why).contains("role operator"));
        QVERIFY(ana.refusal(u"pause"_s, why).contains("role operator"));
        // What looks like a preview of something that has none is refused just the same.
        QVERIFY(ana.refusal(u"pause"_s, {{u"reason"_s, u"x"_s}, {u"preview"_s, true}})
                    .contains("may not pause: that takes the role operator, which"));
        const QString pause = omar.call(u"pause"_s, why)["id"_L1].toString();
        QVERIFY(wendy.refusal(u"resume"_s, why).contains("role operator"));
        omar.call(u"resume"_s, {{u"pause"_s, pause}, {u"reason"_s, u"it is over"_s}});
        omar.call(u"pause"_s, why);
        omar.call(u"resume"_s, {{u"ramp"_s, true}, {u"reason"_s, u"slowly"_s}});
        omar.call(
            u"breaker"_s,
            {{u"dependency"_s, u"world"_s}, {u"state"_s, u"open"_s}, {u"reason"_s, u"look"_s}});
        omar.call(
            u"breaker"_s,
            {{u"dependency"_s, u"world"_s}, {u"state"_s, u"closed"_s}, {u"reason"_s, u"good"_s}});
        omar.call(u"save_view"_s, {{u"name"_s, u"mine"_s}, {u"filter"_s, u"status:failed"_s}});
        omar.call(u"delete_view"_s, {{u"name"_s, u"mine"_s}});
        const QString run = omar.start(u"e2"_s);
        wendy.runUntilIdle();
        const QString item = omar.reviews().first()["id"_L1].toString();
        omar.call(u"claim"_s, {{u"review"_s, item}});
        QVERIFY(ana.refusal(u"claim"_s, {{u"review"_s, item}}).contains("omar is looking"));
        omar.call(u"claim"_s, {{u"review"_s, item}, {u"release"_s, true}});
        omar.call(u"note"_s, {{u"run"_s, run}, {u"text"_s, u"asked the customer"_s}});
        omar.call(u"cancel"_s, {{u"run"_s, run}, {u"reason"_s, u"not wanted"_s}});
        wendy.runUntilIdle();
        QCOMPARE(omar.statusOf(run), u"cancelled"_s);
        omar.call(u"rerun"_s, {{u"run"_s, run}, {u"reason"_s, u"after all"_s}});
    }

    // A ramp that a person began is raised and ended by workers, which may not resume by
    // themselves.
    void workers_carry_a_ramp_out()
    {
        Machine omar(urlOf(u"omar"_s)), wendy(urlOf(u"wendy"_s));
        const QJsonObject why{{u"reason"_s, u"an incident"_s}, {u"depth"_s, u"all"_s}};
        omar.call(u"pause"_s, why);
        for (int i = 0; i < 3; ++i)
            omar.start(u"ramped %1"_s.arg(i));
        wendy.runUntilIdle();
        omar.call(u"resume"_s,
                  {{u"ramp"_s, true}, {u"depth"_s, u"all"_s}, {u"reason"_s, u"slowly"_s}});
        auto worker = wendy.startWorker();
        QTRY_VERIFY_WITH_TIMEOUT(omar.call(u"pauses"_s, {})["pauses"_L1].toArray().isEmpty(),
                                 60'000);
        worker->drain();
        QVERIFY(worker->join());
    }

    void whoever_logged_in_is_who_acted()
    {
        Machine omar(urlOf(u"omar"_s));
        // The machine speaks as "ada"; the database knows better.
        const QJsonArray rows = omar.call(u"audit"_s, {{u"limit"_s, 1000}})["audit"_L1].toArray();
        QVERIFY(rows.size() > 15);
        const QStringList known = SharedDatabase::logins() + QStringList{u"engine"_s};
        for (const QJsonValue &row : rows)
            QVERIFY2(known.contains(row["actor"_L1].toString()),
                     qPrintable(row["actor"_L1].toString()));
        const QJsonObject verified = omar.call(u"audit_verify"_s, {});
        QVERIFY2(verified["intact"_L1].toBool(), QJsonDocument(verified).toJson());
    }

    void a_login_without_the_role_executes_nothing()
    {
        Machine omar(urlOf(u"omar"_s));
        auto worker = omar.startWorker();
        QVERIFY(!worker->join());
        QVERIFY2(worker->status().message.contains("role worker"),
                 qPrintable(worker->status().message));
    }

private:
    QString urlOf(const QString &login) const { return m_team->urlOf(login); }

    std::unique_ptr<SharedDatabase> m_team;
};

QTEST_GUILESS_MAIN(Roles)
#include "tst_roles.moc"
