// Rows in and out of SQL, the same for both databases: the order of columns is that of the
// fragments in the .sql files.
#pragma once

#include "ports/store.h"

#include <QSqlQuery>
#include <QVariant>

namespace holdfast::store
{

// Empty text is '' and never NULL; Qt would bind a null QString as NULL.
QVariant textValue(const QString &text);
// Where NULL means "nobody" or "no run".
QVariant optionalText(const QString &text);
QVariant instantValue(ports::Instant instant);
QVariant jsonValue(const QJsonObject &object);
QString failuresText(const QVector<ports::Instant> &failures);
QVector<ports::Instant> failuresFromText(const QString &text);
QJsonObject objectFromText(const QString &text);
QString listText(const QStringList &list); // a JSON array

QVariantList valuesOf(const ports::RunRow &row); // all columns
QVariantList valuesOf(const ports::LedgerRow &row);
QVariantList valuesOf(const ports::ReviewRow &row);
QVariantList valuesOf(const ports::CommandRow &row);
QVariantList valuesOf(const ports::BreakerRow &row);
QVariantList valuesOf(const ports::OutboxRow &row);
QVariantList valuesOf(const ports::BatchRow &row);
QVariantList valuesOf(const ports::FailureGroupRow &row); // what the journal says of it
QVariant listValue(const QStringList &list);              // as a JSON array
QVariantList valuesOf(const ports::ArchiveRow &row);
// With who looked at it.
QVariantList allValuesOf(const ports::ReviewRow &row);
QVariantList valuesOf(const ports::WorkflowRow &row);
QVariantList valuesOf(const ports::DependencyRow &row);
QVariantList valuesOf(const ports::AuditRow &row);

ports::RunRow readRun(const QSqlQuery &query);
ports::JournalRow readJournal(const QSqlQuery &query);
ports::LedgerRow readLedger(const QSqlQuery &query);
ports::ReviewRow readReview(const QSqlQuery &query);
ports::PauseRow readPause(const QSqlQuery &query);
ports::BreakerRow readBreaker(const QSqlQuery &query);
ports::QuotaRow readQuota(const QSqlQuery &query);
ports::WorkerRow readWorker(const QSqlQuery &query);
ports::CommandRow readCommand(const QSqlQuery &query);
ports::AuditRow readAudit(const QSqlQuery &query);
ports::OutboxRow readOutbox(const QSqlQuery &query);
ports::AlertTargetRow readAlertTarget(const QSqlQuery &query);
ports::DeliveryRow readDelivery(const QSqlQuery &query);
ports::TripwireRow readTripwire(const QSqlQuery &query);
ports::BatchRow readBatch(const QSqlQuery &query);
ports::BatchItemRow readBatchItem(const QSqlQuery &query);
ports::BatchCount readBatchCount(const QSqlQuery &query);
ports::FailureGroupRow readFailureGroup(const QSqlQuery &query);
ports::FailureRow readFailure(const QSqlQuery &query);
ports::FailureCount readFailureCount(const QSqlQuery &query);
ports::GroupNoteRow readGroupNote(const QSqlQuery &query);
ports::ArchiveRow readArchive(const QSqlQuery &query);
ports::ArchivedRunRow readArchivedRun(const QSqlQuery &query);
ports::ArchiveVerdict readArchiveVerdict(const QSqlQuery &query);
ports::RunVersion readRunVersion(const QSqlQuery &query);
ports::WorkflowRow readWorkflow(const QSqlQuery &query);
ports::DependencyRow readDependency(const QSqlQuery &query);

template <typename Row>
QVector<Row> readAll(QSqlQuery &query, Row (*read)(const QSqlQuery &))
{
    QVector<Row> rows;
    while (query.next())
        rows.append(read(query));
    query.finish();
    return rows;
}

} // namespace holdfast::store
