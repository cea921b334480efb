// Tripwires: people say which rules there are; workers look at the counters and pause.
#include "control/arguments.h"
#include "control/record.h"
#include "engine/gates.h"
#include "engine/tripwire.h"

#include <QJsonArray>
#include <QRegularExpression>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qsizetype tripwireNameMax = 60;
constexpr model::Millis windowMost = 7 * model::day;
constexpr qint64 leastByDefault = 20;

QJsonObject tripwireJson(const ports::TripwireRow &row)
{
    return {{u"name"_s, row.name},
            {u"measure"_s, row.measure},
            {u"workflow"_s, textOrNull(row.workflow)},
            {u"step"_s, textOrNull(row.step)},
            {u"failure"_s, textOrNull(row.failure)},
            {u"scope"_s, row.scope},
            {u"target"_s, textOrNull(row.target)},
            {u"depth"_s, row.depth},
            {u"within_ms"_s, row.window},
            {u"threshold"_s, row.threshold},
            {u"least"_s, row.least},
            {u"state"_s, row.state},
            {u"made_by"_s, row.madeBy},
            {u"made_at"_s, instantJson(row.madeAt)},
            {u"counts_from"_s, instantJson(row.armedAt)},
            {u"pause"_s, textOrNull(row.pause)},
            {u"fired_at"_s, instantJson(row.firedAt)}};
}

// A rule about a mistyped name would guard nothing, and look as if it did.
Result<void> checkGuarded(Context &context, const QString &workflow, const QString &dependency)
{
    if (!workflow.isEmpty()) {
        const auto found = context.store.workflow(workflow, 0);
        if (!found)
            return found.error();
        if (!*found)
            return model::notFound(u"no workflow named %1 is deployed"_s.arg(workflow));
    }
    if (!dependency.isEmpty()) {
        const auto found = context.store.dependency(dependency, 0);
        if (!found)
            return found.error();
        if (!*found)
            return model::notFound(u"no dependency named %1 is deployed"_s.arg(dependency));
    }
    return {};
}

Result<void> readThreshold(const QJsonObject &arguments, engine::TripMeasure measure,
                           ports::TripwireRow &row)
{
    const auto threshold = integerOr(arguments, "threshold", 0);
    const auto window = integerOr(arguments, "within_ms", 0);
    const auto least = integerOr(arguments, "least", leastByDefault);
    for (const auto *number : {&threshold, &window, &least}) {
        if (!*number)
            return number->error();
    }
    const bool isShare = engine::isShare(measure);
    if (*threshold < 1 || (isShare && *threshold > 100))
        return model::invalid(isShare ? u"the threshold of a rate is between 1 and 100 per cent"_s
                                      : u"the threshold of failures is at least 1"_s);
    if (*window < model::minute || *window > windowMost)
        return model::invalid(u"a tripwire looks at between 1m and 7d"_s);
    if (*least < 1)
        return model::invalid(u"a rate is taken of at least 1"_s);
    row.threshold = *threshold;
    row.window = *window;
    row.least = isShare ? *least : *threshold;
    return {};
}

Result<ports::TripwireRow> newTripwire(Context &context, const QString &name)
{
    const QJsonObject &arguments = context.arguments();
    const auto text = [&](const char *field) {
        return arguments.value(QLatin1String(field)).toString();
    };
    const auto measure = engine::tripMeasureFromName(text("measure"));
    if (!measure)
        return model::invalid(
            u"the measure is one of %1"_s.arg(engine::tripMeasureNames().join(u", "_s)));
    ports::TripwireRow row;
    row.name = name;
    row.measure = text("measure");
    row.workflow = text("workflow");
    row.step = text("step");
    row.failure = text("failure");
    row.depth = arguments.value("depth"_L1).toString(u"writes"_s);
    row.madeBy = context.request.actor;
    const QString dependency = text("dependency");
    const bool isShare = engine::isShare(*measure);
    if (isShare && (!row.step.isEmpty() || !row.failure.isEmpty()))
        return model::invalid(u"a step and a reason narrow failures only, not a rate"_s);
    if (isShare && !row.workflow.isEmpty() && !dependency.isEmpty())
        return model::invalid(u"a rate is of a workflow or of a dependency, not of both"_s);
    if (!row.step.isEmpty() && row.workflow.isEmpty())
        return model::invalid(u"a step is one of a workflow: name that, too"_s);
    if (!engine::pauseDepthFromName(row.depth))
        return model::invalid(u"the depth of a pause is writes, all or intake"_s);
    row.scope = !dependency.isEmpty()     ? u"dependency"_s
                : !row.workflow.isEmpty() ? u"workflow"_s
                                          : u"all"_s;
    row.target = dependency.isEmpty() ? row.workflow : dependency;
    if (const auto known = checkGuarded(context, row.workflow, dependency); !known)
        return known.error();
    if (const auto read = readThreshold(arguments, *measure, row); !read)
        return read.error();
    return row;
}

