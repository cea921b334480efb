#include "store/row_reader.h"

#include "model/json.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace holdfast::store
{

using namespace ports;

namespace
{
QString text(const QSqlQuery &query, int column) { return query.value(column).toString(); }
// PostgreSQL hands out bigint as unsigned when it is not negative; toLongLong covers both.
qint64 number(const QSqlQuery &query, int column) { return query.value(column).toLongLong(); }
int smallNumber(const QSqlQuery &query, int column) { return int(number(query, column)); }
QJsonObject object(const QSqlQuery &query, int column)
{
    return objectFromText(text(query, column));
}
} // namespace

QVariant textValue(const QString &text) { return text.isNull() ? QLatin1String("") : text; }

QVariant optionalText(const QString &text)
{
    return text.isEmpty() ? QVariant(QMetaType::fromType<QString>()) : QVariant(text);
}

QVariant instantValue(Instant instant)
{
    return instant == model::never ? QVariant(QMetaType::fromType<qlonglong>()) : QVariant(instant);
}

QVariant jsonValue(const QJsonObject &object)
{
    static const QVariant none = QStringLiteral("{}");
    return object.isEmpty() ? none : QString::fromUtf8(model::compactJson(object));
}

QJsonObject objectFromText(const QString &text)
{
    if (text.size() <= 2)
        return {};
    return QJsonDocument::fromJson(text.toUtf8()).object();
}

QString listText(const QStringList &list)
{
    return QString::fromUtf8(model::compactJson(QJsonArray::fromStringList(list)));
}

QString failuresText(const QVector<Instant> &failures)
{
    QStringList parts;
    for (const Instant failure : failures)
        parts.append(QString::number(failure));
    return u'[' + parts.join(u',') + u']';
}

QVector<Instant> failuresFromText(const QString &text)
{
    QVector<Instant> failures;
    const auto parts = QStringView(text).mid(1).chopped(1).split(u',', Qt::SkipEmptyParts);
    for (const QStringView part : parts)
        failures.append(part.toLongLong());
    return failures;
}

QVariantList valuesOf(const RunRow &row)
{
    return {textValue(row.runId),
            textValue(row.workflow),
            row.version,
            textValue(row.eventId),
            row.generation,
            textValue(row.inputHash),
            model::runStatusName(row.status),
            row.seq,
            row.fence,
            optionalText(row.worker),
            instantValue(row.due),
            row.createdAt,
            instantValue(row.startedAt),
            instantValue(row.finishedAt),
            row.updatedAt,
            textValue(row.step),
            textValue(row.reason),
            row.retryCount,
            row.compensationCount,
            row.duplicatesPrevented,
            jsonValue(row.outputs),
            QString::fromUtf8(openToJson(row.open))};
}

QVariantList valuesOf(const LedgerRow &row)
{
    return {textValue(row.operation),   textValue(row.key),
            textValue(row.hash),        textValue(row.status),
            textValue(row.runId),       textValue(row.step),
            textValue(row.direction),   jsonValue(row.request),
            jsonValue(row.result),      row.createdAt,
            instantValue(row.expiresAt)};
}

QVariantList valuesOf(const ReviewRow &row)
{
    return {textValue(row.id),
            textValue(row.kind),
            optionalText(row.runId),
            textValue(row.step),
            textValue(row.direction),
            textValue(row.workflow),
            textValue(row.dependency),
            row.version,
            row.openedAt,
            instantValue(row.decidedAt),
            textValue(row.decidedBy),
            textValue(row.decision),
            textValue(row.reason),
            instantValue(row.expiresAt),
            jsonValue(row.evidence)};
}

QVariantList valuesOf(const CommandRow &row)
{
    return {textValue(row.id),           textValue(row.name),      optionalText(row.runId),
            textValue(row.actor),        jsonValue(row.arguments), row.at,
            instantValue(row.appliedAt), textValue(row.result),    textValue(row.message)};
}

QVariantList valuesOf(const BreakerRow &row)
{
    return {textValue(row.dependency),   textValue(row.state),         failuresText(row.failures),
            instantValue(row.openUntil), instantValue(row.trialUntil), textValue(row.reason)};
}

QVariantList valuesOf(const OutboxRow &row)
{
    return {textValue(row.id),      row.at,
            textValue(row.kind),    optionalText(row.runId),
            jsonValue(row.payload), instantValue(row.deliveredAt)};
}

RunRow readRun(const QSqlQuery &query)
{
    RunRow row;
    row.runId = text(query, 0);
    row.workflow = text(query, 1);
    row.version = smallNumber(query, 2);
    row.eventId = text(query, 3);
    row.generation = smallNumber(query, 4);
    row.inputHash = text(query, 5);
    row.status = model::runStatusFromName(text(query, 6)).value_or(model::RunStatus::held);
    row.seq = smallNumber(query, 7);
    row.fence = number(query, 8);
    row.worker = text(query, 9);
    row.due = number(query, 10);
    row.createdAt = number(query, 11);
    row.startedAt = number(query, 12);
    row.finishedAt = number(query, 13);
    row.updatedAt = number(query, 14);
    row.step = text(query, 15);
    row.reason = text(query, 16);
    row.retryCount = smallNumber(query, 17);
    row.compensationCount = smallNumber(query, 18);
    row.duplicatesPrevented = smallNumber(query, 19);
    row.outputs = object(query, 20);
    row.open = openFromJson(text(query, 21).toUtf8());
    return row;
}

JournalRow readJournal(const QSqlQuery &query)
{
    return {number(query, 0), text(query, 1),   smallNumber(query, 2),       number(query, 3),
            text(query, 4),   number(query, 5), query.value(6).toByteArray()};
}

LedgerRow readLedger(const QSqlQuery &query)
{
    return {text(query, 0),   text(query, 1),   text(query, 2),   text(query, 3),
            text(query, 4),   text(query, 5),   text(query, 6),   object(query, 7),
            object(query, 8), number(query, 9), number(query, 10)};
}

ReviewRow readReview(const QSqlQuery &query)
{
    return {text(query, 0),    text(query, 1),    text(query, 2),    text(query, 3),
            text(query, 4),    text(query, 5),    text(query, 6),    smallNumber(query, 7),
            number(query, 8),  number(query, 9),  text(query, 10),   text(query, 11),
            text(query, 12),   number(query, 13), object(query, 14), text(query, 15),
            number(query, 16), number(query, 17)};
}

PauseRow readPause(const QSqlQuery &query)
{
    return {text(query, 0),   text(query, 1), text(query, 2),   text(query, 3),
            text(query, 4),   text(query, 5), number(query, 6), number(query, 7),
            number(query, 8), text(query, 9), text(query, 10),  text(query, 11)};
}

BreakerRow readBreaker(const QSqlQuery &query)
{
    return {text(query, 0),   text(query, 1),   failuresFromText(text(query, 2)),
            number(query, 3), number(query, 4), text(query, 5)};
}

QuotaRow readQuota(const QSqlQuery &query)
{
    return {text(query, 0), number(query, 1), text(query, 2)};
}

WorkerRow readWorker(const QSqlQuery &query)
{
    return {text(query, 0),   text(query, 1),   number(query, 2), text(query, 3),
            number(query, 4), number(query, 5), text(query, 6),   number(query, 7)};
}

CommandRow readCommand(const QSqlQuery &query)
{
    return {text(query, 0),   text(query, 1),   text(query, 2), text(query, 3), object(query, 4),
            number(query, 5), number(query, 6), text(query, 7), text(query, 8)};
}

AuditRow readAudit(const QSqlQuery &query)
{
    AuditRow row;
    row.seq = number(query, 0);
    row.chain = text(query, 1);
    row.chainSeq = number(query, 2);
    row.at = number(query, 3);
    row.actor = text(query, 4);
    row.action = text(query, 5);
    row.subject = text(query, 6);
    row.body = text(query, 7);
    row.previous = text(query, 8);
    row.hash = text(query, 9);
    return row;
}

OutboxRow readOutbox(const QSqlQuery &query)
{
    return {text(query, 0), number(query, 1), text(query, 2),
            text(query, 3), object(query, 4), number(query, 5)};
}

QVariant listValue(const QStringList &list)
{
    return QString::fromUtf8(model::compactJson(QJsonArray::fromStringList(list)));
}

AlertTargetRow readAlertTarget(const QSqlQuery &query)
{
    const auto list = [&](int column) {
        QStringList values;
        const QJsonArray found = QJsonDocument::fromJson(text(query, column).toUtf8()).array();
        for (const QJsonValue &value : found)
            values << value.toString();
        return values;
    };
    return {text(query, 0), text(query, 1),        list(2),        list(3),
            list(4),        number(query, 5) != 0, text(query, 6), text(query, 7),
            text(query, 8), number(query, 9)};
}

DeliveryRow readDelivery(const QSqlQuery &query)
{
    return {text(query, 0),   text(query, 1),        text(query, 2),        text(query, 3),
            number(query, 4), text(query, 5),        smallNumber(query, 6), number(query, 7),
            number(query, 8), smallNumber(query, 9), text(query, 10)};
}

TripwireRow readTripwire(const QSqlQuery &query)
{
    return {text(query, 0),    text(query, 1),    text(query, 2),    text(query, 3),
            text(query, 4),    text(query, 5),    text(query, 6),    text(query, 7),
            number(query, 8),  number(query, 9),  number(query, 10), text(query, 11),
            text(query, 12),   number(query, 13), number(query, 14), number(query, 15),
            number(query, 16), text(query, 17),   number(query, 18)};
}

QVariantList valuesOf(const BatchRow &row)
{
    return {textValue(row.id),
            textValue(row.act),
            jsonValue(row.arguments),
            textValue(row.reason),
            textValue(row.actor),
            textValue(row.filter),
            row.rate,
            int(row.includesUnsafe),
            textValue(row.state),
            textValue(row.note),
            row.items,
            row.chosen,
            row.taken,
            row.base,
            instantValue(row.takenAt),
            row.startedAt,
            instantValue(row.endedAt)};
}

BatchRow readBatch(const QSqlQuery &query)
{
    BatchRow row;
    row.id = text(query, 0);
    row.act = text(query, 1);
    row.arguments = object(query, 2);
    row.reason = text(query, 3);
    row.actor = text(query, 4);
    row.filter = text(query, 5);
    row.rate = smallNumber(query, 6);
    row.includesUnsafe = smallNumber(query, 7) != 0;
    row.state = text(query, 8);
    row.note = text(query, 9);
    row.items = smallNumber(query, 10);
    row.chosen = smallNumber(query, 11);
    row.taken = smallNumber(query, 12);
    row.base = smallNumber(query, 13);
    row.takenAt = number(query, 14);
    row.startedAt = number(query, 15);
    row.endedAt = number(query, 16);
    return row;
}

BatchItemRow readBatchItem(const QSqlQuery &query)
{
    return {smallNumber(query, 0), text(query, 1), text(query, 2),
            smallNumber(query, 3), text(query, 4), text(query, 5),
            text(query, 6),        text(query, 7), text(query, 8)};
}

BatchCount readBatchCount(const QSqlQuery &query)
{
    return {text(query, 0), text(query, 1), text(query, 2), number(query, 3)};
}

QVariantList valuesOf(const FailureGroupRow &row)
{
    return {textValue(row.id),        textValue(row.workflow),     textValue(row.step),
            textValue(row.direction), textValue(row.failureClass), textValue(row.reason),
            textValue(row.message),   textValue(row.dependency),   row.firstAt};
}

FailureGroupRow readFailureGroup(const QSqlQuery &query)
{
    FailureGroupRow row{text(query, 0), text(query, 1), text(query, 2),
                        text(query, 3), text(query, 4), text(query, 5),
                        text(query, 6), text(query, 7), number(query, 8)};
    row.disposition = text(query, 9);
    row.resolvedVersion = smallNumber(query, 10);
    row.decidedBy = text(query, 11);
    row.decidedAt = number(query, 12);
    row.owner = text(query, 13);
    const QJsonArray tags = QJsonDocument::fromJson(text(query, 14).toUtf8()).array();
    for (const QJsonValue &tag : tags)
        row.tags.append(tag.toString());
    row.note = text(query, 15);
    row.mergedInto = text(query, 16);
    return row;
}

FailureRow readFailure(const QSqlQuery &query)
{
    return {text(query, 0),   text(query, 1),   smallNumber(query, 2), number(query, 3),
            number(query, 4), number(query, 5), text(query, 6),        text(query, 7)};
}

FailureCount readFailureCount(const QSqlQuery &query)
{
    return {number(query, 0), text(query, 1),   text(query, 2),
            number(query, 3), number(query, 4), number(query, 5)};
}

GroupNoteRow readGroupNote(const QSqlQuery &query)
{
    return {number(query, 0), text(query, 1), text(query, 2)};
}

WorkflowRow readWorkflow(const QSqlQuery &query)
{
    return {text(query, 0), smallNumber(query, 1), text(query, 2), text(query, 3),
            text(query, 4), number(query, 5),      text(query, 6)};
}

DependencyRow readDependency(const QSqlQuery &query)
{
    return {text(query, 0), smallNumber(query, 1), text(query, 2), text(query, 3),
            text(query, 4), number(query, 5),      text(query, 6)};
}

QVariantList valuesOf(const ArchiveRow &row)
{
    return {textValue(row.id),
            textValue(row.file),
            textValue(row.host),
            row.before,
            textValue(row.reason),
            textValue(row.actor),
            textValue(row.state),
            textValue(row.note),
            row.runs,
            row.size,
            textValue(row.hash),
            jsonValue(row.manifest),
            row.startedAt,
            instantValue(row.writtenAt),
            instantValue(row.endedAt)};
}

QVariantList allValuesOf(const ReviewRow &row)
{
    return valuesOf(row) + QVariantList{textValue(row.claimedBy), instantValue(row.claimedUntil),
                                        instantValue(row.snoozedUntil)};
}

QVariantList valuesOf(const WorkflowRow &row)
{
    return {textValue(row.name), row.version,    textValue(row.owner),     textValue(row.source),
            textValue(row.hash), row.deployedAt, textValue(row.deployedBy)};
}

QVariantList valuesOf(const DependencyRow &row)
{
    return {textValue(row.name), row.revision,   textValue(row.owner),     textValue(row.source),
            textValue(row.hash), row.deployedAt, textValue(row.deployedBy)};
}

QVariantList valuesOf(const AuditRow &row)
{
    return {row.seq,
            textValue(row.chain),
            row.chainSeq,
            row.at,
            textValue(row.actor),
            textValue(row.action),
            textValue(row.subject),
            textValue(row.body),
            textValue(row.previous),
            textValue(row.hash)};
}

ArchiveRow readArchive(const QSqlQuery &query)
{
    ArchiveRow row;
    row.id = text(query, 0);
    row.file = text(query, 1);
    row.host = text(query, 2);
    row.before = number(query, 3);
    row.reason = text(query, 4);
    row.actor = text(query, 5);
    row.state = text(query, 6);
    row.note = text(query, 7);
    row.runs = number(query, 8);
    row.size = number(query, 9);
    row.hash = text(query, 10);
    row.manifest = object(query, 11);
    row.startedAt = number(query, 12);
    row.writtenAt = number(query, 13);
    row.endedAt = number(query, 14);
    row.removed = number(query, 15);
    return row;
}

ArchivedRunRow readArchivedRun(const QSqlQuery &query)
{
    ArchivedRunRow row;
    row.runId = text(query, 0);
    row.archive = text(query, 1);
    row.workflow = text(query, 2);
    row.version = smallNumber(query, 3);
    row.eventId = text(query, 4);
    row.generation = smallNumber(query, 5);
    row.inputHash = text(query, 6);
    row.status = model::runStatusFromName(text(query, 7)).value_or(model::RunStatus::failed);
    row.seq = smallNumber(query, 8);
    row.createdAt = number(query, 9);
    row.startedAt = number(query, 10);
    row.finishedAt = number(query, 11);
    return row;
}

ArchiveVerdict readArchiveVerdict(const QSqlQuery &query)
{
    return {text(query, 0), smallNumber(query, 1), text(query, 2)};
}

RunVersion readRunVersion(const QSqlQuery &query)
{
    return {text(query, 0), smallNumber(query, 1)};
}

} // namespace holdfast::store
