#include "contract/step_reader.h"

#include "contract/operation_reader.h"

namespace holdfast::contract
{

namespace
{
using model::Effect;
using model::StepKind;

constexpr Names always = Names(Name::input) | Name::steps | Name::run;

struct Action {
    const char *key;
    StepKind kind;
};
constexpr Action actions[] = {{"http", StepKind::http},
                              {"command", StepKind::command},
                              {"llm", StepKind::llm},
                              {"check", StepKind::check},
                              {"wait", StepKind::wait}};

bool touchesOutside(StepKind kind)
{
    return kind == StepKind::http || kind == StepKind::command || kind == StepKind::llm;
}

// `approval` is an action where it stands alone and an attribute beside any other.
void readKind(const ReadContext &context, const Fields &fields, StepDefinition &step)
{
    int found = 0;
    for (const Action &action : actions) {
        if (fields.has(action.key)) {
            step.kind = action.kind;
            ++found;
        }
    }
    if (found == 0 && fields.has("approval")) {
        step.kind = StepKind::approval;
        ++found;
    }
    if (found != 1 && fields.isMap())
        context.report.error(fields.place(), "action",
                             QStringLiteral("a step needs exactly one of http, command, llm, "
                                            "check, approval, wait"));
}

void readWait(const ReadContext &context, const YamlNode &node, StepDefinition &step)
{
    Fields fields(context.report, node, QStringLiteral("wait"));
    model::WaitPolicy &wait = step.policy.wait;
    wait.duration = fields.duration("for").value_or(0);
    if (const YamlNode *until = fields.find("until"))
        step.waitUntil = readTextTemplate(context, *until, always);
    wait.hasUntil = !step.waitUntil.isEmpty();
    wait.event = fields.text("event");
    wait.timeout = fields.duration("timeout").value_or(0);
    const auto then = fields.word("then", {QStringLiteral("fail"), QStringLiteral("continue")});
    wait.failOnTimeout = then.value_or(QStringLiteral("fail")) == QLatin1String("fail");
    fields.refuseUnknown();
    const int ways = int(fields.has("for")) + int(fields.has("until")) + int(fields.has("event"));
    if (fields.isMap() && ways != 1)
        context.report.error(node.place, "wait",
                             QStringLiteral("wait needs exactly one of for, until, event"));
    if (fields.has("timeout") && !fields.has("event"))
        context.report.error(node.place, "wait",
                             QStringLiteral("'timeout' belongs to waiting for an event"));
}

void readSnapshot(const ReadContext &context, const YamlNode &node, StepDefinition &step)
{
    Fields fields(context.report, node, QStringLiteral("snapshot"));
    const Names names = always | Name::key;
    if (const YamlNode *http = fields.require("http"))
        step.snapshot = readHttp(context, *http, names);
    if (const YamlNode *keep = fields.find("keep"))
        step.snapshotReceipt = readReceipt(context, *keep, withResponse(names));
    fields.refuseUnknown();
    if (step.snapshot && step.snapshot->method != QLatin1String("GET"))
        context.report.error(step.snapshot->place, "snapshot",
                             QStringLiteral("a snapshot reads: its method is GET"));
    step.policy.hasSnapshot = step.snapshot.has_value();
}

void readUndo(const ReadContext &context, const YamlNode &node, StepDefinition &step)
{
    Names names = always | Name::receipt | Name::key;
    if (step.snapshot)
        names |= Name::before;
    OperationTemplate undo;
    Fields fields(context.report, node, QStringLiteral("compensate"));
    // How long what was done must be remembered does not depend on which way it went.
    undo.policy.ttl = step.forward.policy.ttl;
    undo.policy.timeout = step.forward.policy.timeout;
    readOperation(context, fields, {names, names}, undo);
    if (const YamlNode *approval = fields.find("approval"))
        undo.policy.approval = readApproval(context, *approval);
    fields.refuseUnknown();
    undo.policy.effect = Effect::write;
    if (undo.policy.dependency.isEmpty())
        undo.policy.dependency = step.forward.policy.dependency;
    if (fields.isMap() && undo.http.has_value() == undo.command.has_value())
        context.report.error(node.place, "compensate",
                             QStringLiteral("compensate needs either http or command, or 'none'"));
    if (undo.http && undo.policy.dependency.isEmpty())
        context.report.error(node.place, "dependency",
                             QStringLiteral("compensate needs a 'dependency'"));
    step.undo = undo;
}

void readCompensate(const ReadContext &context, Fields &fields, StepDefinition &step)
{
    const YamlNode *node = fields.find("compensate");
    if (!node)
        return;
    step.compensateDeclared = true;
    const YamlNode *correction = node->member(QStringLiteral("none"));
    if (node->kind == YamlNode::Kind::text && node->text == QLatin1String("none")) {
        step.policy.irreversible = true;
    } else if (correction) {
        Fields none(context.report, *node, QStringLiteral("compensate"));
        step.correction = none.text("none");
        none.refuseUnknown();
        step.policy.irreversible = true;
        step.policy.correction = step.correction;
    } else {
        readUndo(context, *node, step);
    }
}

void checkWrite(const ReadContext &context, const StepDefinition &step)
{
    const auto error = [&](const char *rule, const QString &message) {
        context.report.error(step.place, rule,
                             QStringLiteral("step '%1' %2").arg(step.step, message));
    };
    if (step.forward.key.isEmpty())
        error("missing_key_expression", QStringLiteral("writes and needs a 'key'"));
    if (!step.compensateDeclared)
        error("missing_compensation",
              QStringLiteral("writes and needs 'compensate', be it 'none'"));
}

void checkEffect(const ReadContext &context, const StepDefinition &step, bool isDeclared)
{
    const model::OperationPolicy &policy = step.forward.policy;
    if (!touchesOutside(step.kind)) {
        if (isDeclared && policy.effect != Effect::read)
            context.report.error(step.place, "effect",
                                 QStringLiteral("a %1 step has no effect outside")
                                     .arg(model::stepKindName(step.kind)));
        return;
    }
    if (!isDeclared && step.kind != StepKind::llm)
        context.report.error(
            step.place, "missing_key",
            QStringLiteral("step '%1' needs 'effect': read, write or destructive").arg(step.step));
    if (policy.dependency.isEmpty() && step.kind != StepKind::command)
        context.report.error(step.place, "dependency",
                             QStringLiteral("step '%1' needs a 'dependency'").arg(step.step));
    if (policy.effect != Effect::read)
        checkWrite(context, step);
    else if (step.undo)
        context.report.error(
            step.place, "compensate",
            QStringLiteral("step '%1' only reads: there is nothing to compensate").arg(step.step));
    const QString method = step.forward.http ? step.forward.http->method : QString();
    if (policy.effect == Effect::read && isDeclared &&
        (method == QLatin1String("PUT") || method == QLatin1String("PATCH") ||
         method == QLatin1String("DELETE")))
        context.report.error(
            step.place, "effect",
            QStringLiteral("step '%1' sends %2 and cannot be a read").arg(step.step, method));
}

void readAction(const ReadContext &context, Fields &fields, StepDefinition &step)
{
    Names call = always | Name::key;
    if (step.snapshot)
        call |= Name::before;
    readOperation(context, fields, {always, call}, step.forward);
    if (const YamlNode *llm = fields.find("llm"))
        step.forward.llm = readLlm(context, *llm, call);
    if (const YamlNode *check = fields.find("check"))
        step.check = readTextTemplate(context, *check, always);
    if (const YamlNode *wait = fields.find("wait"))
        readWait(context, *wait, step);
    if (const YamlNode *approval = fields.find("approval"))
        step.forward.policy.approval = readApproval(context, *approval);
    const auto effect = fields.word(
        "effect", {QStringLiteral("read"), QStringLiteral("write"), QStringLiteral("destructive")});
    step.forward.policy.effect =
        model::effectFromName(effect.value_or(QString())).value_or(Effect::read);
    step.forward.policy.kind = step.kind;
    // What cannot be taken back is never done without a person.
    if (step.forward.policy.effect == Effect::destructive && !step.forward.policy.approval)
        step.forward.policy.approval = model::ApprovalPolicy();
}

void readAttributes(const ReadContext &context, Fields &fields, StepDefinition &step)
{
    if (const YamlNode *when = fields.find("when"))
        step.when = readTextTemplate(context, *when, always);
    if (!step.when.isEmpty() && step.when.source() == QLatin1String("false"))
        context.report.error(step.when.place, "unreachable_step",
                             QStringLiteral("step '%1' is never reached").arg(step.step));
    step.policy.hasWhen = !step.when.isEmpty();
    const auto onFailure =
        fields.word("on_failure", {QStringLiteral("compensate"), QStringLiteral("continue"),
                                   QStringLiteral("review")});
    step.policy.onFailure = model::onFailureFromName(onFailure.value_or(QString()))
                                .value_or(model::OnFailure::compensate);
    step.policy.detached = fields.boolean("detached").value_or(false);
    step.policy.shadow = fields.boolean("shadow").value_or(false);
    step.owner = fields.text("owner");
}
} // namespace

StepDefinition readStep(const ReadContext &context, const YamlNode &node)
{
    StepDefinition step;
    step.place = node.place;
    Fields fields(context.report, node, QStringLiteral("a step"));
    if (!fields.isMap())
        return step;
    const YamlNode *name = fields.require("step");
    step.step = fields.text("step");
    step.policy.step = step.step;
    if (name && !isStepName(step.step))
        context.report.error(
            name->place, "name",
            QStringLiteral("a step's name is a-z, then a-z, 0-9 and _, at most 63"));
    readKind(context, fields, step);
    if (const YamlNode *snapshot = fields.find("snapshot"))
        readSnapshot(context, *snapshot, step);
    readAction(context, fields, step);
    readAttributes(context, fields, step);
    const bool isDeclared = fields.has("effect");
    readCompensate(context, fields, step);
    fields.refuseUnknown();
    checkEffect(context, step, isDeclared);
    step.policy.forward = step.forward.policy;
    if (step.undo)
        step.policy.undo = step.undo->policy;
    return step;
}

} // namespace holdfast::contract
