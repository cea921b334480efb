// Who signed the report on which window. What is signed are its figures as they stood, with their
// hash, and the end of the audit, so that both can be compared later.
#include "control/arguments.h"
#include "control/audit_check.h"
#include "control/record.h"
#include "control/report.h"
#include "model/json.h"

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qint64 reportsMax = 1000;

QString hashOf(const QString &figures) { return model::sha256Hex(figures.toUtf8()); }

QJsonObject signoffJson(const ports::SignoffRow &row)
{
    return {{u"by"_s, row.by},
            {u"at"_s, instantJson(row.at)},
            {u"note"_s, row.note},
            {u"figures_hash"_s, row.figuresHash},
            {u"audit_seq"_s, row.auditSeq},
            {u"audit_hash"_s, row.auditHash}};
}

QJsonValue figureNamed(const QJsonArray &figures, const QJsonValue &name)
{
    for (const QJsonValue &figure : figures) {
        if (figure["name"_L1] == name)
            return figure;
    }
    return {};
}

// Each number that was signed stands in what is counted now; what came to be counted since does
// not matter.
bool stillHolds(const QJsonValue &then, const QJsonValue &now)
{
    const QJsonObject members = then.toObject();
    for (auto member = members.constBegin(); member != members.constEnd(); ++member) {
        if (member.key() != "title"_L1 && now[member.key()] != member.value())
            return false;
    }
    return true;
}

bool daysHold(const QJsonArray &then, const QJsonArray &now)
{
    for (qsizetype i = 0; i < then.size(); ++i) {
        if (!stillHolds(then.at(i), now.at(i)))
            return false;
    }
    return then.size() == now.size();
}

// The names of the signed figures that are not what was signed; "days" for the days.
QJsonArray changedSince(const QJsonObject &then, const QJsonObject &now)
{
    QJsonArray changed;
    const QJsonArray before = then.value("figures"_L1).toArray();
    const QJsonArray after = now.value("figures"_L1).toArray();
    for (const QJsonValue &figure : before) {
        if (!stillHolds(figure, figureNamed(after, figure["name"_L1])))
            changed.append(figure["name"_L1]);
    }
    for (const QString &days : {u"days"_s, u"days_before"_s}) {
        if (!changed.contains(u"days"_s) &&
            !daysHold(then.value(days).toArray(), now.value(days).toArray()))
            changed.append(u"days"_s);
    }
    return changed;
}

model::Error signedAlready(const ports::SignoffRow &row)
{
    return {model::ErrorKind::conflict,
            u"%1 signed this window at %2; it is signed once, and nothing was changed by you"_s.arg(
                row.by, model::instantText(row.at))};
}

// The end of the audit as an anchor has it; refused where the audit is not intact.
Result<void> addAuditEnd(Context &context, ports::SignoffRow &row)
{
    const auto answer = auditAnchor(context);
    if (!answer)
        return answer.error();
    const auto anchor = AuditAnchor::fromJson(*answer);
    if (!anchor)
        return anchor.error();
    row.auditSeq = anchor->seq;
    row.auditRows = anchor->rows;
    row.auditHash = anchor->digest;
    return {};
}

Result<ports::SignoffRow> rowOf(Context &context, const ReportSpan &span, model::Instant now)
{
    ports::SignoffRow row;
    row.since = span.since;
    row.until = span.until;
    row.by = context.request.actor;
    row.at = now;
    row.note = context.arguments().value("note"_L1).toString().trimmed();
    if (row.note.size() > reasonMax)
        return model::invalid(u"the note is longer than %1 characters"_s.arg(reasonMax));
    const auto figures = figuresOf(context, span);
    if (!figures)
        return figures.error();
    row.figures = QString::fromUtf8(model::canonicalJson(*figures));
    row.figuresHash = hashOf(row.figures);
    // A person signs what they saw.
    const QString seen = context.arguments().value("figures_hash"_L1).toString();
    if (!seen.isEmpty() && seen != row.figuresHash)
        return model::Error{
            model::ErrorKind::conflict,
            u"the figures of this window are not those that you saw any more; nothing was signed: "
            "look at it again"_s};
    if (const auto added = addAuditEnd(context, row); !added)
        return added.error();
    return row;
}

