// Batches: a person starts one, looks at it, holds it, lets it go on or stops it. Workers carry it
// out.
#include "control/arguments.h"
#include "control/batch_plan.h"
#include "control/record.h"
#include "engine/batch.h"

#include <QJsonArray>
#include <QSet>
#include <algorithm>

namespace holdfast::control
{

using namespace Qt::StringLiterals;
using engine::Safety;

namespace
{
constexpr int batchesShown = 200;
constexpr qint64 itemsPageMax = 500;
constexpr qsizetype itemMessageMax = 300;

QStringList itemStates()
{
    return {u"pending"_s, u"apart"_s, u"recorded"_s, u"applied"_s, u"refused"_s, u"skipped"_s};
}

QJsonObject batchJson(const ports::BatchRow &row)
{
    return {{u"id"_s, row.id},
            {u"act"_s, row.act},
            {u"verdict"_s, textOrNull(row.arguments.value("verdict"_L1).toString())},
            {u"reason"_s, row.reason},
            {u"actor"_s, row.actor},
            {u"filter"_s, textOrNull(row.filter)},
            {u"rate"_s, row.rate},
            {u"includes_unsafe"_s, row.includesUnsafe},
            {u"state"_s, row.state},
            {u"note"_s, textOrNull(row.note)},
            {u"items"_s, row.items},
            {u"chosen"_s, row.chosen},
            {u"taken"_s, row.taken},
            {u"started_at"_s, instantJson(row.startedAt)},
            {u"ended_at"_s, instantJson(row.endedAt)}};
}

QJsonObject itemJson(const ports::BatchItemRow &row)
{
    return {{u"place"_s, row.place},
            {u"run_id"_s, textOrNull(row.runId)},
            {u"review"_s, textOrNull(row.review)},
            {u"version"_s, row.version},
            {u"verdict"_s, row.verdict},
            {u"state"_s, row.state},
            {u"command"_s, textOrNull(row.command)},
            {u"message"_s, textOrNull(row.message)},
            {u"status"_s, textOrNull(row.runStatus)}};
}

// Every item is in one state, so these add up to the number of items.
Result<QJsonObject> totalsOf(Context &context, const ports::BatchRow &batch)
{
    const auto counts = context.store.batchCounts(batch.id, 0);
    if (!counts)
        return counts.error();
    QMap<QString, qint64> states, verdicts, statuses;
    for (const QString &state : itemStates())
        states.insert(state, 0);
    for (const ports::BatchCount &each : *counts) {
        states[each.state] += each.count;
        verdicts[each.verdict] += each.count;
        if (!each.runStatus.isEmpty())
            statuses[each.runStatus] += each.count;
    }
    const auto json = [](const QMap<QString, qint64> &map) {
        QJsonObject object;
        for (auto each = map.cbegin(); each != map.cend(); ++each)
            object.insert(each.key(), *each);
        return object;
    };
    return QJsonObject{{u"states"_s, json(states)},
                       {u"verdicts"_s, json(verdicts)},
                       {u"runs_now"_s, json(statuses)}};
}

Result<ports::BatchRow> findBatch(Context &context)
{
    const auto id = requiredText(context.arguments(), "batch");
    if (!id)
        return id.error();
    const auto row = context.store.batch(*id);
    if (!row)
        return row.error();
    if (!*row)
        return model::notFound(u"there is no batch %1"_s.arg(*id));
    return **row;
}

Result<QJsonValue> wholeBatch(Context &context, const QString &id)
{
    const auto row = context.store.batch(id);
    if (!row)
        return row.error();
    if (!*row)
        return model::notFound(u"there is no batch %1"_s.arg(id));
    const auto totals = totalsOf(context, **row);
    if (!totals)
        return totals.error();
    QJsonObject json = batchJson(**row);
    json.insert(u"totals"_s, *totals);
    const auto pulse = context.store.pulse();
    if (!pulse)
        return pulse.error();
    json.insert(u"workers_alive"_s, pulse->workersAlive);
    return QJsonValue(json);
}

// What is safe comes first, in the order given; what is set apart follows.
Result<QVector<ports::BatchItemRow>> itemsOf(const QJsonArray &list, bool includesUnsafe)
{
    QVector<ports::BatchItemRow> chosen, apart;
    QSet<QString> known;
    for (const QJsonValue &value : list) {
        ports::BatchItemRow item;
        item.runId = value["run_id"_L1].toString();
        item.review = value["review"_L1].toString();
        item.version = value["version"_L1].toInt();
        item.verdict = value["verdict"_L1].toString();
        const auto safety = engine::safetyFromName(item.verdict);
        if (!safety)
            return model::invalid(u"every item needs the verdict of its plan"_s);
        if (known.contains(item.runId + u'/' + item.review))
            return model::invalid(u"the item %1%2 is named twice"_s.arg(item.runId, item.review));
        known.insert(item.runId + u'/' + item.review);
        const bool mayTake =
            !item.runId.isEmpty() &&
            (*safety == Safety::safe || (includesUnsafe && value["may_include"_L1].toBool()));
        item.state = mayTake ? u"pending"_s : u"apart"_s;
        if (!mayTake)
            item.message = value["why"_L1].toString().left(itemMessageMax);
        (mayTake ? chosen : apart).append(item);
    }
    QVector<ports::BatchItemRow> items = chosen + apart;
    for (qsizetype i = 0; i < items.size(); ++i)
        items[i].place = int(i) + 1;
    return items;
}

Result<ports::BatchRow> batchOf(Context &context)
{
    const QJsonObject &arguments = context.arguments();
    const auto order = batchOrderOf(arguments, true);
    if (!order)
        return order.error();
    const auto rate = integerOr(arguments, "rate", engine::batchRateDefault);
    if (!rate)
        return rate.error();
    if (*rate < 1 || *rate > engine::batchRateMax)
        return model::invalid(
            u"the rate is between 1 and %1 items a second"_s.arg(engine::batchRateMax));
    ports::BatchRow batch;
    batch.id = context.request.id;
    batch.act = order->act;
    batch.arguments = order->arguments;
    batch.reason = order->arguments.value("reason"_L1).toString();
    batch.actor = context.request.actor;
    batch.filter = arguments.value("filter"_L1).toString();
    batch.rate = int(*rate);
    batch.includesUnsafe = arguments.value("include_unsafe"_L1).toBool();
    batch.state = engine::batchStateName(engine::BatchState::running);
    return batch;
}

Result<void> writeBatch(Context &context, ports::BatchRow batch,
                        const QVector<ports::BatchItemRow> &items)
{
    const auto now = context.store.now();
    if (!now)
        return now.error();
    batch.startedAt = *now;
    return inTransaction(context.store, [&]() -> Result<void> {
        const auto started = context.store.startBatch(batch, items);
        if (!started || !*started)
            return started ? Result<void>() : Result<void>(started.error());
        QJsonObject body{{u"act"_s, batch.act},       {u"items"_s, batch.items},
                         {u"chosen"_s, batch.chosen}, {u"reason"_s, batch.reason},
                         {u"rate"_s, batch.rate},     {u"filter"_s, batch.filter},
                         {u"state"_s, batch.state},   {u"includes_unsafe"_s, batch.includesUnsafe}};
        if (batch.arguments.contains("verdict"_L1))
            body.insert(u"verdict"_s, batch.arguments.value("verdict"_L1));
        return context.store.appendAudit(
            auditRow(context, u"system"_s, batch.id, body, batch.startedAt));
    });
}
} // namespace

Result<QJsonValue> batchStart(Context &context)
{
    const auto known = context.store.batch(context.request.id);
    if (!known)
        return known.error();
    if (*known)
        return wholeBatch(context, context.request.id);
    auto batch = batchOf(context);
    if (!batch)
        return batch.error();
    const auto items =
        itemsOf(context.arguments().value("items"_L1).toArray(), batch->includesUnsafe);
    if (!items)
        return items.error();
    batch->items = int(items->size());
    batch->chosen = int(std::count_if(items->cbegin(), items->cend(),
                                      [](const auto &item) { return item.state == "pending"_L1; }));
    if (batch->items > batchItemsMax)
        return model::invalid(u"a batch has at most %1 items"_s.arg(batchItemsMax));
    if (batch->chosen == 0)
        return model::refused(batch->items == 0
                                  ? u"nothing matches; there is nothing to start"_s
                                  : u"none of the %1 items can be done safely; nothing was "
                                    "started"_s.arg(batch->items));
    // The audit row is named after what is done, whichever operation did it.
    Request named = context.request;
    named.name = u"batch"_s;
    Context own{context.store, context.definitions, context.surroundings, named,
                context.pauseWatch};
    if (const auto written = writeBatch(own, *batch, *items); !written) {
        const auto stands = written.error().kind == model::ErrorKind::unknownOutcome
                                ? context.store.batch(batch->id)
                                : Result<std::optional<ports::BatchRow>>(written.error());
        if (!stands || !*stands)
            return written.error();
    }
    return wholeBatch(context, batch->id);
}

Result<QJsonValue> batchDo(Context &context)
{
    const auto known = rememberedAnswer(context);
    if (!known)
        return known.error();
    if (*known) {
        const QString id = (**known)["batch"_L1].toString();
        return id.isEmpty() ? model::Error{model::ErrorKind::conflict,
                                           u"this request's id was used for another act"_s}
                            : wholeBatch(context, id);
    }
    const auto word = requiredText(context.arguments(), "do");
    if (!word)
        return word.error();
    const auto act = engine::batchActFromName(*word);
    if (!act)
        return model::invalid(u"a batch can be told to hold, go or stop"_s);
    const auto reason = reasonOf(context.arguments(), false);
    if (!reason)
        return reason.error();
    auto batch = findBatch(context);
    if (!batch)
        return batch.error();
    const auto next = engine::afterAct(*engine::batchStateFromName(batch->state), *act);
    if (!next)
        return model::refused(
            u"the batch is %1; it cannot be told to %2"_s.arg(batch->state, *word));
    const auto now = context.store.now();
    if (!now)
        return now.error();
    batch->state = engine::batchStateName(*next);
    batch->note = *act == engine::BatchAct::go
                      ? QString()
                      : u"%1 by %2%3"_s.arg(batch->state, context.request.actor,
                                            reason->isEmpty() ? QString() : u": "_s + *reason);
    Request named = context.request;
    named.name = u"batch"_s;
    Context own{context.store, context.definitions, context.surroundings, named,
                context.pauseWatch};
    const auto written = inTransaction(context.store, [&]() -> Result<void> {
        const auto changed = context.store.setBatchState(*batch, context.request.actor, *now);
        if (!changed)
            return changed.error();
        if (!*changed)
            return model::Error{model::ErrorKind::conflict,
                                u"the batch changed at the same moment; look again"_s};
        if (const auto kept = rememberAnswer(context, {{u"batch"_s, batch->id}}, *now); !kept)
            return kept;
        return context.store.appendAudit(
            auditRow(own, u"system"_s, batch->id,
                     {{u"state"_s, batch->state}, {u"reason"_s, *reason}}, *now));
    });
    return written ? wholeBatch(context, batch->id) : Result<QJsonValue>(written.error());
}

Result<QJsonValue> batches(Context &context)
{
    const auto rows = context.store.batches(batchesShown);
    if (!rows)
        return rows.error();
    QJsonArray list;
    for (const ports::BatchRow &row : *rows)
        list.append(batchJson(row));
    return QJsonValue(QJsonObject{{u"batches"_s, list}});
}

Result<QJsonValue> batch(Context &context)
{
    const auto row = findBatch(context);
    return row ? wholeBatch(context, row->id) : Result<QJsonValue>(row.error());
}

Result<QJsonValue> batchItems(Context &context)
{
    const auto row = findBatch(context);
    if (!row)
        return row.error();
    const auto after = integerOr(context.arguments(), "after", 0);
    if (!after)
        return after.error();
    const auto limit = integerOr(context.arguments(), "limit", 100);
    if (!limit)
        return limit.error();
    if (*limit < 1 || *limit > itemsPageMax)
        return model::invalid(u"limit must be between 1 and %1"_s.arg(itemsPageMax));
    const QString state = context.arguments().value("state"_L1).toString();
    if (!state.isEmpty() && !itemStates().contains(state))
        return model::invalid(
            u"%1 is no state of an item; known are %2"_s.arg(state, itemStates().join(u", "_s)));
    const auto items = context.store.batchItems({row->id, state, int(*after), int(*limit)});
    if (!items)
        return items.error();
    QJsonArray list;
    for (const ports::BatchItemRow &item : *items)
        list.append(itemJson(item));
    const QJsonValue next =
        items->size() == *limit ? QJsonValue(items->last().place) : QJsonValue();
    return QJsonValue(QJsonObject{{u"items"_s, list}, {u"after"_s, next}});
}

} // namespace holdfast::control
