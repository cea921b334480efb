// Goal: on a shared database only an admin removes runs, in their own name, with the audit row, and
// only runs of an archive that was written; and whoever starts or tells a run something while it is
// being removed meets the archive, never a second run. Method: one login for each role tries it as
// plain SQL; two connections meet in the middle of a removal.
#include "support/shared_database.h"
#include "support/store_fixture.h"

#include <QTest>
#include <thread>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
const QString refusedByRights = u"42501"_s;
const QString refusedByState = u"HF409"_s;

QString runAt(int number) { return u"01900000-0000-7000-8000-00000000000%1"_s.arg(number); }
QString moment() { return u"(extract(epoch from clock_timestamp()) * 1000)::bigint"_s; }

QString startCall(const QString &actor)
{
    return u"select holdfast.start_archive('a1', '/x/a.hfarchive', 'here', 1000000, 'age', '%1', "
           "%2)"_s.arg(actor, moment());
}
QString stateCall(const QString &to, const QString &from, const QString &actor)
{
    return u"select holdfast.set_archive('%1', '', 2, 10, 'hash', '{}', %2, '%3', 'a1', '%4')"_s
        .arg(to, moment(), actor, from);
}
QString removeCall(const QString &actor, int seq = 1)
{
    return u"select holdfast.remove_runs('a1', '{%1}', '{%2}', '%3')"_s.arg(runAt(1)).arg(seq).arg(
        actor);
}
QString auditCall(const QString &actor, const QString &body)
{
    return u"select holdfast.append_audit('system', %1, '%2', 'archive', 'a1', '%3')"_s.arg(
        moment(), actor, body);
}
} // namespace

class PostgresArchive : public QObject
{
    Q_OBJECT

    SharedDatabase m_team;

    QString ask(const QString &sql)
    {
        QSqlQuery query(m_team.promptOf({}));
        if (!query.exec(sql))
            qFatal("%s", qPrintable(query.lastError().text()));
        return query.next() ? query.value(0).toString() : QString();
    }
    void addRun(int number)
    {
        ask(u"insert into holdfast.run values ('%1', 'w', 1, 'e%2', 1, 'h', 'succeeded', 1, 0, "
            u"null, "
            "null, 5, 5, 6, 6, '', '', 0, 0, 0, '{}', '[]')"_s.arg(runAt(number))
                .arg(number));
        ask(u"insert into holdfast.journal (run_id, seq, at, worker, fence, entries) values ('%1', "
            "1, 6, '', 0, '[]')"_s.arg(runAt(number)));
    }
    ports::NewRun startOf(int number)
    {
        ports::NewRun run = newRun(u"w"_s, u"e%1"_s.arg(number), 1'800'000'000'000);
        run.run.inputHash = u"h"_s;
        return run;
    }
    ports::ArchiveRow removing()
    {
        ports::ArchiveRow row;
        row.id = u"a1"_s;
        row.before = 1'000'000;
        row.actor = ask(u"select session_user"_s);
        return row;
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        QVERIFY(m_team.start());
        for (int i = 1; i <= 5; ++i)
            addRun(i);
    }

    void only_an_admin_moves_an_archive_on()
    {
        const QString begun = u"{\"state\":\"writing\",\"file\":\"/x/a.hfarchive\",\"reason\":"
                              "\"age\"}"_s;
        for (const QString &login : {u"vera"_s, u"omar"_s, u"ana"_s, u"wendy"_s})
            QCOMPARE(m_team.refusalOf(login, {startCall(login), auditCall(login, begun)}),
                     refusedByRights);
        QCOMPARE(m_team.refusalOf(u"adam"_s, {startCall(u"omar"_s)}), refusedByRights);
        QCOMPARE(m_team.refusalOf(u"adam"_s, {startCall(u"adam"_s)}), refusedByRights);
        QVERIFY2(m_team.said().contains(u"without its audit row"_s), qPrintable(m_team.said()));
        QCOMPARE(m_team.refusalOf(u"adam"_s, {startCall(u"adam"_s), auditCall(u"adam"_s, begun)}),
                 QString());
        // Nothing is removed before the file stands, and no step is left out.
        QCOMPARE(m_team.refusalOf(u"adam"_s, {removeCall(u"adam"_s)}), refusedByState);
        QCOMPARE(m_team.refusalOf(u"adam"_s, {stateCall(u"removing"_s, u"writing"_s, u"adam"_s)}),
                 refusedByRights);
        QCOMPARE(m_team.refusalOf(u"adam"_s, {stateCall(u"written"_s, u"writing"_s, u"adam"_s),
                                              auditCall(u"adam"_s, u"{\"state\":\"written\"}"_s)}),
                 QString());
        QCOMPARE(m_team.refusalOf(u"adam"_s, {stateCall(u"removing"_s, u"written"_s, u"adam"_s),
                                              auditCall(u"adam"_s, u"{\"state\":\"removing\"}"_s)}),
                 QString());
    }

