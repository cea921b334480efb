#include "store/postgres_address.h"

#include <QUrl>
#include <QUrlQuery>

namespace holdfast::store
{

using model::Result;

namespace
{
QString quoted(QString text)
{
    return u'\'' + text.replace(u'\\', QLatin1String("\\\\")).replace(u'\'', QLatin1String("\\'")) +
           u'\'';
}
} // namespace

Result<PostgresAddress> PostgresAddress::parse(const QString &url)
{
    const QUrl parsed(url, QUrl::StrictMode);
    // Never with the address in it: it may carry a password.
    if (!parsed.isValid() || (parsed.scheme() != QLatin1String("postgresql") &&
                              parsed.scheme() != QLatin1String("postgres")))
        return model::invalid(
            QStringLiteral("the address of the run database cannot be read; write "
                           "postgresql://user@host/database"));
    const QUrlQuery query(parsed);
    PostgresAddress address;
    address.user = parsed.userName(QUrl::FullyDecoded);
    address.password = parsed.password(QUrl::FullyDecoded);
    address.host = parsed.host();
    address.port = parsed.port(5432);
    address.database = parsed.path(QUrl::FullyDecoded).mid(1);
    for (const auto &[name, value] : query.queryItems(QUrl::FullyDecoded)) {
        if (name == QLatin1String("sslmode"))
            address.sslMode = value;
        else if (name == QLatin1String("sslrootcert"))
            address.sslRootCert = value;
        else if (name == QLatin1String("host"))
            address.host = value;
        else
            return model::invalid(
                QStringLiteral("the address of the run database has an unknown option %1")
                    .arg(name));
    }
    if (address.database.isEmpty() || address.user.isEmpty())
        return model::invalid(
            QStringLiteral("the address of the run database names no user or no database"));
    if (address.host.isEmpty())
        address.host = QStringLiteral("/var/run/postgresql");
    if (address.sslMode.isEmpty())
        address.sslMode =
            address.isLocal() ? QStringLiteral("prefer") : QStringLiteral("verify-full");
    if (!address.isLocal() && address.sslMode != QLatin1String("verify-full"))
        return model::refused(QStringLiteral("sslmode=%1 would trust anyone who answers for %2; "
                                             "use verify-full (with sslrootcert=FILE)")
                                  .arg(address.sslMode, address.host));
    return address;
}

bool PostgresAddress::isLocal() const
{
    return host.startsWith(u'/') || host == QLatin1String("localhost") ||
           host == QLatin1String("::1") || host.startsWith(QLatin1String("127."));
}

QString PostgresAddress::describe() const
{
    const QString place = port == 5432 ? host : QStringLiteral("%1:%2").arg(host).arg(port);
    return QStringLiteral("postgresql://%1@%2/%3").arg(user, place, database);
}

void PostgresAddress::apply(QSqlDatabase &connection) const
{
    connection.setHostName(host);
    connection.setPort(port);
    connection.setUserName(user);
    connection.setPassword(password);
    connection.setDatabaseName(database);
    // Every statement of ours has an index, and a plan made while a table was small must not turn
    // into a scan when it has grown: no sequential scans, one plan per prepared statement.
    QString options =
        QStringLiteral(
            "connect_timeout=5;application_name=holdfast;sslmode=%1;keepalives=1;"
            "keepalives_idle=10;keepalives_interval=5;keepalives_count=3;"
            "tcp_user_timeout=20000;options='-c synchronous_commit=on "
            "-c statement_timeout=30s -c lock_timeout=10s "
            "-c idle_in_transaction_session_timeout=30s -c enable_seqscan=off -c jit=off "
            "-c plan_cache_mode=force_generic_plan -c client_min_messages=warning'")
            .arg(sslMode);
    if (!sslRootCert.isEmpty())
        options += QStringLiteral(";sslrootcert=") + quoted(sslRootCert);
    connection.setConnectOptions(options);
}

} // namespace holdfast::store
