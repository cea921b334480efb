// Goal: rights hold against anyone with a login and a SQL prompt: PostgreSQL itself refuses every
// act that a role does not have. Method: one login for each role on a server of our own; each
// forbidden act is tried as plain SQL, and the state must be that of insufficient rights.
#include "store/sql_connection.h"
#include "support/shared_database.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
const QString notAllowed = u"42501"_s;
const QString runId = u"01900000-0000-7000-8000-000000000001"_s;

QString now() { return u"(extract(epoch from clock_timestamp()) * 1000)::bigint"_s; }

QString pauseCall(const QString &id, const QString &actor, const QString &reason = u"why"_s)
{
    return u"select holdfast.insert_pause('%1', 'all', '', 'writes', '%2', '%3', %4, 0)"_s.arg(
        id, reason, actor, now());
}

QString auditCall(const QString &actor, const QString &action, const QString &subject,
                  const QString &body, const QString &chain = u"system"_s)
{
    return u"select holdfast.append_audit('%1', %2, '%3', '%4', '%5', '%6')"_s.arg(
        chain, now(), actor, action, subject, body);
}

QString pauseBody(const QString &reason = u"why"_s)
{
    return u"{\"scope\":\"all\",\"target\":\"\",\"depth\":\"writes\",\"reason\":\"%1\"}"_s.arg(
        reason);
}

QString decideCall(const QString &item, const QString &decision, const QString &by)
{
    return u"select holdfast.decide_review('%1', '%2', 'why', %3, '%4')"_s.arg(decision, by, now(),
                                                                               item);
}

QString commandCall(const QString &id, const QString &name, const QString &actor,
                    const QString &arguments)
{
    return u"select holdfast.insert_command('%1', '%2', '%3', '%4', '%5', %6, null, '', '')"_s.arg(
        id, name, runId, actor, arguments, now());
}
} // namespace

