#include "control/record.h"

#include "control/arguments.h"
#include "control/describe.h"
#include "control/dry_run.h"
#include "engine/command.h"
#include "model/json.h"

namespace holdfast::control
{

using namespace Qt::StringLiterals;
using model::Error;
using model::ErrorKind;

namespace
{
Result<void> checkVersion(const LoadedRun &loaded, const Decision &decision)
{
    if (!decision.versionSeen)
        return {};
    const qint64 seen = *decision.versionSeen;
    if (seen == loaded.run.seq || (decision.review && seen == decision.review->version))
        return {};
    return Error{ErrorKind::conflict,
                 u"the run moved from version %1 to %2 since you looked: %3; look again"_s.arg(seen)
                     .arg(loaded.run.seq)
                     .arg(describeLast(loaded))};
}

// Whoever applies the command asks the engine again; asking now spares a person a rejection later.
Result<void> wouldBeAccepted(Context &context, const LoadedRun &loaded, const Decision &decision)
{
    const auto event =
        engine::commandEvent({context.request.name, context.request.actor, decision.arguments});
    if (!event)
        return model::invalid(u"the arguments of %1 are not complete"_s.arg(context.request.name));
    const auto dry = DryRun::on(context, loaded);
    if (!dry)
        return dry.error();
    const engine::Outcome outcome = dry->decide(*event);
    if (outcome.kind == engine::Outcome::Kind::rejected)
        return model::refused(outcome.reason);
    return {};
}

Result<void> write(Context &context, const Decision &decision, const ports::CommandRow &row)
{
    if (decision.review && !decision.verdict.isEmpty()) {
        const auto won =
            context.store.decideReview({decision.review->id, decision.verdict, row.actor,
                                        decision.arguments.value("reason"_L1).toString(), row.at});
        if (!won)
            return won.error();
        if (!*won)
            return Error{ErrorKind::conflict, {}};
    }
    const auto added = context.store.addCommand(row);
    if (!added)
        return added.error();
    if (!*added)
        return Error{ErrorKind::conflict, {}};
    QJsonObject body = decision.arguments;
    body.insert(u"command"_s, row.id);
    return context.store.appendAudit(auditRow(
        context, row.runId, decision.review ? decision.review->id : row.runId, body, row.at));
}

// Somebody was faster, or this very request was sent twice: the database knows which.
Result<QJsonValue> lost(Context &context, const Decision &decision)
{
    const auto known = context.store.command(context.request.id);
    if (!known)
        return known.error();
    if (*known)
        return QJsonValue(commandJson(**known));
    if (decision.review) {
        const auto review = reviewById(context, decision.review->id);
        if (!review)
            return review.error();
        if (*review && (*review)->decidedAt != model::never)
            return decidedAlready(**review);
    }
    return Error{ErrorKind::conflict, u"somebody changed it at the same moment; look again"_s};
}
} // namespace

Error decidedAlready(const ports::ReviewRow &review)
{
    const QString why = review.reason.isEmpty() ? QString() : u" (%1)"_s.arg(review.reason);
    return {ErrorKind::conflict,
            u"%1 decided item %2 as %3 at %4%5; nothing was changed by you"_s.arg(
                review.decidedBy, review.id, review.decision, model::instantText(review.decidedAt),
                why)};
}

Result<std::optional<ports::ReviewRow>> reviewById(Context &context, const QString &id)
{
    using Answer = std::optional<ports::ReviewRow>;
    ports::ReviewFilter filter;
    filter.onlyOpen = false;
    filter.id = id;
    const auto rows = context.store.reviews(filter);
    if (!rows)
        return rows.error();
    return rows->isEmpty() ? Answer() : Answer(rows->first());
}

QJsonObject commandJson(const ports::CommandRow &row)
{
    QJsonObject answer{{u"command"_s, row.id},
                       {u"name"_s, row.name},
                       {u"run_id"_s, row.runId.isEmpty() ? QJsonValue() : QJsonValue(row.runId)},
                       {u"state"_s, row.result.isEmpty() ? u"recorded"_s : row.result},
                       {u"applied_at"_s, instantJson(row.appliedAt)}};
    if (!row.message.isEmpty())
        answer.insert(u"message"_s, row.message);
    return answer;
}

ports::AuditRow auditRow(const Context &context, const QString &chain, const QString &subject,
                         const QJsonObject &body, model::Instant at)
{
    ports::AuditRow row;
    row.chain = chain;
    row.at = at;
    row.actor = context.request.actor;
    row.action = context.request.name;
    row.subject = subject;
    row.body = QString::fromUtf8(model::canonicalJson(body));
    return row;
}

Result<void> inTransaction(ports::Store &store, const std::function<Result<void>()> &work)
{
    if (const auto begun = store.begin(); !begun)
        return begun.error();
    if (const auto done = work(); !done) {
        store.rollback();
        return done.error();
    }
    return store.commit();
}

Result<QJsonValue> record(Context &context, const Decision &decision)
{
    const auto known = context.store.command(context.request.id);
    if (!known)
        return known.error();
    if (*known)
        return QJsonValue(commandJson(**known));
    if (decision.review && decision.review->decidedAt != model::never)
        return decidedAlready(*decision.review);
    const auto loaded = loadRun(context, decision.runId);
    if (!loaded)
        return loaded.error();
    if (const auto same = checkVersion(*loaded, decision); !same)
        return same.error();
    if (const auto accepted = wouldBeAccepted(context, *loaded, decision); !accepted)
        return accepted.error();
    const auto now = context.store.now();
    if (!now)
        return now.error();
    ports::CommandRow row;
    row.id = context.request.id;
    row.name = context.request.name;
    row.runId = decision.runId;
    row.actor = context.request.actor;
    row.arguments = decision.arguments;
    // The database compares it once more where others change the run meanwhile.
    if (decision.versionSeen)
        row.arguments.insert(u"version"_s, *decision.versionSeen);
    row.at = *now;
    const auto written =
        inTransaction(context.store, [&] { return write(context, decision, row); });
    if (written)
        return QJsonValue(commandJson(row));
    const ErrorKind kind = written.error().kind;
    if (kind == ErrorKind::unknownOutcome) {
        // Whether it was recorded stands in the command table, once the database can be read again.
        const auto stands = context.store.command(row.id);
        if (stands && *stands)
            return QJsonValue(commandJson(**stands));
    }
    if (kind == ErrorKind::conflict && written.error().message.isEmpty())
        return lost(context, decision);
    return written.error();
}

Result<std::optional<QJsonValue>> rememberedAnswer(Context &context)
{
    using Answer = std::optional<QJsonValue>;
    const auto known = context.store.command(context.request.id);
    if (!known)
        return known.error();
    if (!*known)
        return Answer();
    const auto answer = model::parseJson((*known)->message.toUtf8());
    return answer ? Answer(*answer) : Answer(QJsonValue(commandJson(**known)));
}

Result<void> rememberAnswer(Context &context, const QJsonObject &answer, model::Instant at)
{
    ports::CommandRow row;
    row.id = context.request.id;
    row.name = context.request.name;
    row.actor = context.request.actor;
    row.arguments = context.request.arguments;
    row.at = at;
    row.appliedAt = at;
    row.result = u"applied"_s;
    row.message = QString::fromUtf8(model::compactJson(answer));
    const auto added = context.store.addCommand(row);
    if (!added)
        return added.error();
    return *added ? Result<void>()
                  : Error{ErrorKind::conflict,
                          u"this very request was carried out at the same moment; look again"_s};
}

} // namespace holdfast::control
