#include "runtime/rebuild.h"

#include "engine/fold.h"
#include "model/json.h"
#include "runtime/rollup_sum.h"

namespace holdfast::runtime
{

namespace
{
constexpr int pageSize = 500;
constexpr int differencesNamed = 100;

class Rebuild
{
public:
    Rebuild(ports::Store &store, Catalog &catalog, bool repair)
        : m_store(store), m_catalog(catalog), m_repair(repair)
    {
    }

    Result<RebuildReport> run()
    {
        const auto sealed = m_store.sealedUntil();
        if (!sealed)
            return sealed.error();
        m_sealed = *sealed;
        QString after;
        while (true) {
            const auto page = m_store.runsPage(after, pageSize);
            if (!page)
                return page.error();
            if (page->isEmpty())
                break;
            for (const ports::RunRow &row : *page) {
                if (const auto done = oneRun(row); !done)
                    return done.error();
            }
            after = page->last().runId;
        }
        if (const auto done = compareRollups(); !done)
            return done.error();
        m_report.repaired = m_repair && m_report.differenceCount > 0;
        return m_report;
    }

private:
    Result<void> oneRun(const ports::RunRow &row)
    {
        const auto journal = m_store.journal(row.runId);
        if (!journal)
            return journal.error();
        const auto deployed = m_catalog.workflow(m_store, row.workflow, row.version);
        if (!deployed)
            return deployed.error();
        ++m_report.runs;
        const model::Policy &policy = (*deployed)->policy;
        ports::TurnWrites writes;
        model::Run run;
        for (const ports::JournalRow &written : *journal) {
            ++m_report.journalRows;
            const model::Entries entries = model::entriesFromJson(written.entries);
            const bool wasFinal = model::isFinal(run.status);
            for (const model::Entry &entry : entries)
                engine::fold(run, entry);
            run.seq = written.seq;
            const Change change{run, entries, policy, written.worker, wasFinal};
            projectChange(change, writes);
            m_rollups.add(change);
        }
        ports::RunRow expected = projectRun(run, policy, row);
        expected.inputHash = model::sha256Hex(model::canonicalJson(run.input));
        if (const auto done = compareRun(row, expected); !done)
            return done.error();
        if (const auto done = compareLedger(run, writes); !done)
            return done.error();
        return compareFailures(run, writes);
    }

    void differs(const QString &what, const QString &is, const QString &says)
    {
        ++m_report.differenceCount;
        if (m_report.differences.size() < differencesNamed)
            m_report.differences.append(
                QStringLiteral("%1 is %2, the journal says %3").arg(what, is, says));
    }

    template <typename T>
    bool compare(const QString &what, const T &is, const T &says, const QString &isText,
                 const QString &saysText)
    {
        if (is == says)
            return true;
        differs(what, isText, saysText);
        return false;
    }

    Result<void> compareRun(const ports::RunRow &row, const ports::RunRow &expected)
    {
        const QString name = QStringLiteral("run %1: ").arg(row.runId);
        const auto number = [](qint64 value) { return QString::number(value); };
        const auto json = [](const QJsonValue &value) {
            return QString::fromUtf8(model::compactJson(value));
        };
        bool same = true;
        same &= compare(name + QStringLiteral("status"), row.status, expected.status,
                        model::runStatusName(row.status), model::runStatusName(expected.status));
        same &= compare(name + QStringLiteral("seq"), row.seq, expected.seq, number(row.seq),
                        number(expected.seq));
        same &= compare(name + QStringLiteral("step"), row.step, expected.step, row.step,
                        expected.step);
        same &= compare(name + QStringLiteral("reason"), row.reason, expected.reason, row.reason,
                        expected.reason);
        same &= compare(name + QStringLiteral("retry_count"), row.retryCount, expected.retryCount,
                        number(row.retryCount), number(expected.retryCount));
        same &= compare(name + QStringLiteral("compensation_count"), row.compensationCount,
                        expected.compensationCount, number(row.compensationCount),
                        number(expected.compensationCount));
        same &= compare(name + QStringLiteral("duplicates_prevented"), row.duplicatesPrevented,
                        expected.duplicatesPrevented, number(row.duplicatesPrevented),
                        number(expected.duplicatesPrevented));
        same &= compare(name + QStringLiteral("started_at"), row.startedAt, expected.startedAt,
                        number(row.startedAt), number(expected.startedAt));
        same &= compare(name + QStringLiteral("finished_at"), row.finishedAt, expected.finishedAt,
                        number(row.finishedAt), number(expected.finishedAt));
        same &= compare(name + QStringLiteral("outputs"), row.outputs, expected.outputs,
                        json(row.outputs), json(expected.outputs));
        same &= compare(name + QStringLiteral("open"), row.open, expected.open,
                        QString::fromUtf8(ports::openToJson(row.open)),
                        QString::fromUtf8(ports::openToJson(expected.open)));
        if (same || !m_repair)
            return {};
        return m_store.replaceRun(expected);
    }

