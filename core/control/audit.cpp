// Who did what, when and why.
#include "control/arguments.h"
#include "control/context.h"
#include "model/json.h"
#include "model/mask.h"

#include <QJsonArray>
#include <algorithm>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qint64 auditPageMax = 1000;

QJsonArray rowsJson(const QVector<ports::AuditRow> &rows)
{
    QJsonArray list;
    for (const ports::AuditRow &row : rows) {
        const auto body = model::parseJson(row.body.toUtf8());
        list.append(QJsonObject{{u"seq"_s, row.seq},
                                {u"chain"_s, row.chain},
                                {u"at"_s, instantJson(row.at)},
                                {u"actor"_s, row.actor},
                                {u"action"_s, row.action},
                                {u"subject"_s, row.subject},
                                {u"body"_s, body ? model::masked(*body) : QJsonValue(row.body)},
                                {u"hash"_s, row.hash}});
    }
    return list;
}

Result<QJsonValue> inOrder(Context &context, qint64 after, int limit)
{
    const auto rows = context.store.audit(after, limit);
    if (!rows)
        return rows.error();
    const bool more = rows->size() == limit;
    return QJsonValue(
        QJsonObject{{u"audit"_s, rowsJson(*rows)},
                    {u"cursor"_s, more ? QJsonValue(rows->last().seq) : QJsonValue()}});
}

Result<QJsonValue> newestFirst(Context &context, int limit)
{
    const QJsonObject &arguments = context.arguments();
    const auto before = integerOr(arguments, "before", 0);
    if (!before)
        return before.error();
    ports::AuditFilter filter;
    filter.actor = arguments.value("actor"_L1).toString();
    filter.action = arguments.value("action"_L1).toString();
    filter.chain = arguments.value("run"_L1).toString();
    filter.before = std::max<qint64>(0, *before);
    filter.limit = limit;
    const auto page = context.store.auditOf(filter);
    if (!page)
        return page.error();
    return QJsonValue(
        QJsonObject{{u"audit"_s, rowsJson(page->rows)},
                    {u"cursor"_s, page->before > 0 ? QJsonValue(page->before) : QJsonValue()}});
}
} // namespace

// With `after`, or where nothing is asked for, in the order of writing, as an export wants it; else
// the newest first, as a person does.
Result<QJsonValue> audit(Context &context)
{
    const QJsonObject &arguments = context.arguments();
    const auto after = integerOr(arguments, "after", 0);
    if (!after)
        return after.error();
    const auto limit = integerOr(arguments, "limit", auditPageMax);
    if (!limit)
        return limit.error();
    if (*limit < 1 || *limit > auditPageMax)
        return model::invalid(u"limit must be between 1 and %1"_s.arg(auditPageMax));
    if (arguments.contains("after"_L1) || arguments.isEmpty())
        return inOrder(context, *after, int(*limit));
    return newestFirst(context, int(*limit));
}

} // namespace holdfast::control
