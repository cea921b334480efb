// What people do to many at once: they plan it, start it, hold it, let it go on and stop it.
#include "simulation/people.h"

#include <QJsonArray>

#include <algorithm>

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int rateMost = 20;

bool isUnderWay(const ports::BatchRow &batch)
{
    return batch.state == "running"_L1 || batch.state == "held"_L1;
}
} // namespace

QJsonObject People::orderForRuns()
{
    static const QStringList acts{u"cancel"_s, u"retry"_s, u"compensate"_s};
    Dice &dice = m_scene.dice;
    const int share = dice.oneIn(3) ? 50 : 100;
    QJsonArray runs;
    for (const auto &[id, run] : m_scene.stage.database->runs) {
        if (dice.percent(share))
            runs.append(id);
    }
    if (runs.isEmpty())
        return {};
    return {{u"act"_s, acts.at(dice.below(3))}, {u"runs"_s, runs}};
}

// One answer to all items of which it is as true as of the first.
QJsonObject People::orderForItems()
{
    QVector<ports::ReviewRow> open;
    for (const auto &[id, row] : m_scene.stage.database->reviews) {
        if (row.decidedAt == model::never && row.kind != "approval"_L1)
            open.append(row);
    }
    if (open.isEmpty())
        return {};
    Dice &dice = m_scene.dice;
    const ports::ReviewRow first = open.at(dice.below(int(open.size())));
    const QString verdict = answerTo(first, !dice.percent(m_scene.settings.guesses)).verdict;
    QJsonArray items;
    for (const ports::ReviewRow &item : open) {
        const bool fits = item.kind == first.kind &&
                          (item.kind != "ambiguous"_L1 || ambiguousVerdict(item, true) == verdict);
        if (fits || item.id == first.id)
            items.append(item.id);
    }
    return {{u"act"_s, u"resolve"_s}, {u"verdict"_s, verdict}, {u"items"_s, items}};
}

// Whoever plans looks at the plan for a while, and meanwhile things move.
void People::planBatch(int desk)
{
    Dice &dice = m_scene.dice;
    QJsonObject order = dice.percent(40) ? orderForItems() : orderForRuns();
    if (order.isEmpty())
        return;
    order.insert(u"reason"_s, u"all of them"_s);
    Plan plan{newRequest(), u"batch_start"_s, order, {}, {}, {}, {}};
    const auto planned = m_scene.stage.desks[size_t(desk)]->door.call(
        {plan.id, u"batch_plan"_s, order, desk == 0 ? u"ada"_s : u"ben"_s});
    if (!planned)
        return;
    plan.arguments.remove(u"runs"_s);
    plan.arguments.insert(u"items"_s, planned->toObject().value("items"_L1));
    plan.arguments.insert(u"include_unsafe"_s, dice.percent(70));
    plan.arguments.insert(u"rate"_s, 1 + dice.below(rateMost));
    m_scene.agenda.in(dice.oneIn(3) ? dice.between(0, 3 * model::minute) : 0,
                      [this, desk, plan] { startBatch(desk, plan); });
}

void People::startBatch(int desk, const Plan &plan)
{
    Dice &dice = m_scene.dice;
    const Answer answer = call(desk, plan);
    if (answer == Answer::refused)
        return;
    if (answer == Answer::unknown || dice.percent(m_scene.settings.doubles))
        again(desk, plan);
    static const QStringList words{u"hold"_s, u"go"_s, u"go"_s, u"stop"_s};
    for (int i = dice.below(4); i > 0; --i) {
        m_scene.agenda.in(dice.between(1, 2 * model::minute), [this, desk, id = plan.id] {
            moveBatch(desk, id, words.at(m_scene.dice.below(int(words.size()))));
        });
    }
}

void People::moveBatch(int desk, const QString &id, const QString &word)
{
    Plan plan{newRequest(), u"batch_do"_s, {}, {}, {}, id, word};
    plan.arguments = {{u"batch"_s, id}, {u"do"_s, word}};
    if (call(desk, plan) == Answer::unknown)
        again(desk, plan);
}

void People::settleBatches()
{
    QStringList held;
    for (const auto &[id, batch] : m_scene.stage.database->batches) {
        if (batch.state == "held"_L1)
            held.append(id);
    }
    for (const QString &id : std::as_const(held))
        moveBatch(m_scene.dice.below(2), id, m_scene.dice.oneIn(2) ? u"go"_s : u"stop"_s);
}

bool People::isAnyBatchOpen() const
{
    const auto &db = *m_scene.stage.database;
    return std::any_of(db.batches.cbegin(), db.batches.cend(),
                       [](const auto &entry) { return isUnderWay(entry.second); }) ||
           std::any_of(db.batchItems.cbegin(), db.batchItems.cend(),
                       [](const auto &entry) { return entry.second.state == "recorded"_L1; });
}

} // namespace holdfast::simulation
