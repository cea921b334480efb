// The turn on PostgreSQL: one statement per kind of row, each with whole columns as arrays.
#include "store/postgres_array.h"
#include "store/postgres_store.h"
#include "store/row_reader.h"

#include <algorithm>
#include <map>

namespace holdfast::store
{

using namespace ports;

Result<void> PostgresStore::send(const char *name, const PostgresColumns &columns)
{
    if (columns.isEmpty())
        return {};
    const Result<int> changed = change(name, columns.values());
    return changed ? Result<void>() : Result<void>(changed.error());
}

Result<QVector<BreakerRow>> PostgresStore::lockBreakers(const QStringList &dependencies)
{
    QStringList names = dependencies;
    names.sort();
    names.removeDuplicates();
    if (names.isEmpty())
        return QVector<BreakerRow>();
    PostgresArray array;
    for (const QString &name : std::as_const(names))
        array.add(name);
    Result<QVector<BreakerRow>> rows = list("lock_breakers", {array.text()}, readBreaker);
    if (!rows || rows->size() == names.size())
        return rows;
    if (const Result<int> created = change("create_breakers", {array.text()}); !created)
        return created.error();
    return list("lock_breakers", {array.text()}, readBreaker);
}

Result<QVector<ClaimedRun>> PostgresStore::claim(const ClaimRequest &request)
{
    const Result<QVector<RunRow>> rows =
        request.onlyCommanded
            ? list("claim_only_commanded", {request.limit}, readRun)
            : list("claim_runs", {request.limit, request.limit, request.now, request.limit},
                   readRun);
    if (!rows)
        return rows.error();
    QVector<ClaimedRun> claimed;
    QHash<QString, qsizetype> places;
    PostgresArray ids;
    for (const RunRow &row : *rows) {
        if (claimed.size() >= request.limit || m_claimed.contains(row.runId))
            continue;
        m_claimed.insert(row.runId, row.fence);
        places.insert(row.runId, claimed.size());
        ids.add(row.runId);
        ClaimedRun run{row, {}, !row.worker.isEmpty()};
        ++run.run.fence;
        claimed.append(run);
    }
    if (claimed.isEmpty())
        return claimed;
    const Result<QVector<JournalRow>> journals =
        list("journals_of_runs", {ids.text()}, readJournal);
    if (!journals)
        return journals.error();
    for (const JournalRow &row : *journals)
        claimed[places.value(row.runId)].journal.append(row);
    return claimed;
}

Result<QVector<KeyAnswer>> PostgresStore::claimKeys(const QVector<KeyClaim> &claims)
{
    using Key = std::pair<QString, QString>;
    // In order, and each key once: the first of this turn stands for the others.
    std::map<Key, const LedgerRow *> first;
    for (const KeyClaim &claim : claims)
        first.insert({{claim.row.key, claim.row.operation}, &claim.row});
    if (first.empty())
        return QVector<KeyAnswer>();
    PostgresColumns columns(11);
    for (const auto &[key, row] : first)
        columns.addRow(valuesOf(*row));
    const Result<QSqlQuery *> inserted = query("claim_keys", columns.values());
    if (!inserted)
        return inserted.error();
    std::map<Key, LedgerRow> standing;
    while ((*inserted)->next()) {
        const Key key{(*inserted)->value(1).toString(), (*inserted)->value(0).toString()};
        const LedgerRow &row = *first.at(key);
        standing.insert({key, row});
        m_claimedKeys.append({row.operation, row.key, row.runId});
    }
    (*inserted)->finish();
    const std::map<Key, LedgerRow> fresh = standing;
    if (standing.size() < first.size()) {
        PostgresColumns taken(2);
        for (const auto &[key, row] : first) {
            if (!standing.count(key)) {
                taken.add(key.first);
                taken.add(key.second);
            }
        }
        const Result<QVector<LedgerRow>> rows = list("standing_keys", taken.values(), readLedger);
        if (!rows)
            return rows.error();
        for (const LedgerRow &row : *rows)
            standing.insert({{row.key, row.operation}, row});
    }
    QVector<KeyAnswer> answers;
    for (const KeyClaim &claim : claims) {
        const Key key{claim.row.key, claim.row.operation};
        const auto found = standing.find(key);
        if (found == standing.end())
            return Error{ErrorKind::busy,
                         QStringLiteral("the key %1 is being changed").arg(claim.row.key)};
        answers.append({fresh.count(key) > 0 && first.at(key) == &claim.row, found->second});
    }
    return answers;
}

Result<QSet<QString>> PostgresStore::write(const TurnWrites &writes)
{
    const Result<QSet<QString>> fenced = writeRuns(writes);
    if (!fenced)
        return fenced;
    using Part = Result<void> (PostgresStore::*)(const TurnWrites &, const QSet<QString> &);
    constexpr Part parts[] = {&PostgresStore::writeJournal,  &PostgresStore::writeLedger,
                              &PostgresStore::writeReviews,  &PostgresStore::writeCommands,
                              &PostgresStore::writeFailures, &PostgresStore::writeOthers};
    for (const Part part : parts) {
        if (const Result<void> written = (this->*part)(writes, *fenced); !written)
            return written.error();
    }
    if (!fenced->isEmpty()) {
        if (const Result<void> unclaimed = unclaimKeys(*fenced); !unclaimed)
            return unclaimed.error();
    }
    if (const Result<void> added = addRollups(writes.rollups); !added)
        return added.error();
    return fenced;
}

Result<QSet<QString>> PostgresStore::writeRuns(const TurnWrites &writes)
{
    QSet<QString> fenced;
    if (const Result<void> written = writeChanged(writes, fenced); !written)
        return written.error();
    if (const Result<void> locked = lockUnchanged(writes, fenced); !locked)
        return locked.error();
    return fenced;
}

Result<void> PostgresStore::writeChanged(const TurnWrites &writes, QSet<QString> &fenced)
{
    if (writes.runs.isEmpty())
        return {};
    PostgresColumns columns(17);
    for (const RunWrite &write : writes.runs) {
        const RunRow &row = write.row;
        columns.add(row.runId);
        columns.add(storedFence(row.runId, write.fenceExpected));
        columns.add(model::runStatusName(row.status));
        columns.add(row.seq);
        columns.add(row.fence);
        columns.addOptional(row.worker);
        columns.addInstant(row.due);
        columns.addInstant(row.startedAt);
        columns.addInstant(row.finishedAt);
        columns.add(row.updatedAt);
        columns.add(row.step);
        columns.add(row.reason);
        columns.add(row.retryCount);
        columns.add(row.compensationCount);
        columns.add(row.duplicatesPrevented);
        columns.add(jsonValue(row.outputs).toString());
        columns.add(QString::fromUtf8(openToJson(row.open)));
        fenced.insert(row.runId);
    }
    const Result<QSqlQuery *> written = query("write_runs", columns.values());
    if (!written)
        return written.error();
    while ((*written)->next()) {
        const QString runId = (*written)->value(0).toString();
        fenced.remove(runId);
        m_claimed.remove(runId);
    }
    (*written)->finish();
    return {};
}

Result<void> PostgresStore::lockUnchanged(const TurnWrites &writes, QSet<QString> &fenced)
{
    if (writes.unchanged.isEmpty())
        return {};
    PostgresColumns columns(3);
    for (const Unchanged &run : writes.unchanged) {
        columns.add(run.runId);
        columns.add(run.fence);
        columns.add(run.seq);
        fenced.insert(run.runId);
    }
    const Result<QSqlQuery *> locked = query("lock_unchanged_runs", columns.values());
    if (!locked)
        return locked.error();
    while ((*locked)->next())
        fenced.remove((*locked)->value(0).toString());
    (*locked)->finish();
    return {};
}

Result<void> PostgresStore::writeJournal(const TurnWrites &writes, const QSet<QString> &fenced)
{
    PostgresColumns columns(6);
    for (const JournalRow &row : writes.journal) {
        if (fenced.contains(row.runId))
            continue;
        columns.add(row.runId);
        columns.add(row.seq);
        columns.add(row.at);
        columns.add(row.worker);
        columns.add(row.fence);
        columns.add(QString::fromUtf8(row.entries));
    }
    return send("insert_journals", columns);
}

Result<void> PostgresStore::writeLedger(const TurnWrites &writes, const QSet<QString> &fenced)
{
    using Key = std::pair<QString, QString>;
    // The last word of a turn on a key counts, as in a loop: one statement may not touch a row
    // twice.
    std::map<Key, const LedgerUpdate *> settled;
    std::map<Key, const LedgerUpdate *> taken;
    for (const LedgerUpdate &update : writes.ledger) {
        if (!fenced.contains(update.runId))
            (update.takeOver ? taken : settled)[{update.key, update.operation}] = &update;
    }
    PostgresColumns overs(11);
    for (const auto &[key, update] : taken) {
        const LedgerRow &row = update->taken;
        overs.addRow({textValue(update->operation), textValue(update->key), update->runId,
                      textValue(update->status), jsonValue(update->result),
                      instantValue(update->expiresAt), textValue(row.step),
                      textValue(row.direction), textValue(row.hash), jsonValue(row.request),
                      row.createdAt});
    }
    if (const Result<void> sent = send("take_over_ledger", overs); !sent)
        return sent;
    PostgresColumns columns(6);
    for (const auto &[key, update] : settled) {
        columns.addRow({textValue(update->operation), textValue(update->key), update->runId,
                        textValue(update->status), jsonValue(update->result),
                        instantValue(update->expiresAt)});
    }
    return send("update_ledger", columns);
}

Result<void> PostgresStore::writeReviews(const TurnWrites &writes, const QSet<QString> &fenced)
{
    PostgresColumns opened(15);
    for (const ReviewRow &row : writes.reviewsOpened) {
        if (!fenced.contains(row.runId))
            opened.addRow(valuesOf(row));
    }
    if (const Result<void> sent = send("insert_reviews", opened); !sent)
        return sent;
    for (const QString &id : writes.reviewsReopened) {
        if (const Result<int> reopened = change("reopen_review", {id}); !reopened)
            return reopened.error();
    }
    if (writes.reviewsClosed.isEmpty())
        return {};
    PostgresColumns closed(5);
    for (const ReviewDecision &decision : writes.reviewsClosed) {
        closed.addRow({textValue(decision.id), textValue(decision.decision), textValue(decision.by),
                       textValue(decision.reason), decision.at});
    }
    PostgresArray left;
    for (const QString &runId : fenced)
        left.add(runId);
    const Result<int> changed = change("close_reviews", closed.values() << QVariant(left.text()));
    return changed ? Result<void>() : Result<void>(changed.error());
}

Result<void> PostgresStore::writeCommands(const TurnWrites &writes, const QSet<QString> &fenced)
{
    PostgresColumns applied(4);
    for (const CommandRow &row : writes.commandsApplied) {
        if (!fenced.contains(row.runId)) {
            applied.addRow(
                {textValue(row.id), row.appliedAt, textValue(row.result), textValue(row.message)});
        }
    }
    if (const Result<void> sent = send("apply_commands", applied); !sent)
        return sent;
    PostgresColumns added(9);
    for (const CommandRow &row : writes.commandsAdded)
        added.addRow(valuesOf(row));
    if (!added.isEmpty())
        workAdded();
    return send("insert_commands", added);
}

Result<void> PostgresStore::writeOthers(const TurnWrites &writes, const QSet<QString> &fenced)
{
    PostgresColumns releases(3);
    for (const Release &release : writes.releases) {
        releases.add(release.runId);
        releases.add(storedFence(release.runId, release.fence));
        releases.addInstant(release.due);
    }
    if (const Result<void> released = send("release_runs", releases); !released)
        return released;
    if (const Result<void> written = writeBreakers(writes.breakers); !written)
        return written;
    PostgresColumns told(6);
    for (const OutboxRow &row : writes.outbox) {
        if (!fenced.contains(row.runId))
            told.addRow(valuesOf(row));
    }
    return send("insert_outboxes", told);
}

Result<void> PostgresStore::writeBreakers(const QVector<BreakerWrite> &writes)
{
    std::map<QString, const BreakerWrite *> breakers;
    for (const BreakerWrite &write : writes)
        breakers[write.row.dependency] = &write;
    PostgresColumns states(7);
    PostgresArray names;
    for (const auto &[name, write] : breakers) {
        states.addRow(valuesOf(write->row) << QVariant(write->stateBefore));
        names.add(name);
    }
    if (breakers.empty())
        return {};
    if (const Result<int> created = change("create_breakers", {names.text()}); !created)
        return created.error();
    return send("write_breakers", states);
}

Result<void> PostgresStore::addRollups(const QVector<RollupRow> &rollups)
{
    using Key = std::tuple<Instant, QString, QString, QString, QString, QString>;
    std::map<Key, qint64> sums; // in order, so that two writers cannot wait for each other
    for (const RollupRow &row : rollups) {
        for (auto count = row.counts.cbegin(); count != row.counts.cend(); ++count)
            sums[{row.minute, row.workflow, row.step, row.dependency, row.worker, count.key()}] +=
                count.value();
    }
    PostgresColumns columns(7);
    for (const auto &[key, value] : sums) {
        columns.add(qint64(std::get<0>(key)));
        columns.add(std::get<1>(key));
        columns.add(std::get<2>(key));
        columns.add(std::get<3>(key));
        columns.add(std::get<4>(key));
        columns.add(std::get<5>(key));
        columns.add(value);
    }
    return send("add_rollups", columns);
}

} // namespace holdfast::store
