// Whom alerts are sent to, and how that goes: people say who is told, workers tell.
#include "contract/origin.h"
#include "control/arguments.h"
#include "control/record.h"
#include "ports/alert.h"

#include <QJsonArray>
#include <QRegularExpression>
#include <algorithm>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qint64 deliveriesMost = 500;
constexpr qsizetype targetNameMax = 60;
constexpr qsizetype targetUrlMax = 2000;

QJsonObject targetJson(const ports::AlertTargetRow &row)
{
    return {{u"name"_s, row.name},
            {u"url"_s, row.url},
            {u"secrets"_s, QJsonArray::fromStringList(row.secrets)},
            {u"kinds"_s, QJsonArray::fromStringList(row.kinds)},
            {u"workflows"_s, QJsonArray::fromStringList(row.workflows)},
            {u"allow_private"_s, row.allowPrivate},
            {u"state"_s, row.state},
            {u"reason"_s, textOrNull(row.reason)},
            {u"made_by"_s, row.madeBy},
            {u"made_at"_s, instantJson(row.madeAt)}};
}

QJsonObject deliveryJson(const ports::DeliveryRow &row)
{
    return {{u"alert"_s, row.outboxId},
            {u"target"_s, row.target},
            {u"kind"_s, row.kind},
            {u"run_id"_s, textOrNull(row.runId)},
            {u"at"_s, instantJson(row.at)},
            {u"state"_s, row.state},
            {u"attempts"_s, row.attempts},
            {u"next_at"_s, instantJson(row.nextAt)},
            {u"ended_at"_s, instantJson(row.endedAt)},
            {u"status"_s, row.status == 0 ? QJsonValue() : QJsonValue(row.status)},
            {u"error"_s, textOrNull(row.error)}};
}

Result<QString> targetNameOf(const QJsonObject &arguments)
{
    static const QRegularExpression shape(u"^[A-Za-z0-9][A-Za-z0-9_-]*\\z"_s);
    const auto name = requiredText(arguments, "name");
    if (name && (name->size() > targetNameMax || !shape.match(*name).hasMatch()))
        return model::invalid(
            u"a name is made of letters, digits, - and _, at most %1"_s.arg(targetNameMax));
    return name;
}

// As whoever sends sees it: nothing that a server could read as another path.
bool isPath(const QString &path)
{
    static const QRegularExpression shape(u"^/(?:[!-\"$&-\\[\\]-~]|%[0-9A-Fa-f]{2})*\\z"_s);
    if (!shape.match(path).hasMatch())
        return false;
    const QStringList segments = path.section(u'?', 0, 0).split(u'/');
    return std::none_of(segments.cbegin(), segments.cend(), [](const QString &segment) {
        const QByteArray plain = QByteArray::fromPercentEncoding(segment.toLatin1());
        return plain == "." || plain == "..";
    });
}

