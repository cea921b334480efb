// A shared run database with one login for each role, on a server of the test's own: what a team
// has after `holdfastctl admin init`.
#pragma once

#include "store/postgres_store.h"
#include "support/postgres_server.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTest>
#include <QUrl>

namespace holdfast::tests
{

class SharedDatabase
{
public:
    // vera views, omar operates, ana approves, olga does both, wendy works, adam administers; nora
    // has no role.
    bool start()
    {
        if (!m_server.start())
            return false;
        m_url = m_server.createDatabase();
        auto owner = openAs({});
        if (!owner || !owner->begin() || !owner->createRoles())
            return false;
        const QVector<std::pair<QString, ports::Role>> members{
            {QStringLiteral("vera"), ports::Role::viewer},
            {QStringLiteral("omar"), ports::Role::operator_},
            {QStringLiteral("ana"), ports::Role::approver},
            {QStringLiteral("olga"), ports::Role::operator_},
            {QStringLiteral("olga"), ports::Role::approver},
            {QStringLiteral("wendy"), ports::Role::worker},
            {QStringLiteral("adam"), ports::Role::admin}};
        for (const QString &login : logins())
            m_server.execute(QStringLiteral("create role %1 login").arg(login));
        for (const auto &[login, role] : members) {
            if (!owner->grantRole(login, role))
                return false;
        }
        return owner->commit().ok();
    }

    static QStringList logins()
    {
        return {QStringLiteral("vera"), QStringLiteral("omar"),  QStringLiteral("ana"),
                QStringLiteral("olga"), QStringLiteral("wendy"), QStringLiteral("adam"),
                QStringLiteral("nora")};
    }
    QString name() const { return QUrl(m_url).path().mid(1); }
    QString urlOf(const QString &login) const
    {
        return login.isEmpty() ? m_url : m_server.urlOf(name(), login);
    }
    PostgresServer &server() { return m_server; }

    // Null: it could not be opened.
    std::unique_ptr<store::PostgresStore> openAs(const QString &login) const
    {
        auto made =
            std::make_unique<store::PostgresStore>(*store::PostgresAddress::parse(urlOf(login)));
        const auto opened = made->open();
        if (!opened)
            qWarning("%s", qPrintable(opened.error().message));
        return opened ? std::move(made) : nullptr;
    }

    // A connection of somebody with a login and a SQL prompt; nothing of ours is in between.
    QSqlDatabase promptOf(const QString &login) const
    {
        const QString connection = QStringLiteral("prompt ") + login;
        if (QSqlDatabase::contains(connection))
            return QSqlDatabase::database(connection);
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), connection);
        store::PostgresAddress::parse(urlOf(login))->apply(database);
        database.open();
        return database;
    }

    // The SQLSTATE with which the server refused it; empty: it was done.
    QString refusalOf(const QString &login, const QStringList &statements) const
    {
        QSqlDatabase prompt = promptOf(login);
        QSqlQuery query(prompt);
        query.exec(QStringLiteral("begin"));
        for (const QString &statement : statements) {
            if (!query.exec(statement)) {
                const QString state = query.lastError().nativeErrorCode();
                m_said = query.lastError().databaseText();
                query.exec(QStringLiteral("rollback"));
                return state;
            }
        }
        if (query.exec(QStringLiteral("commit")))
            return {};
        m_said = query.lastError().databaseText();
        return query.lastError().nativeErrorCode();
    }
    QString said() const { return m_said; } // with the last refusal

private:
    PostgresServer m_server;
    QString m_url;
    mutable QString m_said;
};

} // namespace holdfast::tests
