// Failure groups in memory.
#include "store/memory_store_impl.h"

#include <algorithm>

namespace holdfast::store
{

using namespace ports;
using namespace Qt::StringLiterals;

void MemoryStore::putFailure(const FailureRow &row)
{
    QStringList groups = m_database->failureGroupsOf[row.runId];
    if (!groups.contains(row.groupId)) {
        groups.append(row.groupId);
        groups.sort();
        put(m_database->failureGroupsOf, row.runId, groups);
    }
    put(m_database->failures, {row.groupId, row.runId}, row);
}

void MemoryStore::addFailures(const TurnWrites &writes, const QSet<QString> &fenced)
{
    MemoryDatabase &db = *m_database;
    for (const FailureSeen &seen : writes.failures) {
        if (fenced.contains(seen.failure.runId))
            continue;
        const auto group = db.failureGroups.find(seen.group.id);
        if (group == db.failureGroups.end() || group->second.firstAt > seen.group.firstAt) {
            FailureGroupRow row = group == db.failureGroups.end() ? seen.group : group->second;
            row.firstAt = seen.group.firstAt;
            put(db.failureGroups, row.id, row);
        }
        FailureRow row = seen.failure;
        const auto known = db.failures.find({row.groupId, row.runId});
        if (known != db.failures.end()) {
            row = known->second;
            row.lastAt = seen.failure.lastAt;
            row.occurrences += seen.failure.occurrences;
        }
        putFailure(row);
    }
    for (const RunOutcome &outcome : writes.outcomes) {
        const auto groups = db.failureGroupsOf.find(outcome.runId);
        if (fenced.contains(outcome.runId) || groups == db.failureGroupsOf.end())
            continue;
        for (const QString &group : groups->second) {
            FailureRow row = db.failures.at({group, outcome.runId});
            row.outcome = outcome.outcome;
            put(db.failures, {group, outcome.runId}, row);
        }
    }
}

bool MemoryStore::isInGroups(const QString &runId, const QStringList &groups) const
{
    return groups.isEmpty() ||
           std::any_of(groups.cbegin(), groups.cend(), [&](const QString &group) {
               return m_database->failures.count({group, runId}) > 0;
           });
}

Result<bool> MemoryStore::decideGroup(const GroupDecision &decision)
{
    return atomically<bool>([&]() -> Result<bool> {
        auto &groups = m_database->failureGroups;
        const auto found = groups.find(decision.group);
        if (found == groups.end())
            return false;
        FailureGroupRow row = found->second;
        if (decision.act == "merge"_L1) {
            const auto into = groups.find(decision.into);
            if (into == groups.end() || into == found || !into->second.mergedInto.isEmpty())
                return false;
            for (auto [id, part] : std::map(groups)) {
                if (id == row.id || part.mergedInto == row.id) {
                    part.mergedInto = decision.into;
                    put(groups, id, part);
                }
            }
            return true;
        }
        if (decision.act == "unmerge"_L1) {
            if (row.mergedInto.isEmpty())
                return false;
            row.mergedInto.clear();
        } else if (decision.act == "assign"_L1) {
            row.owner = decision.owner;
        } else if (decision.act == "tag"_L1) {
            row.tags = decision.tags;
        } else if (decision.act == "note"_L1) {
            row.note = decision.text;
            auto notes = m_database->groupNotes[row.id];
            notes.append({decision.at, decision.by, decision.text});
            put(m_database->groupNotes, row.id, notes);
        } else {
            const bool resolves = decision.act == "resolve"_L1;
            row.disposition = resolves                       ? u"resolved"_s
                              : decision.act == "archive"_L1 ? u"archived"_s
                                                             : QString();
            row.resolvedVersion = resolves ? decision.version : 0;
            row.decidedBy = decision.by;
            row.decidedAt = decision.at;
        }
        put(groups, row.id, row);
        return true;
    });
}

QVector<FailureRow> MemoryStore::failuresSeen(const QStringList &groups, Instant since,
                                              Instant until) const
{
    QVector<FailureRow> rows;
    for (const auto &[key, row] : m_database->failures) {
        if (row.firstAt >= since && row.firstAt < until &&
            (groups.isEmpty() || groups.contains(row.groupId)))
            rows.append(row);
    }
    return rows;
}

namespace
{
QVector<FailureCount> countsOf(const QVector<FailureRow> &rows)
{
    std::map<std::tuple<Instant, QString, QString>, FailureCount> counts;
    for (const FailureRow &row : rows) {
        const Instant day = row.firstAt / model::day * model::day;
        FailureCount &count = counts[{day, row.groupId, row.outcome}];
        count.day = day;
        count.groupId = row.groupId;
        count.outcome = row.outcome;
        ++count.runs;
        count.occurrences += row.occurrences;
        count.lastAt = std::max(count.lastAt, row.lastAt);
    }
    QVector<FailureCount> list;
    for (const auto &[key, count] : counts)
        list.append(count);
    return list;
}
} // namespace

Result<QVector<FailureCount>> MemoryStore::failureCounts(Instant since, Instant until)
{
    const Hold hold(*this);
    return countsOf(failuresSeen({}, since, until));
}

Result<QVector<FailureCount>> MemoryStore::failureCountsOf(const QStringList &groups, Instant since,
                                                           Instant until)
{
    const Hold hold(*this);
    std::map<QString, FailureRow> byRun;
    if (groups.isEmpty())
        return QVector<FailureCount>();
    for (FailureRow row : failuresSeen(groups, since, until)) {
        row.groupId.clear();
        const auto known = byRun.find(row.runId);
        if (known != byRun.end()) {
            row.firstAt = std::min(row.firstAt, known->second.firstAt);
            row.lastAt = std::max(row.lastAt, known->second.lastAt);
            row.occurrences += known->second.occurrences;
        }
        byRun[row.runId] = row;
    }
    QVector<FailureRow> rows;
    for (const auto &[runId, row] : byRun)
        rows.append(row);
    return countsOf(rows);
}

Result<qint64> MemoryStore::failingRuns(Instant since, Instant until)
{
    const Hold hold(*this);
    std::set<QString> runs;
    for (const FailureRow &row : failuresSeen({}, since, until))
        runs.insert(row.runId);
    return qint64(runs.size());
}

Result<QVector<FailureGroupRow>> MemoryStore::failureGroups(const QStringList &ids)
{
    const Hold hold(*this);
    QVector<FailureGroupRow> rows;
    for (const auto &[id, row] : m_database->failureGroups) {
        if (ids.contains(id) || ids.contains(row.mergedInto))
            rows.append(row);
    }
    return rows;
}

Result<QVector<FailureGroupRow>> MemoryStore::newestFailureGroups(int limit)
{
    const Hold hold(*this);
    QVector<FailureGroupRow> rows;
    for (const auto &[id, row] : m_database->failureGroups)
        rows.append(row);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto &a, const auto &b) { return a.firstAt > b.firstAt; });
    return rows.mid(0, limit);
}

