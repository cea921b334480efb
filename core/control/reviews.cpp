// The items that wait for a person, and a person's decisions on them.
#include "control/arguments.h"
#include "control/record.h"
#include "control/review_answers.h"
#include "control/run_view.h"
#include "engine/command.h"

#include <QJsonArray>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
Result<ports::ReviewRow> findReview(Context &context)
{
    const auto id = requiredText(context.arguments(), "review");
    if (!id)
        return id.error();
    const auto review = reviewById(context, *id);
    if (!review)
        return review.error();
    if (!*review)
        return model::notFound(u"there is no item %1"_s.arg(*id));
    return **review;
}

// What every decision on an item has in common: the item, the reason and the version the person
// saw.
Result<Decision> decisionOnItem(Context &context)
{
    const auto reason = reasonOf(context.arguments(), true);
    if (!reason)
        return reason.error();
    const auto review = findReview(context);
    if (!review)
        return review.error();
    const auto version = integerOr(context.arguments(), "version", -1);
    if (!version)
        return version.error();
    Decision decision;
    decision.runId = review->runId;
    decision.review = *review;
    decision.arguments = {{u"review"_s, review->id}, {u"reason"_s, *reason}};
    if (*version >= 0)
        decision.versionSeen = *version;
    return decision;
}

// A tripwire that concerns no single run has nothing to fold: deciding it is all there is.
Result<QJsonValue> dismissStandalone(Context &context, const Decision &decision)
{
    const auto known = rememberedAnswer(context);
    if (!known)
        return known.error();
    if (*known)
        return **known;
    if (decision.verdict != "dismiss"_L1)
        return model::refused(
            u"item %1 concerns no single run; it can only be dismissed"_s.arg(decision.review->id));
    const auto now = context.store.now();
    if (!now)
        return now.error();
    const QJsonObject answer{{u"command"_s, context.request.id}, {u"state"_s, u"applied"_s}};
    const auto written = inTransaction(context.store, [&]() -> Result<void> {
        const auto won = context.store.decideReview(
            {decision.review->id, decision.verdict, context.request.actor,
             decision.arguments.value("reason"_L1).toString(), *now});
        if (!won)
            return won.error();
        if (!*won)
            return model::Error{
                model::ErrorKind::conflict,
                u"somebody has decided item %1 before you"_s.arg(decision.review->id)};
        if (const auto kept = rememberAnswer(context, answer, *now); !kept)
            return kept;
        return context.store.appendAudit(
            auditRow(context, u"system"_s, decision.review->id, decision.arguments, *now));
    });
    return written ? Result<QJsonValue>(QJsonValue(answer)) : Result<QJsonValue>(written.error());
}
} // namespace

Result<QJsonValue> reviews(Context &context)
{
    const QJsonObject &arguments = context.arguments();
    ports::ReviewFilter filter;
    filter.onlyOpen = !arguments.value("all"_L1).toBool();
    filter.kind = arguments.value("kind"_L1).toString();
    if (!filter.kind.isEmpty() && !model::reviewKindFromName(filter.kind))
        return model::invalid(u"%1 is no kind of review"_s.arg(filter.kind));
    filter.runId = arguments.value("run"_L1).toString();
    const auto rows = context.store.reviews(filter);
    if (!rows)
        return rows.error();
    QJsonArray list;
    for (const ports::ReviewRow &row : *rows)
        list.append(reviewJson(row));
    return QJsonValue(QJsonObject{{u"reviews"_s, list}});
}

Result<QJsonValue> resolve(Context &context)
{
    auto decision = decisionOnItem(context);
    if (!decision)
        return decision.error();
    const auto verdict = requiredText(context.arguments(), "verdict");
    if (!verdict)
        return verdict.error();
    if (!engine::verdictFromName(*verdict))
        return model::invalid(u"a verdict is happened, absent, retry, waive, dismiss or verify"_s);
    const QJsonValue receipt = context.arguments().value("receipt"_L1);
    if (!receipt.isUndefined() && !receipt.isObject())
        return model::invalid(u"a receipt is a JSON object"_s);
    if (receipt.isObject() && *verdict != "happened"_L1)
        return model::invalid(u"a receipt goes with happened only"_s);
    decision->arguments.insert(u"verdict"_s, *verdict);
    if (receipt.isObject())
        decision->arguments.insert(u"receipt"_s, receipt);
    decision->verdict = *verdict;
    if (decision->runId.isEmpty())
        return dismissStandalone(context, *decision);
    // Asking the target again decides nothing yet.
    if (*verdict == "verify"_L1)
        decision->verdict.clear();
    return record(context, *decision);
}

Result<QJsonValue> approve(Context &context)
{
    auto decision = decisionOnItem(context);
    if (!decision)
        return decision.error();
    // The approval is of the request the item shows; the engine compares.
    const QString shown = decision->review->evidence.value("hash"_L1).toString();
    decision->arguments.insert(u"hash"_s, context.arguments().value("hash"_L1).toString(shown));
    decision->verdict = u"approve"_s;
    if (!decision->runId.isEmpty()) {
        const auto loaded = loadRun(context, decision->runId);
        if (!loaded)
            return loaded.error();
        const QString problem = approvalProblem(*loaded, *decision->review, context.request.actor);
        if (!problem.isEmpty())
            return model::refused(problem);
    }
    return record(context, *decision);
}

Result<QJsonValue> reject(Context &context)
{
    auto decision = decisionOnItem(context);
    if (!decision)
        return decision.error();
    decision->verdict = u"reject"_s;
    return record(context, *decision);
}

} // namespace holdfast::control
