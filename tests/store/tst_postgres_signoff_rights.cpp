// Goal: whoever signs a report is an operator, signs in their own name, what they saw, and with its
// audit row. Method: one login for each role on a server of our own, and plain SQL.
#include "support/shared_database.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
const QString refusedByRights = u"42501"_s;

QString moment() { return u"(extract(epoch from clock_timestamp()) * 1000)::bigint"_s; }

QString hash() { return u"encode(sha256(convert_to('{}', 'UTF8')), 'hex')"_s; }

QString signCall(const QString &by, const QString &figuresHash = hash(),
                 const QString &until = u"120000"_s)
{
    return u"select holdfast.insert_signoff(60000, %4, '%1', %2, 'note', '{}', %3, 7, 6, 'end')"_s
        .arg(by, moment(), figuresHash, until);
}

QString auditCall(const QString &by, int seq = 7)
{
    return u"select holdfast.append_audit('system', %1, '%2', 'report_sign', 'window', "
           "json_build_object('figures_hash', %3, 'audit_seq', %4, 'audit_hash', 'end')::text)"_s
               .arg(moment(), by, hash())
               .arg(seq);
}
} // namespace

class PostgresSignoffRights : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        QVERIFY(m_team.start());
    }

    void only_an_operator_signs_in_their_own_name_and_with_the_audit_row()
    {
        for (const QString &login : {u"vera"_s, u"ana"_s, u"wendy"_s, u"adam"_s})
            QCOMPARE(m_team.refusalOf(login, {signCall(login), auditCall(login)}), refusedByRights);
        QCOMPARE(m_team.refusalOf(u"omar"_s, {signCall(u"olga"_s)}), refusedByRights);
        QCOMPARE(m_team.refusalOf(u"omar"_s, {signCall(u"omar"_s)}), refusedByRights);
        QVERIFY2(m_team.said().contains("without its audit row"), qPrintable(m_team.said()));
        QCOMPARE(m_team.refusalOf(u"omar"_s, {signCall(u"omar"_s), auditCall(u"omar"_s, 8)}),
                 refusedByRights);
        QCOMPARE(
            m_team.refusalOf(u"omar"_s, {signCall(u"omar"_s, u"'other'"_s), auditCall(u"omar"_s)}),
            refusedByRights);
        const QString tomorrow = moment() + u" + 86400000"_s;
        QCOMPARE(m_team.refusalOf(u"omar"_s,
                                  {signCall(u"omar"_s, hash(), tomorrow), auditCall(u"omar"_s)}),
                 refusedByRights);
        QVERIFY2(m_team.said().contains("not over"), qPrintable(m_team.said()));
        QCOMPARE(m_team.refusalOf(u"omar"_s, {signCall(u"omar"_s), auditCall(u"omar"_s)}),
                 QString());
        // A second signature changes nothing, so that an audit row of it tells of nothing.
        QCOMPARE(m_team.refusalOf(u"olga"_s, {signCall(u"olga"_s), auditCall(u"olga"_s)}),
                 refusedByRights);
    }

    void nobody_changes_a_signature()
    {
        for (const QString &login : {u"vera"_s, u"omar"_s, u"wendy"_s, u"adam"_s}) {
            QCOMPARE(m_team.refusalOf(login, {u"update holdfast.signoff set note = 'x'"_s}),
                     refusedByRights);
            QCOMPARE(m_team.refusalOf(login, {u"delete from holdfast.signoff"_s}), refusedByRights);
        }
    }

    void a_viewer_reads_signatures()
    {
        const auto store = m_team.openAs(u"vera"_s);
        QVERIFY(store);
        const auto rows = store->signoffs(10);
        QVERIFY2(rows.ok(), rows.ok() ? "" : qPrintable(rows.error().message));
        QCOMPARE(rows->size(), 1);
        QCOMPARE(rows->first().by, u"omar"_s);
        QVERIFY(store->systemAudit(1, 2, 10).ok());
        QVERIFY(store->undoneRuns(1, 2, 10).ok());
    }

private:
    SharedDatabase m_team;
};

QTEST_GUILESS_MAIN(PostgresSignoffRights)
#include "tst_postgres_signoff_rights.moc"
