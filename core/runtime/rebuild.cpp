#include "runtime/rebuild.h"

#include "engine/fold.h"
#include "model/json.h"
#include "runtime/projection.h"

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
            for (const model::Entry &entry : entries)
                engine::fold(run, entry);
            run.seq = written.seq;
            projectChange({run, entries, policy, written.worker}, writes);
            for (const model::Entry &entry : entries)
                m_rollups.add(run, policy, entry, written.worker);
        }
        ports::RunRow expected = projectRun(run, policy, row);
        expected.inputHash = model::sha256Hex(model::canonicalJson(run.input));
        if (const auto done = compareRun(row, expected); !done)
            return done.error();
        return compareLedger(run, writes);
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
            // A swept key keeps its tombstone; that is time's work, not the journal's.
            if (row.status == says || row.status == QLatin1String("expired"))
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
        const auto standing = m_store.rollups(model::never, std::numeric_limits<qint64>::max());
        if (!standing)
            return standing.error();
        const QMap<QString, qint64> is = totals(*standing);
        const QMap<QString, qint64> says = totals(m_rollups.rows());
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
        return m_repair ? m_store.replaceRollups(m_rollups.rows()) : Result<void>();
    }

    ports::Store &m_store;
    Catalog &m_catalog;
    bool m_repair;
    RollupSum m_rollups;
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