Result<bool> changeTripwire(Context &context, const QString &act, const QString &name,
                            model::Instant now, QJsonObject &body)
{
    const QString actor = context.request.actor;
    if (act == "remove"_L1)
        return context.store.removeTripwire(name, actor);
    if (act != "add"_L1) {
        const QString state = act == "enable"_L1 ? u"enabled"_s : u"disabled"_s;
        body.insert(u"state"_s, state);
        return context.store.setTripwire(name, state, actor);
    }
    auto row = newTripwire(context, name);
    if (!row)
        return row.error();
    row->madeAt = now;
    body = tripwireJson(*row);
    body.insert(u"act"_s, act);
    return context.store.addTripwire(*row);
}

Result<void> writeTripwire(Context &context, const QString &act, const QString &name,
                           model::Instant now)
{
    QJsonObject body{{u"act"_s, act}};
    const auto changed = changeTripwire(context, act, name, now, body);
    if (!changed)
        return changed.error();
    if (!*changed && act == "add"_L1)
        return model::Error{model::ErrorKind::conflict,
                            u"there is a tripwire named %1 already; remove it first"_s.arg(name)};
    if (!*changed)
        return model::notFound(u"there is no tripwire named %1"_s.arg(name));
    return context.store.appendAudit(auditRow(context, u"system"_s, name, body, now));
}
} // namespace

Result<QJsonValue> tripwires(Context &context)
{
    const auto rows = context.store.tripwires();
    if (!rows)
        return rows.error();
    QJsonArray list;
    for (const ports::TripwireRow &row : *rows)
        list.append(tripwireJson(row));
    return QJsonValue(QJsonObject{{u"tripwires"_s, list}});
}

Result<QJsonValue> tripwireDo(Context &context)
{
    const auto known = rememberedAnswer(context);
    if (!known)
        return known.error();
    if (*known)
        return **known;
    static const QRegularExpression shape(u"^[A-Za-z0-9][A-Za-z0-9_-]*$"_s);
    const auto act = requiredText(context.arguments(), "act");
    if (!act)
        return act.error();
    if (!QStringList{u"add"_s, u"remove"_s, u"enable"_s, u"disable"_s}.contains(*act))
        return model::invalid(u"a tripwire is added, removed, enabled or disabled"_s);
    const auto name = requiredText(context.arguments(), "name");
    if (!name)
        return name.error();
    if (name->size() > tripwireNameMax || !shape.match(*name).hasMatch())
        return model::invalid(
            u"a name is made of letters, digits, - and _, at most %1"_s.arg(tripwireNameMax));
    const auto now = context.store.now();
    if (!now)
        return now.error();
    const QJsonObject answer{{u"name"_s, *name}, {u"act"_s, *act}};
    const auto written = inTransaction(context.store, [&]() -> Result<void> {
        if (const auto done = writeTripwire(context, *act, *name, *now); !done)
            return done;
        return rememberAnswer(context, answer, *now);
    });
    return written ? Result<QJsonValue>(QJsonValue(answer)) : Result<QJsonValue>(written.error());
}

} // namespace holdfast::control
