#include "control/batch_plan.h"

#include "control/arguments.h"
#include "control/dry_run.h"
#include "control/record.h"
#include "control/run_query.h"
#include "engine/command.h"

#include <QJsonArray>
#include <algorithm>

namespace holdfast::control
{

using namespace Qt::StringLiterals;
using engine::Safety;

namespace
{
constexpr int planPage = 100;
constexpr qsizetype whyMax = 200;

struct PlannedItem {
    ports::RunRow run;
    QString review;
    engine::SafetyVerdict verdict;
    QString then; // what the engine would do
};

QJsonObject plannedJson(const PlannedItem &item)
{
    const bool mayInclude = item.verdict.safety == Safety::safe || !item.verdict.isRefused;
    const QString why = item.verdict.why.isEmpty() ? item.then : item.verdict.why;
    return {{u"run_id"_s, textOrNull(item.run.runId)},
            {u"review"_s, textOrNull(item.review)},
            {u"version"_s, item.run.seq},
            {u"workflow"_s, item.run.workflow},
            {u"event_id"_s, item.run.eventId},
            {u"status"_s,
             item.run.runId.isEmpty() ? QJsonValue() : model::runStatusName(item.run.status)},
            {u"verdict"_s, engine::safetyName(item.verdict.safety)},
            {u"may_include"_s, mayInclude},
            {u"why"_s, why.left(whyMax)}};
}

// Plans items one by one with the gates read once.
class Planner
{
public:
    Planner(Context &context, BatchOrder order) : m_context(context), m_order(std::move(order)) {}

    Result<void> begin()
    {
        auto gates = readGates(m_context);
        if (!gates)
            return gates.error();
        const auto now = m_context.store.now();
        if (!now)
            return now.error();
        m_gates = std::move(*gates);
        m_now = *now;
        return {};
    }
    bool decidesItems() const { return m_order.act == "resolve"_L1; }

    Result<void> addRun(const QString &runId)
    {
        if (!decidesItems())
            return add(runId, {});
        ports::ReviewFilter filter;
        filter.runId = runId;
        const auto open = m_context.store.reviews(filter);
        if (!open)
            return open.error();
        for (const ports::ReviewRow &review : *open) {
            const QString kind = m_context.arguments().value("kind"_L1).toString();
            if (!kind.isEmpty() && review.kind != kind)
                continue;
            if (const auto added = add(runId, review); !added)
                return added;
        }
        return {};
    }
    Result<void> addReview(const QString &id)
    {
        const auto review = reviewById(m_context, id);
        if (!review)
            return review.error();
        if (!*review)
            return model::notFound(u"there is no item %1"_s.arg(id));
        return add((*review)->runId, **review);
    }
    QJsonArray takeItems() { return std::exchange(m_items, {}); }

private:
    Result<void> add(const QString &runId, const std::optional<ports::ReviewRow> &review)
    {
        PlannedItem item;
        if (review)
            item.review = review->id;
        if (review && (review->decidedAt != model::never || runId.isEmpty())) {
            item.run.runId = runId;
            item.run.seq = review->version;
            item.verdict = {Safety::impossible,
                            runId.isEmpty() ? u"the item concerns no single run"_s
                                            : decidedAlready(*review).message,
                            true};
            m_items.append(plannedJson(item));
            return {};
        }
        const auto loaded = loadRun(m_context, runId);
        if (!loaded)
            return loaded.error();
        item.run = loaded->row;
        item.run.seq = loaded->run.seq;
        judge(*loaded, review, item);
        m_items.append(plannedJson(item));
        return {};
    }

    void judge(const LoadedRun &loaded, const std::optional<ports::ReviewRow> &review,
               PlannedItem &item) const
    {
        QJsonObject arguments = m_order.arguments;
        if (review)
            arguments.insert(u"review"_s, review->id);
        const auto event = engine::commandEvent({m_order.act, m_context.request.actor, arguments});
        const DryRun dry = DryRun::with(loaded, m_gates, m_now);
        const engine::Outcome outcome = dry.decide(*event);
        item.verdict = engine::safetyOf(loaded.run, outcome, loaded.definition->policy);
        if (!item.verdict.isRefused)
            item.then = dry.thenText(outcome);
        if (review && item.verdict.safety == Safety::safe && lacksReceipt(loaded, *review)) {
            item.verdict = {Safety::verify,
                            u"step %1 keeps a receipt, which an answer to many cannot give"_s.arg(
                                review->step)};
        }
    }