class PostgresRights : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        QVERIFY(m_team.start());
        addRun();
        addReview(u"approval-1"_s, u"approval"_s, u"{\"four_eyes\":true}"_s);
        addReview(u"approval-2"_s, u"approval"_s, u"{}"_s);
        addReview(u"doubt-1"_s, u"ambiguous"_s, u"{\"response\":{\"body\":\"canary-4711\"}}"_s);
    }

    void nobody_changes_a_table()
    {
        QSqlQuery tables(m_team.promptOf({}));
        QVERIFY(tables.exec("select relname from pg_class where relnamespace = "
                            "'holdfast'::regnamespace and relkind in ('r', 'v')"));
        int tried = 0;
        while (tables.next()) {
            const QString table = tables.value(0).toString();
            for (const QString &login : SharedDatabase::logins()) {
                if (login == "nora"_L1)
                    continue;
                for (const QString &act :
                     {u"delete from holdfast.%1"_s, u"insert into holdfast.%1 default values"_s,
                      u"truncate holdfast.%1"_s, u"alter table holdfast.%1 add column more text"_s,
                      u"drop table holdfast.%1"_s}) {
                    const QString state = m_team.refusalOf(login, {act.arg(table)});
                    // What is a view is no table to truncate or drop; that is a refusal as well.
                    QVERIFY2(state == notAllowed ||
                                 (table.startsWith("seen_"_L1) && state == "42809"_L1),
                             qPrintable(login + ": " + act.arg(table) + " " + state));
                    ++tried;
                }
            }
        }
        QVERIFY(tried > 800);
    }

    void nobody_updates_or_locks_what_decides()
    {
        for (const QString &login : SharedDatabase::logins()) {
            if (login == "nora"_L1)
                continue;
            for (const QString &act :
                 {u"update holdfast.pause set lifted_at = 1"_s,
                  u"update holdfast.review set decision = 'approve'"_s,
                  u"update holdfast.run set status = 'succeeded'"_s,
                  u"update holdfast.audit set actor = 'omar'"_s,
                  u"update holdfast.setting set value = '0'"_s,
                  u"select 1 from holdfast.gate for share"_s,
                  u"select 1 from holdfast.pause for update"_s,
                  u"lock table holdfast.gate in exclusive mode"_s,
                  u"create temporary table pause (id text)"_s,
                  u"create table public.pause (id text)"_s,
                  u"create function holdfast.is_owner() returns boolean "
                  "language sql as 'select true'"_s,
                  u"set session authorization postgres"_s, u"set role postgres"_s,
                  u"insert into holdfast.owed "
                  "values (pg_current_xact_id(), '{}', '', '', '{}')"_s}) {
                QCOMPARE(login + u": "_s + act + m_team.refusalOf(login, {act}),
                         login + u": "_s + act + notAllowed);
            }
        }
    }

    void whoever_has_no_role_does_not_get_in()
    {
        QVERIFY(!m_team.promptOf(u"nora"_s).isOpen());
        QVERIFY(!m_team.openAs(u"nora"_s));
    }

    // What a role may execute is what the file says; internals are nobody's.
    void functions_are_granted_as_written()
    {
        QSqlQuery functions(m_team.promptOf({}));
        QVERIFY(functions.exec(
            "select proname, obj_description(oid, 'pg_proc'), prosecdef, proconfig::text, "
            "array(select login from unnest(array['vera', 'omar', 'ana', 'wendy', 'adam']) as "
            "login "
            "where has_function_privilege(login, pg_proc.oid, 'execute'))::text "
            "from pg_proc where pronamespace = 'holdfast'::regnamespace"));
        const QMap<QString, QString> loginOf{{u"viewer"_s, u"vera"_s},
                                             {u"operator"_s, u"omar"_s},
                                             {u"approver"_s, u"ana"_s},
                                             {u"worker"_s, u"wendy"_s},
                                             {u"admin"_s, u"adam"_s}};
        int seen = 0;
        while (functions.next()) {
            const QStringList roles = functions.value(1).toString().split(u' ');
            QStringList expected;
            for (auto login = loginOf.cbegin(); login != loginOf.cend(); ++login) {
                if (roles.contains(login.key()))
                    expected.append(*login);
            }
            QStringList may =
                functions.value(4).toString().mid(1).chopped(1).split(u',', Qt::SkipEmptyParts);
            expected.sort();
            may.sort();
            QVERIFY2(may == expected, qPrintable(functions.value(0).toString() + may.join(u' ')));
            QVERIFY2(functions.value(3).toString().contains("search_path=pg_catalog, pg_temp"),
                     qPrintable(functions.value(0).toString()));
            ++seen;
        }
        QVERIFY(seen > 50);
    }

    void a_change_and_its_audit_row_come_together()
    {
        // The change alone, the row alone, a row that tells of something else.
        QCOMPARE(m_team.refusalOf(u"omar"_s, {pauseCall(u"p1"_s, u"omar"_s)}), notAllowed);
        QVERIFY2(m_team.said().contains("without its audit row"), qPrintable(m_team.said()));
        QCOMPARE(
            m_team.refusalOf(u"omar"_s, {auditCall(u"omar"_s, u"pause"_s, u"p1"_s, pauseBody())}),
            notAllowed);
        QCOMPARE(m_team.refusalOf(u"omar"_s, {pauseCall(u"p1"_s, u"omar"_s),
                                              auditCall(u"omar"_s, u"pause"_s, u"p1"_s,
                                                        pauseBody(u"another reason"_s))}),
                 notAllowed);
        QCOMPARE(m_team.refusalOf(u"omar"_s, {pauseCall(u"p1"_s, u"omar"_s),
                                              u"set constraints all immediate"_s}),
                 notAllowed);
        QCOMPARE(count(u"pause"_s), 0);
        QCOMPARE(
            m_team.refusalOf(u"omar"_s, {pauseCall(u"p1"_s, u"omar"_s),
                                         auditCall(u"omar"_s, u"pause"_s, u"p1"_s, pauseBody())}),
            QString());
        QCOMPARE(count(u"pause"_s), 1);
        QCOMPARE(ask(u"select actor from holdfast.audit where action = 'pause'"_s), u"omar"_s);
    }

    void nobody_acts_in_anothers_name()
    {
        QCOMPARE(m_team.refusalOf(u"omar"_s, {pauseCall(u"p2"_s, u"olga"_s)}), notAllowed);
        QCOMPARE(m_team.refusalOf(u"omar"_s, {pauseCall(u"p2"_s, u"engine"_s)}), notAllowed);
        QCOMPARE(
            m_team.refusalOf(u"omar"_s, {pauseCall(u"p2"_s, u"omar"_s),
                                         auditCall(u"olga"_s, u"pause"_s, u"p2"_s, pauseBody())}),
            notAllowed);
        QCOMPARE(m_team.refusalOf(u"olga"_s, {decideCall(u"approval-2"_s, u"approve"_s, u"ana"_s)}),
                 notAllowed);
    }

    void a_worker_neither_resumes_nor_decides()
    {
        const QString lift =
            u"select * from holdfast.lift_pauses(%1, '%2', 'why', 'all', '', '', '', '', '')"_s;
        QCOMPARE(m_team.refusalOf(u"wendy"_s, {lift.arg(now(), u"engine"_s)}), notAllowed);
        QCOMPARE(m_team.refusalOf(u"wendy"_s, {lift.arg(now(), u"wendy"_s)}), notAllowed);
        QCOMPARE(
            m_team.refusalOf(u"wendy"_s, {decideCall(u"approval-2"_s, u"approve"_s, u"wendy"_s)}),
            notAllowed);
        QCOMPARE(
            m_team.refusalOf(u"wendy"_s, {commandCall(u"c1"_s, u"cancel"_s, u"wendy"_s, u"{}"_s)}),
            notAllowed);
        QCOMPARE(
            m_team.refusalOf(u"wendy"_s, {u"select holdfast.insert_commands('{c1}', '{approve}', "
                                          u"'{%1}', '{ana}', '{\"{}\"}', "
                                          "'{1}', '{null}', '{\"\"}', '{\"\"}')"_s.arg(runId)}),
            notAllowed);
        QCOMPARE(m_team.refusalOf(u"wendy"_s,
                                  {u"select holdfast.set_ramp('{\"state\":\"ramping\",\"stage\":0,"
                                   "\"stages\":[]}', 0, 'p1')"_s}),
                 notAllowed);
        // Closing an approval as approved, or an item in a person's name, closes nothing.
        QCOMPARE(
            m_team.refusalOf(
                u"wendy"_s,
                {u"select holdfast.close_reviews('{approval-2,doubt-1}', '{approve,happened}', "
                 "'{engine,ana}', '{\"\",\"\"}', '{1,1}', '{}')"_s}),
            QString());
        QCOMPARE(ask(u"select count(*) from holdfast.review where decided_at is not null"_s),
                 u"0"_s);
        QCOMPARE(
            m_team.refusalOf(u"wendy"_s, {auditCall(u"engine"_s, u"resume"_s, u"all"_s, u"{}"_s)}),
            notAllowed);
        QCOMPARE(
            m_team.refusalOf(
                u"wendy"_s, {u"select holdfast.insert_workflow('w', 1, '', '', '', 1, 'wendy')"_s}),
            notAllowed);
    }

    void an_approval_takes_an_approver_and_four_eyes()
    {
        const QString body = u"{\"review\":\"%1\",\"command\":\"%2\"}"_s;
        const auto acts = [&](const QString &item, const QString &id, const QString &by) {
            return QStringList{
                decideCall(item, u"approve"_s, by),
                commandCall(id, u"approve"_s, by, u"{\"review\":\"%1\"}"_s.arg(item)),
                auditCall(by, u"approve"_s, item, body.arg(item, id), runId)};
        };
        QCOMPARE(m_team.refusalOf(u"omar"_s, acts(u"approval-1"_s, u"a1"_s, u"omar"_s)),
                 notAllowed);
        // olga started the run and may approve, but not this.
        QCOMPARE(m_team.refusalOf(u"olga"_s, acts(u"approval-1"_s, u"a1"_s, u"olga"_s)),
                 notAllowed);
        QVERIFY2(m_team.said().contains("started this run"), qPrintable(m_team.said()));
        // The command without the decision.
        QCOMPARE(m_team.refusalOf(u"ana"_s, acts(u"approval-1"_s, u"a1"_s, u"ana"_s).mid(1)),
                 notAllowed);
        QCOMPARE(m_team.refusalOf(u"ana"_s, acts(u"approval-1"_s, u"a1"_s, u"ana"_s)), QString());
        QCOMPARE(ask(u"select decided_by from holdfast.review where id = 'approval-1'"_s),
                 u"ana"_s);
        // A second decision changes nothing, so there is nothing to tell either.
        QCOMPARE(m_team.refusalOf(u"ana"_s, acts(u"approval-1"_s, u"a2"_s, u"ana"_s).mid(0, 1)),
                 QString());
        QCOMPARE(ask(u"select count(*) from holdfast.command where id = 'a2'"_s), u"0"_s);
        // An approver operates nothing.
        QCOMPARE(m_team.refusalOf(u"ana"_s, {commandCall(u"c2"_s, u"cancel"_s, u"ana"_s, u"{}"_s)}),
                 notAllowed);
        QCOMPARE(m_team.refusalOf(u"ana"_s, {decideCall(u"doubt-1"_s, u"happened"_s, u"ana"_s)}),
                 notAllowed);
        QCOMPARE(m_team.refusalOf(u"ana"_s, {pauseCall(u"p3"_s, u"ana"_s)}), notAllowed);
    }

    void a_command_on_what_moved_on_is_a_conflict()
    {
        QCOMPARE(m_team.refusalOf(u"omar"_s, {commandCall(u"c3"_s, u"cancel"_s, u"omar"_s,
                                                          u"{\"version\":7}"_s)}),
                 u"HF409"_s);
    }

    // Whatever a page of the console or a command may ask.
    void a_viewer_can_ask_every_question()
    {
        const auto &statements = store::Statements::of(store::Dialect::postgres);
        const QStringList others{u"set_schema_version"_s, u"set_functions_hash"_s,
                                 u"outbox_undelivered"_s, u"outbox_by_id"_s, u"any_delivery_due"_s};
        int asked = 0;
        for (const QString &name : statements.names()) {
            if (statements.guarded().contains(name) || others.contains(name))
                continue;
            const QString text =
                store::SqlConnection::throughViews(statements.text(QLatin1String(name.toLatin1())));
            QSqlQuery query(m_team.promptOf(u"vera"_s));
            QVERIFY2(query.prepare(text),
                     qPrintable(name + u": "_s + query.lastError().databaseText()));
            ++asked;
        }
        QVERIFY(asked > 60);
    }

    void a_viewer_reads_views_without_bodies()
    {
        QCOMPARE(m_team.refusalOf(u"vera"_s, {u"select * from holdfast.journal"_s}), notAllowed);
        QCOMPARE(m_team.refusalOf(u"vera"_s, {u"select * from holdfast.ledger"_s}), notAllowed);
        QCOMPARE(m_team.refusalOf(u"vera"_s, {u"select * from holdfast.outbox"_s}), notAllowed);
        QSqlQuery views(m_team.promptOf(u"vera"_s));
        QVERIFY(
            views.exec("select relname from pg_class where relnamespace = 'holdfast'::regnamespace "
                       "and relkind = 'v'"));
        int seen = 0;
        while (views.next()) {
            const QString view = views.value(0).toString();
            QSqlQuery rows(m_team.promptOf(u"vera"_s));
            QVERIFY2(rows.exec(u"select seen::text from holdfast.%1 as seen"_s.arg(view)),
                     qPrintable(view));
            while (rows.next()) {
                QVERIFY2(!rows.value(0).toString().contains("canary"), qPrintable(view));
                ++seen;
            }
        }
        QVERIFY(seen > 3);
        // It is there for those who have to decide.
        QVERIFY(ask(u"select evidence from holdfast.review where id = 'doubt-1'"_s)
                    .contains("canary-4711"));
        QVERIFY(ask(u"select entries from holdfast.journal limit 1"_s).contains("canary-4711"));
    }

