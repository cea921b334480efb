// What a login may do. Roles are group roles of a shared database, which enforces them; an owner
// may do anything. A file knows no logins: whoever may write it owns it.
#pragma once

#include <QString>
#include <QVector>
#include <optional>

namespace holdfast::ports
{

enum class Role { viewer, operator_, approver, worker, admin };

QString roleName(Role role);
std::optional<Role> roleFromName(const QString &name);
const QVector<Role> &allRoles();

struct Rights {
    QString login; // empty: there are no logins
    bool isOwner = true;
    QVector<Role> roles{};
    QString readOnly{}; // why nobody may change anything here; empty: it may be changed

    bool has(Role role) const { return readOnly.isEmpty() && (isOwner || roles.contains(role)); }
};

} // namespace holdfast::ports
