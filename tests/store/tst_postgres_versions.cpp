// Goal: two programs of different versions on one shared database never work against each other:
// the newer one wins, the older one is refused or stops, and both versions are named. Method: what
// another program would have left behind is written into the database by hand.
#include "runtime/worker.h"
#include "store/postgres_address.h"
#include "store/statements.h"
#include "support/machine.h"
#include "support/postgres_server.h"

#include <QJsonArray>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;
using runtime::WorkerState;

namespace
{
const QString thisVersion = QStringLiteral(HOLDFAST_VERSION);

int thisSchema() { return store::Statements::of(store::Dialect::postgres).newestSchema(); }

// As the other program would.
void change(const Machine &machine, const QString &statement)
{
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QPSQL"_s, u"other"_s);
        store::PostgresAddress::parse(machine.url())->apply(database);
        QSqlQuery query(database.open() ? database : QSqlDatabase());
        if (!query.exec(statement))
            qFatal("%s", qPrintable(query.lastError().text()));
    }
    QSqlDatabase::removeDatabase(u"other"_s);
}

void setFunctions(const Machine &machine, const QString &value)
{
    change(machine,
           u"update holdfast.setting set value = '%1' where name = 'functions'"_s.arg(value));
}

void setSchema(const Machine &machine, int number)
{
    change(machine,
           u"update holdfast.setting set value = '%1' where name = 'schema_version'"_s.arg(number));
}

void pretendAWorkerLives(const Machine &machine)
{
    change(machine, u"insert into holdfast.worker (id, host, pid, program_version, started_at, "
                    "lease_until, state) values ('w', 'elsewhere', 1, '%1', 0, "
                    "(extract(epoch from clock_timestamp()) * 1000)::bigint + 600000, "
                    "'running')"_s.arg(thisVersion));
}
} // namespace

class PostgresVersions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
    }
    void init()
    {
        m_machine = std::make_unique<Machine>(Machine::Database::postgres);
        QCOMPARE(refusal(), QString()); // sets it up
    }
    void cleanup() { m_machine.reset(); }

    void a_newer_schema_is_refused_with_both_numbers()
    {
        setSchema(*m_machine, 99);
        QVERIFY2(refusal().contains(u"has schema 99"_s) &&
                     refusal().contains(u"with schema %1"_s.arg(thisSchema())),
                 qPrintable(refusal()));
    }

    void a_newer_programs_functions_are_refused()
    {
        setFunctions(*m_machine, u"0f 99.0.0"_s);
        const QString why = refusal();
        QVERIFY2(why.contains(u"Holdfast 99.0.0"_s) &&
                     why.contains(u"this is Holdfast "_s + thisVersion),
                 qPrintable(why));
        QCOMPARE(refusal(), why); // and stand as they were
    }

    void an_older_programs_functions_are_renewed_under_its_workers()
    {
        pretendAWorkerLives(*m_machine);
        setFunctions(*m_machine, u"0f 0.0.1"_s);
        QCOMPARE(refusal(), QString());
    }

    void of_two_builds_of_one_version_the_one_that_works_stays()
    {
        setFunctions(*m_machine, u"0f "_s + thisVersion);
        QCOMPARE(refusal(), QString()); // nobody needs them
        setFunctions(*m_machine, u"0f "_s + thisVersion);
        pretendAWorkerLives(*m_machine);
        const QString why = refusal();
        QVERIFY2(why.contains(u"1 running workers (%1)"_s.arg(thisVersion)), qPrintable(why));
        change(*m_machine, u"update holdfast.worker set state = 'gone'"_s);
        QCOMPARE(refusal(), QString());
    }

    // The schema is migrated under a worker in the middle of its work: its attempts end and are
    // written down, nothing new begins, and it says why.
    void a_worker_whose_schema_was_changed_ends_its_attempts_and_stops()
    {
        m_machine->deploy(
            m_machine->dependencyText(u"none"_s) +
            Machine::workflowText({Machine::stepText({.name = u"one"_s, .timeout = u"60s"_s}),
                                   Machine::stepText({.name = u"two"_s, .timeout = u"60s"_s})}));
        auto &world = m_machine->world;
        QVERIFY(world.faults().always(u"/inventory/v1/reservations"_s, u"delay:4000"_s).ok());
        const QString run = m_machine->start(u"r"_s);
        const auto worker = m_machine->startWorker();
        QTRY_COMPARE_WITH_TIMEOUT(world.books().requestCount(), 1, 60'000);
        setSchema(*m_machine, 99);
        QVERIFY(!worker->join());
        const QString why = worker->status().message;
        QVERIFY2(why.contains(u"has schema 99"_s) && why.contains(u"was changed under"_s),
                 qPrintable(why));
        setSchema(*m_machine, thisSchema());
        QCOMPARE(world.books().requestCount(), 1);
        QCOMPARE(m_machine->step(run, u"one"_s)["status"_L1].toString(), u"succeeded"_s);
        QCOMPARE(m_machine->reviews().size(), 0);
        m_machine->runUntilIdle();
        QCOMPARE(m_machine->statusOf(run), u"succeeded"_s);
        QCOMPARE(world.books().effectCount(), 2);
    }

private:
    // Why a program of this version may not work with it; empty: it may.
    QString refusal() { return m_machine->refusal(u"summary"_s, {}); }

    std::unique_ptr<Machine> m_machine;
};

QTEST_GUILESS_MAIN(PostgresVersions)
#include "tst_postgres_versions.moc"