    // The ledger follows from the last thing that happened to each key.
    Result<void> compareLedger(const model::Run &run, const ports::TurnWrites &writes)
    {
        const auto rows = ports::ledgerOfRun(m_store, run);
        if (!rows)
            return rows.error();
        QMap<QPair<QString, QString>, ports::LedgerUpdate> last;
        for (const ports::LedgerUpdate &update : writes.ledger)
            last.insert({update.operation, update.key}, update);
        for (const ports::LedgerRow &row : *rows) {
            const auto expected = last.constFind({row.operation, row.key});
            const QString says =
                expected == last.constEnd() ? QStringLiteral("processing") : expected->status;
            // A swept key keeps its tombstone; that is time's work, not the journal's. Nor does the
            // journal say when a step that was reopened asked for its key again.
            if (row.status == says || row.status == QLatin1String("expired") ||
                (row.status == QLatin1String("processing") && mayHaveAskedAgain(run, row)))
                continue;
            differs(QStringLiteral("key %1: status").arg(row.key), row.status, says);
            if (!m_repair)
                continue;
            ports::LedgerRow repaired = row;
            repaired.status = says;
            if (expected != last.constEnd()) {
                repaired.result = expected->result;
                repaired.expiresAt = expected->expiresAt;
            }
            if (const auto done = m_store.replaceLedger(repaired); !done)
                return done.error();
        }
        return {};
    }

    static bool mayHaveAskedAgain(const model::Run &run, const ports::LedgerRow &row)
    {
        const model::Step *step = run.find(row.step);
        if (!step)
            return false;
        const bool undo = row.direction == model::directionName(model::Direction::compensate);
        return !model::isSettled((undo ? step->undo : step->forward).phase);
    }

    static QString failureText(const ports::FailureRow &row)
    {
        return QStringLiteral("%1 times from %2 to %3 in version %4, outcome \"%5\"")
            .arg(row.occurrences)
            .arg(row.firstAt)
            .arg(row.lastAt)
            .arg(row.version)
            .arg(row.outcome);
    }

    // What a run did in each group, by the rules by which a store adds it up.
    static QMap<QString, ports::FailureSeen> failuresIn(const ports::TurnWrites &writes)
    {
        QMap<QString, ports::FailureSeen> sums;
        for (const ports::FailureSeen &seen : writes.failures) {
            const auto sum = sums.find(seen.group.id);
            if (sum == sums.end()) {
                sums.insert(seen.group.id, seen);
                continue;
            }
            sum->failure.lastAt = seen.failure.lastAt;
            sum->failure.occurrences += seen.failure.occurrences;
        }
        const QString outcome =
            writes.outcomes.isEmpty() ? QString() : writes.outcomes.last().outcome;
        for (ports::FailureSeen &sum : sums)
            sum.failure.outcome = outcome;
        return sums;
    }

