// Goal: a batch gives nobody a right they do not have: a worker carries out what a person ordered,
// in the order it was ordered, and nothing else. Method: one login for each role on a server of our
// own; whatever the program would do is tried as plain SQL, and more.
#include "support/shared_database.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
const QString refusedByRights = u"42501"_s;
const QString refusedByState = u"HF409"_s;

QString runAt(int number) { return u"01900000-0000-7000-8000-00000000000%1"_s.arg(number); }

QString moment() { return u"(extract(epoch from clock_timestamp()) * 1000)::bigint"_s; }

// Three items, the last of them set apart.
QString startCall(const QString &id, const QString &actor, const QString &act = u"cancel"_s,
                  const QString &states = u"{pending,pending,apart}"_s,
                  const QString &reviews = u"{\"\",\"\",\"\"}"_s)
{
    const QString arguments = act == "resolve"_L1 ? u"{\"verdict\":\"dismiss\"}"_s : u"{}"_s;
    return u"select holdfast.start_batch('%1', '%2', '%3', 'why', '%4', '', 20, 0, %5, "
           "'{%6,%7,%8}', '%9', '{1,1,1}', '{safe,safe,duplicate}', "_s
               .arg(id, act, arguments, actor, moment())
               .arg(runAt(1), runAt(2), runAt(3), reviews) +
           u"'%1', '{\"\",\"\",\"\"}')"_s.arg(states);
}

QString auditStart(const QString &id, const QString &actor, const QString &act = u"cancel"_s)
{
    return u"select holdfast.append_audit('system', %1, '%2', 'batch', '%3', "
           "'{\"act\":\"%4\",\"items\":3,\"chosen\":2,\"reason\":\"why\"}')"_s.arg(moment(), actor,
                                                                                   id, act);
}

QString takeCall(const QString &id, int place, const QString &state = u"recorded"_s)
{
    return u"select holdfast.take_batch_item('%1', %2, '%3', '', %4)"_s.arg(id).arg(place).arg(
        state, moment());
}

QString stateCall(const QString &id, const QString &state, const QString &by)
{
    return u"select holdfast.set_batch_state('%1', '', '%2', %3, '%4')"_s.arg(state, by, moment(),
                                                                              id);
}

QString auditState(const QString &id, const QString &state, const QString &by)
{
    return u"select holdfast.append_audit('system', %1, '%2', 'batch', '%3', "
           "'{\"state\":\"%4\"}')"_s.arg(moment(), by, id, state);
}
} // namespace