Result<QStringList> MemoryStore::regressedGroups(const QStringList &ids)
{
    const Hold hold(*this);
    QStringList regressed;
    for (const auto &[id, root] : m_database->failureGroups) {
        if (!ids.contains(id) || root.disposition != "resolved"_L1)
            continue;
        const bool seen = std::any_of(
            m_database->failures.cbegin(), m_database->failures.cend(), [&](const auto &entry) {
                const FailureRow &row = entry.second;
                const auto part = m_database->failureGroups.find(row.groupId);
                return part != m_database->failureGroups.end() &&
                       (part->first == root.id || part->second.mergedInto == root.id) &&
                       row.lastAt > root.decidedAt && row.version >= root.resolvedVersion;
            });
        if (seen)
            regressed.append(id);
    }
    return regressed;
}

Result<QVector<FailureRow>> MemoryStore::failuresOfGroup(const QString &group, int limit)
{
    const Hold hold(*this);
    QVector<FailureRow> rows;
    for (const auto &[key, row] : m_database->failures) {
        if (row.groupId != group)
            continue;
        rows.append(row);
        const auto run = m_database->runs.find(row.runId);
        if (run != m_database->runs.end())
            rows.last().eventId = run->second.eventId;
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto &a, const auto &b) { return a.lastAt > b.lastAt; });
    return rows.mid(0, limit);
}

Result<QVector<FailureRow>> MemoryStore::failuresOfRun(const QString &runId)
{
    const Hold hold(*this);
    QVector<FailureRow> rows;
    const auto groups = m_database->failureGroupsOf.find(runId);
    if (groups == m_database->failureGroupsOf.end())
        return rows;
    for (const QString &group : groups->second)
        rows.append(m_database->failures.at({group, runId}));
    return rows;
}

Result<QVector<int>> MemoryStore::failureVersions(const QString &group)
{
    const Hold hold(*this);
    std::set<int> versions;
    for (const auto &[key, row] : m_database->failures) {
        if (row.groupId == group)
            versions.insert(row.version);
    }
    return QVector<int>(versions.cbegin(), versions.cend());
}

Result<QVector<GroupNoteRow>> MemoryStore::groupNotes(const QString &group)
{
    const Hold hold(*this);
    const auto notes = m_database->groupNotes.find(group);
    return notes == m_database->groupNotes.end() ? QVector<GroupNoteRow>() : notes->second;
}

Result<void> MemoryStore::replaceFailures(const QString &runId,
                                          const QVector<FailureSeen> &failures)
{
    const Result<bool> done = atomically<bool>([&]() -> Result<bool> {
        MemoryDatabase &db = *m_database;
        const QStringList groups = db.failureGroupsOf[runId];
        for (const QString &group : groups) {
            const MemoryDatabase::Pair key{group, runId};
            m_undo.push_back([&db, key, old = db.failures.at(key)] { db.failures[key] = old; });
            db.failures.erase(key);
        }
        put(db.failureGroupsOf, runId, {});
        for (const FailureSeen &seen : failures) {
            FailureGroupRow row = seen.group;
            const auto known = db.failureGroups.find(row.id);
            if (known != db.failureGroups.end()) {
                row = known->second;
                row.workflow = seen.group.workflow;
                row.step = seen.group.step;
                row.direction = seen.group.direction;
                row.failureClass = seen.group.failureClass;
                row.reason = seen.group.reason;
                row.message = seen.group.message;
                row.firstAt = std::min(row.firstAt, seen.group.firstAt);
            }
            put(db.failureGroups, row.id, row);
            putFailure(seen.failure);
        }
        return true;
    });
    return done ? Result<void>() : Result<void>(done.error());
}

} // namespace holdfast::store