private:
    QString ask(const QString &sql)
    {
        QSqlQuery query(m_team.promptOf({}));
        if (!query.exec(sql))
            qFatal("%s", qPrintable(query.lastError().text()));
        return query.next() ? query.value(0).toString() : QString();
    }
    int count(const QString &table)
    {
        return ask(u"select count(*) from holdfast.%1"_s.arg(table)).toInt();
    }

    // As olga, so that it is her run.
    void addRun()
    {
        QCOMPARE(
            m_team.refusalOf(
                u"olga"_s,
                {u"select holdfast.insert_run('%1', 'w', 1, 'e1', 1, 'h', 'queued', 1, 0, null, 0, "
                 u"1, null, null, "
                 "1, '', '', 0, 0, 0, '{}', '[]')"_s.arg(runId),
                 u"select holdfast.insert_journal('%1', 1, 1, '', 0, "
                 u"'[{\"kind\":\"accepted\",\"actor\":\"olga\","
                 "\"detail\":{\"input\":{\"card\":\"canary-4711\"}}}]')"_s.arg(runId),
                 auditCall(u"olga"_s, u"start"_s, runId,
                           u"{\"workflow\":\"w\",\"version\":1,\"event_id\":\"e1\","
                           "\"input_hash\":\"h\"}"_s,
                           runId)}),
            QString());
    }
    void addReview(const QString &id, const QString &kind, const QString &evidence)
    {
        QSqlQuery query(m_team.promptOf({}));
        QVERIFY2(query.exec(u"select holdfast.insert_review('%1', '%2', '%3', 's', 'forward', 'w', "
                            u"'d', 1, 1, null, "
                            "'', '', '', null, '%4')"_s.arg(id, kind, runId, evidence)),
                 qPrintable(query.lastError().text()));
    }

    SharedDatabase m_team;
};

QTEST_GUILESS_MAIN(PostgresRights)
#include "tst_postgres_rights.moc"