Result<void> write(Context &context, const ports::SignoffRow &row, const QJsonObject &answer)
{
    const auto added = context.store.addSignoff(row);
    if (!added)
        return added.error();
    if (!*added) {
        const auto stands = context.store.signoff(row.since, row.until);
        return stands && *stands
                   ? signedAlready(**stands)
                   : model::Error{model::ErrorKind::conflict, u"this window is signed already"_s};
    }
    if (const auto kept = rememberAnswer(context, answer, row.at); !kept)
        return kept;
    QJsonObject body = signoffJson(row);
    body.remove(u"by"_s);
    body.remove(u"at"_s);
    body.insert(u"since"_s, instantJson(row.since));
    body.insert(u"until"_s, instantJson(row.until));
    const QString subject = model::instantText(row.since) + u'/' + model::instantText(row.until);
    return context.store.appendAudit(auditRow(context, u"system"_s, subject, body, row.at));
}
} // namespace

QString figuresHash(const QJsonObject &figures)
{
    return hashOf(QString::fromUtf8(model::canonicalJson(figures)));
}

Result<QJsonValue> signoffOf(Context &context, const ReportSpan &span, const QJsonObject &figures)
{
    const auto row = context.store.signoff(span.since, span.until);
    if (!row)
        return row.error();
    if (!*row)
        return QJsonValue();
    QJsonObject json = signoffJson(**row);
    // Without what was signed nothing can be compared with it: that is said, and not guessed.
    const auto then = model::parseJsonObject((*row)->figures.toUtf8());
    const bool isIntact = then && hashOf((*row)->figures) == (*row)->figuresHash;
    const QJsonArray changed = isIntact ? changedSince(*then, figures)
                                        : QJsonArray{u"the stored copy of what was signed"_s};
    json.insert(u"record_intact"_s, isIntact);
    json.insert(u"figures_unchanged"_s, changed.isEmpty());
    json.insert(u"changed"_s, changed);
    return QJsonValue(json);
}

Result<QJsonValue> reportSign(Context &context)
{
    const auto known = rememberedAnswer(context);
    if (!known)
        return known.error();
    if (*known)
        return **known;
    if (!context.arguments().contains("since"_L1) || !context.arguments().contains("until"_L1))
        return model::invalid(u"since and until are needed: what is signed has to be said"_s);
    const auto span = reportSpanOf(context);
    if (!span)
        return span.error();
    const auto now = context.store.now();
    if (!now)
        return now.error();
    if (span->until > *now)
        return model::refused(
            u"this window ends %1 and its figures still change; sign it then"_s.arg(
                model::instantText(span->until)));
    const auto standing = context.store.signoff(span->since, span->until);
    if (!standing)
        return standing.error();
    if (*standing)
        return signedAlready(**standing);
    const auto row = rowOf(context, *span, *now);
    if (!row)
        return row.error();
    QJsonObject answer = signoffJson(*row);
    answer.insert(u"since"_s, instantJson(row->since));
    answer.insert(u"until"_s, instantJson(row->until));
    const auto written = inTransaction(context.store, [&] { return write(context, *row, answer); });
    return written ? Result<QJsonValue>(QJsonValue(answer)) : Result<QJsonValue>(written.error());
}

Result<QJsonValue> reports(Context &context)
{
    const auto limit = integerOr(context.arguments(), "limit", 100);
    if (!limit)
        return limit.error();
    if (*limit < 1 || *limit > reportsMax)
        return model::invalid(u"limit must be between 1 and %1"_s.arg(reportsMax));
    const auto rows = context.store.signoffs(int(*limit));
    if (!rows)
        return rows.error();
    QJsonArray list;
    for (const ports::SignoffRow &row : *rows)
        list.append(QJsonObject{{u"since"_s, instantJson(row.since)},
                                {u"until"_s, instantJson(row.until)},
                                {u"by"_s, row.by},
                                {u"at"_s, instantJson(row.at)},
                                {u"note"_s, row.note}});
    return QJsonValue(QJsonObject{{u"reports"_s, list}});
}

} // namespace holdfast::control
