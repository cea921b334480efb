// What one operation works with, and the list of all operations: one line each, one file per theme.
#pragma once

#include "control/local_door.h"

namespace holdfast::control
{

using model::Result;

struct Context {
    ports::Store &store;
    Definitions &definitions;
    const Surroundings &surroundings;
    const Request &request;
    PauseWatch &pauseWatch;

    const QJsonObject &arguments() const { return request.arguments; }
};

using Operation = Result<QJsonValue> (*)(Context &);

// deploy.cpp
Result<QJsonValue> check(Context &context);
Result<QJsonValue> deploy(Context &context);
Result<QJsonValue> workflows(Context &context);
// workflow.cpp
Result<QJsonValue> workflow(Context &context);
// dependencies.cpp
Result<QJsonValue> dependencies(Context &context);
// start.cpp
Result<QJsonValue> start(Context &context);
Result<QJsonValue> rerun(Context &context);
// runs.cpp
Result<QJsonValue> runs(Context &context);
Result<QJsonValue> show(Context &context);
// run_query.cpp
Result<QJsonValue> count(Context &context);
Result<QJsonValue> filterWords(Context &context);
// pulse.cpp
Result<QJsonValue> pulse(Context &context);
// reviews.cpp
Result<QJsonValue> reviews(Context &context);
Result<QJsonValue> resolve(Context &context);
Result<QJsonValue> approve(Context &context);
Result<QJsonValue> reject(Context &context);
// review.cpp
Result<QJsonValue> review(Context &context);
// review_claims.cpp
Result<QJsonValue> claim(Context &context);
Result<QJsonValue> snooze(Context &context);
// acts.cpp
Result<QJsonValue> cancel(Context &context);
Result<QJsonValue> retry(Context &context);
Result<QJsonValue> compensate(Context &context);
Result<QJsonValue> signal(Context &context);
Result<QJsonValue> note(Context &context);
Result<QJsonValue> command(Context &context);
// pauses.cpp
Result<QJsonValue> pause(Context &context);
Result<QJsonValue> resume(Context &context);
Result<QJsonValue> pauses(Context &context);
// ramp.cpp
Result<QJsonValue> ramp(Context &context);
// resume_check.cpp
Result<QJsonValue> resumeCheck(Context &context);
// breakers.cpp
Result<QJsonValue> breaker(Context &context);
// ledger.cpp
Result<QJsonValue> ledger(Context &context);
Result<QJsonValue> ledgerPage(Context &context);
// audit.cpp
Result<QJsonValue> audit(Context &context);
// audit_check.cpp
Result<QJsonValue> auditVerify(Context &context);
Result<QJsonValue> auditAnchor(Context &context);
// figures.cpp
Result<QJsonValue> series(Context &context);
Result<QJsonValue> rates(Context &context);
// report.cpp
Result<QJsonValue> report(Context &context);
// report_render.cpp
Result<QJsonValue> reportRender(Context &context);
// signoff.cpp
Result<QJsonValue> reportSign(Context &context);
Result<QJsonValue> reports(Context &context);
// batch_plan.cpp
Result<QJsonValue> batchPlan(Context &context);
// batches.cpp
Result<QJsonValue> batchStart(Context &context);
Result<QJsonValue> batchDo(Context &context);
Result<QJsonValue> batches(Context &context);
Result<QJsonValue> batch(Context &context);
Result<QJsonValue> batchItems(Context &context);
// groups.cpp
Result<QJsonValue> groups(Context &context);
Result<QJsonValue> group(Context &context);
Result<QJsonValue> groupDo(Context &context);
// alerts.cpp
Result<QJsonValue> alertTargets(Context &context);
Result<QJsonValue> alertTargetDo(Context &context);
Result<QJsonValue> deliveries(Context &context);
// tripwires.cpp
Result<QJsonValue> tripwires(Context &context);
Result<QJsonValue> tripwireDo(Context &context);
// archives.cpp
Result<QJsonValue> archive(Context &context);
Result<QJsonValue> archiveGo(Context &context);
Result<QJsonValue> archivePreview(Context &context);
Result<QJsonValue> archives(Context &context);
// views.cpp
Result<QJsonValue> views(Context &context);
Result<QJsonValue> saveView(Context &context);
Result<QJsonValue> deleteView(Context &context);
// access.cpp
Result<QJsonValue> rights(Context &context);
// doctor.cpp
Result<QJsonValue> doctor(Context &context);
Result<QJsonValue> workers(Context &context);
Result<QJsonValue> summary(Context &context);

} // namespace holdfast::control
