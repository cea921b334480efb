#include "simulation/table_text.h"

#include <QDebug>

#include <limits>

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using namespace ports;

namespace
{
constexpr int all = 100'000;

template <typename... Fields>
QString line(const Fields &...fields)
{
    QString text;
    QDebug out = QDebug(&text).noquote();
    (out << ... << fields);
    return text;
}

template <typename T>
T got(const model::Result<T> &answer)
{
    if (!answer)
        qFatal("%s", qPrintable(answer.error().message));
    return *answer;
}

template <typename Rows, typename Told>
QStringList lines(const Rows &rows, Told told)
{
    QStringList texts;
    for (const auto &row : rows)
        texts.append(told(row));
    return texts;
}

QStringList sorted(QStringList texts)
{
    texts.sort();
    return texts;
}

QString toldRun(const RunRow &row)
{
    return line(row.eventId, row.runId, row.workflow, row.version, row.generation, row.inputHash,
                model::runStatusName(row.status), row.seq, row.fence, row.worker, row.due,
                row.createdAt, row.startedAt, row.finishedAt, row.updatedAt, row.step, row.reason,
                row.retryCount, row.compensationCount, row.duplicatesPrevented, row.outputs,
                openToJson(row.open));
}

QString toldJournal(const JournalRow &row)
{
    return line(row.runId, row.seq, row.at, row.worker, row.fence, row.entries);
}

QString toldKey(const LedgerRow &row)
{
    return line(row.operation, row.key, row.hash, row.status, row.runId, row.step, row.direction,
                row.request, row.result, row.createdAt, row.expiresAt);
}

QString toldReview(const ReviewRow &row)
{
    return line(row.id, row.kind, row.runId, row.step, row.direction, row.workflow, row.dependency,
                row.version, row.openedAt, row.decidedAt, row.decidedBy, row.decision, row.reason,
                row.expiresAt, row.evidence, row.claimedBy, row.claimedUntil, row.snoozedUntil);
}

// The journal's mark is one of the numbers that a database gives.
QString toldPause(const PauseRow &row)
{
    return line(row.id, row.scope, row.target, row.depth, row.reason, row.actor, row.at,
                row.liftedAt, row.liftedBy, row.liftedReason, row.ramp);
}

QString toldCommand(const CommandRow &row)
{
    return line(row.id, row.name, row.runId, row.actor, row.arguments, row.at, row.appliedAt,
                row.result, row.message);
}

QString toldAudit(const AuditRow &row)
{
    return line(row.chain, row.chainSeq, row.at, row.actor, row.action, row.subject, row.body,
                row.previous, row.hash);
}

QString toldBatch(const BatchRow &row)
{
    return line(row.id, row.act, row.arguments, row.reason, row.actor, row.filter, row.rate,
                row.includesUnsafe, row.state, row.note, row.items, row.chosen, row.taken, row.base,
                row.takenAt, row.startedAt, row.endedAt);
}

QString toldItem(const BatchItemRow &row)
{
    return line(row.place, row.runId, row.review, row.version, row.verdict, row.state, row.command,
                row.message, row.runStatus);
}

QString toldGroup(const FailureGroupRow &row)
{
    return line(row.id, row.workflow, row.step, row.direction, row.failureClass, row.reason,
                row.message, row.dependency, row.firstAt);
}

// Whoever adds counters up, and when, is left out: what is asked of them is the same.
QStringList counters(Store &store)
{
    QMap<QString, qint64> sums;
    for (const RollupRow &row : got(store.rollups(1, std::numeric_limits<qint64>::max()))) {
        for (auto count = row.counts.cbegin(); count != row.counts.cend(); ++count)
            sums[line(row.minute, row.workflow, row.step, row.dependency, count.key())] += *count;
    }
    QStringList texts;
    for (auto sum = sums.cbegin(); sum != sums.cend(); ++sum) {
        if (*sum != 0)
            texts.append(line(sum.key(), *sum));
    }
    return texts;
}
} // namespace

QMap<QString, QStringList> tablesOf(Store &store, const QStringList &dependencies,
                                    const QStringList &commands)
{
    QMap<QString, QStringList> tables;
    const auto runs = got(store.runsPage({}, all));
    tables.insert(u"runs"_s, lines(runs, toldRun));
    tables.insert(u"journal"_s, lines(got(store.journalAfter(0, all)), toldJournal));
    tables.insert(u"ledger"_s, sorted(lines(got(store.ledgerPage({}, {}, all)), toldKey)));
    ReviewFilter everyItem;
    everyItem.onlyOpen = false;
    everyItem.limit = all;
    tables.insert(u"reviews"_s, sorted(lines(got(store.reviews(everyItem)), toldReview)));
    tables.insert(u"pauses"_s, sorted(lines(got(store.pauses(false)), toldPause)));
    tables.insert(u"breakers"_s, lines(got(store.breakers()), [](const BreakerRow &row) {
                      return line(row.dependency, row.state, row.failures, row.openUntil,
                                  row.trialUntil, row.reason);
                  }));
    tables.insert(u"quotas"_s, lines(got(store.quotas(dependencies)), [](const QuotaRow &row) {
                      return line(row.dependency, row.version, row.state);
                  }));
    tables.insert(u"workers"_s, sorted(lines(got(store.workers()), [](const WorkerRow &row) {
                      return line(row.id, row.host, row.pid, row.programVersion, row.startedAt,
                                  row.leaseUntil, row.state, row.livedUntil);
                  })));
    tables.insert(u"audit"_s, lines(got(store.audit(0, all)), toldAudit));
    tables.insert(u"counters"_s, counters(store));
    tables.insert(u"alerts"_s, sorted(lines(got(store.undelivered(all)), [](const OutboxRow &row) {
                      return line(row.id, row.at, row.kind, row.runId, row.payload);
                  })));
    tables.insert(u"groups"_s, sorted(lines(got(store.newestFailureGroups(all)), toldGroup)));
    for (const RunRow &run : runs) {
        tables[u"failures"_s] +=
            lines(got(store.failuresOfRun(run.runId)), [](const FailureRow &row) {
                return line(row.groupId, row.runId, row.version, row.firstAt, row.lastAt,
                            row.occurrences, row.outcome);
            });
    }
    for (const QString &id : commands) {
        const auto command = got(store.command(id));
        tables[u"commands"_s] += command ? toldCommand(*command) : id + u" is not there"_s;
    }
    const auto batches = got(store.batches(all));
    tables.insert(u"batches"_s, lines(batches, toldBatch));
    for (const BatchRow &batch : batches)
        tables[u"items of batches"_s] +=
            lines(got(store.batchItems({batch.id, {}, 0, all})), toldItem);
    return tables;
}

} // namespace holdfast::simulation
