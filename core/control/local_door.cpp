#include "control/local_door.h"

#include "control/access.h"
#include "control/context.h"

#include <iterator>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
struct Named {
    const char *name;
    Operation operation;
};

constexpr Named operations[] = {
    {"check", check},
    {"deploy", deploy},
    {"workflows", workflows},
    {"workflow", workflow},
    {"dependencies", dependencies},
    {"start", start},
    {"rerun", rerun},
    {"runs", runs},
    {"show", show},
    {"count", count},
    {"filter_words", filterWords},
    {"pulse", pulse},
    {"reviews", reviews},
    {"review", review},
    {"resolve", resolve},
    {"approve", approve},
    {"reject", reject},
    {"claim", claim},
    {"snooze", snooze},
    {"cancel", cancel},
    {"retry", retry},
    {"compensate", compensate},
    {"signal", signal},
    {"note", note},
    {"command", command},
    {"pause", pause},
    {"resume", resume},
    {"ramp", ramp},
    {"resume_check", resumeCheck},
    {"pauses", pauses},
    {"breaker", breaker},
    {"ledger", ledger},
    {"ledger_page", ledgerPage},
    {"audit", audit},
    {"audit_verify", auditVerify},
    {"audit_anchor", auditAnchor},
    {"batch_plan", batchPlan},
    {"batch_start", batchStart},
    {"batch_do", batchDo},
    {"batches", batches},
    {"batch", batch},
    {"batch_items", batchItems},
    {"groups", groups},
    {"group", group},
    {"group_do", groupDo},
    {"alert_targets", alertTargets},
    {"alert_target_do", alertTargetDo},
    {"deliveries", deliveries},
    {"tripwires", tripwires},
    {"tripwire_do", tripwireDo},
    {"archive", archive},
    {"archive_go", archiveGo},
    {"archive_preview", archivePreview},
    {"archives", archives},
    {"series", series},
    {"rates", rates},
    {"report", report},
    {"report_render", reportRender},
    {"report_sign", reportSign},
    {"reports", reports},
    {"views", views},
    {"save_view", saveView},
    {"delete_view", deleteView},
    {"doctor", doctor},
    {"workers", workers},
    {"summary", summary},
    {"rights", rights},
};

// Null: this version knows none of this name.
Operation operationNamed(const QString &name)
{
    for (const Named &named : operations) {
        if (name == QLatin1String(named.name))
            return named.operation;
    }
    return nullptr;
}
} // namespace

LocalDoor::LocalDoor(ports::Store &store, Surroundings surroundings)
    : m_store(store), m_surroundings(std::move(surroundings))
{
}

model::Result<QJsonValue> LocalDoor::call(const Request &request)
{
    if (request.id.isEmpty() || request.actor.isEmpty())
        return model::invalid(u"a request needs an id and an actor"_s);
    const Operation operation = operationNamed(request.name);
    if (!operation)
        return model::Error{model::ErrorKind::unsupported,
                            u"this version knows no operation named %1"_s.arg(request.name)};
    const ports::Rights rights = m_store.rights();
    const bool onlyLooks =
        request.name == "compensate"_L1 && request.arguments.value("preview"_L1).toBool();
    const QString problem = accessProblem(rights, request.name);
    if (!problem.isEmpty() && !onlyLooks)
        return model::refused(problem);
    // Who acts is who logged in, whatever the request says; only an owner speaks for others.
    Request own = request;
    if (!rights.isOwner)
        own.actor = rights.login;
    Context context{m_store, m_definitions, m_surroundings, own, m_pauseWatch};
    return operation(context);
}

QStringList LocalDoor::operationNames()
{
    QStringList names;
    for (const Named &named : operations)
        names.append(QString::fromLatin1(named.name));
    return names;
}

} // namespace holdfast::control
