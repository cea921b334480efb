// Filters that people saved under a name, for everybody who uses this database.
#include "control/arguments.h"
#include "control/record.h"
#include "control/run_filter.h"

#include <QJsonArray>
#include <algorithm>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr auto prefix = "view:"_L1;
constexpr qsizetype nameMax = 60;
constexpr qsizetype viewsMax = 200;

Result<QString> nameOf(const Context &context)
{
    const auto name = requiredText(context.arguments(), "name");
    if (!name)
        return name;
    const QString trimmed = name->trimmed();
    const bool hasControl = std::any_of(trimmed.cbegin(), trimmed.cend(), [](QChar c) {
        return c.category() == QChar::Other_Control;
    });
    if (trimmed.size() > nameMax || hasControl)
        return model::invalid(
            u"the name of a view has at most %1 characters, all of them visible"_s.arg(nameMax));
    return trimmed;
}

Result<QJsonValue> done(const Result<void> &written, const QString &name)
{
    if (!written)
        return written.error();
    return QJsonValue(QJsonObject{{u"name"_s, name}});
}
} // namespace

Result<QJsonValue> views(Context &context)
{
    const auto rows = context.store.settings(prefix);
    if (!rows)
        return rows.error();
    QJsonArray list;
    for (const ports::SettingRow &row : *rows)
        list.append(
            QJsonObject{{u"name"_s, row.name.mid(prefix.size())}, {u"filter"_s, row.value}});
    return QJsonValue(QJsonObject{{u"views"_s, list}});
}

Result<QJsonValue> saveView(Context &context)
{
    const auto name = nameOf(context);
    if (!name)
        return name.error();
    const QString filter = context.arguments().value("filter"_L1).toString().simplified();
    const auto now = context.store.now();
    if (!now)
        return now.error();
    // A view that cannot be read is of no use to anybody.
    if (const auto words = parseRunFilter(filter, *now); !words)
        return words.error();
    const auto standing = context.store.settings(prefix);
    if (!standing)
        return standing.error();
    if (standing->size() >= viewsMax)
        return model::refused(u"there are %1 views already; delete one first"_s.arg(viewsMax));
    const auto written = inTransaction(context.store, [&]() -> Result<void> {
        if (const auto put = context.store.putSetting({prefix + *name, filter}); !put)
            return put;
        return context.store.appendAudit(
            auditRow(context, u"system"_s, prefix + *name, {{u"filter"_s, filter}}, *now));
    });
    return done(written, *name);
}

Result<QJsonValue> deleteView(Context &context)
{
    const auto name = nameOf(context);
    if (!name)
        return name.error();
    const auto now = context.store.now();
    if (!now)
        return now.error();
    const auto written = inTransaction(context.store, [&]() -> Result<void> {
        const auto removed = context.store.removeSetting(prefix + *name);
        if (!removed)
            return removed.error();
        if (!*removed)
            return model::notFound(u"there is no view named %1"_s.arg(*name));
        return context.store.appendAudit(auditRow(context, u"system"_s, prefix + *name, {}, *now));
    });
    return done(written, *name);
}

} // namespace holdfast::control
