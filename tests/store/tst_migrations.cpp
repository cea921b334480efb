// Goal: the migrations, the readable schema.sql and the statements agree, on both databases.
// Method: build one database by migrating and one from schema.sql, and compare what the database
// itself says of them; prepare every named statement.
#include "store/postgres_address.h"
#include "store/sqlite_store.h"
#include "store/statements.h"
#include "store/store_url.h"
#include "support/postgres_server.h"
#include "support/store_fixture.h"

#include <QSqlError>
#include <QSqlQuery>
#include <QSqlRecord>
#include <QTest>
#include <QUrl>
#include <thread>

using namespace holdfast;
using holdfast::store::Dialect;
using holdfast::store::Statements;
using holdfast::tests::PostgresServer;

class Migrations : public QObject
{
    Q_OBJECT

private:
    static QStringList columnOf(const QString &sql, QSqlDatabase database)
    {
        QSqlQuery query(database);
        if (!query.exec(sql))
            qFatal("%s", qPrintable(query.lastError().text()));
        QStringList rows;
        while (query.next()) {
            QStringList cells;
            for (int i = 0; i < query.record().count(); ++i)
                cells.append(query.value(i).toString().simplified());
            rows.append(cells.join(u'|'));
        }
        return rows;
    }
    static QSqlDatabase postgres(const QString &url, const QString &name)
    {
        const auto address = store::PostgresAddress::parse(url);
        QSqlDatabase database = QSqlDatabase::addDatabase("QPSQL", name);
        address->apply(database);
        if (!database.open())
            qFatal("%s", qPrintable(database.lastError().text()));
        return database;
    }

private Q_SLOTS:
    void migrations_are_numbered_alike_on_both()
    {
        const auto &sqlite = Statements::of(Dialect::sqlite).migrations();
        const auto &postgres = Statements::of(Dialect::postgres).migrations();
        QCOMPARE(sqlite.size(), postgres.size());
        for (int i = 0; i < sqlite.size(); ++i) {
            QCOMPARE(sqlite[i].number, i + 1);
            QCOMPARE(postgres[i].number, i + 1);
            QCOMPARE(sqlite[i].name, postgres[i].name);
        }
    }

    void comments_and_quotes_are_told_apart()
    {
        QCOMPARE(Statements::withoutComments("select '--no' -- yes ?\n, 1").simplified(),
                 QString("select '--no' , 1"));
        QCOMPARE(Statements::split("a ';' b; c $$ ; $$ d;").size(), 2);
        for (const Dialect dialect : {Dialect::sqlite, Dialect::postgres}) {
            const Statements &statements = Statements::of(dialect);
            for (const QString &name : statements.names()) {
                const QString text = statements.text(QLatin1String(name.toLatin1()));
                QVERIFY2(!text.contains("--") && !text.contains("_columns}"), qPrintable(name));
            }
        }
    }

