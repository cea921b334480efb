#include "engine/command.h"

#include "model/names.h"

#include <QJsonArray>

namespace holdfast::engine
{

namespace
{
constexpr std::array<Name<Resolve::Verdict>, 6> verdicts{{{Resolve::Verdict::happened, u"happened"},
                                                          {Resolve::Verdict::absent, u"absent"},
                                                          {Resolve::Verdict::retry, u"retry"},
                                                          {Resolve::Verdict::waive, u"waive"},
                                                          {Resolve::Verdict::dismiss, u"dismiss"},
                                                          {Resolve::Verdict::verify, u"verify"}}};

QString textOf(const QJsonObject &arguments, const char *name)
{
    return arguments.value(QLatin1String(name)).toString();
}

QStringList listOf(const QJsonObject &arguments, const char *name)
{
    QStringList list;
    const QJsonArray values = arguments.value(QLatin1String(name)).toArray();
    for (const QJsonValue &value : values)
        list.append(value.toString());
    return list;
}

std::optional<Event> resolveEvent(const CommandText &command, const QString &reason)
{
    const auto verdict = verdictFromName(textOf(command.arguments, "verdict"));
    if (!verdict)
        return std::nullopt;
    return Resolve{command.actor, reason, textOf(command.arguments, "review"), *verdict,
                   command.arguments.value(QLatin1String("receipt")).toObject()};
}

std::optional<Event> lateReportEvent(const QJsonObject &arguments)
{
    const auto direction = directionFromName(textOf(arguments, "direction"));
    if (!direction)
        return std::nullopt;
    LateReport report;
    report.step = textOf(arguments, "step");
    report.direction = *direction;
    report.attempt = int(arguments.value(QLatin1String("attempt")).toInteger());
    report.failureClass =
        failureClassFromName(textOf(arguments, "class")).value_or(FailureClass::ambiguous);
    report.happened = arguments.value(QLatin1String("happened")).toBool();
    report.receipt = arguments.value(QLatin1String("receipt")).toObject();
    report.evidence = arguments.value(QLatin1String("evidence")).toObject();
    return report;
}
} // namespace

std::optional<Resolve::Verdict> verdictFromName(const QString &name)
{
    return valueOf(verdicts, name);
}

std::optional<Event> commandEvent(const CommandText &command)
{
    const QString &name = command.name;
    const QJsonObject &arguments = command.arguments;
    const QString reason = textOf(arguments, "reason");
    if (name == QLatin1String("cancel"))
        return Cancel{command.actor, reason};
    if (name == QLatin1String("retry"))
        return Retry{command.actor, reason};
    if (name == QLatin1String("compensate"))
        return Compensate{command.actor, reason, listOf(arguments, "steps")};
    if (name == QLatin1String("resolve"))
        return resolveEvent(command, reason);
    if (name == QLatin1String("approve"))
        return Approve{command.actor, reason, textOf(arguments, "review"),
                       textOf(arguments, "hash")};
    if (name == QLatin1String("reject"))
        return Reject{command.actor, reason, textOf(arguments, "review")};
    if (name == QLatin1String("signal"))
        return Signal{command.actor, textOf(arguments, "event"),
                      arguments.value(QLatin1String("data")).toObject()};
    if (name == QLatin1String("note"))
        return Note{command.actor, textOf(arguments, "text")};
    if (name == QLatin1String("late_report"))
        return lateReportEvent(arguments);
    return std::nullopt;
}

QJsonObject lateReportArguments(const LateReport &report)
{
    return {{QStringLiteral("step"), report.step},
            {QStringLiteral("direction"), directionName(report.direction)},
            {QStringLiteral("attempt"), report.attempt},
            {QStringLiteral("class"), failureClassName(report.failureClass)},
            {QStringLiteral("happened"), report.happened},
            {QStringLiteral("receipt"), report.receipt},
            {QStringLiteral("evidence"), report.evidence}};
}

} // namespace holdfast::engine
