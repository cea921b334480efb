// Evaluates a definition's expressions for one run: in a frozen scope, with a time limit, without
// clock, randomness or secrets. One Evaluator belongs to one thread. Data is never parsed as a
// template.
#pragma once

#include "contract/definition.h"
#include "model/call.h"
#include "model/result.h"

#include <QJsonObject>
#include <memory>

namespace holdfast::contract
{

using model::Result;

// The names an expression may see. What is not set does not exist for it.
struct Scope {
    QJsonObject input;
    QJsonObject steps;                   // {name: {receipt, before, status}}
    QJsonObject run;                     // {run_id, workflow, version, event_id, generation}
    std::optional<QJsonObject> response; // {status, headers, body}
    std::optional<QJsonObject> receipt;
    std::optional<QJsonObject> before;
    std::optional<QString> key;
};

struct PreparedOperation {
    QString operation; // dependency + method + path template; the program for a command
    QString key;       // with "~N" appended for generation N > 1; empty for a read without one
    QString hash;      // SHA-256 over canonical JSON of (operation, method, path, body)
    model::Request request;
};

enum class Verdict { happened, absent, unknown };

// Which operation of a step is meant: the step itself, or its compensation.
enum class Target { forward, undo };

class Evaluator
{
public:
    explicit Evaluator(model::Millis timeLimit = 250);
    ~Evaluator();
    Evaluator(const Evaluator &) = delete;
    Evaluator &operator=(const Evaluator &) = delete;

    Result<QString> eventId(const Workflow &workflow, const QJsonObject &input);
    Result<QJsonObject> outputs(const Workflow &workflow, const Scope &scope);
    Result<bool> when(const Workflow &workflow, int step, const Scope &scope);
    Result<bool> check(const Workflow &workflow, int step, const Scope &scope);
    Result<model::Instant> waitUntil(const Workflow &workflow, int step, const Scope &scope);
    Result<PreparedOperation> prepare(const Workflow &workflow, int step, Target target,
                                      const Scope &scope);
    Result<model::Request> verifyRequest(const Workflow &workflow, int step, Target target,
                                         const Scope &scope);
    Result<model::Request> snapshotRequest(const Workflow &workflow, int step, const Scope &scope);
    // What a snapshot keeps as `before`: the declared fields, or the body.
    Result<QJsonObject> snapshotReceipt(const Workflow &workflow, int step, const Scope &scope);
    // From a response in scope. Without a declared receipt: {status, body}.
    Result<QJsonObject> receipt(const Workflow &workflow, int step, Target target,
                                const Scope &scope);
    Result<QJsonObject> verifyReceipt(const Workflow &workflow, int step, Target target,
                                      const Scope &scope);
    Result<Verdict> verdict(const Workflow &workflow, int step, Target target, const Scope &scope);
    // For each classify rule in force, whether its `when` holds (true where it has none).
    QVector<bool> classifyWhen(const Workflow &workflow, const Dependency *dependency, int step,
                               Target target, const Scope &scope);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

// The {status, headers, body} object of a result: the body as JSON where it is JSON, else as a
// string. An error: the body was cut short, or claims to be JSON and is not.
Result<QJsonObject> responseOf(const model::CallResult &result);

} // namespace holdfast::contract
