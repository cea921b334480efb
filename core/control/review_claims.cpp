// Who is looking at an item, and until when nobody needs to. Neither decides anything; both are
// audited.
#include "control/arguments.h"
#include "control/record.h"
#include "control/run_view.h"

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr model::Millis claimFor = 30 * model::minute;
constexpr model::Millis snoozeMax = 30 * model::day;

Result<ports::ReviewRow> openReview(Context &context)
{
    const auto id = requiredText(context.arguments(), "review");
    if (!id)
        return id.error();
    const auto review = reviewById(context, *id);
    if (!review)
        return review.error();
    if (!*review)
        return model::notFound(u"there is no item %1"_s.arg(*id));
    if ((*review)->decidedAt != model::never)
        return decidedAlready(**review);
    return **review;
}

QString chainOf(const ports::ReviewRow &review)
{
    return review.runId.isEmpty() ? u"system"_s : review.runId;
}

// The item changed between the look and the act: whoever was faster is named.
model::Error claimedByOther(const ports::ReviewRow &review)
{
    return {model::ErrorKind::conflict,
            u"%1 is looking at item %2 until %3; ask them, or wait until then"_s.arg(
                review.claimedBy, review.id, model::instantText(review.claimedUntil))};
}

Result<QJsonValue> answerWith(Context &context, const QString &id)
{
    const auto review = reviewById(context, id);
    if (!review)
        return review.error();
    return QJsonValue(reviewJson(**review));
}

bool isOthers(const ports::ReviewRow &review, const QString &actor, model::Instant now)
{
    return !review.claimedBy.isEmpty() && review.claimedBy != actor && review.claimedUntil > now;
}
} // namespace

Result<QJsonValue> claim(Context &context)
{
    const auto review = openReview(context);
    if (!review)
        return review.error();
    const auto now = context.store.now();
    if (!now)
        return now.error();
    const QString &actor = context.request.actor;
    if (isOthers(*review, actor, *now))
        return claimedByOther(*review);
    const bool release = context.arguments().value("release"_L1).toBool();
    const ports::ReviewClaim claimed{review->id, actor, release ? model::never : *now + claimFor,
                                     *now};
    const auto written = inTransaction(context.store, [&]() -> Result<void> {
        const auto won = context.store.claimReview(claimed);
        if (!won)
            return won.error();
        if (!*won)
            return model::Error{model::ErrorKind::conflict, {}};
        return context.store.appendAudit(
            auditRow(context, chainOf(*review), review->id,
                     {{u"release"_s, release}, {u"until"_s, instantJson(claimed.until)}}, *now));
    });
    if (written)
        return answerWith(context, review->id);
    if (!written.error().message.isEmpty())
        return written.error();
    const auto again = openReview(context);
    return again ? claimedByOther(*again) : again.error();
}

Result<QJsonValue> snooze(Context &context)
{
    const auto review = openReview(context);
    if (!review)
        return review.error();
    const auto until = instantOf(context.arguments(), "until");
    if (!until)
        return until.error();
    const auto now = context.store.now();
    if (!now)
        return now.error();
    if (*until != model::never && (*until <= *now || *until > *now + snoozeMax))
        return model::invalid(u"an item is snoozed until an instant within the next 30 days"_s);
    if (isOthers(*review, context.request.actor, *now))
        return claimedByOther(*review);
    const auto written = inTransaction(context.store, [&]() -> Result<void> {
        const auto done = context.store.snoozeReview(review->id, *until);
        if (!done)
            return done.error();
        if (!*done)
            return model::Error{model::ErrorKind::conflict,
                                u"item %1 was decided at the same moment"_s.arg(review->id)};
        return context.store.appendAudit(auditRow(context, chainOf(*review), review->id,
                                                  {{u"until"_s, instantJson(*until)}}, *now));
    });
    return written ? answerWith(context, review->id) : Result<QJsonValue>(written.error());
}

} // namespace holdfast::control
