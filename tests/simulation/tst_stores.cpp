// Goal: SQLite and PostgreSQL keep what memory keeps (I26), so that what the simulation shows of
// the one holds for all. Method: what seeds did to the database in memory is done again to the
// others, transaction by transaction and at the same instants; what each change answers is
// compared, and at the end all tables that a seed changes. HOLDFAST_STORES_FROM and
// HOLDFAST_STORES_SEEDS choose others.
#include "simulation/simulation.h"
#include "simulation/table_text.h"
#include "support/store_fixture.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QUrl>
#include <QtTest>

#include <numeric>

using namespace Qt::StringLiterals;

namespace holdfast::simulation
{

using tests::StoreFixture;

namespace
{
// PostgreSQL tells its own time; here it tells ours, by a function of the same name that is found
// first. That nothing is lost when it crashes is not asked here, so that it need not wait for
// disks.
class PostgresTime
{
public:
    explicit PostgresTime(const QUrl &url)
    {
        const QString database = url.path().mid(1);
        QSqlDatabase connection = QSqlDatabase::addDatabase(u"QPSQL"_s, m_name);
        connection.setHostName(url.host());
        connection.setPort(url.port());
        connection.setUserName(url.userName());
        connection.setPassword(url.password());
        connection.setDatabaseName(database);
        if (!connection.open())
            qFatal("%s", qPrintable(connection.lastError().text()));
        execute(u"create schema simulated"_s);
        execute(u"create table simulated.moment (ms bigint not null)"_s);
        execute(u"insert into simulated.moment values (0)"_s);
        execute(uR"(create function simulated.clock_timestamp() returns timestamptz volatile
                    language sql as 'select to_timestamp(ms / 1000.0) from simulated.moment')"_s);
        execute(uR"(do $$ declare each regprocedure; begin
                    for each in select oid from pg_proc
                        where pronamespace = 'holdfast'::regnamespace and prokind = 'f' loop
                        execute format('alter function %s
                            set search_path = simulated, pg_catalog, pg_temp', each);
                    end loop; end $$)"_s);
        execute(u"alter database %1 set search_path = simulated, pg_catalog"_s.arg(database));
        execute(u"alter database %1 set synchronous_commit = off"_s.arg(database));
        execute(u"set synchronous_commit = off"_s);
    }
    ~PostgresTime() { QSqlDatabase::removeDatabase(m_name); }
    Q_DISABLE_COPY_MOVE(PostgresTime)

    void set(Instant now) { execute(u"update simulated.moment set ms = %1"_s.arg(now)); }

private:
    void execute(const QString &sql)
    {
        QSqlQuery query(QSqlDatabase::database(m_name));
        if (!query.exec(sql))
            qFatal("%s", qPrintable(query.lastError().text()));
    }
    const QString m_name = u"simulated time"_s;
};

// Another database, to which the same is done.
class Copy
{
public:
    Copy(StoreFixture::Kind kind, const store::MemoryDatabase &original)
        : m_fixture(kind), m_store(m_fixture.connect())
    {
        if (kind == StoreFixture::Kind::postgres) {
            m_time.emplace(QUrl(m_fixture.url()));
            m_store = m_fixture.connect();
        }
        for (const auto &[key, row] : original.dependencies)
            must(m_store->deployDependency(row));
        for (const auto &[key, row] : original.workflows)
            must(m_store->deployWorkflow(row));
    }

    // What came out otherwise, or nothing.
    QString repeat(const Notes &notes)
    {
        for (size_t i = 0; i < notes.size(); ++i) {
            setTime(notes[i].at);
            must(m_store->begin());
            for (const Deed &deed : notes[i].deeds) {
                if (const QString otherwise = deed(*m_store); !otherwise.isEmpty())
                    return u"transaction %1 of %2: %3"_s.arg(i + 1)
                        .arg(notes.size())
                        .arg(otherwise);
            }
            must(m_store->commit());
        }
        return {};
    }
    ports::Store &store() { return *m_store; }

private:
    template <typename T>
    static void must(const Result<T> &done)
    {
        if (!done)
            qFatal("%s", qPrintable(done.error().message));
    }
    void setTime(Instant now)
    {
        m_fixture.clock.set(now);
        if (m_time)
            m_time->set(now);
    }

