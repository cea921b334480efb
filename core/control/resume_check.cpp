// What a person should know before a pause is lifted: what it holds and for how long, which keys
// will not protect much longer, and whether the outside is well again.
#include "control/arguments.h"
#include "control/pause_scope.h"
#include "engine/key_window.h"

#include <QJsonArray>
#include <algorithm>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qsizetype heldAgeMax = 100'000; // runs whose age is counted
constexpr qsizetype foldedMax = 500;      // oldest ones, whose keys are looked at
constexpr qsizetype keysMax = 50;         // named in the answer
constexpr model::Millis lookBack = model::hour;

struct Age {
    const char16_t *label;
    model::Millis below; // 0: any
};
constexpr Age ages[] = {{u"under an hour", model::hour},
                        {u"1 to 24 hours", model::day},
                        {u"1 to 7 days", 7 * model::day},
                        {u"over 7 days", 0}};

Result<ports::PauseRow> pauseOf(Context &context)
{
    const auto id = requiredText(context.arguments(), "pause");
    if (!id)
        return id.error();
    const auto rows = context.store.pauses(false);
    if (!rows)
        return rows.error();
    for (const ports::PauseRow &row : *rows) {
        if (row.id != *id)
            continue;
        if (row.liftedAt != model::never)
            return model::refused(u"%1 lifted this pause at %2"_s.arg(
                row.liftedBy, model::instantText(row.liftedAt)));
        return row;
    }
    return model::notFound(u"there is no pause %1"_s.arg(*id));
}

QJsonArray byAge(const QVector<HeldRun> &held, model::Instant now)
{
    QJsonArray list;
    model::Millis from = 0;
    for (const Age &age : ages) {
        const auto count = std::count_if(held.cbegin(), held.cend(), [&](const HeldRun &run) {
            const model::Millis old = std::max<model::Millis>(0, now - run.createdAt);
            return old >= from && (age.below == 0 || old < age.below);
        });
        list.append(QJsonObject{{u"label"_s, QString::fromUtf16(age.label)}, {u"count"_s, count}});
        from = age.below;
    }
    return list;
}

// The oldest come first in danger, so they are the ones looked at.
Result<QJsonArray> keysExpiring(Context &context, const QVector<HeldRun> &held)
{
    QVector<QPair<model::Instant, QJsonObject>> found;
    const QVector<HeldRun> oldest = held.last(std::min(held.size(), foldedMax));
    for (const HeldRun &run : oldest) {
        const auto loaded = loadRun(context, run.runId);
        if (!loaded)
            return loaded.error();
        for (const model::Step &step : loaded->run.steps) {
            const model::StepPolicy *policy = loaded->stepPolicy(step.step);
            const bool settled = step.forward.phase == model::Phase::succeeded ||
                                 step.forward.phase == model::Phase::skipped ||
                                 step.forward.phase == model::Phase::failed;
            if (!policy || settled)
                continue;
            const model::Instant until = engine::keyForgottenAt(step.forward, policy->forward);
            if (until != model::never)
                found.append({until, QJsonObject{{u"run_id"_s, run.runId},
                                                 {u"step"_s, step.step},
                                                 {u"key"_s, step.forward.key},
                                                 {u"expires_at"_s, instantJson(until)}}});
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    QJsonArray list;
    for (const auto &[until, json] : std::as_const(found)) {
        if (list.size() < keysMax)
            list.append(json);
    }
    return list;
}

Result<QStringList> dependenciesUnder(Context &context, const ports::PauseRow &pause)
{
    if (pause.scope == "dependency"_L1)
        return QStringList{pause.target};
    const auto known = context.definitions.dependencies(context.store);
    if (!known)
        return known.error();
    if (pause.scope == "all"_L1)
        return QStringList(known->keys());
    const auto definition = context.definitions.workflow(context.store, pause.target, 0);
    if (!definition)
        return definition.error();
    QStringList names;
    for (const model::StepPolicy &step : (*definition)->policy.steps) {
        names.append(step.forward.dependency);
        if (step.undo)
            names.append(step.undo->dependency);
    }
    names.removeAll(QString());
    names.removeDuplicates();
    names.sort();
    return names;
}

Result<QJsonArray> health(Context &context, const QStringList &names, model::Instant now)
{
    const auto breakers = context.store.breakers();
    if (!breakers)
        return breakers.error();
    const auto sums = context.store.rollupSums(now - lookBack, model::never);
    if (!sums)
        return sums.error();
    QJsonArray list;
    for (const QString &name : names) {
        QString state = u"closed"_s;
        QString error;
        for (const ports::BreakerRow &row : *breakers) {
            if (row.dependency == name) {
                state = row.state;
                error = row.reason;
            }
        }
        qint64 attempts = 0, failures = 0;
        for (const ports::RollupRow &row : *sums) {
            if (row.dependency != name)
                continue;
            attempts += row.counts.value(u"attempts"_s);
            for (const QString &kind : {u"transient"_s, u"permanent"_s, u"ambiguous"_s})
                failures += row.counts.value(kind);
        }
        const double rate =
            attempts == 0 ? 0 : 1.0 - double(std::min(failures, attempts)) / double(attempts);
        list.append(
            QJsonObject{{u"dependency"_s, name},
                        {u"breaker"_s, state},
                        {u"last_error"_s, error.isEmpty() ? QJsonValue() : QJsonValue(error)},
                        {u"success_rate"_s, attempts == 0 ? QJsonValue() : QJsonValue(rate)}});
    }
    return list;
}
} // namespace

Result<QJsonValue> resumeCheck(Context &context)
{
    const auto pause = pauseOf(context);
    if (!pause)
        return pause.error();
    const auto now = context.store.now();
    if (!now)
        return now.error();
    const auto held = heldBy(context, *pause, heldAgeMax);
    if (!held)
        return held.error();
    const auto keys = keysExpiring(context, *held);
    if (!keys)
        return keys.error();
    const auto names = dependenciesUnder(context, *pause);
    if (!names)
        return names.error();
    const auto healthList = health(context, *names, *now);
    if (!healthList)
        return healthList.error();
    return QJsonValue(QJsonObject{{u"pause"_s, pause->id},
                                  {u"held"_s, held->size()},
                                  {u"by_age"_s, byAge(*held, *now)},
                                  {u"keys_expiring"_s, *keys},
                                  {u"dependencies"_s, *healthList}});
}

} // namespace holdfast::control
