// No question of the console reads through all runs, journals or keys, however many there are.
// Method: every question the pages ask goes through a door of its own, over some thousand runs.
// Then the database is asked how it goes about each statement that was prepared for them; whatever
// walks a whole table, or the whole of an index that holds all of its rows, is a breach.
// PostgreSQL's own count of such walks is compared too, because a plan for values may differ.
#include "control/console_bench.h"

#include <QRegularExpression>
#include <QSqlDatabase>
#include <QSqlDriver>
#include <QSqlError>
#include <QSqlQuery>
#include <algorithm>
#include <sqlite3.h>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
constexpr int batches = 20;
constexpr int runsInBatch = 100;

// These hold only what is open or due.
const QStringList smallIndexes{u"run_worker"_s, u"run_due"_s, u"ledger_expiry"_s};
const QString largeTables = u"run|journal|ledger|failure"_s;

sqlite3 *handleOf(const QSqlDatabase &database)
{
    const QVariant handle = database.driver()->handle();
    return *static_cast<sqlite3 *const *>(handle.constData());
}

QStringList sqliteBreaches(const QSqlDatabase &database, const QString &sql)
{
    static const QRegularExpression scan(
        u"^SCAN (%1)\\b( USING (?:COVERING )?INDEX (\\w+))?"_s.arg(largeTables));
    const QByteArray text = "explain query plan " + sql.toUtf8();
    sqlite3_stmt *plan = nullptr;
    if (sqlite3_prepare_v2(handleOf(database), text.constData(), -1, &plan, nullptr) != SQLITE_OK)
        return {u"SQLite cannot read "_s + sql};
    QStringList breaches;
    while (sqlite3_step(plan) == SQLITE_ROW) {
        const QString line =
            QString::fromUtf8(reinterpret_cast<const char *>(sqlite3_column_text(plan, 3)));
        const auto match = scan.match(line);
        if (match.hasMatch() && !smallIndexes.contains(match.captured(3)))
            breaches << line + u": "_s + sql;
    }
    sqlite3_finalize(plan);
    return breaches;
}

QStringList sqliteStatements(const QSqlDatabase &database)
{
    sqlite3 *const connection = handleOf(database);
    QStringList statements;
    for (sqlite3_stmt *next = sqlite3_next_stmt(connection, nullptr); next;
         next = sqlite3_next_stmt(connection, next))
        statements << QString::fromUtf8(sqlite3_sql(next));
    return statements;
}

// The first few rows of an index are no walk; those that pass a filter may be the last few.
void findWalks(const QJsonObject &node, bool isLimited, QStringList &breaches)
{
    static const QRegularExpression isLarge(u"^(%1)$"_s.arg(largeTables));
    const QString type = node["Node Type"_L1].toString();
    const QString table = node["Relation Name"_L1].toString();
    const bool isFew = isLimited && !node.contains("Filter"_L1);
    const bool isWalk = type.contains("Seq Scan"_L1) ||
                        (type.startsWith("Index"_L1) && !node.contains("Index Cond"_L1) && !isFew &&
                         !smallIndexes.contains(node["Index Name"_L1].toString()));
    if (isWalk && table.contains(isLarge))
        breaches << u"%1 on %2 %3"_s.arg(type, table, node["Index Name"_L1].toString());
    const QJsonArray below = node["Plans"_L1].toArray();
    for (const QJsonValue &plan : below)
        findWalks(plan.toObject(), type == "Limit"_L1, breaches);
}

// With the plan that holds for any value.
QStringList postgresBreaches(QSqlDatabase &database, const QString &name, int parameters,
                             const QString &sql)
{
    const QStringList nulls(parameters, u"null"_s);
    const QString values = parameters == 0 ? QString() : u"(%1)"_s.arg(nulls.join(u','));
    QSqlQuery plan(database);
    if (!plan.exec(u"explain (format json) execute %1%2"_s.arg(name, values)) || !plan.next())
        return {plan.lastError().text() + u": "_s + sql};
    QStringList breaches;
    const QJsonDocument json = QJsonDocument::fromJson(plan.value(0).toString().toUtf8());
    findWalks(json[0]["Plan"_L1].toObject(), false, breaches);
    for (QString &breach : breaches)
        breach += u": "_s + sql;
    return breaches;
}

QStringList allPostgresBreaches(QSqlDatabase &database)
{
    QSqlQuery list(database);
    list.exec(u"set plan_cache_mode = force_generic_plan"_s);
    if (!list.exec(u"select name, statement, cardinality(parameter_types) "
                   "from pg_prepared_statements"_s))
        return {list.lastError().text()};
    QStringList breaches;
    while (list.next()) {
        const QString sql = list.value(1).toString().section(u" AS "_s, 1);
        const bool isRead = sql.trimmed().startsWith("select"_L1, Qt::CaseInsensitive) ||
                            sql.trimmed().startsWith("with"_L1, Qt::CaseInsensitive);
        if (isRead)
            breaches += postgresBreaches(database, list.value(0).toString(), list.value(2).toInt(),
                                         sql.simplified());
    }
    return breaches;
}

