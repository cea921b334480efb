// admin: who may do what in a shared database. The database enforces it; here the owner says it.
#include "app/ctl/invocation.h"
#include "control/record.h"
#include "model/json.h"
#include "store/postgres_store.h"

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;
using model::Result;
using ports::Role;
using store::PostgresStore;

namespace
{
QString roleList()
{
    QStringList names;
    for (const Role role : ports::allRoles())
        names.append(ports::roleName(role));
    return names.join(u", ");
}

Result<std::unique_ptr<PostgresStore>> openAsOwner(const QString &url)
{
    if (!sqlitePath(url).isEmpty()) {
        return model::refused(
            u"%1 is a file with one operator: whoever may write it may do anything to it, and its "
            "permissions say who that is. Roles are for PostgreSQL (--db postgresql://...)"_s.arg(
                sqlitePath(url)));
    }
    const auto address = store::PostgresAddress::parse(url);
    if (!address)
        return address.error();
    auto store = std::make_unique<PostgresStore>(*address);
    if (const auto opened = store->open(); !opened)
        return opened.error();
    if (!store->rights().isOwner) {
        return model::refused(u"the login %1 does not own the schema holdfast; only its owner says "
                              "who may do what"_s.arg(store->rights().login));
    }
    return store;
}

// The change and its audit row stand together or not at all.
Result<void> audited(PostgresStore &store, const QString &action, const QString &subject,
                     const QJsonObject &body, const std::function<Result<void>()> &change)
{
    return control::inTransaction(store, [&]() -> Result<void> {
        if (const auto changed = change(); !changed)
            return changed;
        const auto now = store.now();
        if (!now)
            return now.error();
        ports::AuditRow row;
        row.chain = u"system"_s;
        row.at = *now;
        row.actor = store.rights().login;
        row.action = action;
        row.subject = subject;
        row.body = QString::fromUtf8(model::canonicalJson(body));
        return store.appendAudit(row);
    });
}

Result<QJsonObject> initialised(PostgresStore &store)
{
    const auto done =
        audited(store, u"admin_init"_s, u"roles"_s, {}, [&store] { return store.createRoles(); });
    if (!done)
        return done.error();
    return QJsonObject{{u"owner"_s, store.rights().login}, {u"roles"_s, roleList()}};
}

Result<QJsonObject> changedRole(PostgresStore &store, const QString &login, const QString &name,
                                bool grants)
{
    const auto role = ports::roleFromName(name);
    if (!role)
        return model::invalid(u"%1 is no role; the roles are %2"_s.arg(name, roleList()));
    const auto done =
        audited(store, grants ? u"grant"_s : u"revoke"_s, login, {{u"role"_s, name}}, [&] {
            return grants ? store.grantRole(login, *role) : store.revokeRole(login, *role);
        });
    if (!done)
        return done.error();
    return QJsonObject{{u"login"_s, login}, {grants ? u"granted"_s : u"revoked"_s, name}};
}

Result<QJsonObject> listed(PostgresStore &store)
{
    const auto members = store.members();
    if (!members)
        return members.error();
    QJsonArray list;
    for (const PostgresStore::Member &member : *members) {
        list.append(QJsonObject{{u"login"_s, member.login},
                                {u"roles"_s, QJsonArray::fromStringList(member.roles)}});
    }
    return QJsonObject{{u"owner"_s, store.rights().login}, {u"logins"_s, list}};
}

QString answerText(const QJsonObject &answer)
{
    if (answer.contains("logins"_L1))
        return table(answer.value("logins"_L1).toArray(), {u"login"_s, u"roles"_s});
    if (answer.contains("granted"_L1) || answer.contains("revoked"_L1)) {
        const bool grants = answer.contains("granted"_L1);
        return u"%1 %2 the role %3"_s.arg(
            answer.value("login"_L1).toString(), grants ? u"has"_s : u"no longer has"_s,
            answer.value(grants ? "granted"_L1 : "revoked"_L1).toString());
    }
    return u"the schema and the roles stand: %1. Give each person and each worker a login of its "
           "own, and then `holdfastctl admin grant LOGIN ROLE`"_s.arg(
               answer.value("roles"_L1).toString());
}

int runAdmin(Invocation &invocation)
{
    const QString word = invocation.positional(0);
    const qsizetype given = invocation.positionals().size();
    const bool changesRole = word == "grant"_L1 || word == "revoke"_L1;
    if (!changesRole && word != "init"_L1 && word != "roles"_L1)
        return invocation.usage(u"admin knows init, grant, revoke and roles"_s);
    if (given != (changesRole ? 3 : 1))
        return invocation.usage(changesRole ? u"admin %1 takes a login and a role"_s.arg(word)
                                            : u"admin %1 takes nothing more"_s.arg(word));
    const auto store = openAsOwner(invocation.url());
    if (!store)
        return invocation.out.fail(store.error());
    const Result<QJsonObject> answer =
        word == "init"_L1    ? initialised(**store)
        : word == "roles"_L1 ? listed(**store)
                             : changedRole(**store, invocation.positional(1),
                                           invocation.positional(2), word == "grant"_L1);
    if (!answer)
        return invocation.out.fail(answer.error());
    invocation.out.print(*answer, answerText(*answer));
    return exitDone;
}
} // namespace

QVector<Subcommand> adminCommands()
{
    return {{u"admin"_s,
             u"admin init | grant LOGIN ROLE | revoke LOGIN ROLE | roles"_s,
             u"Sets up the schema and the group roles of a PostgreSQL database as its owner, and "
             "says which login has which of them: %1."_s.arg(roleList()),
             {},
             1,
             3,
             u"admin grant dana operator"_s,
             runAdmin}};
}

} // namespace holdfast::ctl