// What would itself do as a key was given in place of a name, and would be shown to whoever lists
// targets.
bool isKey(const QString &name)
{
    constexpr qsizetype keyLeast = 24;
    constexpr qsizetype keyMost = 64;
    const auto decoded =
        QByteArray::fromBase64Encoding(name.toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
    return decoded && decoded.decoded.size() >= keyLeast && decoded.decoded.size() <= keyMost;
}

// The same rule as for a dependency, with a path behind it. What the name resolves to is judged
// when the socket is opened.
Result<void> checkUrl(const QString &url)
{
    const qsizetype scheme = url.indexOf("://"_L1);
    const qsizetype slash = scheme < 0 ? -1 : url.indexOf(u'/', scheme + 3);
    const auto origin = contract::parseOrigin(slash < 0 ? url : url.left(slash));
    if (!origin.error.isEmpty())
        return model::invalid(u"%1 is no address to send alerts to: http or https, a host, maybe a "
                              "port and a path, and no user or fragment"_s.arg(url));
    if (url.size() > targetUrlMax || !isPath(slash < 0 ? u"/"_s : url.mid(slash)))
        return model::invalid(u"the path of %1 is none that can be sent"_s.arg(url));
    return {};
}

Result<ports::AlertTargetRow> newTarget(Context &context, const QString &name)
{
    static const QRegularExpression secretShape(u"^[A-Za-z_][A-Za-z0-9_]*\\z"_s);
    const QJsonObject &arguments = context.arguments();
    ports::AlertTargetRow row;
    row.name = name;
    const auto url = requiredText(arguments, "url");
    if (!url)
        return url.error();
    row.url = *url;
    if (const auto fits = checkUrl(*url); !fits)
        return fits.error();
    for (const auto &[field, into] :
         {std::pair{"secrets", &row.secrets}, std::pair{"kinds", &row.kinds},
          std::pair{"workflows", &row.workflows}}) {
        const auto list = listOf(arguments, field);
        if (!list)
            return list.error();
        *into = *list;
    }
    if (row.secrets.isEmpty())
        return model::invalid(u"alerts are signed: name the secret that signs them, as it is kept "
                              "with `holdfastctl secret set`"_s);
    for (const QString &secret : std::as_const(row.secrets)) {
        if (!secretShape.match(secret).hasMatch() || secret.startsWith("whsec_"_L1) ||
            isKey(secret))
            return model::invalid(u"a secret is given by its name, never by its value; a name that "
                                  "could be a key is none"_s);
    }
    for (const QString &kind : std::as_const(row.kinds)) {
        if (!ports::isAlertFilter(kind))
            return model::invalid(u"there are no alerts of kind %1; there are %2"_s.arg(
                kind, ports::alertKinds().join(u", "_s)));
    }
    for (const QString &workflow : std::as_const(row.workflows)) {
        const auto deployed = context.store.workflow(workflow, 0);
        if (!deployed)
            return deployed.error();
        if (!*deployed)
            return model::notFound(u"no workflow named %1 is deployed"_s.arg(workflow));
    }
    row.allowPrivate = arguments.value("allow_private"_L1).toBool();
    row.madeBy = context.request.actor;
    return row;
}

Result<ports::AlertTargetRow> targetNamed(Context &context, const QString &name)
{
    const auto rows = context.store.alertTargets();
    if (!rows)
        return rows.error();
    for (const ports::AlertTargetRow &row : *rows) {
        if (row.name == name)
            return row;
    }
    return model::notFound(u"there is no alert target named %1"_s.arg(name));
}

Result<void> mayChangeTargets(Context &context)
{
    const ports::Rights rights = context.store.rights();
    if (rights.has(ports::Role::admin))
        return {};
    return model::refused(
        u"the login %1 may not say who is told: that takes the role admin, which "
        "an owner grants with `holdfastctl admin grant %1 admin`"_s.arg(rights.login));
}

Result<void> auditTarget(Context &context, const QString &name, const QJsonObject &body,
                         model::Instant at)
{
    return context.store.appendAudit(auditRow(context, u"system"_s, name, body, at));
}

Result<void> addTarget(Context &context, ports::AlertTargetRow row, model::Instant now)
{
    row.madeAt = now;
    const auto added = context.store.addAlertTarget(row);
    if (!added)
        return added.error();
    if (!*added)
        return model::Error{
            model::ErrorKind::conflict,
            u"there is an alert target named %1 already; remove it first"_s.arg(row.name)};
    QJsonObject body = targetJson(row);
    for (const QString &left : {u"state"_s, u"reason"_s, u"made_by"_s, u"made_at"_s})
        body.remove(left);
    body.insert(u"act"_s, u"add"_s);
    return auditTarget(context, row.name, body, now);
}

Result<void> changeTarget(Context &context, const QString &act, const QString &name,
                          model::Instant now)
{
    const QString actor = context.request.actor;
    if (act == "test"_L1)
        return context.store.announce(ports::testAlert(context.request.id, name, actor, now));
    if (act == "remove"_L1) {
        if (const auto removed = context.store.removeAlertTarget(name, actor); !removed)
            return removed.error();
        return auditTarget(context, name, {{u"act"_s, act}}, now);
    }
    const auto reason = reasonOf(context.arguments(), false);
    if (!reason)
        return reason.error();
    const QString state = act == "enable"_L1 ? u"enabled"_s : u"disabled"_s;
    const QString why = state == "enabled"_L1 ? QString() : *reason;
    if (const auto set = context.store.setAlertTarget(name, state, why, actor); !set)
        return set.error();
    return auditTarget(context, name, {{u"act"_s, act}, {u"state"_s, state}, {u"reason"_s, why}},
                       now);
}
} // namespace

