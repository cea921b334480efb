// The turn on SQLite: cached statements in a loop, which here is as fast as any batch.
#include "model/json.h"
#include "store/row_reader.h"
#include "store/sqlite_store.h"

namespace holdfast::store
{

using namespace ports;

Result<GateRows> SqliteStore::lockGates(const QString &)
{
    // Differs because the transaction already excludes every other writer, a pause included.
    const Result<QVector<PauseRow>> pauseRows = pauses(true);
    if (!pauseRows)
        return pauseRows.error();
    const Result<QVector<BreakerRow>> breakerRows = breakers();
    if (!breakerRows)
        return breakerRows.error();
    const Result<QVector<QuotaRow>> quotaRows = list("all_quotas", {}, readQuota);
    if (!quotaRows)
        return quotaRows.error();
    return GateRows{m_time.now(), *pauseRows, *breakerRows, *quotaRows};
}

Result<QVector<BreakerRow>> SqliteStore::lockBreakers(const QStringList &dependencies)
{
    QStringList names = dependencies;
    names.sort();
    names.removeDuplicates();
    QVector<BreakerRow> rows;
    for (const QString &name : std::as_const(names)) {
        if (const Result<int> created = change("create_breaker", {name}); !created)
            return created.error();
        const Result<std::optional<BreakerRow>> row = one("lock_breaker", {name}, readBreaker);
        if (!row)
            return row.error();
        rows.append(**row);
    }
    return rows;
}

Result<QVector<ClaimedRun>> SqliteStore::claim(const ClaimRequest &request)
{
    QVector<ClaimedRun> claimed;
    Result<void> collected =
        collectClaims("claim_commanded", {request.limit}, request.limit, claimed);
    if (collected && !request.onlyCommanded) {
        collected =
            collectClaims("claim_orphaned", {m_time.now(), request.limit}, request.limit, claimed);
    }
    if (collected && !request.onlyCommanded)
        collected = collectDue(request, claimed);
    if (!collected)
        return collected.error();
    if (const Result<void> loaded = loadJournals(claimed); !loaded)
        return loaded.error();
    return claimed;
}

// Shared evenly between the workflows that have anything due, so that one with a long queue keeps
// no other waiting.
Result<void> SqliteStore::collectDue(const ClaimRequest &request, QVector<ClaimedRun> &claimed)
{
    const Result<QStringList> ready = [&]() -> Result<QStringList> {
        const Result<QSqlQuery *> rows = query("due_workflows", {request.now});
        if (!rows)
            return rows.error();
        QStringList names;
        while ((*rows)->next())
            names.append((*rows)->value(0).toString());
        (*rows)->finish();
        return names;
    }();
    if (!ready)
        return ready.error();
    for (const QString &workflow : *ready) {
        const qsizetype share = 1 + (request.limit - 1) / ready->size();
        const Result<void> collected =
            collectClaims("claim_due", {workflow, request.now, share}, request.limit, claimed);
        if (!collected)
            return collected;
    }
    return {};
}

Result<void> SqliteStore::loadJournals(QVector<ClaimedRun> &claimed)
{
    QHash<QString, ClaimedRun *> byRun;
    QByteArray ids("[");
    for (ClaimedRun &run : claimed) {
        byRun.insert(run.run.runId, &run);
        if (ids.size() > 1)
            ids += ',';
        model::appendJsonString(ids, run.run.runId);
    }
    if (byRun.isEmpty())
        return {};
    Result<QVector<JournalRow>> rows =
        list("journals_of_runs", {QString::fromUtf8(ids + ']')}, readJournal);
    if (!rows)
        return rows.error();
    for (JournalRow &row : *rows)
        byRun.value(row.runId)->journal.append(std::move(row));
    return {};
}

Result<void> SqliteStore::collectClaims(const char *name, const QVariantList &values, int limit,
                                        QVector<ClaimedRun> &claimed)
{
    if (claimed.size() >= limit)
        return {};
    const Result<QVector<RunRow>> rows = list(name, values, readRun);
    if (!rows)
        return rows.error();
    for (const RunRow &row : *rows) {
        if (claimed.size() >= limit || m_claimed.contains(row.runId))
            continue;
        m_claimed.insert(row.runId, row.fence);
        ClaimedRun run{row, {}, !row.worker.isEmpty()};
        ++run.run.fence;
        claimed.append(run);
    }
    return {};
}

Result<QVector<KeyAnswer>> SqliteStore::claimKeys(const QVector<KeyClaim> &claims)
{
    QVector<KeyAnswer> answers;
    answers.reserve(claims.size());
    for (const KeyClaim &claim : claims) {
        const LedgerRow &row = claim.row;
        const Result<int> inserted = m_connection.changeTo(
            "claim_key", row.operation, row.key, row.hash, row.status, row.runId, row.step,
            row.direction, Utf8{model::compactJson(row.request)},
            Utf8{model::compactJson(row.result)}, row.createdAt, OptionalInstant{row.expiresAt});
        if (!inserted)
            return inserted.error();
        if (*inserted > 0) {
            m_claimedKeys.append({claim.row.operation, claim.row.key, claim.row.runId});
            answers.append({true, claim.row});
            continue;
        }
        const Result<std::optional<LedgerRow>> standing =
            one("ledger_row", {claim.row.operation, claim.row.key}, readLedger);
        if (!standing)
            return standing.error();
        answers.append({false, **standing});
    }
    return answers;
}

Result<QSet<QString>> SqliteStore::write(const TurnWrites &writes)
{
    const Result<QSet<QString>> fenced = writeRuns(writes);
    if (!fenced)
        return fenced;
    using Part = Result<void> (SqliteStore::*)(const TurnWrites &, const QSet<QString> &);
    constexpr Part parts[] = {&SqliteStore::writeJournal,  &SqliteStore::writeLedger,
                              &SqliteStore::writeReviews,  &SqliteStore::writeCommands,
                              &SqliteStore::writeFailures, &SqliteStore::writeOthers};
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

Result<QSet<QString>> SqliteStore::writeRuns(const TurnWrites &writes)
{
    QSet<QString> fenced;
    for (const RunWrite &write : writes.runs) {
        const RunRow &row = write.row;
        const Result<int> changed = write.keepsPlace ? writeInPlace(write) : writeRun(write);
        if (!changed)
            return changed.error();
        if (*changed == 0)
            fenced.insert(row.runId);
        else
            m_claimed.remove(row.runId);
    }
    for (const Unchanged &run : writes.unchanged) {
        const Result<qint64> found = number("unchanged_run", {run.runId, run.fence, run.seq});
        if (!found)
            return found.error();
        if (*found == 0)
            fenced.insert(run.runId);
    }
    return fenced;
}

Result<int> SqliteStore::writeRun(const RunWrite &write)
{
    const RunRow &row = write.row;
    return m_connection.changeTo(
        "write_run", model::runStatusName(row.status), row.seq, row.fence, OptionalText{row.worker},
        OptionalInstant{row.due}, OptionalInstant{row.startedAt}, OptionalInstant{row.finishedAt},
        row.updatedAt, row.step, row.reason, row.retryCount, row.compensationCount,
        row.duplicatesPrevented, Utf8{model::compactJson(row.outputs)}, Utf8{openToJson(row.open)},
        row.runId, storedFence(row.runId, write.fenceExpected), row.seq - 1);
}

// Differs because SQLite takes an entry out of an index and puts it back even when it is the same.
Result<int> SqliteStore::writeInPlace(const RunWrite &write)
{
    const RunRow &row = write.row;
    return m_connection.changeTo(
        "write_run_in_place", row.seq, row.fence, OptionalInstant{row.startedAt}, row.updatedAt,
        row.step, row.retryCount, row.compensationCount, row.duplicatesPrevented,
        Utf8{model::compactJson(row.outputs)}, Utf8{openToJson(row.open)}, row.runId,
        storedFence(row.runId, write.fenceExpected), row.seq - 1);
}

Result<void> SqliteStore::writeJournal(const TurnWrites &writes, const QSet<QString> &fenced)
{
    for (const JournalRow &row : writes.journal) {
        if (fenced.contains(row.runId))
            continue;
        const Result<int> inserted = m_connection.changeTo(
            "insert_journal", row.runId, row.seq, row.at, row.worker, row.fence, Blob{row.entries});
        if (!inserted)
            return inserted.error();
    }
    return {};
}

Result<void> SqliteStore::writeLedger(const TurnWrites &writes, const QSet<QString> &fenced)
{
    for (const LedgerUpdate &update : writes.ledger) {
        if (fenced.contains(update.runId))
            continue;
        const LedgerRow &taken = update.taken;
        const Result<int> changed =
            update.takeOver
                ? change("take_over_ledger",
                         {update.status, jsonValue(update.result), instantValue(update.expiresAt),
                          update.runId, textValue(taken.step), textValue(taken.direction),
                          textValue(taken.hash), jsonValue(taken.request), taken.createdAt,
                          update.operation, update.key})
                : m_connection.changeTo("update_ledger", update.status,
                                        Utf8{model::compactJson(update.result)},
                                        OptionalInstant{update.expiresAt}, update.operation,
                                        update.key, update.runId);
        if (!changed)
            return changed.error();
    }
    return {};
}

Result<void> SqliteStore::writeReviews(const TurnWrites &writes, const QSet<QString> &fenced)
{
    for (const ReviewRow &row : writes.reviewsOpened) {
        if (fenced.contains(row.runId))
            continue;
        if (const Result<int> inserted = change("insert_review", valuesOf(row)); !inserted)
            return inserted.error();
    }
    for (const QString &id : writes.reviewsReopened) {
        if (const Result<int> reopened = change("reopen_review", {id}); !reopened)
            return reopened.error();
    }
    for (const ReviewDecision &decision : writes.reviewsClosed) {
        if (!fenced.isEmpty()) {
            const Result<std::optional<ReviewRow>> row =
                one("review_by_id", {decision.id}, readReview);
            if (!row)
                return row.error();
            if (*row && fenced.contains((*row)->runId))
                continue;
        }
        const Result<int> changed =
            change("decide_review", {textValue(decision.decision), textValue(decision.by),
                                     textValue(decision.reason), decision.at, decision.id});
        if (!changed)
            return changed.error();
    }
    return {};
}

Result<void> SqliteStore::writeCommands(const TurnWrites &writes, const QSet<QString> &fenced)
{
    for (const CommandRow &row : writes.commandsApplied) {
        if (fenced.contains(row.runId))
            continue;
        const Result<int> changed = change("apply_command", {row.appliedAt, textValue(row.result),
                                                             textValue(row.message), row.id});
        if (!changed)
            return changed.error();
    }
    for (const CommandRow &row : writes.commandsAdded) {
        if (const Result<int> inserted = change("insert_command", valuesOf(row)); !inserted)
            return inserted.error();
    }
    return {};
}

Result<void> SqliteStore::writeOthers(const TurnWrites &writes, const QSet<QString> &fenced)
{
    for (const Release &release : writes.releases) {
        const Result<int> changed = m_connection.changeTo(
            "release_run", OptionalInstant{release.due}, release.runId,
            storedFence(release.runId, release.fence), OptionalInstant{release.due});
        if (!changed)
            return changed.error();
    }
    for (const BreakerWrite &write : writes.breakers) {
        const QVariantList values = valuesOf(write.row) << QVariant(write.stateBefore);
        if (const Result<int> changed = change("write_breaker", values); !changed)
            return changed.error();
    }
    for (const OutboxRow &row : writes.outbox) {
        if (fenced.contains(row.runId))
            continue;
        const Result<int> inserted = m_connection.changeTo(
            "insert_outbox", row.id, row.at, row.kind, OptionalText{row.runId},
            Utf8{model::compactJson(row.payload)}, OptionalInstant{row.deliveredAt});
        if (!inserted)
            return inserted.error();
    }
    return {};
}

Result<void> SqliteStore::addRollups(const QVector<RollupRow> &rollups)
{
    if (rollups.isEmpty())
        return {};
    const auto first = std::min_element(
        rollups.cbegin(), rollups.cend(),
        [](const RollupRow &a, const RollupRow &b) { return a.minute < b.minute; });
    const Instant hour = first->minute / model::hour * model::hour;
    if (const Result<int> lowered = change("lower_summed_until", {QString::number(hour), hour});
        !lowered)
        return lowered.error();
    for (const RollupRow &row : rollups) {
        for (auto count = row.counts.cbegin(); count != row.counts.cend(); ++count) {
            const Result<int> added =
                change("add_rollup", {row.minute, textValue(row.workflow), textValue(row.step),
                                      textValue(row.dependency), textValue(row.worker), count.key(),
                                      count.value()});
            if (!added)
                return added.error();
        }
    }
    return {};
}

} // namespace holdfast::store
