// Goal: only an operator decides about a failure group, in their own name and with the audit row; a
// worker counts failures and decides nothing. Method: one login for each role on a server of our
// own; whatever the program would do is tried as plain SQL.
#include "support/shared_database.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
const QString refusedByRights = u"42501"_s;
const QString group = u"aaaaaaaaaaaaaaaa"_s;

QString moment() { return u"(extract(epoch from clock_timestamp()) * 1000)::bigint"_s; }

QString addGroup()
{
    return u"select holdfast.add_failure_groups('{%1}', '{w}', '{s}', '{forward}', '{transient}', "
           "'{timeout}', '{\"a, b\"}', '{d}', '{1}')"_s.arg(group);
}

QString addFailure()
{
    return u"select holdfast.add_failures('{%1}', '{01900000-0000-7000-8000-000000000001}', '{1}', "
           "'{1}', '{1}', '{1}')"_s.arg(group);
}

QString decide(const QString &by, const QString &act = u"archive"_s)
{
    return u"select holdfast.decide_group('%1', '%2', 0, '', '[]', '', '', '%3', %4)"_s.arg(
        group, act, by, moment());
}

QString audit(const QString &by, const QString &act = u"archive"_s)
{
    return u"select holdfast.append_audit('system', %1, '%2', 'group', '%3', '{\"act\":\"%4\"}')"_s
        .arg(moment(), by, group, act);
}
} // namespace

class PostgresGroupRights : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        QVERIFY(m_team.start());
    }

    void a_worker_writes_failures_and_nobody_else()
    {
        for (const QString &login : {u"vera"_s, u"omar"_s, u"ana"_s, u"adam"_s}) {
            QCOMPARE(m_team.refusalOf(login, {addGroup()}), refusedByRights);
            QCOMPARE(m_team.refusalOf(login, {addFailure()}), refusedByRights);
        }
        QCOMPARE(m_team.refusalOf(u"wendy"_s, {addGroup(), addFailure()}), QString());
        QCOMPARE(
            m_team.refusalOf(u"wendy"_s, {u"update holdfast.failure_group set owner = 'me'"_s}),
            refusedByRights);
        QCOMPARE(m_team.refusalOf(u"wendy"_s, {u"delete from holdfast.failure"_s}),
                 refusedByRights);
    }

    void only_an_operator_decides_in_their_own_name_and_with_the_audit_row()
    {
        for (const QString &login : {u"vera"_s, u"ana"_s, u"wendy"_s, u"adam"_s})
            QCOMPARE(m_team.refusalOf(login, {decide(login), audit(login)}), refusedByRights);
        QCOMPARE(m_team.refusalOf(u"omar"_s, {decide(u"olga"_s)}), refusedByRights);
        QCOMPARE(m_team.refusalOf(u"omar"_s, {decide(u"omar"_s)}), refusedByRights);
        QVERIFY2(m_team.said().contains("without its audit row"), qPrintable(m_team.said()));
        // An audit row that tells of something else pays nothing.
        QCOMPARE(m_team.refusalOf(u"omar"_s, {decide(u"omar"_s), audit(u"omar"_s, u"reopen"_s)}),
                 refusedByRights);
        QCOMPARE(m_team.refusalOf(u"omar"_s,
                                  {decide(u"omar"_s, u"forget"_s), audit(u"omar"_s, u"forget"_s)}),
                 refusedByRights);
        QCOMPARE(ask(u"select disposition from holdfast.failure_group"_s), QString());
        QCOMPARE(m_team.refusalOf(u"omar"_s, {decide(u"omar"_s), audit(u"omar"_s)}), QString());
        QCOMPARE(ask(u"select disposition || ' ' || decided_by from holdfast.failure_group"_s),
                 u"archived omar"_s);
    }

    void a_viewer_reads_counts_and_no_messages()
    {
        QCOMPARE(m_team.refusalOf(u"vera"_s, {u"select message from holdfast.failure_group"_s}),
                 refusedByRights);
        QCOMPARE(m_team.refusalOf(u"vera"_s, {u"select * from holdfast.seen_failure_group"_s,
                                              u"select * from holdfast.seen_failure"_s,
                                              u"select * from holdfast.seen_failure_note"_s}),
                 QString());
        QCOMPARE(ask(u"select message from holdfast.seen_failure_group"_s), QString());
    }

private:
    QString ask(const QString &sql)
    {
        QSqlQuery query(m_team.promptOf({}));
        if (!query.exec(sql))
            qFatal("%s", qPrintable(query.lastError().text()));
        return query.next() ? query.value(0).toString() : QString();
    }

    SharedDatabase m_team;
};

QTEST_GUILESS_MAIN(PostgresGroupRights)
#include "tst_postgres_group_rights.moc"