    Result<void> compareFailures(const model::Run &run, const ports::TurnWrites &writes)
    {
        const auto rows = m_store.failuresOfRun(run.runId);
        if (!rows)
            return rows.error();
        const QMap<QString, ports::FailureSeen> says = failuresIn(writes);
        const auto none = QStringLiteral("not there");
        QMap<QString, ports::FailureRow> is;
        for (const ports::FailureRow &row : *rows)
            is.insert(row.groupId, row);
        bool same = true;
        const auto compareIn = [&](const QString &group) {
            QString isText = is.contains(group) ? failureText(is.value(group)) : none;
            QString saysText = says.contains(group) ? failureText(says.value(group).failure) : none;
            same &= compare(QStringLiteral("run %1 in failure group %2").arg(run.runId, group),
                            isText, saysText, isText, saysText);
        };
        for (auto seen = says.cbegin(); seen != says.cend(); ++seen) {
            compareIn(seen.key());
            const auto alike = compareGroup(seen->group);
            if (!alike)
                return alike.error();
            same &= *alike;
        }
        for (auto row = is.cbegin(); row != is.cend(); ++row) {
            if (!says.contains(row.key()))
                compareIn(row.key());
        }
        return same || !m_repair ? Result<void>()
                                 : m_store.replaceFailures(run.runId, says.values());
    }

    static QString groupText(const ports::FailureGroupRow &row)
    {
        return QStringList{row.workflow,     row.step,   row.direction,
                           row.failureClass, row.reason, row.message}
            .join(u' ');
    }

    // What a group was first seen at may be earlier than any run that is still there.
    Result<bool> compareGroup(const ports::FailureGroupRow &says)
    {
        auto known = m_groups.find(says.id);
        if (known == m_groups.end()) {
            const auto rows = m_store.failureGroups({says.id});
            if (!rows)
                return rows.error();
            ports::FailureGroupRow is;
            for (const ports::FailureGroupRow &row : *rows) {
                if (row.id == says.id)
                    is = row;
            }
            known = m_groups.insert(says.id, is);
        }
        const QString name = QStringLiteral("failure group %1").arg(says.id);
        bool same =
            compare(name, groupText(*known), groupText(says), groupText(*known), groupText(says));
        if (known->firstAt > says.firstAt || known->firstAt == model::never)
            same &= compare(name + QStringLiteral(": first_at"), known->firstAt, says.firstAt,
                            QString::number(known->firstAt), QString::number(says.firstAt));
        if (!same && m_repair)
            m_groups.insert(says.id, says);
        return same;
    }

    static QMap<QString, qint64> totals(const QVector<ports::RollupRow> &rows)
    {
        QMap<QString, qint64> sums;
        for (const ports::RollupRow &row : rows) {
            for (auto count = row.counts.cbegin(); count != row.counts.cend(); ++count) {
                const QString key = QStringLiteral("%1 %2 %3 %4 %5")
                                        .arg(row.minute)
                                        .arg(row.workflow, row.step, row.dependency, count.key());
                if (count.value() != 0)
                    sums[key] += count.value();
            }
        }
        return sums;
    }

    Result<void> compareRollups()
    {
        const auto standing = m_store.rollups(m_sealed, std::numeric_limits<qint64>::max());
        if (!standing)
            return standing.error();
        // What is sealed counts runs whose journals are in an archive now.
        QVector<ports::RollupRow> counted = m_rollups.rows();
        counted.removeIf([this](const ports::RollupRow &row) { return row.minute < m_sealed; });
        const QMap<QString, qint64> is = totals(*standing);
        const QMap<QString, qint64> says = totals(counted);
        if (is == says)
            return {};
        for (auto sum = says.cbegin(); sum != says.cend(); ++sum) {
            if (is.value(sum.key()) != sum.value())
                differs(QStringLiteral("rollup ") + sum.key(), QString::number(is.value(sum.key())),
                        QString::number(sum.value()));
        }
        for (auto sum = is.cbegin(); sum != is.cend(); ++sum) {
            if (!says.contains(sum.key()))
                differs(QStringLiteral("rollup ") + sum.key(), QString::number(sum.value()),
                        QStringLiteral("0"));
        }
        return m_repair ? m_store.replaceRollups(counted) : Result<void>();
    }

    ports::Store &m_store;
    Catalog &m_catalog;
    bool m_repair;
    model::Instant m_sealed = model::never;
    RollupSum m_rollups;
    QMap<QString, ports::FailureGroupRow> m_groups; // those looked at, as they stand
    RebuildReport m_report;
};
} // namespace

Result<RebuildReport> rebuild(ports::Store &store, Catalog &catalog, bool repair)
{
    if (const auto refreshed = catalog.refresh(store); !refreshed)
        return refreshed.error();
    return Rebuild(store, catalog, repair).run();
}

} // namespace holdfast::runtime
