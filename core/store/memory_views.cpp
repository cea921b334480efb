// What the console looks at and sets, in memory.
#include "store/memory_store_impl.h"
#include "store/run_filter.h"

#include <algorithm>

namespace holdfast::store
{

using namespace ports;

namespace
{
void add(QMap<QString, qint64> &sum, const QMap<QString, qint64> &counts)
{
    for (auto count = counts.cbegin(); count != counts.cend(); ++count)
        sum[count.key()] += count.value();
}
} // namespace

Result<RunPage> MemoryStore::runPage(const RunFilter &filter)
{
    RunFilter further = filter;
    further.limit = filter.limit + 1;
    const Result<QVector<RunRow>> rows = runs(further);
    RunPage page;
    page.rows = rows->mid(0, filter.limit);
    if (rows->size() > filter.limit)
        page.cursor = page.rows.last().runId;
    return page;
}

Result<RunCount> MemoryStore::countRuns(const RunFilter &filter, qint64 most)
{
    const Hold hold(*this);
    const auto &all = m_database->runs;
    const qint64 count = std::count_if(all.cbegin(), all.cend(), [&](const auto &entry) {
        return matches(entry.second, filter) && isInGroups(entry.first, filter.groups);
    });
    return RunCount{std::min(count, most), count > most};
}

Result<QStringList> MemoryStore::runReasons(int limit)
{
    const Hold hold(*this);
    std::set<QString> reasons;
    for (const auto &[id, row] : m_database->runs) {
        if (!row.reason.isEmpty())
            reasons.insert(row.reason);
    }
    return QStringList(reasons.cbegin(), reasons.cend()).mid(0, limit);
}

Result<StorePulse> MemoryStore::pulse()
{
    const Hold hold(*this);
    const MemoryDatabase &db = *m_database;
    StorePulse pulse;
    pulse.journal = qint64(db.journal.size());
    pulse.audit = qint64(db.audit.size());
    pulse.pendingCommands = qint64(db.pendingCommands.size());
    pulse.inFlight = qint64(db.owned.size());
    for (const auto &[id, row] : db.workers)
        pulse.workersAlive += row.state != QLatin1String("gone") && row.leaseUntil > m_clock.now();
    for (const auto &[id, row] : db.runs) {
        if (!model::isFinal(row.status))
            ++pulse.openRunsByStatus[model::runStatusName(row.status)];
    }
    for (const auto &[id, row] : db.reviews) {
        if (row.decidedAt != model::never)
            continue;
        ++pulse.openReviewsByKind[row.kind];
        const Instant oldest = pulse.oldestReviewByKind.value(row.kind, row.openedAt);
        pulse.oldestReviewByKind.insert(row.kind, std::min(oldest, row.openedAt));
    }
    return pulse;
}

Result<LedgerPage> MemoryStore::ledgerOf(const LedgerFilter &filter)
{
    const Hold hold(*this);
    LedgerPage page;
    const auto &all = m_database->ledger;
    for (auto entry = all.upper_bound({filter.afterKey, filter.afterOperation}); entry != all.end();
         ++entry) {
        if (!filter.status.isEmpty() && entry->second.status != filter.status)
            continue;
        if (page.rows.size() == filter.limit) {
            page.more = true;
            page.lastKey = page.rows.last().key;
            page.lastOperation = page.rows.last().operation;
            break;
        }
        page.rows.append(entry->second);
    }
    return page;
}

Result<AuditPage> MemoryStore::auditOf(const AuditFilter &filter)
{
    const Hold hold(*this);
    AuditPage page;
    const auto &all = m_database->audit;
    for (auto row = all.crbegin(); row != all.crend(); ++row) {
        const bool asked = (filter.before == 0 || row->seq < filter.before) &&
                           (filter.actor.isEmpty() || row->actor == filter.actor) &&
                           (filter.action.isEmpty() || row->action == filter.action) &&
                           (filter.chain.isEmpty() || row->chain == filter.chain);
        if (!asked)
            continue;
        if (page.rows.size() == filter.limit) {
            page.before = page.rows.last().seq;
            break;
        }
        page.rows.append(*row);
    }
    return page;
}

Result<QVector<RollupRow>> MemoryStore::rollupSeries(Instant since, Instant until, Millis bucket)
{
    QMap<Instant, RollupRow> sums;
    const Result<QVector<RollupRow>> rows = rollups(since, until);
    for (const RollupRow &row : *rows) {
        const Instant at = since + (row.minute - since) / bucket * bucket;
        sums[at].minute = at;
        add(sums[at].counts, row.counts);
    }
    return QVector<RollupRow>(sums.cbegin(), sums.cend());
}

Result<QVector<RollupRow>> MemoryStore::rollupSums(Instant since, Instant until)
{
    std::map<std::tuple<QString, QString, QString>, RollupRow> sums;
    const Result<QVector<RollupRow>> rows = rollups(since, until);
    for (const RollupRow &row : *rows) {
        RollupRow &sum = sums[{row.workflow, row.step, row.dependency}];
        sum.workflow = row.workflow;
        sum.step = row.step;
        sum.dependency = row.dependency;
        add(sum.counts, row.counts);
    }
    QVector<RollupRow> list;
    for (const auto &[key, sum] : sums)
        list.append(sum);
    return list;
}

Result<QVector<SettingRow>> MemoryStore::settings(const QString &prefix)
{
    const Hold hold(*this);
    QVector<SettingRow> rows;
    for (const auto &[name, value] : m_database->settings) {
        if (name.startsWith(prefix))
            rows.append({name, value});
    }
    return rows;
}

Result<bool> MemoryStore::claimReview(const ReviewClaim &claim)
{
    return atomically<bool>([&]() -> Result<bool> {
        const auto found = m_database->reviews.find(claim.id);
        if (found == m_database->reviews.end() || found->second.decidedAt != model::never)
            return false;
        ReviewRow row = found->second;
        const bool free =
            row.claimedBy.isEmpty() || row.claimedBy == claim.by || row.claimedUntil <= claim.now;
        if (!free)
            return false;
        row.claimedBy = claim.until == model::never ? QString() : claim.by;
        row.claimedUntil = claim.until;
        put(m_database->reviews, row.id, row);
        return true;
    });
}

Result<bool> MemoryStore::snoozeReview(const QString &id, Instant until)
{
    return atomically<bool>([&]() -> Result<bool> {
        const auto found = m_database->reviews.find(id);
        if (found == m_database->reviews.end() || found->second.decidedAt != model::never)
            return false;
        ReviewRow row = found->second;
        row.snoozedUntil = until;
        put(m_database->reviews, id, row);
        return true;
    });
}

Result<void> MemoryStore::putSetting(const SettingRow &setting)
{
    const Result<bool> done = atomically<bool>([&]() -> Result<bool> {
        put(m_database->settings, setting.name, setting.value);
        return true;
    });
    return done ? Result<void>() : Result<void>(done.error());
}

Result<bool> MemoryStore::removeSetting(const QString &name)
{
    return atomically<bool>([&]() -> Result<bool> {
        const auto found = m_database->settings.find(name);
        if (found == m_database->settings.end())
            return false;
        m_undo.push_back([this, name, old = found->second] { m_database->settings[name] = old; });
        m_database->settings.erase(found);
        return true;
    });
}

} // namespace holdfast::store
