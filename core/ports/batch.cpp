#include "model/json.h"
#include "ports/store.h"

namespace holdfast::ports
{

using namespace Qt::StringLiterals;

namespace
{
QJsonObject withItem(const BatchRow &batch, const BatchItemRow &item)
{
    QJsonObject arguments = batch.arguments;
    if (!item.review.isEmpty())
        arguments.insert(u"review"_s, item.review);
    return arguments;
}
} // namespace

CommandRow commandOf(const BatchRow &batch, const BatchItemRow &item, Instant at)
{
    CommandRow row;
    row.id = u"%1:%2"_s.arg(batch.id).arg(item.place);
    row.name = batch.act;
    row.runId = item.runId;
    row.actor = batch.actor;
    row.arguments = withItem(batch, item);
    row.arguments.insert(u"version"_s, item.version);
    row.at = at;
    return row;
}

AuditRow auditRowOf(const BatchRow &batch, const BatchItemRow &item, Instant at)
{
    QJsonObject body = withItem(batch, item);
    body.insert(u"batch"_s, batch.id);
    body.insert(u"command"_s, u"%1:%2"_s.arg(batch.id).arg(item.place));
    AuditRow row;
    row.chain = item.runId;
    row.at = at;
    row.actor = batch.actor;
    row.action = batch.act;
    row.subject = item.review.isEmpty() ? item.runId : item.review;
    row.body = QString::fromUtf8(model::canonicalJson(body));
    return row;
}

std::optional<ReviewDecision> decisionOf(const BatchRow &batch, const BatchItemRow &item,
                                         Instant at)
{
    const QString verdict = batch.arguments.value("verdict"_L1).toString();
    if (item.review.isEmpty() || verdict == "verify"_L1)
        return std::nullopt;
    return ReviewDecision{item.review, verdict, batch.actor, batch.reason, at};
}

} // namespace holdfast::ports
