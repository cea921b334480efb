#include "control/audit_check.h"

#include "control/arguments.h"
#include "model/json.h"

#include <algorithm>
#include <limits>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qint64 problemsMax = 1000;
constexpr int rowsAtOnce = 1000;
constexpr int signoffsMax = 1000; // each saw the audit as it was when it was signed
} // namespace

QJsonObject AuditAnchor::toJson() const
{
    return {{u"database"_s, database}, {u"at"_s, at},         {u"seq"_s, seq},
            {u"rows"_s, rows},         {u"chains"_s, chains}, {u"digest"_s, digest}};
}

Result<AuditAnchor> AuditAnchor::fromJson(const QJsonValue &json)
{
    AuditAnchor anchor{json["database"_L1].toString(), json["at"_L1].toString(),
                       json["seq"_L1].toInteger(),     json["rows"_L1].toInteger(),
                       json["chains"_L1].toInteger(),  json["digest"_L1].toString()};
    if (anchor.digest.isEmpty() || anchor.seq < 0)
        return model::invalid(u"this is no anchor of an audit; `audit anchor` makes one"_s);
    return anchor;
}

void AuditCheck::complain(const QString &problem)
{
    if (m_problems.size() < problemsMax)
        m_problems.append(problem);
}

void AuditCheck::add(const ports::AuditRow &row)
{
    Head &head = m_heads[row.chain];
    if (row.chainSeq != head.seq + 1)
        complain(
            u"row %1 of chain %2 is number %3, but %4 was expected: rows are missing"_s.arg(row.seq)
                .arg(row.chain)
                .arg(row.chainSeq)
                .arg(head.seq + 1));
    else if (row.previous != head.hash)
        complain(
            u"row %1 of chain %2 does not follow the row before it"_s.arg(row.seq).arg(row.chain));
    else if (row.hash != m_context.surroundings.auditHash(row))
        complain(
            u"row %1 of chain %2 was changed after it was written"_s.arg(row.seq).arg(row.chain));
    head = {row.chainSeq, row.hash};
    m_last = row.seq;
    ++m_rows;
}

AuditAnchor AuditCheck::anchor() const
{
    QJsonArray ends;
    for (auto head = m_heads.cbegin(); head != m_heads.cend(); ++head)
        ends.append(QJsonArray{head.key(), QString::number(head->seq), head->hash});
    AuditAnchor anchor;
    anchor.seq = m_last;
    anchor.rows = m_rows;
    anchor.chains = m_heads.size();
    anchor.digest = model::sha256Hex(model::canonicalJson(QJsonValue(ends)));
    return anchor;
}

void AuditCheck::compare(const AuditAnchor &seen)
{
    const AuditAnchor now = anchor();
    if (now.digest == seen.digest && now.rows == seen.rows)
        return;
    const QString how = now.rows < seen.rows   ? u"%1 rows are missing"_s.arg(seen.rows - now.rows)
                        : now.rows > seen.rows ? u"%1 rows were put in"_s.arg(now.rows - seen.rows)
                                               : u"rows were written anew"_s;
    complain(u"up to row %1 the audit is not what the anchor of %2 saw: %3"_s.arg(seen.seq).arg(
        seen.at, how));
}

Result<void> AuditCheck::walk(qint64 until, const QVector<AuditAnchor> &anchors)
{
    QVector<AuditAnchor> ahead = anchors;
    std::sort(ahead.begin(), ahead.end(),
              [](const AuditAnchor &a, const AuditAnchor &b) { return a.seq < b.seq; });
    const auto pass = [&](qint64 seq) {
        while (!ahead.isEmpty() && ahead.first().seq < seq)
            compare(ahead.takeFirst());
    };
    while (true) {
        const auto page = m_context.store.audit(m_last, rowsAtOnce);
        if (!page)
            return page.error();
        for (const ports::AuditRow &row : *page) {
            if (row.seq > until)
                break;
            pass(row.seq);
            add(row);
        }
        if (page->size() < rowsAtOnce || page->last().seq > until)
            break;
    }
    pass(std::numeric_limits<qint64>::max());
    return {};
}

Result<QJsonValue> auditVerify(Context &context)
{
    if (!context.surroundings.auditHash)
        return model::Error{model::ErrorKind::unsupported,
                            u"this program cannot verify the audit"_s};
    const auto mark = context.store.mark();
    if (!mark)
        return mark.error();
    QVector<AuditAnchor> anchors;
    const QJsonArray given = context.arguments().value("anchors"_L1).toArray();
    for (const QJsonValue &json : given) {
        const auto anchor = AuditAnchor::fromJson(json);
        if (!anchor)
            return anchor.error();
        if (anchor->database != mark->database)
            return model::refused(
                u"the anchor of %1 was taken of another database"_s.arg(anchor->at));
        anchors.append(*anchor);
    }
    const auto signoffs = context.store.signoffs(signoffsMax);
    if (!signoffs)
        return signoffs.error();
    const qsizetype givenCount = anchors.size();
    for (const ports::SignoffRow &row : *signoffs)
        anchors.append({mark->database, model::instantText(row.at), row.auditSeq, row.auditRows, 0,
                        row.auditHash});
    AuditCheck check(context);
    if (const auto walked = check.walk(std::numeric_limits<qint64>::max(), anchors); !walked)
        return walked.error();
    QJsonObject answer{{u"rows"_s, check.rows()},
                       {u"chains"_s, check.chains()},
                       {u"anchors"_s, givenCount},
                       {u"signoffs"_s, signoffs->size()},
                       {u"intact"_s, check.problems().isEmpty()},
                       {u"problems"_s, check.problems()}};
    if (!check.problems().isEmpty())
        answer.insert(u"refused"_s, u"the audit is not intact: %1 problems; keep a copy of the "
                                    "database before anything else"_s.arg(check.problems().size()));
    return QJsonValue(answer);
}

// An anchor of an audit that is not intact would vouch for it.
Result<QJsonValue> auditAnchor(Context &context)
{
    if (!context.surroundings.auditHash)
        return model::Error{model::ErrorKind::unsupported,
                            u"this program cannot verify the audit"_s};
    const auto until = context.store.settledAudit();
    if (!until)
        return until.error();
    const auto mark = context.store.mark();
    if (!mark)
        return mark.error();
    const auto now = context.store.now();
    if (!now)
        return now.error();
    AuditCheck check(context);
    if (const auto walked = check.walk(*until); !walked)
        return walked.error();
    if (!check.problems().isEmpty())
        return model::refused(u"the audit is not intact, so no anchor was taken: %1"_s.arg(
            check.problems().first().toString()));
    AuditAnchor anchor = check.anchor();
    anchor.database = mark->database;
    anchor.at = model::instantText(*now);
    return QJsonValue(anchor.toJson());
}

} // namespace holdfast::control
