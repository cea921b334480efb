#include "contract/operation_reader.h"

#include "contract/schema_keywords.h"

#include <QJsonArray>

namespace holdfast::contract
{

namespace
{
constexpr int argumentsMax = 256;

void checkPath(const ReadContext &context, const TextTemplate &path)
{
    const bool isRooted = !path.isEmpty() && !path.parts.first().isExpression &&
                          path.parts.first().text.startsWith(QLatin1Char('/'));
    if (!isRooted)
        context.report.error(path.place, "path", QStringLiteral("a path must begin with '/'"));
    for (const auto &part : path.parts) {
        for (const QChar character : part.text) {
            const char16_t code = character.unicode();
            if (!part.isExpression && (code <= 0x20 || code >= 0x7F || code == u'#')) {
                context.report.error(path.place, "path",
                                     QStringLiteral("a path may not hold spaces, control or "
                                                    "non-ASCII characters, or '#'"));
                return;
            }
        }
    }
}

std::optional<CommandTemplate> readCommand(const ReadContext &context, const YamlNode &node,
                                           Names names)
{
    CommandTemplate command;
    command.place = node.place;
    Fields fields(context.report, node, QStringLiteral("command"));
    const YamlNode *argv = fields.find("argv");
    const YamlNode *program = fields.find("program");
    const YamlNode *args = fields.find("args");
    if (const YamlNode *input = fields.find("input"))
        command.input = readValueTemplate(context, *input, names);
    fields.refuseUnknown();
    if (!fields.isMap())
        return std::nullopt;
    if (argv ? (program || args) : !program)
        context.report.error(node.place, "command",
                             QStringLiteral("a command needs either argv, or program and args"));
    if (program && !argv)
        command.argv.append(readTextTemplate(context, *program, names));
    const YamlNode *list = argv ? argv : args;
    if (list && list->kind != YamlNode::Kind::list)
        context.report.error(list->place, "wrong_type", QStringLiteral("a list is expected here"));
    if (list) {
        for (const auto &item : list->items)
            command.argv.append(readTextTemplate(context, *item, names));
    }
    if (command.argv.size() > argumentsMax)
        context.report.error(node.place, "command", QStringLiteral("too many arguments"));
    if (command.argv.isEmpty() || command.argv.first().parts.size() != 1 ||
        command.argv.first().parts.first().isExpression)
        context.report.error(node.place, "command",
                             QStringLiteral("the program must be written out, not computed"));
    return command;
}

model::RetryPolicy readRetry(const ReadContext &context, const YamlNode &node)
{
    model::RetryPolicy retry;
    Fields fields(context.report, node, QStringLiteral("retry"));
    retry.attempts = fields.integer("attempts", 1, 20).value_or(retry.attempts);
    retry.delay = fields.duration("delay").value_or(retry.delay);
    retry.delayMax = fields.duration("max_delay").value_or(std::max(retry.delayMax, retry.delay));
    if (const YamlNode *backoff = fields.find("backoff")) {
        const double factor = backoff->literal.toDouble();
        if (backoff->kind != YamlNode::Kind::number || factor < 1 || factor > 10)
            context.report.error(backoff->place, "wrong_type",
                                 QStringLiteral("'backoff' must be a number from 1 to 10"));
        else
            retry.backoffPercent = qRound(factor * 100);
    }
    const auto jitter = fields.word("jitter", {QStringLiteral("full"), QStringLiteral("none")});
    retry.jitter = jitter.value_or(QStringLiteral("full")) == QLatin1String("full");
    fields.refuseUnknown();
    if (retry.delayMax < retry.delay)
        context.report.error(node.place, "retry",
                             QStringLiteral("'max_delay' is shorter than 'delay'"));
    return retry;
}

TextTemplate requireText(const ReadContext &context, Fields &fields, const char *name, Names names)
{
    const YamlNode *node = fields.require(name);
    return node ? readTextTemplate(context, *node, names) : TextTemplate();
}

VerifyTemplate readVerify(const ReadContext &context, const YamlNode &node, Names call)
{
    VerifyTemplate verify;
    Fields fields(context.report, node, QStringLiteral("verify"));
    if (const YamlNode *http = fields.find("http"))
        verify.http = readHttp(context, *http, call);
    if (const YamlNode *command = fields.find("command"))
        verify.command = readCommand(context, *command, call);
    verify.happened = requireText(context, fields, "happened", withResponse(call));
    if (const YamlNode *absent = fields.find("absent"))
        verify.absent = readTextTemplate(context, *absent, withResponse(call));
    if (const YamlNode *receipt = fields.find("receipt"))
        verify.receipt = readReceipt(context, *receipt, withResponse(call));
    verify.settleAfter = fields.duration("settle_after").value_or(0);
    fields.refuseUnknown();
    if (fields.isMap() && verify.http.has_value() == verify.command.has_value())
        context.report.error(node.place, "verify",
                             QStringLiteral("verify needs either http or command"));
    const QStringList asking = {QStringLiteral("GET"), QStringLiteral("HEAD"),
                                QStringLiteral("POST")};
    if (verify.http && !asking.contains(verify.http->method))
        context.report.error(verify.http->place, "verify",
                             QStringLiteral("verify only asks: its method is GET, HEAD or POST"));
    return verify;
}

void readStatus(const ReadContext &context, const YamlNode &node, QVector<QPair<int, int>> &ranges)
{
    if (node.kind == YamlNode::Kind::list) {
        for (const auto &item : node.items) {
            if (item->isScalar())
                readStatus(context, *item, ranges);
            else
                context.report.error(item->place, "wrong_type",
                                     QStringLiteral("a status is expected"));
        }
        return;
    }
    const int number = node.kind == YamlNode::Kind::number ? node.literal.toInt(-1) : -1;
    if (number >= 100 && number <= 599) {
        ranges.append({number, number});
    } else if (node.kind == YamlNode::Kind::text && node.text.size() == 3 &&
               node.text.endsWith(QLatin1String("xx")) && node.text.at(0) >= QLatin1Char('1') &&
               node.text.at(0) <= QLatin1Char('5')) {
        const int hundred = node.text.at(0).digitValue() * 100;
        ranges.append({hundred, hundred + 99});
    } else {
        context.report.error(node.place, "wrong_type",
                             QStringLiteral("'status' must be 100 to 599, a list of them, or 5xx"));
    }
}

void readExit(const ReadContext &context, const YamlNode &node, QVector<QPair<int, int>> &ranges)
{
    const int number = node.kind == YamlNode::Kind::number ? node.literal.toInt(-1) : -1;
    if (number < 1 || number > 255)
        context.report.error(node.place, "wrong_type",
                             QStringLiteral("'exit' must be an exit code from 1 to 255"));
    else
        ranges.append({number, number});
}

void readRule(const ReadContext &context, const YamlNode &node, Names names, ClassifyRules &result)
{
    Fields fields(context.report, node, QStringLiteral("a classify rule"));
    QVector<QPair<int, int>> ranges;
    const YamlNode *status = fields.find("status");
    const YamlNode *exitCode = fields.find("exit");
    if (status)
        readStatus(context, *status, ranges);
    if (exitCode)
        readExit(context, *exitCode, ranges);
    model::ClassifyRule rule;
    rule.error = fields.text("error");
    TextTemplate when;
    if (const YamlNode *expression = fields.find("when"))
        when = readTextTemplate(context, *expression, names);
    rule.hasWhen = !when.isEmpty();
    fields.require("class");
    const auto word =
        fields.word("class", {QStringLiteral("transient"), QStringLiteral("permanent"),
                              QStringLiteral("ambiguous")});
    rule.failureClass = model::failureClassFromName(word.value_or(QString()))
                            .value_or(model::FailureClass::ambiguous);
    rule.reason = fields.text("reason", word.value_or(QString()));
    fields.refuseUnknown();
    if (!fields.isMap())
        return;
    if (!status && !exitCode && rule.error.isEmpty() && when.isEmpty())
        context.report.error(node.place, "classify",
                             QStringLiteral("a classify rule needs status, exit, error or when"));
    if (ranges.isEmpty())
        ranges.append({0, 0});
    for (const auto &range : std::as_const(ranges)) {
        rule.statusFrom = range.first;
        rule.statusTo = range.second;
        result.rules.append(rule);
        result.when.append(when);
    }
}

QStringList readPeople(const ReadContext &context, const YamlNode &node)
{
    QStringList people;
    const auto add = [&](const YamlNode &each) {
        if (each.kind == YamlNode::Kind::text && !each.text.isEmpty())
            people.append(each.text);
        else
            context.report.error(each.place, "wrong_type",
                                 QStringLiteral("an e-mail address or a role is expected"));
    };
    if (node.kind != YamlNode::Kind::list)
        add(node);
    for (const auto &item : node.items)
        add(*item);
    return people;
}
} // namespace

std::optional<HttpTemplate> readHttp(const ReadContext &context, const YamlNode &node, Names names)
{
    HttpTemplate http;
    http.place = node.place;
    Fields fields(context.report, node, QStringLiteral("http"));
    fields.require("method");
    http.method = fields
                      .word("method", {QStringLiteral("GET"), QStringLiteral("HEAD"),
                                       QStringLiteral("POST"), QStringLiteral("PUT"),
                                       QStringLiteral("PATCH"), QStringLiteral("DELETE")})
                      .value_or(QStringLiteral("GET"));
    if (const YamlNode *path = fields.require("path")) {
        http.path = readTextTemplate(context, *path, names);
        checkPath(context, http.path);
    }
    if (const YamlNode *headers = fields.find("headers"))
        http.headers = readHeaders(context, *headers, names);
    if (const YamlNode *body = fields.find("body"))
        http.body = readValueTemplate(context, *body, names);
    fields.refuseUnknown();
    if (!fields.isMap())
        return std::nullopt;
    return http;
}

std::optional<LlmTemplate> readLlm(const ReadContext &context, const YamlNode &node, Names names)
{
    LlmTemplate llm;
    llm.place = node.place;
    Fields fields(context.report, node, QStringLiteral("llm"));
    fields.require("model");
    llm.model = fields.text("model");
    llm.prompt = requireText(context, fields, "prompt", names);
    const YamlNode *version = fields.require("prompt_version");
    if (version && version->isScalar())
        llm.promptVersion = version->text;
    if (const YamlNode *schema = fields.find("schema")) {
        checkSchema(context.report, *schema);
        llm.schema = schema->toJson().toObject();
    }
    if (const YamlNode *canary = fields.find("canary")) {
        Fields share(context.report, *canary, QStringLiteral("canary"));
        share.require("share");
        share.integer("share", 1, 100);
        share.text("model");
        share.find("prompt_version");
        share.refuseUnknown();
        llm.canary = canary->toJson().toObject();
    }
    fields.refuseUnknown();
    if (!fields.isMap())
        return std::nullopt;
    return llm;
}

model::ApprovalPolicy readApproval(const ReadContext &context, const YamlNode &node)
{
    model::ApprovalPolicy approval;
    if (node.kind == YamlNode::Kind::boolean && node.literal.toBool())
        return approval;
    Fields fields(context.report, node, QStringLiteral("approval"));
    if (const YamlNode *who = fields.find("who"))
        approval.who = readPeople(context, *who);
    approval.expires = fields.duration("expires").value_or(approval.expires);
    const auto then = fields.word("then", {QStringLiteral("reject"), QStringLiteral("skip")});
    approval.rejectOnExpiry = then.value_or(QStringLiteral("reject")) == QLatin1String("reject");
    approval.fourEyes = fields.boolean("four_eyes").value_or(false);
    fields.refuseUnknown();
    return approval;
}

ValueTemplate readReceipt(const ReadContext &context, const YamlNode &node, Names names)
{
    if (node.kind != YamlNode::Kind::map || node.members.isEmpty()) {
        context.report.error(node.place, "receipt",
                             QStringLiteral("a receipt is a map of the fields to keep"));
        return {};
    }
    return readValueTemplate(context, node, names);
}

ClassifyRules readClassify(const ReadContext &context, const YamlNode &node, Names names)
{
    ClassifyRules result;
    if (node.kind != YamlNode::Kind::list) {
        context.report.error(node.place, "wrong_type",
                             QStringLiteral("classify must be a list of rules"));
        return result;
    }
    for (const auto &item : node.items)
        readRule(context, *item, names, result);
    return result;
}

void readOperation(const ReadContext &context, Fields &fields, const OperationNames &names,
                   OperationTemplate &operation)
{
    const Names answer = withResponse(names.call);
    if (const YamlNode *http = fields.find("http"))
        operation.http = readHttp(context, *http, names.call);
    if (const YamlNode *command = fields.find("command"))
        operation.command = readCommand(context, *command, names.call);
    model::OperationPolicy &policy = operation.policy;
    policy.dependency = fields.text("dependency");
    if (!policy.dependency.isEmpty() && !isName(policy.dependency))
        context.report.error(
            fields.find("dependency")->place, "name",
            QStringLiteral("'%1' is not a dependency's name").arg(policy.dependency.left(80)));
    if (const YamlNode *key = fields.find("key"))
        operation.key = readTextTemplate(context, *key, names.key);
    policy.ttl = fields.duration("ttl").value_or(policy.ttl);
    policy.timeout = fields.duration("timeout").value_or(policy.timeout);
    if (policy.timeout <= 0)
        context.report.error(fields.place(), "duration",
                             QStringLiteral("'timeout' must be longer than nothing"));
    if (const YamlNode *receipt = fields.find("receipt"))
        operation.receipt = readReceipt(context, *receipt, answer);
    if (const YamlNode *retry = fields.find("retry"))
        operation.retry = readRetry(context, *retry);
    policy.retry = operation.retry.value_or(model::RetryPolicy());
    if (const YamlNode *verify = fields.find("verify"))
        operation.verify = readVerify(context, *verify, names.call);
    policy.hasVerify = operation.verify.has_value();
    policy.settleAfter = operation.verify ? operation.verify->settleAfter : 0;
    if (const auto word =
            fields.word("protection", {QStringLiteral("native"), QStringLiteral("natural"),
                                       QStringLiteral("probe"), QStringLiteral("none")}))
        operation.protection = model::protectionFromName(*word);
    if (const YamlNode *classify = fields.find("classify")) {
        const ClassifyRules rules = readClassify(context, *classify, answer);
        policy.classify = rules.rules;
        operation.classifyWhen = rules.when;
    }
    policy.kind = operation.command ? model::StepKind::command : model::StepKind::http;
    policy.isDelete = operation.http && operation.http->method == QLatin1String("DELETE");
}

} // namespace holdfast::contract
