// What people signed, and what a report asks besides the counters.
#include "store/row_reader.h"
#include "store/sql_store.h"

namespace holdfast::store
{

using namespace ports;

namespace
{
SignoffRow readSignoff(const QSqlQuery &query)
{
    SignoffRow row;
    row.since = query.value(0).toLongLong();
    row.until = query.value(1).toLongLong();
    row.by = query.value(2).toString();
    row.at = query.value(3).toLongLong();
    row.note = query.value(4).toString();
    row.figures = query.value(5).toString();
    row.figuresHash = query.value(6).toString();
    row.auditSeq = query.value(7).toLongLong();
    row.auditRows = query.value(8).toLongLong();
    row.auditHash = query.value(9).toString();
    return row;
}
} // namespace

Result<bool> SqlStore::addSignoff(const SignoffRow &row)
{
    const Result<int> added = change(
        "insert_signoff", {row.since, row.until, textValue(row.by), row.at, textValue(row.note),
                           textValue(row.figures), textValue(row.figuresHash), row.auditSeq,
                           row.auditRows, textValue(row.auditHash)});
    return added ? Result<bool>(*added > 0) : Result<bool>(added.error());
}

Result<std::optional<SignoffRow>> SqlStore::signoff(Instant since, Instant until)
{
    return one("signoff_of", {since, until}, readSignoff);
}

Result<QVector<SignoffRow>> SqlStore::signoffs(int limit)
{
    return list("signoffs", {limit}, readSignoff);
}

Result<QVector<AuditRow>> SqlStore::systemAudit(Instant since, Instant until, int limit)
{
    return list("system_audit", {since, until, limit}, readAudit);
}

Result<QVector<RunRow>> SqlStore::undoneRuns(Instant since, Instant until, int limit)
{
    return list("undone_runs", {since, until, limit}, readRun);
}

} // namespace holdfast::store