    StoreFixture m_fixture;
    std::unique_ptr<ports::Store> m_store;
    std::optional<PostgresTime> m_time;
};

int given(const char *name, int otherwise)
{
    return qEnvironmentVariableIsSet(name) ? qEnvironmentVariableIntValue(name) : otherwise;
}
} // namespace

class StoresTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void keepWhatMemoryKeeps_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("seed");
        const int seeds = qEnvironmentVariableIsSet("HOLDFAST_TEST_LONG") ? 150 : 8;
        const int from = given("HOLDFAST_STORES_FROM", 1);
        for (int seed = from; seed < from + given("HOLDFAST_STORES_SEEDS", seeds); ++seed) {
            for (const auto kind : StoreFixture::available())
                QTest::addRow("%s, seed %d", qPrintable(StoreFixture::nameOf(kind)), seed)
                    << int(kind) << seed;
        }
    }
    void keepWhatMemoryKeeps()
    {
        QFETCH(int, kind);
        QFETCH(int, seed);
        const Notes notes = play(quint64(seed));
        Copy copy(StoreFixture::Kind(kind), *m_stage.database);
        QCOMPARE(copy.repeat(notes), QString());
        const auto tables = tablesOfMemory();
        QCOMPARE(difference(tables, tablesOf(copy.store(), dependencies(), commands())), QString());
        qInfo("%d transactions, %d rows", int(notes.size()), rowsIn(tables));
    }

    // Where one transaction is left out, the largest, that is seen.
    void noticeWhatIsLeftOut()
    {
        Notes notes = play(1);
        notes.erase(std::max_element(notes.begin(), notes.end(), [](const auto &a, const auto &b) {
            return a.deeds.size() < b.deeds.size();
        }));
        Copy copy(StoreFixture::Kind::memory, *m_stage.database);
        QString otherwise = copy.repeat(notes);
        if (otherwise.isEmpty())
            otherwise =
                difference(tablesOfMemory(), tablesOf(copy.store(), dependencies(), commands()));
        QVERIFY(!otherwise.isEmpty());
    }

private:
    // Its tables stay until the next one is played.
    Notes play(quint64 seed)
    {
        m_simulation.reset();
        m_notes.clear();
        m_simulation = std::make_unique<Simulation>(m_stage, seed, false, &m_notes);
        if (!m_simulation->run().good() || m_notes.size() < 20)
            qFatal("seed %llu is of no use here", seed);
        return m_notes;
    }
    QMap<QString, QStringList> tablesOfMemory()
    {
        store::MemoryStore original(&m_stage.agenda.clock(), m_stage.database);
        if (!original.open())
            qFatal("memory cannot be opened");
        return tablesOf(original, dependencies(), commands());
    }
    QStringList dependencies() const
    {
        QStringList names;
        for (const auto &[key, row] : m_stage.database->dependencies)
            names.append(row.name);
        return names;
    }
    QStringList commands() const
    {
        QStringList ids;
        for (const auto &[id, row] : m_stage.database->commands)
            ids.append(id);
        return ids;
    }
    static int rowsIn(const QMap<QString, QStringList> &tables)
    {
        return std::accumulate(
            tables.cbegin(), tables.cend(), 0,
            [](int sum, const QStringList &rows) { return sum + int(rows.size()); });
    }
    static QString difference(const QMap<QString, QStringList> &ours,
                              const QMap<QString, QStringList> &theirs)
    {
        for (auto table = ours.cbegin(); table != ours.cend(); ++table) {
            const QStringList other = theirs.value(table.key());
            for (qsizetype i = 0; i < std::min(table->size(), other.size()); ++i) {
                if (table->at(i) != other.at(i))
                    return u"%1\n%2\n%3"_s.arg(table.key(), table->at(i), other.at(i));
            }
            if (table->size() != other.size())
                return u"%1: %2 rows, not %3"_s.arg(table.key())
                    .arg(other.size())
                    .arg(table->size());
        }
        return {};
    }

    Stage m_stage;
    Notes m_notes;
    std::unique_ptr<Simulation> m_simulation;
};

} // namespace holdfast::simulation

QTEST_GUILESS_MAIN(holdfast::simulation::StoresTest)
#include "tst_stores.moc"