Result<QJsonValue> alertTargets(Context &context)
{
    const auto rows = context.store.alertTargets();
    if (!rows)
        return rows.error();
    QJsonArray list;
    for (const ports::AlertTargetRow &row : *rows) {
        QJsonObject json = targetJson(row);
        for (const QString &state : {u"waiting"_s, u"given_up"_s}) {
            const auto some = context.store.deliveries({row.name, state, int(deliveriesMost)});
            if (!some)
                return some.error();
            json.insert(state, some->size());
        }
        const auto last = context.store.deliveries({row.name, {}, 1});
        if (!last)
            return last.error();
        json.insert(u"last"_s, last->isEmpty() ? QJsonValue() : deliveryJson(last->first()));
        list.append(json);
    }
    return QJsonValue(QJsonObject{{u"targets"_s, list}});
}

Result<QJsonValue> alertTargetDo(Context &context)
{
    const auto known = rememberedAnswer(context);
    if (!known)
        return known.error();
    if (*known)
        return **known;
    const auto act = requiredText(context.arguments(), "act");
    if (!act)
        return act.error();
    const QStringList acts{u"add"_s, u"remove"_s, u"enable"_s, u"disable"_s, u"test"_s};
    if (!acts.contains(*act))
        return model::invalid(u"an alert target is added, removed, enabled, disabled or tested"_s);
    const auto name = targetNameOf(context.arguments());
    if (!name)
        return name.error();
    if (*act == "add"_L1 || *act == "remove"_L1) {
        if (const auto may = mayChangeTargets(context); !may)
            return may.error();
    }
    const auto row = *act == "add"_L1 ? newTarget(context, *name) : targetNamed(context, *name);
    if (!row)
        return row.error();
    if (*act == "test"_L1 && row->state == "disabled"_L1)
        return model::refused(u"%1 is disabled%2: nothing was sent; enable it first"_s.arg(
            *name, row->reason.isEmpty() ? QString() : u" (%1)"_s.arg(row->reason)));
    const auto now = context.store.now();
    if (!now)
        return now.error();
    const QJsonObject answer{{u"name"_s, *name}, {u"act"_s, *act}};
    const auto written = inTransaction(context.store, [&]() -> Result<void> {
        const auto done = *act == "add"_L1 ? addTarget(context, *row, *now)
                                           : changeTarget(context, *act, *name, *now);
        if (!done)
            return done;
        return context.store.rights().has(ports::Role::operator_)
                   ? rememberAnswer(context, answer, *now)
                   : Result<void>();
    });
    return written ? Result<QJsonValue>(QJsonValue(answer)) : Result<QJsonValue>(written.error());
}

Result<QJsonValue> deliveries(Context &context)
{
    const QJsonObject &arguments = context.arguments();
    const auto limit = integerOr(arguments, "limit", 100);
    if (!limit)
        return limit.error();
    if (*limit < 1 || *limit > deliveriesMost)
        return model::invalid(u"limit is between 1 and %1"_s.arg(deliveriesMost));
    const QString target = arguments.value("target"_L1).toString();
    const QString state = arguments.value("state"_L1).toString();
    if (!state.isEmpty() &&
        !QStringList{u"waiting"_s, u"delivered"_s, u"given_up"_s}.contains(state))
        return model::invalid(u"a delivery is waiting, delivered or given_up"_s);
    const auto rows = context.store.deliveries({target, state, int(*limit)});
    if (!rows)
        return rows.error();
    // Those to a target that was removed are still listed.
    if (rows->isEmpty() && !target.isEmpty()) {
        if (const auto known = targetNamed(context, target); !known)
            return known.error();
    }
    QJsonArray list;
    for (const ports::DeliveryRow &row : *rows)
        list.append(deliveryJson(row));
    return QJsonValue(QJsonObject{{u"deliveries"_s, list}});
}

} // namespace holdfast::control
