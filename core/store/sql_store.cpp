#include "store/sql_store.h"

#include "store/row_reader.h"

namespace holdfast::store
{

using namespace ports;

Result<QSqlQuery *> SqlStore::query(const char *name, const QVariantList &values)
{
    if (const Result<void> begun = ensureBegun(); !begun)
        return begun.error();
    return m_connection.run(name, values);
}

Result<int> SqlStore::change(const char *name, const QVariantList &values)
{
    if (const Result<void> begun = ensureBegun(); !begun)
        return begun.error();
    return m_connection.change(name, values);
}

Result<qint64> SqlStore::number(const char *name, const QVariantList &values)
{
    const Result<QSqlQuery *> result = query(name, values);
    if (!result)
        return result.error();
    const qint64 value = (*result)->next() ? (*result)->value(0).toLongLong() : 0;
    (*result)->finish();
    return value;
}

void SqlStore::forgetTransaction()
{
    m_inTransaction = false;
    m_claimed.clear();
    m_claimedKeys.clear();
}

Result<void> SqlStore::unclaimKeys(const QSet<QString> &fenced)
{
    for (const ClaimedKey &claimed : std::as_const(m_claimedKeys)) {
        if (!fenced.contains(claimed.runId))
            continue;
        const Result<int> gone =
            change("unclaim_key", {claimed.operation, claimed.key, claimed.runId});
        if (!gone)
            return gone.error();
    }
    return {};
}

Result<int> SqlStore::schemaVersion()
{
    const Result<qint64> version = number("schema_version");
    if (!version)
        return version.error();
    return int(*version);
}

Result<StoreMark> SqlStore::mark()
{
    const Result<QSqlQuery *> row = query("mark");
    if (!row)
        return row.error();
    StoreMark mark;
    if ((*row)->next()) {
        mark = {(*row)->value(0).toString(), (*row)->value(1).toString(),
                (*row)->value(2).toLongLong(), (*row)->value(3).toLongLong()};
    }
    (*row)->finish();
    return mark;
}

Result<QVector<CommandRow>> SqlStore::pendingCommands(int limit)
{
    return list("pending_commands", {limit}, readCommand);
}

// Each of the two does nothing unless the worker was away for long, so that whoever died between
// them does the second one later.
Result<void> SqlStore::keepLife(const QString &worker, Instant moment)
{
    const Instant overlooked = moment - ports::lapseOverlooked;
    const Result<int> kept = change("keep_life", {worker, overlooked});
    if (!kept)
        return kept.error();
    const Result<int> begun = change("begin_life", {moment, worker, overlooked});
    return begun ? Result<void>() : Result<void>(begun.error());
}

Result<WorkerRow> SqlStore::registerWorker(const WorkerRow &worker, Millis lease)
{
    const Result<Instant> moment = now();
    if (!moment)
        return moment.error();
    WorkerRow row = worker;
    row.startedAt = *moment;
    row.leaseUntil = *moment + lease;
    if (row.state.isEmpty())
        row.state = QStringLiteral("running");
    if (const Result<void> kept = keepLife(row.id, *moment); !kept)
        return kept.error();
    const Result<int> changed =
        change("register_worker",
               {textValue(row.id), textValue(row.host), row.pid, textValue(row.programVersion),
                row.startedAt, row.leaseUntil, row.state});
    if (!changed)
        return changed.error();
    return row;
}

Result<Instant> SqlStore::renewLease(const QString &worker, Millis lease, const QString &state)
{
    const Result<Instant> moment = now();
    if (!moment)
        return moment.error();
    if (const Result<void> kept = keepLife(worker, *moment); !kept)
        return kept.error();
    const Result<int> changed = change("renew_lease", {*moment + lease, state, worker});
    if (!changed)
        return changed.error();
    if (*changed == 0)
        return model::notFound(QStringLiteral("worker %1 is not registered").arg(worker));
    return *moment + lease;
}

Result<QVector<WorkerRow>> SqlStore::workers() { return list("workers", {}, readWorker); }

Result<Instant> SqlStore::nextDue()
{
    const Result<qint64> commanded = number("commanded_free_run");
    if (!commanded)
        return commanded.error();
    if (*commanded != 0)
        return now();
    const Result<qint64> due = number("next_due");
    if (!due)
        return due.error();
    const Result<QSqlQuery *> leases = query("next_lease");
    if (!leases)
        return leases.error();
    const bool held = (*leases)->next() && !(*leases)->value(0).isNull();
    const Instant lease = held ? (*leases)->value(0).toLongLong() : model::never;
    (*leases)->finish();
    if (!held)
        return *due;
    // A lease that was voided has run out long ago, which is not the same as never.
    const Instant expiry = std::max<Instant>(lease, 1);
    return *due == model::never ? expiry : std::min<Instant>(*due, expiry);
}

Result<qint64> SqlStore::unsettledRuns() { return number("unsettled_runs"); }

Result<void> SqlStore::replaceRun(const RunRow &run)
{
    QVariantList values = valuesOf(run);
    values.append(values.takeFirst());
    const Result<int> changed = change("replace_run", values);
    if (!changed)
        return changed.error();
    if (*changed == 0)
        return model::notFound(QStringLiteral("run %1 does not exist").arg(run.runId));
    return {};
}

Result<void> SqlStore::replaceLedger(const LedgerRow &row)
{
    const Result<int> changed = change("replace_ledger", valuesOf(row));
    return changed ? Result<void>() : Result<void>(changed.error());
}

} // namespace holdfast::store
