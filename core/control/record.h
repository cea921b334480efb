// How a person's decision becomes a fact: asked of the engine beforehand, then the review, the
// command and the audit row in one transaction. Whoever runs the engine folds the command later.
#pragma once

#include "control/loaded_run.h"

namespace holdfast::control
{

struct Decision {
    QString runId;
    QJsonObject arguments;                  // as engine::commandEvent reads them
    std::optional<ports::ReviewRow> review; // the item it decides
    QString verdict;                        // what is written on the item; empty: it stays open
    std::optional<qint64> versionSeen;
};

Result<QJsonValue> record(Context &context, const Decision &decision);

// Says who decided an item as what and when, to whoever comes late.
model::Error decidedAlready(const ports::ReviewRow &review);

// Decided or not.
Result<std::optional<ports::ReviewRow>> reviewById(Context &context, const QString &id);

// The answer for a command known already, whatever became of it.
QJsonObject commandJson(const ports::CommandRow &row);

// An audit row of this request; chain is a run id or "system".
ports::AuditRow auditRow(const Context &context, const QString &chain, const QString &subject,
                         const QJsonObject &body, model::Instant at);

// Runs `work` in one transaction; an error of it rolls back.
Result<void> inTransaction(ports::Store &store, const std::function<Result<void>()> &work);

// For acts that are done at once and leave nothing to fold: their answer is kept under the
// request's id, so that a request sent again after a lost connection is answered and not repeated.
Result<std::optional<QJsonValue>> rememberedAnswer(Context &context);
Result<void> rememberAnswer(Context &context, const QJsonObject &answer, model::Instant at);

} // namespace holdfast::control
