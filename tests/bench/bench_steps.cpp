// How many durable steps a second the engine makes, beside what the database can take at best.
//
// Method: runs of three write steps whose effects are in-process no-ops, 200 in flight, full fsync.
// Every row the engine writes is remembered; afterwards as many rows of the same bytes go into a
// bare table, in transactions of the same width, on the same database, in the same process. The
// ratio is the figure.
#include "bench/bench_support.h"
#include "runtime/turn.h"
#include "store/store_url.h"
#include "support/postgres_server.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTextStream>
#include <QUrl>

using namespace holdfast;
using namespace holdfast::bench;

namespace
{
const QByteArray definitions = R"(holdfast: 1
dependency: noop
owner: bench@example.com
url: http://127.0.0.1:9
idempotency: {protection: native, header: Idempotency-Key, retention: 24h}
---
holdfast: 1
workflow: bench
version: 1
owner: bench@example.com
event_id: ${ input.id }
input: {type: object, required: [id]}
steps:
  - step: one
    dependency: noop
    effect: write
    key: one:${ input.id }
    http: {method: POST, path: /one, body: {id: "${ input.id }"}}
    receipt: {id: "${ response.body.id }"}
    compensate: none
  - step: two
    dependency: noop
    effect: write
    key: two:${ input.id }
    http: {method: POST, path: /two, body: {id: "${ input.id }"}}
    receipt: {id: "${ response.body.id }"}
    compensate: none
  - step: three
    dependency: noop
    effect: write
    key: three:${ input.id }
    http: {method: POST, path: /three, body: {id: "${ input.id }"}}
    receipt: {id: "${ response.body.id }"}
    compensate: none
)";

class NoopSender : public ports::Sender
{
public:
    void setReport(Report) override {}
    void send(const model::Call &call) override
    {
        model::CallResult result;
        result.runId = call.runId;
        result.step = call.step;
        result.direction = call.direction;
        result.attempt = call.attempt;
        result.fence = call.fence;
        result.status = 200;
        result.body = QByteArrayLiteral("{\"id\":\"obj_1\"}");
        result.bodyComplete = true;
        results.append(result);
    }
    void drain() override {}
    QVector<model::CallResult> results;
};

struct Written {
    QVector<QVector<QPair<QString, QString>>>
        turns; // per transaction, rows as (key, everything else)
    qint64 rows = 0;
    double seconds = 0;
};

// Remembers what passes through on its way to the real store.
class Recorder
{
public:
    void note(const QString &key, const QString &rest) { m_turn.append({key, rest}); }
    void endTurn(Written &written)
    {
        written.rows += m_turn.size();
        if (!m_turn.isEmpty())
            written.turns.append(std::exchange(m_turn, {}));
    }

private:
    QVector<QPair<QString, QString>> m_turn;
};

// The journal tells which rows each turn wrote: one run row and one journal row a run and turn, one
// ledger row for each first intent and one for each receipt.
Written collect(ports::Store &store)
{
    Written written;
    Recorder recorder;
    qint64 after = 0;
    model::Instant turnAt = model::never;
    int width = 0;
    while (true) {
        const auto rows = must(store.journalAfter(after, 1000));
        if (rows.isEmpty())
            break;
        for (const ports::JournalRow &row : rows) {
            after = row.id;
            if (row.seq == 1)
                continue;
            if (row.at != turnAt || width >= 200) {
                recorder.endTurn(written);
                turnAt = row.at;
                width = 0;
            }
            ++width;
            recorder.note(row.runId, QString::fromUtf8(row.entries));
            recorder.note(row.runId, QStringLiteral("bench running one 2 0 0 0 {} []").repeated(4));
            for (const model::Entry &entry : model::entriesFromJson(row.entries)) {
                if (entry.kind == model::EntryKind::intent ||
                    entry.kind == model::EntryKind::confirmed)
                    recorder.note(entry.key,
                                  row.runId + QStringLiteral(" noop POST ").repeated(16));
            }
        }
    }
    recorder.endTurn(written);
    return written;
}

