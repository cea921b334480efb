#include "store/postgres_store.h"

#include "store/postgres_schema.h"
#include "store/row_reader.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QUuid>

namespace holdfast::store
{

using namespace ports;

PostgresStore::PostgresStore(const PostgresAddress &address, Mode mode)
    : SqlStore(Dialect::postgres), m_address(address), m_mode(mode)
{
}

PostgresStore::~PostgresStore() { rollback(); }

bool PostgresStore::isRunId(const QString &runId) const
{
    return runId.size() == 36 && !QUuid::fromString(runId).isNull();
}

QString PostgresStore::lowestRunId() const
{
    return QStringLiteral("00000000-0000-0000-0000-000000000001");
}

QString PostgresStore::highestRunId() const
{
    return QStringLiteral("ffffffff-ffff-ffff-ffff-ffffffffffff");
}

Result<void> PostgresStore::open()
{
    forgetTransaction();
    m_begun = false;
    m_quotaConnection.detach();
    if (const Result<void> connected = connect(m_connection); !connected)
        return connected;
    PostgresSchema schema(m_connection, describe());
    const Result<void> settled = schema.settle();
    const Result<Rights> rights = settled ? schema.rights() : settled.error();
    if (!rights) {
        m_connection.detach();
        return rights.error();
    }
    m_rights = *rights;
    if (m_mode == Mode::reader)
        return m_connection.direct(QStringLiteral("set default_transaction_read_only = on"));
    return {};
}

Result<void> PostgresStore::stillFits() { return PostgresSchema(m_connection, describe()).check(); }

Result<void> PostgresStore::connect(SqlConnection &connection)
{
    QSqlDatabase &database = connection.attach();
    m_address.apply(database);
    if (database.open())
        return {};
    const QString text = database.lastError().databaseText().trimmed();
    connection.detach();
    // What waiting does not mend. The driver gives no code for a failed connection, only the text.
    for (const char *sign : {"authentication failed", "no pg_hba.conf entry", "does not exist",
                             "no password supplied", "certificate", "permission denied"}) {
        if (text.contains(QLatin1String(sign)))
            return model::refused(QStringLiteral("%1 refuses: %2").arg(describe(), text));
    }
    return Error{ErrorKind::lost, QStringLiteral("%1 cannot be reached: %2").arg(describe(), text)};
}

Result<Instant> PostgresStore::now()
{
    const Result<qint64> moment = number("now_ms");
    if (!moment)
        return moment.error();
    return *moment;
}

Result<void> PostgresStore::begin()
{
    Q_ASSERT(!m_inTransaction);
    if (!m_connection.isOpen())
        return Error{ErrorKind::lost, QStringLiteral("the run database is not open")};
    m_inTransaction = true;
    return {};
}

Result<void> PostgresStore::ensureBegun()
{
    if (!m_inTransaction || m_begun)
        return {};
    const Result<void> begun = m_connection.direct(QStringLiteral("begin"));
    if (begun)
        m_begun = true;
    return begun;
}

Result<void> PostgresStore::commit()
{
    const bool begun = m_begun;
    m_begun = false;
    forgetTransaction();
    if (!begun)
        return {};
    // The driver's own commit: it sees that the server answered COMMIT with ROLLBACK.
    if (m_connection.database().commit()) {
        tellOthers();
        return {};
    }
    m_hasNews = false;
    const Error error = m_connection.errorOf(m_connection.database().lastError());
    if (error.kind == ErrorKind::lost) {
        return Error{
            ErrorKind::unknownOutcome,
            QStringLiteral("the connection was lost during the commit: %1").arg(error.message)};
    }
    return error;
}

void PostgresStore::rollback()
{
    const bool begun = m_begun;
    m_begun = false;
    m_hasNews = false;
    forgetTransaction();
    if (!begun || !m_connection.isOpen())
        return;
    // If this fails the connection is gone, and the server rolls back by itself.
    const Result<void> undone = m_connection.direct(QStringLiteral("rollback"));
    Q_UNUSED(undone);
}

void PostgresStore::tellOthers()
{
    if (!m_hasNews)
        return;
    m_hasNews = false;
    if (m_sinceNotify.isValid() && m_sinceNotify.elapsed() < notifyInterval)
        return;
    m_sinceNotify.start();
    // A hint after the commit; inside it, all commits would queue for one lock. Polling is the
    // truth.
    const Result<void> told = m_connection.direct(QStringLiteral("notify holdfast_ready"));
    Q_UNUSED(told);
}

Result<void> PostgresStore::lockGatesForChange()
{
    const Result<int> locked = change("lock_gates_for_change");
    return locked ? Result<void>() : Result<void>(locked.error());
}

Result<void> PostgresStore::appendAudit(AuditRow row)
{
    const Result<int> appended = change(
        "append_audit", {textValue(row.chain), row.at, textValue(row.actor), textValue(row.action),
                         textValue(row.subject), textValue(row.body)});
    return appended ? Result<void>() : Result<void>(appended.error());
}

Result<void> PostgresStore::createRoles()
{
    const Result<int> created = change("create_roles");
    return created ? Result<void>() : Result<void>(created.error());
}

Result<void> PostgresStore::grantRole(const QString &login, Role role)
{
    const Result<int> granted = change("grant_role", {login, roleName(role)});
    return granted ? Result<void>() : Result<void>(granted.error());
}

Result<void> PostgresStore::revokeRole(const QString &login, Role role)
{
    const Result<int> revoked = change("revoke_role", {login, roleName(role)});
    return revoked ? Result<void>() : Result<void>(revoked.error());
}

Result<QVector<PostgresStore::Member>> PostgresStore::members()
{
    return list<Member>("members_of_roles", {}, [](const QSqlQuery &row) {
        return Member{row.value(0).toString(), row.value(1).toString().split(u' ')};
    });
}

Result<GateRows> PostgresStore::lockGates(const QString &worker)
{
    if (!m_connection.isOpen())
        return Error{ErrorKind::lost, QStringLiteral("the run database is not open")};
    // As text, because only that can carry the begin along.
    QString text = m_connection.statements().text(QLatin1String("lock_gates"));
    text.replace(QLatin1Char('?'),
                 u'\'' + QString(worker).replace(u'\'', QLatin1String("''")) + u'\'');
    if (m_inTransaction && !m_begun)
        text.prepend(QLatin1String("begin; "));
    m_begun = m_inTransaction;
    QSqlQuery query(m_connection.database());
    bool done = query.exec(text);
    // The driver hands out the results of the statements one by one; ours is the last.
    while (done && !query.isSelect())
        done = query.nextResult();
    if (!done || !query.next())
        return m_connection.errorOf(query.lastError());
    GateRows gates;
    gates.now = query.value(0).toLongLong();
    const auto rowsOf = [&query](int column) {
        return QJsonDocument::fromJson(query.value(column).toString().toUtf8()).array();
    };
    const auto textOf = [](const QJsonObject &row, const char *name) {
        return row.value(QLatin1String(name)).toString();
    };
    const auto numberOf = [](const QJsonObject &row, const char *name) {
        return qint64(row.value(QLatin1String(name)).toDouble());
    };
    for (const QJsonValue &value : rowsOf(1)) {
        const QJsonObject row = value.toObject();
        gates.pauses.append({textOf(row, "id"),
                             textOf(row, "scope"),
                             textOf(row, "target"),
                             textOf(row, "depth"),
                             textOf(row, "reason"),
                             textOf(row, "actor"),
                             numberOf(row, "at"),
                             numberOf(row, "journal_mark"),
                             model::never,
                             {},
                             {},
                             textOf(row, "ramp")});
    }
    for (const QJsonValue &value : rowsOf(2)) {
        const QJsonObject row = value.toObject();
        gates.breakers.append({textOf(row, "dependency"), textOf(row, "state"),
                               failuresFromText(textOf(row, "failures")),
                               numberOf(row, "open_until"), numberOf(row, "trial_until"),
                               textOf(row, "reason")});
    }
    for (const QJsonValue &value : rowsOf(3)) {
        const QJsonObject row = value.toObject();
        gates.quotas.append(
            {textOf(row, "dependency"), numberOf(row, "version"), textOf(row, "state")});
    }
    return gates;
}

} // namespace holdfast::store