    void sqlite_migrations_produce_the_schema()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("a.sqlite");
        {
            store::SqliteStore store(path);
            QVERIFY(store.open().ok());
        }
        QSqlDatabase migrated = QSqlDatabase::addDatabase("QSQLITE", "migrated");
        migrated.setDatabaseName(path);
        QVERIFY(migrated.open());
        QSqlDatabase whole = QSqlDatabase::addDatabase("QSQLITE", "whole");
        whole.setDatabaseName(folder.filePath("b.sqlite"));
        QVERIFY(whole.open());
        for (const QString &text : Statements::of(Dialect::sqlite).schema())
            QVERIFY2(QSqlQuery(whole).exec(text), qPrintable(text));
        const QString facts = "select type, name, tbl_name, sql from sqlite_schema order by name";
        QCOMPARE(columnOf(facts, migrated), columnOf(facts, whole));
    }

    void every_sqlite_statement_prepares()
    {
        QTemporaryDir folder;
        store::SqliteStore store(folder.filePath("a.sqlite"));
        QVERIFY(store.open().ok());
        QSqlDatabase database = QSqlDatabase::addDatabase("QSQLITE", "prepare");
        database.setDatabaseName(folder.filePath("a.sqlite"));
        QVERIFY(database.open());
        const Statements &statements = Statements::of(Dialect::sqlite);
        for (const QString &name : statements.names()) {
            QSqlQuery query(database);
            QVERIFY2(query.prepare(statements.text(QLatin1String(name.toLatin1()))),
                     qPrintable(name + ": " + query.lastError().text()));
        }
    }

    void postgres_migrations_produce_the_schema()
    {
        PostgresServer *server = PostgresServer::shared();
        if (!server)
            QSKIP("PostgreSQL is not installed");
        const QString url = server->createDatabase();
        auto store = store::openStore(url);
        QVERIFY((*store)->open().ok());
        QSqlDatabase migrated = postgres(url, "pg_migrated");
        QSqlDatabase whole = postgres(server->createDatabase(), "pg_whole");
        QVERIFY(QSqlQuery(whole).exec("create schema holdfast"));
        for (const QString &text : Statements::of(Dialect::postgres).schema())
            QVERIFY2(QSqlQuery(whole).exec(text), qPrintable(text));
        for (const char *facts :
             {"select table_name, column_name, data_type, is_nullable, collation_name, "
              "identity_generation from information_schema.columns where table_schema = 'holdfast' "
              "order by table_name, ordinal_position",
              "select indexname, indexdef from pg_indexes where schemaname = 'holdfast' order by 1",
              "select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from "
              "pg_constraint where connamespace = 'holdfast'::regnamespace order by 1, 2"})
            QCOMPARE(columnOf(facts, migrated), columnOf(facts, whole));
    }

    void every_postgres_statement_prepares()
    {
        PostgresServer *server = PostgresServer::shared();
        if (!server)
            QSKIP("PostgreSQL is not installed");
        const QString url = server->createDatabase();
        auto store = store::openStore(url);
        QVERIFY((*store)->open().ok());
        QSqlDatabase database = postgres(url, "pg_prepare");
        const Statements &statements = Statements::of(Dialect::postgres);
        for (const QString &name : statements.names()) {
            if (name.startsWith("lock_gates"))
                continue; // run as text, not prepared
            QSqlQuery query(database);
            QVERIFY2(query.prepare(statements.text(QLatin1String(name.toLatin1()))),
                     qPrintable(name + ": " + query.lastError().text()));
        }
    }

    void several_processes_may_come_first_at_once()
    {
        PostgresServer *server = PostgresServer::shared();
        if (!server)
            QSKIP("PostgreSQL is not installed");
        const QString url = server->createDatabase();
        std::atomic<int> opened = 0;
        std::vector<std::thread> threads;
        for (int i = 0; i < 6; ++i) {
            threads.emplace_back([&] {
                auto store = store::openStore(url);
                const auto result = (*store)->open();
                if (result.ok())
                    ++opened;
                else
                    qWarning("%s", qPrintable(result.error().message));
            });
        }
        for (std::thread &thread : threads)
            thread.join();
        QCOMPARE(opened.load(), 6);
    }

    void a_newer_postgres_schema_is_refused()
    {
        PostgresServer *server = PostgresServer::shared();
        if (!server)
            QSKIP("PostgreSQL is not installed");
        const QString url = server->createDatabase();
        auto store = store::openStore(url);
        QVERIFY((*store)->open().ok());
        server->execute("update holdfast.setting set value = '999' where name = 'schema_version'",
                        QUrl(url).path().mid(1));
        const auto again = (*store)->open();
        QVERIFY(!again.ok());
        QCOMPARE(again.error().kind, model::ErrorKind::unsupported);
        QVERIFY(again.error().message.contains("999"));
        QVERIFY(again.error().message.contains(
            QString::number(Statements::of(Dialect::postgres).newestSchema())));
        QVERIFY(!(*store)->isOpen());
    }

    void a_login_without_the_right_is_told_which()
    {
        PostgresServer *server = PostgresServer::shared();
        if (!server)
            QSKIP("PostgreSQL is not installed");
        if (!server->isOurs())
            QSKIP("needs a server that trusts a new login");
        const QString url = server->createDatabase();
        const QString database = QUrl(url).path().mid(1);
        server->execute("create role clerk login");
        auto clerk = store::openStore(server->urlOf(database, "clerk"));
        auto refused = (*clerk)->open();
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().kind, model::ErrorKind::refused);
        QVERIFY2(refused.error().message.contains("CREATE on the database " + database),
                 qPrintable(refused.error().message));
        QVERIFY(refused.error().message.contains("holdfastctl admin init"));
        auto owner = store::openStore(url);
        QVERIFY((*owner)->open().ok());
        refused = (*clerk)->open();
        QVERIFY(!refused.ok());
        QVERIFY2(refused.error().message.contains("USAGE on the schema holdfast"),
                 qPrintable(refused.error().message));
    }
};

QTEST_GUILESS_MAIN(Migrations)
#include "tst_migrations.moc"
