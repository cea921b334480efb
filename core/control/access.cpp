#include "control/access.h"

#include "control/context.h"

#include <QJsonArray>
#include <algorithm>

namespace holdfast::control
{

using namespace Qt::StringLiterals;
using ports::Role;

namespace
{
struct Access {
    QLatin1String operation;
    QVector<Role> roles; // any of them; the first is the one to ask for
};

const QVector<Access> &changes()
{
    static const QVector<Access> list{
        {"deploy"_L1, {Role::admin}},
        {"start"_L1, {Role::operator_, Role::worker}},
        {"rerun"_L1, {Role::operator_}},
        {"resolve"_L1, {Role::operator_}},
        {"approve"_L1, {Role::approver}},
        {"reject"_L1, {Role::approver}},
        {"claim"_L1, {Role::operator_, Role::approver}},
        {"snooze"_L1, {Role::operator_, Role::approver}},
        {"cancel"_L1, {Role::operator_}},
        {"retry"_L1, {Role::operator_}},
        {"compensate"_L1, {Role::operator_}},
        {"signal"_L1, {Role::operator_}},
        {"note"_L1, {Role::operator_}},
        {"pause"_L1, {Role::operator_}},
        {"resume"_L1, {Role::operator_}},
        {"ramp"_L1, {Role::operator_}},
        {"breaker"_L1, {Role::operator_}},
        {"batch_start"_L1, {Role::operator_}},
        {"batch_do"_L1, {Role::operator_}},
        {"group_do"_L1, {Role::operator_}},
        {"alert_target_do"_L1, {Role::admin, Role::operator_}},
        {"tripwire_do"_L1, {Role::operator_}},
        {"report_sign"_L1, {Role::operator_}},
        {"archive"_L1, {Role::admin}},
        {"archive_go"_L1, {Role::admin}},
        // What a viewer reads has no bodies, so its hashes cannot be checked.
        {"audit_verify"_L1, {Role::operator_, Role::approver, Role::worker, Role::admin}},
        {"audit_anchor"_L1, {Role::operator_, Role::approver, Role::admin}},
        {"save_view"_L1, {Role::operator_, Role::approver}},
        {"delete_view"_L1, {Role::operator_, Role::approver}},
    };
    return list;
}
} // namespace

QString accessProblem(const ports::Rights &rights, const QString &operation)
{
    for (const Access &access : changes()) {
        if (access.operation != operation)
            continue;
        const bool may = std::any_of(access.roles.cbegin(), access.roles.cend(),
                                     [&](Role role) { return rights.has(role); });
        const QString role = ports::roleName(access.roles.first());
        if (!rights.readOnly.isEmpty())
            return rights.readOnly;
        return may ? QString()
                   : u"the login %1 may not %2: that takes the role %3, which an owner grants with "
                     "`holdfastctl admin grant %1 %3`"_s.arg(
                         rights.login, QString(operation).replace(u'_', u' '), role);
    }
    return {};
}

QJsonObject rightsJson(const ports::Rights &rights)
{
    QJsonArray roles;
    for (const Role role : rights.roles)
        roles.append(ports::roleName(role));
    QJsonObject refused;
    for (const Access &access : changes()) {
        const QString problem = accessProblem(rights, access.operation);
        if (!problem.isEmpty())
            refused.insert(access.operation, problem);
    }
    return {{u"login"_s, rights.login},
            {u"owner"_s, rights.isOwner},
            {u"roles"_s, roles},
            {u"read_only"_s, !rights.readOnly.isEmpty()},
            {u"executes"_s, rights.has(Role::worker)},
            {u"refused"_s, refused}};
}

Result<QJsonValue> rights(Context &context)
{
    return QJsonValue(rightsJson(context.store.rights()));
}

} // namespace holdfast::control