    // Later steps may need what the target gave; "it happened" alone leaves that out.
    bool lacksReceipt(const LoadedRun &loaded, const ports::ReviewRow &review) const
    {
        const int index = loaded.stepIndex(review.step);
        return m_order.arguments.value("verdict"_L1) == "happened"_L1 && index >= 0 &&
               review.direction != "compensate"_L1 &&
               !loaded.definition->workflow.steps.at(index).forward.receipt.isAbsent();
    }

    Context &m_context;
    const BatchOrder m_order;
    engine::Gates m_gates;
    model::Instant m_now = model::never;
    QJsonArray m_items;
};

// A page of a list that was named; the cursor is how many are behind.
Result<QJsonValue> planNamed(Planner &planner, const QStringList &names, bool areItems, int from)
{
    const qsizetype until = std::min<qsizetype>(names.size(), from + planPage);
    for (qsizetype i = from; i < until; ++i) {
        const auto added = areItems ? planner.addReview(names.at(i)) : planner.addRun(names.at(i));
        if (!added)
            return added.error();
    }
    return QJsonValue(QJsonObject{
        {u"items"_s, planner.takeItems()},
        {u"cursor"_s, until < names.size() ? QJsonValue(QString::number(until)) : QJsonValue()}});
}

Result<QJsonValue> planFiltered(Context &context, Planner &planner, const QString &cursor)
{
    auto filter = runFilterOfArguments(context);
    if (!filter)
        return filter.error();
    filter->limit = planPage;
    filter->cursor = cursor;
    const auto page = context.store.runPage(*filter);
    if (!page)
        return page.error();
    for (const ports::RunRow &row : page->rows) {
        if (const auto added = planner.addRun(row.runId); !added)
            return added.error();
    }
    return QJsonValue(
        QJsonObject{{u"items"_s, planner.takeItems()}, {u"cursor"_s, textOrNull(page->cursor)}});
}
} // namespace

QStringList batchActs() { return {u"retry"_s, u"cancel"_s, u"compensate"_s, u"resolve"_s}; }

Result<BatchOrder> batchOrderOf(const QJsonObject &arguments, bool needsReason)
{
    const auto act = requiredText(arguments, "act");
    if (!act)
        return act.error();
    if (!batchActs().contains(*act))
        return model::invalid(u"a batch can %1, not %2"_s.arg(batchActs().join(u", "_s), *act));
    const auto reason = reasonOf(arguments, needsReason);
    if (!reason)
        return reason.error();
    BatchOrder order{*act, {{u"reason"_s, *reason}}};
    const QString verdict = arguments.value("verdict"_L1).toString();
    if (*act == "resolve"_L1) {
        if (!engine::verdictFromName(verdict))
            return model::invalid(
                u"a verdict is happened, absent, retry, waive, dismiss or verify"_s);
        order.arguments.insert(u"verdict"_s, verdict);
    } else if (!verdict.isEmpty()) {
        return model::invalid(u"a verdict goes with resolve only"_s);
    }
    const auto steps = listOf(arguments, "steps");
    if (!steps)
        return steps.error();
    if (!steps->isEmpty() && *act != "compensate"_L1)
        return model::invalid(u"steps go with compensate only"_s);
    if (!steps->isEmpty())
        order.arguments.insert(u"steps"_s, QJsonArray::fromStringList(*steps));
    return order;
}

Result<QJsonValue> batchPlan(Context &context)
{
    const QJsonObject &arguments = context.arguments();
    auto order = batchOrderOf(arguments, false);
    if (!order)
        return order.error();
    const auto runIds = listOf(arguments, "runs");
    if (!runIds)
        return runIds.error();
    const auto itemIds = listOf(arguments, "items");
    if (!itemIds)
        return itemIds.error();
    if (!itemIds->isEmpty() && order->act != "resolve"_L1)
        return model::invalid(u"items are decided by resolve; %1 takes runs"_s.arg(order->act));
    if (runIds->size() > batchItemsMax || itemIds->size() > batchItemsMax)
        return model::invalid(u"a batch has at most %1 items"_s.arg(batchItemsMax));
    Planner planner(context, *order);
    if (const auto begun = planner.begin(); !begun)
        return begun.error();
    const QString cursor = arguments.value("cursor"_L1).toString();
    if (!itemIds->isEmpty())
        return planNamed(planner, *itemIds, true, cursor.toInt());
    if (!runIds->isEmpty())
        return planNamed(planner, *runIds, false, cursor.toInt());
    return planFiltered(context, planner, cursor);
}

} // namespace holdfast::control
