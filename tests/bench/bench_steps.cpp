// How many durable steps a second the engine makes, beside what the database can take at best.
//
// Method: runs of three write steps whose effects are in-process no-ops, 200 in flight, full fsync.
// Afterwards the same rows, with all their columns, go into bare tables (a primary key, no other
// index, no constraint) in transactions of the same width, on the same database, in the same
// process. The ratio is the figure.
#include "bench/noop_engine.h"
#include "store/sqlite_statement.h"
#include "store/store_url.h"
#include "support/postgres_server.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QSqlDatabase>
#include <QSqlDriver>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTextStream>
#include <QUrl>
#include <algorithm>

using namespace holdfast;
using namespace holdfast::bench;

namespace
{
using Row = QVariantList;

// Everything the engine wrote, transaction by transaction, with all its columns.
struct Written {
    struct Transaction {
        QVector<Row> runs;
        QVector<Row> journal;
        QVector<Row> ledger;
        QVector<Row> outbox;
    };
    QVector<Transaction> transactions;
    qint64 rows = 0;
};

Row runRow(const ports::JournalRow &row)
{
    return {row.runId,
            QStringLiteral("bench"),
            1,
            QStringLiteral("event-1"),
            1,
            QString(64, u'a'),
            QStringLiteral("running"),
            row.seq,
            row.fence,
            row.worker,
            row.at,
            row.at,
            row.at,
            row.at,
            row.at,
            QStringLiteral("one"),
            QString(),
            0,
            0,
            0,
            QStringLiteral("{}"),
            QString(120, u'o')};
}

Row ledgerRow(const ports::JournalRow &row, const model::Entry &entry)
{
    return {QStringLiteral("noop POST /one"),
            entry.key,
            QString(64, u'h'),
            QStringLiteral("succeeded"),
            row.runId,
            entry.step,
            QStringLiteral("forward"),
            QStringLiteral("{}"),
            QStringLiteral("{\"id\":\"obj_1\"}"),
            row.at,
            row.at};
}

Row outboxRow(const ports::JournalRow &row)
{
    return {row.runId + QStringLiteral("-5-0"),
            row.at,
            QStringLiteral("run.succeeded"),
            row.runId,
            QString(110, u'p'),
            row.at};
}

// The journal tells which rows each turn wrote: one run row and one journal row a run and turn, one
// ledger row for each first intent and one for each receipt, one outbox row for each end.
Written collect(ports::Store &store)
{
    Written written;
    qint64 after = 0;
    model::Instant turnAt = model::never;
    while (true) {
        const auto rows = must(store.journalAfter(after, 1000));
        if (rows.isEmpty())
            return written;
        for (const ports::JournalRow &row : rows) {
            after = row.id;
            if (row.seq == 1)
                continue;
            if (row.at != turnAt || written.transactions.last().runs.size() >= 200)
                written.transactions.append(Written::Transaction());
            turnAt = row.at;
            Written::Transaction &transaction = written.transactions.last();
            transaction.runs.append(runRow(row));
            transaction.journal.append({row.runId, row.seq, row.at, row.worker, row.fence,
                                        QString::fromUtf8(row.entries)});
            written.rows += 2;
            for (const model::Entry &entry : model::entriesFromJson(row.entries)) {
                if (entry.kind == model::EntryKind::finished) {
                    transaction.outbox.append(outboxRow(row));
                    ++written.rows;
                }
                if (entry.kind != model::EntryKind::intent &&
                    entry.kind != model::EntryKind::confirmed)
                    continue;
                transaction.ledger.append(ledgerRow(row, entry));
                ++written.rows;
            }
        }
    }
}

QSqlDatabase bareDatabase(const QString &url, const QString &file)
{
    QSqlDatabase database;
    if (url.startsWith(QLatin1String("postgresql"))) {
        const QUrl parsed(url);
        database = QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), QStringLiteral("bare"));
        database.setHostName(parsed.host());
        database.setPort(parsed.port());
        database.setUserName(parsed.userName());
        database.setDatabaseName(parsed.path().mid(1));
    } else {
        database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("bare"));
        database.setDatabaseName(file);
    }
    if (!database.open())
        die(database.lastError().text());
    if (database.driverName() == QLatin1String("QSQLITE")) {
        QSqlQuery(QStringLiteral("pragma journal_mode=wal"), database);
        QSqlQuery(QStringLiteral("pragma synchronous=full"), database);
    }
    return database;
}

// A table with as many columns and a primary key, nothing else; the fastest way in that the
// database has: raw prepared statements on SQLite, arrays on PostgreSQL.
class BareTable
{
public:
    BareTable(const QSqlDatabase &database, const QString &name, const Row &sample)
        : m_insert(database), m_sqlite(database.driverName() == QLatin1String("QSQLITE"))
    {
        QStringList columns, types, places;
        for (qsizetype i = 0; i < sample.size(); ++i) {
            const bool text = sample.at(i).typeId() == QMetaType::QString;
            const QString type = text ? QStringLiteral("text") : QStringLiteral("bigint");
            columns.append(QStringLiteral("c%1").arg(i));
            types.append(columns.last() + u' ' + type);
            places.append(m_sqlite ? QStringLiteral("?") : QStringLiteral("?::%1[]").arg(type));
        }
        const QString id = m_sqlite ? QStringLiteral("integer") : QStringLiteral("bigserial");
        QSqlQuery(QStringLiteral("create table %1(id %2 primary key, %3)")
                      .arg(name, id, types.join(u',')),
                  database);
        const QString into = QStringLiteral("insert into %1(%2) ").arg(name, columns.join(u','));
        if (m_sqlite) {
            const QVariant handle = database.driver()->handle();
            m_statement = std::make_unique<store::SqliteStatement>(
                *static_cast<sqlite3 *const *>(handle.constData()),
                into + QStringLiteral("values(%1)").arg(places.join(u',')));
        } else if (!m_insert.prepare(
                       into + QStringLiteral("select * from unnest(%1)").arg(places.join(u',')))) {
            die(m_insert.lastError().text());
        }
    }

