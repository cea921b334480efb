#include "ports/rights.h"

#include "model/names.h"

namespace holdfast::ports
{

namespace
{
constexpr std::array<model::Name<Role>, 5> roleNames{{{Role::viewer, u"viewer"},
                                                      {Role::operator_, u"operator"},
                                                      {Role::approver, u"approver"},
                                                      {Role::worker, u"worker"},
                                                      {Role::admin, u"admin"}}};
}

QString roleName(Role role) { return model::nameOf(roleNames, role); }

std::optional<Role> roleFromName(const QString &name) { return model::valueOf(roleNames, name); }

const QVector<Role> &allRoles()
{
    static const QVector<Role> roles{Role::viewer, Role::operator_, Role::approver, Role::worker,
                                     Role::admin};
    return roles;
}

} // namespace holdfast::ports