double measureEngine(ports::Store &store, int runs)
{
    runtime::Catalog catalog;
    NoopSender sender;
    const ports::SystemClock clock;
    runtime::TurnOptions options;
    options.worker = model::newId(clock.now());
    must(store.registerWorker(
        {options.worker, QStringLiteral("bench"), 1, {}, 0, 0, QStringLiteral("running")},
        model::hour));
    runtime::Turn turn(store, catalog, sender, clock, options);
    QElapsedTimer timer;
    timer.start();
    while (true) {
        const auto report = must(turn.turn(std::exchange(sender.results, {})));
        if (report.claimed == 0 && report.decided == 0)
            break;
    }
    const double seconds = double(timer.nsecsElapsed()) / 1e9;
    const auto counts = must(store.counts());
    if (counts.runsByStatus.value(QStringLiteral("succeeded")) != runs)
        die(QStringLiteral("only %1 of %2 runs succeeded")
                .arg(counts.runsByStatus.value(QStringLiteral("succeeded")))
                .arg(runs));
    return seconds;
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
    QSqlQuery query(database);
    if (database.driverName() == QLatin1String("QSQLITE")) {
        query.exec(QStringLiteral("pragma journal_mode=wal"));
        query.exec(QStringLiteral("pragma synchronous=full"));
        query.exec(QStringLiteral("create table bare(id integer primary key, k text, v text)"));
    } else {
        query.exec(QStringLiteral("create table bare(id bigserial primary key, k text, v text)"));
    }
    return database;
}

QString arrayLiteral(const QVector<QPair<QString, QString>> &rows, bool keys)
{
    QString text = QStringLiteral("{");
    for (const auto &[key, value] : rows) {
        QString item = keys ? key : value;
        item.replace(u'\\', QLatin1String("\\\\")).replace(u'"', QLatin1String("\\\""));
        if (text.size() > 1)
            text += u',';
        text += u'"' + item + u'"';
    }
    return text + u'}';
}

double measureBare(QSqlDatabase database, const Written &written)
{
    const bool sqlite = database.driverName() == QLatin1String("QSQLITE");
    QSqlQuery insert(database);
    insert.prepare(sqlite ? QStringLiteral("insert into bare(k, v) values(?, ?)")
                          : QStringLiteral("insert into bare(k, v) select * from "
                                           "unnest(?::text[], ?::text[])"));
    QElapsedTimer timer;
    timer.start();
    for (const auto &rows : written.turns) {
        QSqlQuery(QStringLiteral("begin"), database);
        if (sqlite) {
            for (const auto &[key, value] : rows) {
                insert.bindValue(0, key);
                insert.bindValue(1, value);
                if (!insert.exec())
                    die(insert.lastError().text());
            }
        } else {
            insert.bindValue(0, arrayLiteral(rows, true));
            insert.bindValue(1, arrayLiteral(rows, false));
            if (!insert.exec())
                die(insert.lastError().text());
        }
        QSqlQuery(QStringLiteral("commit"), database);
    }
    return double(timer.nsecsElapsed()) / 1e9;
}

void measure(const QString &name, const QString &url, const QString &bareFile, int runs)
{
    QTextStream out(stdout);
    Written written;
    double engineSeconds = 0;
    {
        auto store = must(store::openStore(url));
        must(store->open());
        deploy(*store, definitions);
        startRuns(*store, runs);
        engineSeconds = measureEngine(*store, runs);
        written = collect(*store);
    }
    const double bareSeconds = measureBare(bareDatabase(url, bareFile), written);
    QSqlDatabase::removeDatabase(QStringLiteral("bare"));
    const double steps = 3.0 * runs;
    out << name << ": " << qRound(steps / engineSeconds) << " durable steps/s, " << written.rows
        << " rows in " << written.turns.size()
        << " commits; bare rows at the same width: " << qRound(steps / bareSeconds)
        << " steps/s; ratio " << QString::number(100.0 * bareSeconds / engineSeconds, 'f', 1)
        << " %" << Qt::endl;
}
} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const int runs = argc > 1 ? QString::fromLocal8Bit(argv[1]).toInt() : 4000;
    QTemporaryDir directory;
    measure(QStringLiteral("SQLite"),
            QStringLiteral("sqlite:") + directory.filePath(QStringLiteral("b.db")),
            directory.filePath(QStringLiteral("bare.db")), runs);
    if (qEnvironmentVariable("HOLDFAST_BENCH") == QLatin1String("sqlite"))
        return 0;
    tests::PostgresServer *server = tests::PostgresServer::shared();
    if (!server)
        die(QStringLiteral("PostgreSQL is not installed"));
    measure(QStringLiteral("PostgreSQL"), server->createDatabase(), {}, runs);
    return 0;
}
