// What the console looks at: signs of life, counters, and pages of the ledger and the audit.
#include "store/row_reader.h"
#include "store/sql_store.h"

#include <algorithm>
#include <limits>

namespace holdfast::store
{

using namespace ports;

namespace
{
constexpr qint64 farthest = std::numeric_limits<qint64>::max();

SettingRow readSetting(const QSqlQuery &query)
{
    return {query.value(0).toString(), query.value(1).toString()};
}
} // namespace

Result<void> SqlStore::readCounts(const char *name, const QVariantList &values,
                                  QMap<QString, qint64> &into)
{
    const Result<QSqlQuery *> found = query(name, values);
    if (!found)
        return found.error();
    while ((*found)->next()) {
        if (const qint64 count = (*found)->value(1).toLongLong(); count > 0)
            into.insert((*found)->value(0).toString(), count);
    }
    (*found)->finish();
    return {};
}

Result<StoreCounts> SqlStore::counts()
{
    StoreCounts counts;
    for (const char *name : {"count_runs_not_final", "count_runs_final"}) {
        if (const auto read = readCounts(name, {StoreCounts::countedMax}, counts.runsByStatus);
            !read)
            return read.error();
    }
    if (const auto read = readCounts("count_open_reviews", {}, counts.openReviewsByKind); !read)
        return read.error();
    const Result<qint64> pending = number("count_pending_commands");
    if (!pending)
        return pending.error();
    const Result<qint64> inFlight = number("count_open_runs");
    if (!inFlight)
        return inFlight.error();
    counts.pendingCommands = *pending;
    counts.inFlight = *inFlight;
    return counts;
}

Result<StorePulse> SqlStore::pulse()
{
    const Result<Instant> moment = now();
    if (!moment)
        return moment.error();
    const Result<QSqlQuery *> marks = query("pulse", {*moment});
    if (!marks)
        return marks.error();
    StorePulse pulse;
    if ((*marks)->next()) {
        pulse.journal = (*marks)->value(0).toLongLong();
        pulse.audit = (*marks)->value(1).toLongLong();
        pulse.pendingCommands = (*marks)->value(2).toLongLong();
        pulse.inFlight = (*marks)->value(3).toLongLong();
        pulse.workersAlive = (*marks)->value(4).toLongLong();
    }
    (*marks)->finish();
    if (const auto read =
            readCounts("count_runs_not_final", {StoreCounts::countedMax}, pulse.openRunsByStatus);
        !read)
        return read.error();
    const Result<QSqlQuery *> reviews = query("count_open_reviews");
    if (!reviews)
        return reviews.error();
    while ((*reviews)->next()) {
        const QString kind = (*reviews)->value(0).toString();
        pulse.openReviewsByKind.insert(kind, (*reviews)->value(1).toLongLong());
        pulse.oldestReviewByKind.insert(kind, (*reviews)->value(2).toLongLong());
    }
    (*reviews)->finish();
    return pulse;
}

Result<LedgerPage> SqlStore::ledgerOf(const LedgerFilter &filter)
{
    const QVariantList after{textValue(filter.afterKey), textValue(filter.afterOperation)};
    LedgerPage page;
    QVariantList bound;
    if (!filter.status.isEmpty()) {
        const Result<QSqlQuery *> found =
            query("ledger_bound", after + QVariantList{m_examinedMax - 1});
        if (!found)
            return found.error();
        if ((*found)->next())
            bound = {(*found)->value(0), (*found)->value(1)};
        (*found)->finish();
    }
    const QVariantList rest = filter.status.isEmpty()
                                  ? QVariantList{filter.limit + 1}
                                  : QVariantList{filter.status, filter.limit + 1};
    const char *name = filter.status.isEmpty() ? "ledger_page"
                       : bound.isEmpty()       ? "ledger_of_status"
                                               : "ledger_of_status_within";
    const Result<QVector<LedgerRow>> rows = list(name, after + bound + rest, readLedger);
    if (!rows)
        return rows.error();
    page.rows = rows->mid(0, filter.limit);
    if (rows->size() > filter.limit) {
        page.lastKey = page.rows.last().key;
        page.lastOperation = page.rows.last().operation;
    } else if (!bound.isEmpty()) {
        page.lastKey = bound.first().toString();
        page.lastOperation = bound.last().toString();
    }
    page.more = !page.lastKey.isEmpty();
    return page;
}

Result<AuditPage> SqlStore::auditOf(const AuditFilter &filter)
{
    const Result<qint64> mark = number("audit_mark");
    if (!mark)
        return mark.error();
    const qint64 before = filter.before > 0 ? std::min(filter.before, *mark + 1) : *mark + 1;
    const QVariant actor = textValue(filter.actor);
    const QVariant action = textValue(filter.action);
    const bool isChain = !filter.chain.isEmpty();
    const bool hasResidue = !filter.actor.isEmpty() || !filter.action.isEmpty();
    const qint64 from = hasResidue ? std::max<qint64>(1, before - m_examinedMax) : 1;
    QVariantList values = isChain ? QVariantList{filter.chain, before} : QVariantList{before, from};
    values << actor << actor << action << action << filter.limit + 1;
    const Result<QVector<AuditRow>> rows =
        list(isChain ? "audit_of_chain" : "audit_before", values, readAudit);
    if (!rows)
        return rows.error();
    AuditPage page;
    page.rows = rows->mid(0, filter.limit);
    if (rows->size() > filter.limit)
        page.before = page.rows.last().seq;
    else if (!isChain && from > 1)
        page.before = from;
    return page;
}

Result<QVector<SettingRow>> SqlStore::settings(const QString &prefix)
{
    return list("settings", {textValue(prefix), textValue(prefix)}, readSetting);
}

} // namespace holdfast::store