class PostgresBatchRights : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        QVERIFY(m_team.start());
        for (int i = 1; i <= 3; ++i)
            addRun(i);
        for (const auto &[id, kind] :
             {std::pair(u"approval-1"_s, u"approval"_s), std::pair(u"doubt-1"_s, u"ambiguous"_s)})
            ask(u"select holdfast.insert_review('%1', '%2', '%3', 's', 'forward', 'w', 'd', 1, 1, "
                "null, '', '', '', null, '{}')"_s.arg(id, kind,
                                                      runAt(kind == "approval"_L1 ? 1 : 2)));
    }

    void only_an_operator_starts_in_their_own_name_and_with_the_audit_row()
    {
        for (const QString &login : {u"vera"_s, u"ana"_s, u"wendy"_s, u"adam"_s}) {
            QCOMPARE(
                m_team.refusalOf(login, {startCall(u"b1"_s, login), auditStart(u"b1"_s, login)}),
                refusedByRights);
        }
        QCOMPARE(m_team.refusalOf(u"omar"_s, {startCall(u"b1"_s, u"olga"_s)}), refusedByRights);
        QCOMPARE(m_team.refusalOf(u"omar"_s, {startCall(u"b1"_s, u"omar"_s)}), refusedByRights);
        QVERIFY2(m_team.said().contains("without its audit row"), qPrintable(m_team.said()));
        for (const QString &states : {u"{applied,pending,apart}"_s, u"{apart,pending,pending}"_s})
            QCOMPARE(
                m_team.refusalOf(u"omar"_s, {startCall(u"b1"_s, u"omar"_s, u"cancel"_s, states),
                                             auditStart(u"b1"_s, u"omar"_s)}),
                refusedByRights);
        QCOMPARE(ask(u"select count(*) from holdfast.batch"_s), u"0"_s);
        QCOMPARE(m_team.refusalOf(u"omar"_s,
                                  {startCall(u"b1"_s, u"omar"_s), auditStart(u"b1"_s, u"omar"_s)}),
                 QString());
        QCOMPARE(ask(u"select count(*) from holdfast.batch_item where batch = 'b1'"_s), u"3"_s);
    }

    void a_worker_takes_what_is_next_and_nothing_else()
    {
        // No such batch, not the next, nobody's to take.
        QCOMPARE(m_team.refusalOf(u"wendy"_s, {takeCall(u"none"_s, 1)}), refusedByState);
        QCOMPARE(m_team.refusalOf(u"wendy"_s, {takeCall(u"b1"_s, 2)}), refusedByState);
        QCOMPARE(m_team.refusalOf(u"wendy"_s, {takeCall(u"b1"_s, 3)}), refusedByState);
        QCOMPARE(m_team.refusalOf(u"wendy"_s, {takeCall(u"b1"_s, 1, u"applied"_s)}),
                 refusedByState);
        for (const QString &login : {u"vera"_s, u"omar"_s, u"ana"_s, u"adam"_s})
            QCOMPARE(m_team.refusalOf(login, {takeCall(u"b1"_s, 1)}), refusedByRights);
        QCOMPARE(m_team.refusalOf(u"wendy"_s, {takeCall(u"b1"_s, 1)}), QString());
        QCOMPARE(ask(u"select name || ' ' || actor || ' ' || run_id from holdfast.command "
                     "where id = 'b1:1'"_s),
                 u"cancel omar "_s + runAt(1));
        QCOMPARE(ask(u"select actor || ' ' || action from holdfast.audit where chain = '%1' "
                     "order by chain_seq desc limit 1"_s.arg(runAt(1))),
                 u"omar cancel"_s);
        QCOMPARE(m_team.refusalOf(u"wendy"_s, {takeCall(u"b1"_s, 1)}), refusedByState);
        QCOMPARE(ask(u"select count(*) from holdfast.command"_s), u"1"_s);
    }

    void whether_it_goes_on_is_a_persons()
    {
        for (const QString &state : {u"stopped"_s, u"running"_s})
            QCOMPARE(m_team.refusalOf(u"wendy"_s, {stateCall(u"b1"_s, state, u"engine"_s)}),
                     refusedByRights);
        QCOMPARE(m_team.refusalOf(u"wendy"_s, {stateCall(u"b1"_s, u"held"_s, u"omar"_s)}),
                 refusedByRights);
        QCOMPARE(m_team.refusalOf(u"omar"_s, {stateCall(u"b1"_s, u"held"_s, u"engine"_s)}),
                 refusedByRights);
        QCOMPARE(m_team.refusalOf(u"ana"_s, {stateCall(u"b1"_s, u"held"_s, u"ana"_s)}),
                 refusedByRights);
        // Items are left, so it is not done, and nothing is to be told.
        QCOMPARE(m_team.refusalOf(u"wendy"_s, {stateCall(u"b1"_s, u"done"_s, u"engine"_s)}),
                 QString());
        QCOMPARE(ask(u"select state from holdfast.batch where id = 'b1'"_s), u"running"_s);
        QCOMPARE(m_team.refusalOf(u"olga"_s, {stateCall(u"b1"_s, u"held"_s, u"olga"_s)}),
                 refusedByRights);
        QCOMPARE(m_team.refusalOf(u"olga"_s, {stateCall(u"b1"_s, u"held"_s, u"olga"_s),
                                              auditState(u"b1"_s, u"held"_s, u"olga"_s)}),
                 QString());
        QCOMPARE(m_team.refusalOf(u"wendy"_s, {takeCall(u"b1"_s, 2)}), refusedByState);
    }

    void an_approval_is_no_part_of_a_batch()
    {
        const QString reviews = u"{approval-1,doubt-1,\"\"}"_s;
        QCOMPARE(m_team.refusalOf(u"olga"_s, {startCall(u"b2"_s, u"olga"_s, u"resolve"_s,
                                                        u"{pending,pending,apart}"_s, reviews),
                                              auditStart(u"b2"_s, u"olga"_s, u"resolve"_s)}),
                 QString());
        QCOMPARE(m_team.refusalOf(u"wendy"_s, {takeCall(u"b2"_s, 1)}), refusedByState);
        QCOMPARE(ask(u"select decision from holdfast.review where id = 'approval-1'"_s), QString());
        QCOMPARE(m_team.refusalOf(u"wendy"_s, {takeCall(u"b2"_s, 1, u"skipped"_s)}), QString());
        QCOMPARE(m_team.refusalOf(u"wendy"_s, {takeCall(u"b2"_s, 2)}), QString());
        QCOMPARE(ask(u"select decided_by || ' ' || decision from holdfast.review "
                     "where id = 'doubt-1'"_s),
                 u"olga dismiss"_s);
    }

    void whoever_lost_the_role_has_their_batch_held()
    {
        QCOMPARE(m_team.refusalOf(u"omar"_s,
                                  {startCall(u"b3"_s, u"omar"_s), auditStart(u"b3"_s, u"omar"_s)}),
                 QString());
        auto owner = m_team.openAs({});
        QVERIFY(owner->revokeRole(u"omar"_s, ports::Role::operator_).ok());
        QCOMPARE(m_team.refusalOf(u"wendy"_s, {takeCall(u"b3"_s, 1)}), QString());
        QCOMPARE(ask(u"select state || ' ' || taken from holdfast.batch where id = 'b3'"_s),
                 u"held 0"_s);
        QCOMPARE(ask(u"select count(*) from holdfast.command where id like 'b3:%'"_s), u"0"_s);
        QVERIFY(owner->grantRole(u"omar"_s, ports::Role::operator_).ok());
    }

private:
    QString ask(const QString &sql)
    {
        QSqlQuery query(m_team.promptOf({}));
        if (!query.exec(sql))
            qFatal("%s", qPrintable(query.lastError().text()));
        return query.next() ? query.value(0).toString() : QString();
    }
    void addRun(int number)
    {
        ask(u"select holdfast.insert_run('%1', 'w', 1, 'e%2', 1, 'h', 'queued', 1, 0, null, 0, 1, "
            "null, null, 1, '', '', 0, 0, 0, '{}', '[]')"_s.arg(runAt(number))
                .arg(number));
    }

    SharedDatabase m_team;
};

QTEST_GUILESS_MAIN(PostgresBatchRights)
#include "tst_postgres_batch_rights.moc"
