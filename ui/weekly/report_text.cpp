#include "ui/weekly/report_text.h"

#include "model/json.h"
#include "ui/style/group_look.h"
#include "ui/widgets/times.h"

#include <QLocale>
#include <cmath>

namespace holdfast::weekly
{

using namespace Qt::StringLiterals;

namespace
{
constexpr QChar dash = u'–';
constexpr QChar minus = u'−';

QString signedText(double value, int decimals)
{
    const QString text = QLocale().toString(std::abs(value), 'f', decimals);
    if (text.toDouble() == 0.0 && std::abs(value) < 0.05)
        return u"±0"_s;
    return (value < 0 ? QString(minus) : u"+"_s) + text;
}

QString countOf(double value) { return figureText(value, u"count"_s); }
} // namespace

QString changeText(const QJsonValue &now, const QJsonValue &before, const QString &unit)
{
    if (!now.isDouble() || !before.isDouble())
        return dash;
    const double difference = now.toDouble() - before.toDouble();
    if (unit == "percent"_L1)
        return signedText(difference, 1);
    if (before.toDouble() == 0.0)
        return difference == 0.0 ? u"±0"_s : u"+"_s + figureText(now, unit);
    const double share = difference / before.toDouble() * 100;
    // Of small numbers a share says more than there is to say.
    if (unit == "count"_L1 && std::abs(before.toDouble()) < 20)
        return signedText(difference, 0);
    return signedText(share, 0) + u" %"_s;
}

QString countText(double count, const QString &one, const QString &many)
{
    return countOf(count) + u' ' + (std::llround(count) == 1 ? one : many);
}

QString groupsText(const QJsonObject &report, const QString &between)
{
    const QJsonArray groups = report["groups"_L1].toArray();
    QString listed = countText(double(groups.size()), u"group"_s, u"groups"_s);
    if (report["groups_more"_L1].toInteger() > 0)
        listed = u"The %1 with the most runs; there are more"_s.arg(listed);
    qint64 settled = 0;
    for (const QJsonValue &group : groups)
        settled += isSettled(group.toObject()) ? 1 : 0;
    return listed + between + u"%L1 settled"_s.arg(settled) + between +
           u"%L1 left"_s.arg(groups.size() - settled);
}

QString groupChange(const QJsonObject &group)
{
    const double now = group["runs"_L1].toDouble();
    const double before = group["runs_before"_L1].toDouble();
    if (before >= 3 && now / before >= 2)
        return u"×"_s + QLocale().toString(now / before, 'f', 1);
    return signedText(now - before, 0);
}

QString groupWhere(const QJsonObject &group)
{
    QString where = group["workflow"_L1].toString();
    if (const QString step = group["step"_L1].toString(); !step.isEmpty())
        where += u" · "_s + step;
    const QString direction = group["direction"_L1].toString();
    if (!direction.isEmpty() && direction != "forward"_L1)
        where += u" ("_s + direction + u')';
    return where;
}

QString groupReason(const QJsonObject &group)
{
    const QString kind = group["class"_L1].toString();
    const QString reason = group["reason"_L1].toString();
    return kind.isEmpty() || reason.isEmpty() ? kind + reason : kind + u" · "_s + reason;
}

QString groupDecision(const QJsonObject &group)
{
    const QString disposition = group["disposition"_L1].toString();
    QString text;
    if (disposition == "resolved"_L1) {
        const QJsonValue version = group["resolved_version"_L1];
        text = version.isDouble() && version.toInt() > 0
                   ? u"Fixed in version %1"_s.arg(version.toInt())
                   : u"Resolved"_s;
    } else if (disposition == "archived"_L1) {
        text = u"Archived until escalating"_s;
    }
    const QString owner = group["owner"_L1].toString();
    if (text.isEmpty())
        return owner.isEmpty() ? QString() : u"Assigned to %1"_s.arg(owner);
    return text;
}

QString suggestionText(const QJsonObject &suggestion)
{
    const QString why = suggestion["why"_L1].toString();
    const QString field = suggestion["field"_L1].toString();
    if (field.isEmpty())
        return why;
    return u"%1: %2 %3 → %4, because %5"_s.arg(suggestion["name"_L1].toString(), field,
                                               suggestion["from"_L1].toString(),
                                               suggestion["to"_L1].toString(), why);
}

bool isSettled(const QJsonObject &group)
{
    return !style::groupLook(group["status"_L1].toString()).needsPerson;
}

QString trendText(const QJsonArray &trend)
{
    QStringList parts;
    for (const QJsonValue &value : trend)
        parts << countOf(value.toDouble());
    return parts.join(u", "_s);
}

QString tagsText(const QJsonArray &tags)
{
    QStringList parts;
    for (const QJsonValue &tag : tags)
        parts << tag.toString();
    return parts.join(u", "_s);
}

QString outcomesText(const QJsonObject &outcomes)
{
    QStringList parts;
    const auto add = [&](const QString &name, const QString &word) {
        if (const double count = outcomes[name].toDouble(); count > 0)
            parts << word + u' ' + countOf(count);
    };
    add(u"open"_s, u"○ Open"_s);
    for (const QString &name : style::statusNames())
        add(name, style::statusLook(name).text());
    return parts.join(u"   "_s);
}

QString costText(const QJsonObject &cost)
{
    const double attempts = cost["attempts"_L1].toDouble();
    if (attempts <= 0)
        return u"No attempt was made."_s;
    const QJsonValue share = cost["retry_share"_L1];
    return u"%1, %2 of them retries%3."_s.arg(
        countText(attempts, u"attempt"_s, u"attempts"_s), countOf(cost["retries"_L1].toDouble()),
        share.isDouble() ? u" ("_s + figureText(share, u"percent"_s) + u')' : QString());
}

QString modelText(const QJsonValue &model)
{
    if (!model.isObject() || model.toObject().isEmpty())
        return u"No cost of models is known."_s;
    return u"Model: "_s + pairsText(model.toObject());
}

QString flipsText(const QJsonValue &flips)
{
    if (!flips.isObject())
        return u"No workflow gives out leads: none names the outputs lead and owner."_s;
    const qint64 count = flips["flips"_L1].toInteger();
    // One lead may change hands several times.
    QString said = count == 0 ? u"No lead was given to another owner within seven days"_s
                   : count == 1
                       ? u"1 lead was given to another owner within seven days"_s
                       : u"Leads were given to another owner %1 times within seven days"_s.arg(
                             countOf(double(count)));
    if (const qsizetype listed = flips["list"_L1].toArray().size(); listed < count)
        said += u" (%1 of them listed)"_s.arg(countOf(double(listed)));
    return u"%1, in %2 read%3"_s.arg(
        said, countText(flips["runs_read"_L1].toDouble(), u"run"_s, u"runs"_s),
        flips["complete"_L1].toBool() ? u"."_s : u"; older runs of this time were not read."_s);
}

QStringList incompleteLines(const QJsonArray &incomplete)
{
    QStringList lines;
    for (const QJsonValue &value : incomplete) {
        QString why = value["why"_L1].toString();
        if (!why.endsWith(u'.')) // some reasons are sentences already
            why += u'.';
        lines << u"Figures are incomplete from %1 to %2: %3"_s.arg(
            widgets::shortTime(widgets::instantOf(value["since"_L1])),
            widgets::shortTime(widgets::instantOf(value["until"_L1])), why);
    }
    return lines;
}

QString pairsText(const QJsonObject &object)
{
    QStringList parts;
    for (auto entry = object.begin(); entry != object.end(); ++entry) {
        const QJsonValue value = entry.value();
        QString text = value.isString()   ? value.toString()
                       : value.isDouble() ? QLocale().toString(value.toDouble(), 'g', 6)
                       : value.isBool()   ? QString(value.toBool() ? u"yes"_s : u"no"_s)
                       : value.isNull()   ? QString(dash)
                                          : QString::fromUtf8(model::compactJson(value));
        parts << QString(entry.key()).replace(u'_', u' ') + u": "_s + text;
    }
    return parts.join(u", "_s);
}

QString signoffText(const QJsonObject &signoff)
{
    return u"Signed by %1 on %2."_s.arg(signoff["by"_L1].toString(),
                                        widgets::fullTime(widgets::instantOf(signoff["at"_L1])));
}

QString signoffChange(const QJsonObject &signoff)
{
    if (signoff["figures_unchanged"_L1].toBool(true))
        return {};
    QString said = u"The figures are no longer those that were signed."_s;
    if (const QString changed = tagsText(signoff["changed"_L1].toArray()); !changed.isEmpty())
        said += u" Changed: %1."_s.arg(changed);
    return said;
}

} // namespace holdfast::weekly
