#include "store/archive_hashes.h"

#include "model/json.h"
#include "store/row_reader.h"

namespace holdfast::store
{

using namespace ports;

ArchiveHashes::ArchiveHashes()
{
    for (const char *name :
         {"run", "journal", "review", "command", "ledger", "audit", "workflow", "dependency"}) {
        m_tables[QLatin1String(name)].hash =
            std::make_unique<QCryptographicHash>(QCryptographicHash::Sha256);
    }
}

void ArchiveHashes::addRow(const char *table, const QVariantList &values)
{
    Table &to = m_tables.at(QLatin1String(table));
    ++to.rows;
    to.hash->addData(model::canonicalJson(QJsonArray::fromVariantList(values)));
    to.hash->addData("\n");
}

void ArchiveHashes::add(const WholeRun &run)
{
    addRow("run", valuesOf(run.run));
    for (const JournalRow &row : run.journal) {
        addRow("journal", {row.id, row.runId, row.seq, row.at, textValue(row.worker), row.fence,
                           QString::fromUtf8(row.entries)});
    }
    for (const ReviewRow &row : run.reviews)
        addRow("review", allValuesOf(row));
    for (const CommandRow &row : run.commands)
        addRow("command", valuesOf(row));
    for (const LedgerRow &row : run.ledger)
        addRow("ledger", valuesOf(row));
    for (const AuditRow &row : run.audit)
        addRow("audit", valuesOf(row));
}

void ArchiveHashes::add(const ArchiveDefinitions &definitions)
{
    for (const WorkflowRow &row : definitions.workflows)
        addRow("workflow", valuesOf(row));
    for (const DependencyRow &row : definitions.dependencies)
        addRow("dependency", valuesOf(row));
}

QJsonObject ArchiveHashes::counts() const
{
    QJsonObject object;
    for (const auto &[name, table] : m_tables)
        object.insert(name, table.rows);
    return object;
}

QJsonObject ArchiveHashes::hashes() const
{
    QJsonObject object;
    for (const auto &[name, table] : m_tables)
        object.insert(name, QString::fromLatin1(table.hash->result().toHex()));
    return object;
}

} // namespace holdfast::store