    void insert(const QVector<Row> &rows)
    {
        if (m_sqlite) {
            for (const Row &row : rows) {
                if (m_statement->change(row) != 1)
                    die(m_statement->message());
            }
            return;
        }
        if (rows.isEmpty())
            return;
        for (int column = 0; column < rows.first().size(); ++column)
            m_insert.bindValue(column, arrayOf(rows, column));
        if (!m_insert.exec())
            die(m_insert.lastError().text());
    }

private:
    static QString arrayOf(const QVector<Row> &rows, int column)
    {
        QString text = QStringLiteral("{");
        for (const Row &row : rows) {
            QString item = row.at(column).toString();
            item.replace(u'\\', QLatin1String("\\\\")).replace(u'"', QLatin1String("\\\""));
            if (text.size() > 1)
                text += u',';
            text += u'"' + item + u'"';
        }
        return text + u'}';
    }

    QSqlQuery m_insert;
    std::unique_ptr<store::SqliteStatement> m_statement;
    bool m_sqlite;
};

double measureBare(const QSqlDatabase &database, const Written &written)
{
    const Written::Transaction &sample = written.transactions.first();
    BareTable runs(database, QStringLiteral("bare_run"), sample.runs.first());
    BareTable journal(database, QStringLiteral("bare_journal"), sample.journal.first());
    BareTable ledger(database, QStringLiteral("bare_ledger"), sample.ledger.first());
    BareTable outbox(database, QStringLiteral("bare_outbox"), outboxRow({}));
    QElapsedTimer timer;
    timer.start();
    for (const Written::Transaction &transaction : written.transactions) {
        QSqlQuery(QStringLiteral("begin"), database);
        runs.insert(transaction.runs);
        journal.insert(transaction.journal);
        ledger.insert(transaction.ledger);
        outbox.insert(transaction.outbox);
        QSqlQuery(QStringLiteral("commit"), database);
    }
    return double(timer.nsecsElapsed()) / 1e9;
}

struct Round {
    double engine = 0; // steps a second
    double bare = 0;
    qint64 rows = 0;
    qsizetype commits = 0;

    double share() const { return 100.0 * engine / bare; }
};

Round measureOnce(const QString &url, const QString &bareFile, int runs)
{
    Written written;
    double engineSeconds = 0;
    {
        auto store = must(store::openStore(url));
        must(store->open());
        deploy(*store, noopDefinitions);
        startRuns(*store, runs);
        engineSeconds = secondsOf(*store, runs);
        written = collect(*store);
    }
    const double bareSeconds = measureBare(bareDatabase(url, bareFile), written);
    QSqlDatabase::removeDatabase(QStringLiteral("bare"));
    const double steps = 3.0 * runs;
    return {steps / engineSeconds, steps / bareSeconds, written.rows, written.transactions.size()};
}

// Rounds alternate between engine and bare rows, so that a neighbour's noise meets both; the median
// round speaks.
void report(const QString &name, QVector<Round> rounds)
{
    std::sort(rounds.begin(), rounds.end(),
              [](const Round &a, const Round &b) { return a.share() < b.share(); });
    const Round &middle = rounds.at(rounds.size() / 2);
    QTextStream(stdout) << name << ": " << qRound(middle.engine) << " durable steps/s, "
                        << middle.rows << " rows in " << middle.commits
                        << " commits; bare rows at the same width: " << qRound(middle.bare)
                        << " steps/s; ratio " << QString::number(middle.share(), 'f', 1)
                        << " % (of " << rounds.size() << " rounds, "
                        << QString::number(rounds.first().share(), 'f', 1) << " to "
                        << QString::number(rounds.last().share(), 'f', 1) << ")" << Qt::endl;
}
} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const int runs = argc > 1 ? QString::fromLocal8Bit(argv[1]).toInt() : 2000;
    constexpr int roundCount = 7;
    QVector<Round> rounds;
    for (int i = 0; i < roundCount; ++i) {
        QTemporaryDir directory;
        rounds.append(
            measureOnce(QStringLiteral("sqlite:") + directory.filePath(QStringLiteral("b.db")),
                        directory.filePath(QStringLiteral("bare.db")), runs));
    }
    report(QStringLiteral("SQLite"), std::exchange(rounds, {}));
    if (qEnvironmentVariable("HOLDFAST_BENCH") == QLatin1String("sqlite"))
        return 0;
    tests::PostgresServer *server = tests::PostgresServer::shared();
    if (!server)
        die(QStringLiteral("PostgreSQL is not installed"));
    for (int i = 0; i < roundCount; ++i)
        rounds.append(measureOnce(server->createDatabase(), {}, runs));
    report(QStringLiteral("PostgreSQL"), rounds);
    return 0;
}