QString asked(QSqlDatabase &database, const QString &sql)
{
    QSqlQuery query(database);
    return query.exec(sql) && query.next() ? query.value(0).toString() : query.lastError().text();
}
} // namespace

class QueryPlans : public QObject, private ConsoleSuite
{
    Q_OBJECT

private:
    std::unique_ptr<ports::Store> m_reader;
    std::unique_ptr<control::LocalDoor> m_door;
    QString m_connection;

    bool isPostgres() const { return m_bench->fixture.kind() == StoreFixture::Kind::postgres; }

    // A connection that has prepared nothing but what the pages ask.
    void openDoor()
    {
        const QStringList before = QSqlDatabase::connectionNames();
        m_reader = m_bench->fixture.connectReader();
        for (const QString &name : QSqlDatabase::connectionNames()) {
            if (!before.contains(name))
                m_connection = name;
        }
        m_door = std::make_unique<control::LocalDoor>(
            *m_reader, control::Surroundings{store::auditHash, [] { return QJsonObject(); }});
    }
    QJsonValue ask(const QString &name, const QJsonObject &arguments)
    {
        const auto answer =
            m_door->call({model::newId(m_bench->fixture.clock.now()), name, arguments, u"ada"_s});
        if (!answer)
            qFatal("%s: %s", qPrintable(name), qPrintable(answer.error().message));
        return *answer;
    }
    void fill()
    {
        const DoorBench::Answer ends[] = {DoorBench::succeeds, DoorBench::succeeds,
                                          failingAt(u"pay"_s, DoorBench::isRefused),
                                          failingAt(u"tell"_s, DoorBench::timesOut)};
        for (int batch = 0; batch < batches; ++batch) {
            for (int i = 0; i < runsInBatch; ++i)
                m_bench->start(u"%1-%2"_s.arg(batch).arg(i));
            // Most end well; of the last batches some wait for people.
            m_bench->run(ends[batch < batches - 2 ? 0 : batch % 4]);
        }
        m_bench->ok("pause", {{u"reason"_s, u"bench"_s}});
        m_bench->start(u"held"_s);
        m_bench->run(DoorBench::succeeds);
    }
    void askAboutRuns()
    {
        const QString run = ask(u"runs"_s, {{u"filter"_s, QString()}, {u"limit"_s, 100}})
                                .toObject()["runs"_L1][50]["run_id"_L1]
                                .toString();
        for (const QString &filter :
             {u""_s, u"status:review"_s, u"status:succeeded,failed"_s,
              u"status:succeeded step:tell"_s, u"workflow:one"_s, u"workflow:one step:pay"_s,
              u"step:tell"_s, u"reason:timeout"_s, u"reason:timeout workflow:one"_s,
              u"dependency:mail"_s, u"key:pay:1-1"_s, u"event:1-1"_s, u"1-1"_s, u"run:"_s + run,
              u"since:1d"_s, u"status:failed since:7d"_s}) {
            for (const QString &cursor : {QString(), run}) {
                QJsonObject arguments{{u"filter"_s, filter}, {u"limit"_s, 100}};
                if (!cursor.isEmpty())
                    arguments.insert(u"cursor"_s, cursor);
                ask(u"runs"_s, arguments);
            }
            ask(u"count"_s, {{u"filter"_s, filter}});
        }
        ask(u"show"_s, {{u"run"_s, run}});
        ask(u"audit"_s, {{u"run"_s, run}, {u"limit"_s, 100}});
        ask(u"ledger"_s, {{u"run"_s, run}});
        for (const QString &name : {u"filter_words"_s, u"views"_s, u"pulse"_s, u"workers"_s,
                                    u"doctor"_s, u"dependencies"_s, u"workflows"_s})
            ask(name, {});
        ask(u"workflow"_s, {{u"workflow"_s, u"one"_s}});
    }
    void askAboutTheRest()
    {
        const QJsonArray reviews = ask(u"reviews"_s, {})["reviews"_L1].toArray();
        QVERIFY(reviews.size() > 10);
        ask(u"review"_s, {{u"review"_s, reviews.first()["id"_L1]}});
        ask(u"reviews"_s, {{u"kind"_s, u"ambiguous"_s}});
        ask(u"reviews"_s, {{u"all"_s, true}});
        const QJsonValue page = ask(u"ledger_page"_s, {{u"limit"_s, 100}});
        ask(u"ledger_page"_s, {{u"limit"_s, 100}, {u"after"_s, page["cursor"_L1]}});
        ask(u"ledger_page"_s, {{u"limit"_s, 100}, {u"status"_s, u"succeeded"_s}});
        ask(u"ledger"_s, {{u"key"_s, u"pay:1-1"_s}});
        ask(u"audit"_s, {{u"limit"_s, 100}, {u"actor"_s, u"ada"_s}});
        ask(u"audit"_s, {{u"limit"_s, 100}, {u"before"_s, 0}});
        const model::Instant now = *m_reader->now();
        for (const model::Millis back : {model::hour, model::day, 30 * model::day}) {
            const QJsonObject span{{u"since"_s, model::instantText(now - back)},
                                   {u"bucket_ms"_s, back == model::hour ? 120'000 : model::hour}};
            ask(u"series"_s, span);
            ask(u"rates"_s, span);
        }
        const QJsonArray groups = ask(u"groups"_s, {})["groups"_L1].toArray();
        QVERIFY(!groups.isEmpty());
        const QString group = groups.first()["id"_L1].toString();
        ask(u"group"_s, {{u"group"_s, group}});
        for (const QString &filter : {u"group:"_s + group, u"status:failed group:"_s + group}) {
            ask(u"runs"_s, {{u"filter"_s, filter}, {u"limit"_s, 100}});
            ask(u"count"_s, {{u"filter"_s, filter}});
        }
        ask(u"report"_s, {});
        ask(u"report"_s, {{u"since"_s, model::instantText(now - now % model::day - model::day)},
                          {u"until"_s, model::instantText(now - now % model::day + model::day)}});
        ask(u"reports"_s, {});
        for (const bool all : {false, true})
            ask(u"pauses"_s, {{u"all"_s, all}});
        const QString pause = ask(u"pauses"_s, {})["pauses"_L1][0]["id"_L1].toString();
        ask(u"resume_check"_s, {{u"pause"_s, pause}});
    }

private Q_SLOTS:
    void initTestCase_data()
    {
        QTest::addColumn<int>("kind");
        for (const StoreFixture::Kind kind : StoreFixture::available()) {
            if (kind != StoreFixture::Kind::memory)
                QTest::newRow(qPrintable(StoreFixture::nameOf(kind))) << int(kind);
        }
    }
    void init() { freshBench(); }
    void cleanup()
    {
        m_door.reset();
        m_reader.reset();
        m_bench.reset();
    }

    void no_page_reads_through_all_runs()
    {
        fill();
        openDoor();
        QSqlDatabase database = QSqlDatabase::database(m_connection);
        const QString walks = u"select sum(seq_scan) from pg_stat_user_tables "
                              "where relname in ('run', 'journal', 'ledger', 'failure')"_s;
        QString before;
        if (isPostgres()) {
            asked(database, u"analyze"_s);
            asked(database, u"select pg_stat_force_next_flush()"_s);
            before = asked(database, walks);
        }
        askAboutRuns();
        askAboutTheRest();
        QStringList breaches;
        if (isPostgres()) {
            asked(database, u"select pg_stat_force_next_flush()"_s);
            QCOMPARE(asked(database, walks), before);
            breaches = allPostgresBreaches(database);
        } else {
            const QStringList statements = sqliteStatements(database);
            QVERIFY2(statements.size() > 30, "the statements were not found");
            for (const QString &sql : statements)
                breaches += sqliteBreaches(database, sql);
        }
        for (const QString &breach : std::as_const(breaches))
            qWarning("%s", qPrintable(breach.simplified()));
        QVERIFY2(breaches.isEmpty(), "see above");
    }

    // The check above is worth what it finds.
    void a_walk_is_found()
    {
        openDoor();
        QSqlDatabase database = QSqlDatabase::database(m_connection);
        const QString schema = isPostgres() ? u"holdfast."_s : QString();
        for (const QString &sql :
             {u"select count(*) from %1run where outputs = ?"_s.arg(schema),
              u"select count(*) from %1journal where at > ?"_s.arg(schema),
              u"select status, count(*) from %1run group by status"_s.arg(schema)}) {
            if (!isPostgres()) {
                QVERIFY2(!sqliteBreaches(database, sql).isEmpty(), qPrintable(sql));
                continue;
            }
            QSqlQuery query(database);
            QVERIFY(query.prepare(sql));
            QVERIFY2(!allPostgresBreaches(database).isEmpty(), qPrintable(sql));
        }
    }
};

QTEST_GUILESS_MAIN(QueryPlans)
#include "tst_query_plans.moc"
