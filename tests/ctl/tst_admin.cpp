// Goal: an owner sets a team up from the command line, and everybody else is told what they may not
// do. Method: the real program on a server of our own, one login after the other.
#include "ctl/ctl_process.h"
#include "support/postgres_server.h"

#include <QUrl>

using namespace Qt::StringLiterals;
using namespace holdfast::tests;

class Admin : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        QVERIFY(m_server.start());
        m_url = m_server.createDatabase();
    }

    void a_file_has_no_roles()
    {
        const CtlResult refused = m_bench.run({u"admin"_s, u"init"_s});
        QCOMPARE(refused.code, 1);
        QVERIFY2(refused.err.contains("one operator"), refused.err);
    }

    void a_wrong_line_is_a_usage_error()
    {
        for (const QStringList &line :
             {QStringList{u"admin"_s}, QStringList{u"admin"_s, u"destroy"_s},
              QStringList{u"admin"_s, u"grant"_s}, QStringList{u"admin"_s, u"grant"_s, u"dana"_s},
              QStringList{u"admin"_s, u"init"_s, u"now"_s}})
            QCOMPARE(as({}, line).code, 2);
    }

    void the_owner_sets_it_up()
    {
        QVERIFY(m_server.execute(u"create role dana login"_s));
        QVERIFY(m_server.execute(u"create role vic login"_s));
        const CtlResult early = as({}, {u"admin"_s, u"grant"_s, u"dana"_s, u"operator"_s});
        QCOMPARE(early.code, 1);
        QVERIFY2(early.err.contains("admin init"), early.err);
        QCOMPARE(as({}, {u"admin"_s, u"init"_s}).code, 0);
        QCOMPARE(as({}, {u"admin"_s, u"init"_s}).code, 0); // again is no harm
        const CtlResult unknown = as({}, {u"admin"_s, u"grant"_s, u"nobody-here"_s, u"operator"_s});
        QCOMPARE(unknown.code, 1);
        QVERIFY2(unknown.err.contains("no login nobody-here"), unknown.err);
        const CtlResult role = as({}, {u"admin"_s, u"grant"_s, u"dana"_s, u"king"_s});
        QCOMPARE(role.code, 1);
        QVERIFY2(role.err.contains("viewer, operator, approver, worker, admin"), role.err);
        QCOMPARE(as({}, {u"admin"_s, u"grant"_s, u"dana"_s, u"operator"_s}).code, 0);
        QCOMPARE(as({}, {u"admin"_s, u"grant"_s, u"vic"_s, u"viewer"_s}).code, 0);
        const CtlResult listed = as({}, {u"--json"_s, u"admin"_s, u"roles"_s});
        QCOMPARE(listed.json()["logins"_L1].toArray().size(), 2);
        QCOMPARE(listed.json()["logins"_L1][0]["roles"_L1][0].toString(), u"operator"_s);
    }

    void everybody_else_is_told()
    {
        const QStringList pause{u"pause"_s, u"--reason"_s, u"an incident"_s};
        const CtlResult viewer = as(u"vic"_s, pause);
        QCOMPARE(viewer.code, 1);
        QVERIFY2(viewer.err.contains("takes the role operator"), viewer.err);
        QCOMPARE(as(u"vic"_s, {u"runs"_s}).code, 0);
        QCOMPARE(as(u"dana"_s, pause).code, 0);
        const CtlResult worker = as(u"dana"_s, {u"worker"_s, u"--until-idle"_s});
        QCOMPARE(worker.code, 1);
        QVERIFY2(worker.err.contains("takes the role worker"), worker.err);
        const CtlResult admin = as(u"dana"_s, {u"admin"_s, u"grant"_s, u"dana"_s, u"admin"_s});
        QCOMPARE(admin.code, 1);
        QVERIFY2(admin.err.contains("does not own"), admin.err);
        const CtlResult audit = as(u"vic"_s, {u"--json"_s, u"audit"_s});
        QVERIFY(audit.out.contains("\"dana\""));
        QCOMPARE(as(u"dana"_s, {u"audit"_s, u"verify"_s}).code, 0);
        const CtlResult hidden = as(u"vic"_s, {u"audit"_s, u"verify"_s});
        QCOMPARE(hidden.code, 1);
        QVERIFY2(hidden.err.contains("may not audit verify"), hidden.err);
        const CtlResult doctor = as(u"vic"_s, {u"--json"_s, u"doctor"_s});
        QCOMPARE(doctor.json()["login"_L1].toString(), u"vic"_s);
        QCOMPARE(doctor.json()["roles"_L1].toArray(), QJsonArray{u"viewer"_s});
    }

    void what_was_taken_away_is_gone()
    {
        QCOMPARE(as({}, {u"admin"_s, u"revoke"_s, u"dana"_s, u"operator"_s}).code, 0);
        const CtlResult again = as({}, {u"admin"_s, u"revoke"_s, u"dana"_s, u"operator"_s});
        QCOMPARE(again.code, 1);
        QVERIFY2(again.err.contains("does not have the role operator"), again.err);
        QCOMPARE(as(u"dana"_s, {u"resume"_s}).code, 1);
    }

private:
    CtlResult as(const QString &login, const QStringList &arguments)
    {
        const QString url =
            login.isEmpty() ? m_url : m_server.urlOf(QUrl(m_url).path().mid(1), login);
        return m_bench.run(QStringList{u"--db"_s, url} + arguments);
    }

    CtlBench m_bench;
    PostgresServer m_server;
    QString m_url;
};

QTEST_GUILESS_MAIN(Admin)
#include "tst_admin.moc"