    void only_an_admin_removes_a_run_and_the_audit_tells()
    {
        const QString told = u"{\"state\":\"removing\",\"removed\":1}"_s;
        for (const QString &login : {u"vera"_s, u"omar"_s, u"ana"_s, u"wendy"_s}) {
            QCOMPARE(m_team.refusalOf(login, {removeCall(login), auditCall(login, told)}),
                     refusedByRights);
            for (const QString &table : {u"run"_s, u"journal"_s, u"archive"_s, u"archived_run"_s})
                QCOMPARE(m_team.refusalOf(login, {u"delete from holdfast."_s + table}),
                         refusedByRights);
        }
        QCOMPARE(m_team.refusalOf(u"adam"_s, {u"delete from holdfast.run"_s}), refusedByRights);
        QCOMPARE(m_team.refusalOf(u"adam"_s, {removeCall(u"adam"_s)}), refusedByRights);
        // Another version than the one in the file: it stays.
        QCOMPARE(m_team.refusalOf(u"adam"_s, {removeCall(u"adam"_s, 2),
                                              auditCall(u"adam"_s, u"{\"state\":\"removing\","
                                                                   "\"removed\":0}"_s)}),
                 QString());
        QCOMPARE(ask(u"select count(*) from holdfast.run"_s), u"5"_s);
        QCOMPARE(m_team.refusalOf(u"adam"_s, {removeCall(u"adam"_s), auditCall(u"adam"_s, told)}),
                 QString());
        QCOMPARE(ask(u"select count(*) from holdfast.run"_s), u"4"_s);
        QCOMPARE(ask(u"select archive || event_id from holdfast.archived_run"_s), u"a1e1"_s);
        QCOMPARE(ask(u"select count(*) from holdfast.journal where run_id = '%1'"_s.arg(runAt(1))),
                 u"0"_s);
        // A viewer sees where it went.
        QCOMPARE(m_team.refusalOf(u"vera"_s, {u"select * from holdfast.seen_archived_run"_s}),
                 QString());
    }

    void a_start_that_meets_a_removal_finds_the_archived_run()
    {
        auto owner = m_team.openAs({});
        auto other = m_team.openAs({});
        QVERIFY(owner && other && owner->begin().ok());
        const auto gone = owner->removeRuns(removing(), {{runAt(2), 1}});
        QVERIFY2(gone.ok(), gone.ok() ? "" : qPrintable(gone.error().message));
        QCOMPARE(*gone, QStringList{runAt(2)});
        model::Result<ports::StartAnswer> answer = model::refused(u"nothing"_s);
        const ports::NewRun run = startOf(2);
        other.reset();
        std::thread starter([&] {
            auto mine = m_team.openAs({});
            answer = mine->startRun(run);
        });
        // It waits for the removal: only then is the order the one that is to be tested.
        QTRY_COMPARE_WITH_TIMEOUT(
            ask(u"select (count(*) > 0)::text from pg_stat_activity where "
                "wait_event_type = 'Lock' and datname = current_database()"_s),
            u"true"_s, 30000);
        QVERIFY(owner->commit().ok());
        starter.join();
        QVERIFY2(answer.ok(), answer.ok() ? "" : qPrintable(answer.error().message));
        QCOMPARE(answer->created, false);
        QCOMPARE(answer->run.runId, runAt(2));
        QCOMPARE(answer->archive, u"a1"_s);
        QCOMPARE(ask(u"select count(*) from holdfast.run where event_id = 'e2'"_s), u"0"_s);
    }

    void a_run_that_is_told_something_meanwhile_stays()
    {
        auto owner = m_team.openAs({});
        QVERIFY(owner && owner->begin().ok());
        ports::CommandRow told;
        told.id = u"c1"_s;
        told.name = u"note"_s;
        told.runId = runAt(3);
        told.actor = removing().actor;
        told.at = 7;
        QVERIFY(owner->addCommand(told).ok());
        QStringList gone{u"?"_s};
        const ports::ArchiveRow archive = removing();
        std::thread remover([&] {
            auto mine = m_team.openAs({});
            const auto begun = mine->begin();
            const auto removed = mine->removeRuns(archive, {{runAt(3), 1}});
            gone = begun && removed ? *removed : QStringList{u"failed"_s};
            if (!mine->commit())
                gone = {u"not committed"_s};
        });
        QTRY_COMPARE_WITH_TIMEOUT(
            ask(u"select (count(*) > 0)::text from pg_stat_activity where "
                "wait_event_type = 'Lock' and datname = current_database()"_s),
            u"true"_s, 30000);
        QVERIFY(owner->commit().ok());
        remover.join();
        QCOMPARE(gone, QStringList());
        QCOMPARE(ask(u"select count(*) from holdfast.run where event_id = 'e3'"_s), u"1"_s);
        // And once it is gone, nobody tells it anything.
        QVERIFY(owner->begin().ok() && owner->removeRuns(archive, {{runAt(4), 1}}).ok() &&
                owner->commit().ok());
        told.id = u"c2"_s;
        told.runId = runAt(4);
        QVERIFY(!owner->addCommand(told).ok());
    }
};

QTEST_GUILESS_MAIN(PostgresArchive)
#include "tst_postgres_archive.moc"
