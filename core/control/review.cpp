// One review item with all a person needs to decide it.
#include "control/arguments.h"
#include "control/known_facts.h"
#include "control/question.h"
#include "control/record.h"
#include "control/review_answers.h"
#include "control/run_view.h"
#include "engine/key_window.h"
#include "model/mask.h"

#include <algorithm>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
// Both sides of a conflict over a key, as they were or would be sent.
QJsonValue payloadsOf(const ports::ReviewRow &review)
{
    const QJsonValue ours = review.evidence.value("this_request"_L1);
    if (!ours.isObject())
        return {};
    return QJsonObject{{u"this"_s, model::masked(ours)},
                       {u"other"_s, model::masked(review.evidence.value("other_request"_L1))}};
}

Result<qint64> similarTo(Context &context, const ports::ReviewRow &review)
{
    ports::ReviewFilter filter;
    filter.kind = review.kind;
    const auto rows = context.store.reviews(filter);
    if (!rows)
        return rows.error();
    return qint64(std::count_if(rows->cbegin(), rows->cend(), [&](const ports::ReviewRow &row) {
        return row.id != review.id && row.workflow == review.workflow && row.step == review.step &&
               row.direction == review.direction &&
               row.evidence.value("reason"_L1) == review.evidence.value("reason"_L1);
    }));
}

Result<void> addRun(Context &context, const ports::ReviewRow &review, QJsonObject &json)
{
    const auto loaded = loadRun(context, review.runId);
    if (!loaded)
        return loaded.error();
    const auto dry = DryRun::on(context, *loaded);
    if (!dry)
        return dry.error();
    json.insert(u"question"_s, questionText(review, &*loaded));
    json.insert(u"known"_s, knownFacts(*loaded, review.step));
    json.insert(u"check"_s,
                QJsonArray::fromStringList(thingsToCheck(review, &*loaded, dry->now())));
    json.insert(u"answers"_s, answersJson(context, *loaded, *dry, review));
    json.insert(u"run"_s, runJson(loaded->row));
    const model::Operation *operation = operationAsked(review, *loaded);
    const model::OperationPolicy *policy = policyAsked(review, *loaded);
    if (operation && policy)
        json.insert(u"key_expires_at"_s, instantJson(engine::keyForgottenAt(*operation, *policy)));
    return {};
}
} // namespace

Result<QJsonValue> review(Context &context)
{
    const auto id = requiredText(context.arguments(), "review");
    if (!id)
        return id.error();
    const auto found = reviewById(context, *id);
    if (!found)
        return found.error();
    if (!*found)
        return model::notFound(u"there is no item %1"_s.arg(*id));
    const ports::ReviewRow &row = **found;
    const auto similar = similarTo(context, row);
    if (!similar)
        return similar.error();
    QJsonObject json = reviewJson(row);
    json.insert(u"similar"_s, *similar);
    json.insert(u"payloads"_s, payloadsOf(row));
    json.insert(u"key_expires_at"_s, QJsonValue());
    if (!row.runId.isEmpty()) {
        if (const auto added = addRun(context, row, json); !added)
            return added.error();
        return QJsonValue(json);
    }
    json.insert(u"question"_s, questionText(row, nullptr));
    json.insert(
        u"known"_s,
        QJsonArray{QJsonObject{
            {u"at"_s, instantJson(row.openedAt)},
            {u"text"_s, u"The engine paused %1: %2."_s.arg(
                            row.dependency.isEmpty() ? u"everything"_s : row.dependency,
                            row.evidence.value("reason"_L1).toString().replace(u'_', u' '))}}});
    json.insert(u"check"_s, QJsonArray::fromStringList(thingsToCheck(row, nullptr, row.openedAt)));
    json.insert(u"answers"_s, standaloneAnswers(context, row));
    json.insert(u"run"_s, QJsonValue());
    return QJsonValue(json);
}

} // namespace holdfast::control
