// Who did what, when and why, and whether anybody changed that afterwards.
#include "control/arguments.h"
#include "control/context.h"
#include "control/mask.h"
#include "model/json.h"

#include <QJsonArray>
#include <algorithm>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qint64 auditPageMax = 1000;

struct Head {
    qint64 seq = 0;
    QString hash;
};

QString wrongWith(const ports::AuditRow &row, const Head &head, const QString &hash)
{
    if (row.chainSeq != head.seq + 1)
        return u"row %1 of chain %2 is number %3, but %4 was expected: rows are missing"_s
            .arg(row.seq)
            .arg(row.chain)
            .arg(row.chainSeq)
            .arg(head.seq + 1);
    if (row.previous != head.hash)
        return u"row %1 of chain %2 does not follow the row before it"_s.arg(row.seq).arg(
            row.chain);
    if (row.hash != hash)
        return u"row %1 of chain %2 was changed after it was written"_s.arg(row.seq).arg(row.chain);
    return {};
}

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
                                {u"body"_s, body ? masked(*body) : QJsonValue(row.body)},
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

Result<QJsonValue> auditVerify(Context &context)
{
    if (!context.surroundings.auditHash)
        return model::Error{model::ErrorKind::unsupported,
                            u"this program cannot verify the audit"_s};
    QMap<QString, Head> heads;
    QJsonArray problems;
    qint64 checked = 0;
    qint64 after = 0;
    while (true) {
        const auto rows = context.store.audit(after, int(auditPageMax));
        if (!rows)
            return rows.error();
        for (const ports::AuditRow &row : *rows) {
            Head &head = heads[row.chain];
            const QString wrong = wrongWith(row, head, context.surroundings.auditHash(row));
            if (!wrong.isEmpty() && problems.size() < auditPageMax)
                problems.append(wrong);
            head = {row.chainSeq, row.hash};
            after = row.seq;
            ++checked;
        }
        if (rows->size() < auditPageMax)
            break;
    }
    QJsonObject answer{{u"rows"_s, checked},
                       {u"chains"_s, heads.size()},
                       {u"intact"_s, problems.isEmpty()},
                       {u"problems"_s, problems}};
    if (!problems.isEmpty())
        answer.insert(u"refused"_s, u"the audit is not intact: %1 problems; keep a copy of the "
                                    "database before anything else"_s.arg(problems.size()));
    return QJsonValue(answer);
}

} // namespace holdfast::control
