// What the engine is told of a workflow and its dependencies, how input is validated, and how an
// answer is read.
#include "contract/definitions.h"
#include "contract/evaluator.h"
#include "contract/input_schema.h"
#include "model/json.h"

#include <QTest>

using namespace holdfast;
using namespace holdfast::contract;
using namespace holdfast::tests;

class PolicyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void protectionComesFromTheStepThenTheDependency_data();
    void protectionComesFromTheStepThenTheDependency();
    void aMissingDependencyLeavesTheSafeDefault();
    void aDependencysPolicyIsCopied();
    void aCompensationIsAWriteOfItsOwn();
    void inputIsValidatedAgainstItsSchema_data();
    void inputIsValidatedAgainstItsSchema();
    void aSchemaThatCannotBeUsedIsAnErrorAndNotTheEnd();
    void longTextCannotOverflowThePatternMatcher();
    void inputOverTheLimitIsRefused();
    void answersAreReadByWhatTheyClaimToBe_data();
    void answersAreReadByWhatTheyClaimToBe();
};

namespace
{
model::StepPolicy policyFor(const QByteArray &protection, const QByteArray &extra)
{
    const Parsed parsed =
        parse(QStringLiteral("t.yaml"), dependencyText(protection) + "---\n" +
                                            workflowText(chargeText("c:${ input.id }", extra)));
    return policyOf(parsed.workflows.value(0),
                    {{QStringLiteral("payments"), parsed.dependencies.value(0)}})
        .steps.value(0);
}
const QByteArray verifyText = "    verify: {http: {method: GET, path: /x}, "
                              "happened: \"${ response.status === 200 }\", settle_after: 5s}\n";
} // namespace

void PolicyTest::protectionComesFromTheStepThenTheDependency_data()
{
    QTest::addColumn<QByteArray>("dependency");
    QTest::addColumn<QByteArray>("extra");
    QTest::addColumn<QString>("protection");
    QTest::newRow("dependency's") << QByteArray("native") << QByteArray()
                                  << QStringLiteral("native");
    QTest::newRow("step's") << QByteArray("native") << QByteArray("    protection: none\n")
                            << QStringLiteral("none");
    QTest::newRow("probe without verify acts as none")
        << QByteArray("probe") << QByteArray() << QStringLiteral("none");
    QTest::newRow("probe with verify")
        << QByteArray("probe") << verifyText << QStringLiteral("probe");
}

void PolicyTest::protectionComesFromTheStepThenTheDependency()
{
    QFETCH(QByteArray, dependency);
    QFETCH(QByteArray, extra);
    QFETCH(QString, protection);
    const model::StepPolicy step = policyFor(dependency, extra);
    QCOMPARE(model::protectionName(step.forward.protection), protection);
    QCOMPARE(step.forward.retention, model::day);
    QCOMPARE(step.forward.hasVerify, !extra.isEmpty() && extra == verifyText);
    QCOMPARE(step.forward.settleAfter, extra == verifyText ? 5 * model::second : 0);
}

void PolicyTest::aMissingDependencyLeavesTheSafeDefault()
{
    const model::Policy policy = policyOf(workflowFrom(workflowText(chargeText())), {});
    QCOMPARE(policy.steps.first().forward.protection, model::Protection::none);
    QCOMPARE(policy.steps.first().forward.retention, 0);
}

void PolicyTest::aDependencysPolicyIsCopied()
{
    Parsed parsed =
        parse(QStringLiteral("t.yaml"), dependencyText("natural", "limit: {concurrency: 3}\n"));
    parsed.dependencies.first().revision = 4;
    const model::DependencyPolicy policy = policyOf(parsed.dependencies.first());
    QCOMPARE(policy.dependency, QStringLiteral("payments"));
    QCOMPARE(policy.revision, 4);
    QCOMPARE(policy.origin, QStringLiteral("https://api.payments.example"));
    QCOMPARE(policy.protection, model::Protection::natural);
    QCOMPARE(policy.limit.concurrency, 3);
}

void PolicyTest::aCompensationIsAWriteOfItsOwn()
{
    const Workflow workflow = workflowFrom(workflowText(chargeText().replace(
        "compensate: none", "compensate: {http: {method: DELETE, path: /x}, protection: natural, "
                            "retry: {attempts: 9}}")));
    const model::StepPolicy step = policyOf(workflow, {}).steps.first();
    QVERIFY(step.undo.has_value() && !step.irreversible);
    QCOMPARE(step.undo->effect, model::Effect::write);
    QCOMPARE(step.undo->dependency, QStringLiteral("payments"));
    QCOMPARE(step.undo->retry.attempts, 9);
    QVERIFY(step.undo->isDelete);
    QCOMPARE(step.undo->protection, model::Protection::natural);
}

void PolicyTest::inputIsValidatedAgainstItsSchema_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<QString>("pointer"); // "-": it is valid
    QTest::newRow("valid") << QByteArray(R"({"id":"a","lines":[{"n":1}]})") << QStringLiteral("-");
    QTest::newRow("missing member") << QByteArray(R"({"lines":[]})") << QStringLiteral("\"\"");
    QTest::newRow("wrong type") << QByteArray(R"({"id":5})") << QStringLiteral("\"/id\"");
    QTest::newRow("deep") << QByteArray(R"({"id":"a","lines":[{"n":1},{"n":"x"}]})")
                          << QStringLiteral("\"/lines/1/n\"");
    QTest::newRow("pattern") << QByteArray(R"({"id":"A!"})") << QStringLiteral("\"/id\"");
    QTest::newRow("number as text")
        << QByteArray(R"({"id":"a","lines":[{"n":"1"}]})") << QStringLiteral("\"/lines/0/n\"");
}

void PolicyTest::inputIsValidatedAgainstItsSchema()
{
    QFETCH(QByteArray, input);
    QFETCH(QString, pointer);
    const Workflow workflow = workflowFrom(workflowText(
        chargeText(), "input: {type: object, required: [id], properties: {id: {type: string, "
                      "pattern: \"^[a-z]+$\"}, lines: {type: array, items: {type: object, "
                      "properties: {n: {type: integer}}}}}}\n"));
    for (int round = 0; round < 2; ++round) { // the second time the schema comes from the cache
        const auto valid = validateInput(workflow, model::parseJsonObject(input).value());
        QCOMPARE(valid.ok(), pointer == QLatin1String("-"));
        if (!valid.ok())
            QVERIFY2(valid.error().message.contains(pointer), qPrintable(valid.error().message));
    }
}

// The reader of files refuses these with a place; whatever it lets through must not end the
// process.
void PolicyTest::aSchemaThatCannotBeUsedIsAnErrorAndNotTheEnd()
{
    for (const char *text : {R"({"minItems":"x"})", R"({"properties":{"a":5}})",
                             R"({"Type":"array","items":7})", R"({"allOf":3})"}) {
        const auto compiled = InputSchema::compile(model::parseJsonObject(text).value());
        QVERIFY2(!compiled.ok(), text);
        QVERIFY(compiled.error().message.contains(QLatin1String("cannot be used")));
    }
}

void PolicyTest::longTextCannotOverflowThePatternMatcher()
{
    const Workflow workflow = workflowFrom(workflowText(
        chargeText(), "input: {properties: {id: {type: string, pattern: \"^(a|b)*$\"}}}\n"));
    const QJsonObject input{{QStringLiteral("id"), QString(500000, QLatin1Char('a'))}};
    QVERIFY(!validateInput(workflow, input).ok());
}

void PolicyTest::inputOverTheLimitIsRefused()
{
    const Workflow workflow = workflowFrom(workflowText(chargeText()));
    QVERIFY(validateInput(workflow, {{QStringLiteral("a"), 1}}).ok());
    const QJsonObject input{{QStringLiteral("a"), QString(1 << 20, QLatin1Char('a'))}};
    QVERIFY(!validateInput(workflow, input).ok());
}

void PolicyTest::answersAreReadByWhatTheyClaimToBe_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("isComplete");
    QTest::addColumn<QByteArray>("json"); // empty: an error
    const auto row = [](const char *name, const char *type, const char *body, const char *json,
                        bool isComplete = true) {
        QTest::newRow(name) << QString::fromLatin1(type) << QByteArray(body) << isComplete
                            << QByteArray(json);
    };
    row("json", "application/json; charset=utf-8", "{\"a\":1}", "{\"a\":1}");
    row("problem", "application/problem+json", "{\"a\":1}", "{\"a\":1}");
    row("not json", "application/json", "<html>", "");
    row("duplicate keys", "application/json", "{\"a\":1,\"a\":2}", "");
    row("html", "text/html", "<html>", "\"<html>\"");
    row("text that looks like json", "text/plain", "[1]", "\"[1]\"");
    row("no type, json", "", "[1]", "[1]");
    row("no type, text", "", "hello", "\"hello\"");
    row("empty", "application/json", "", "null");
    row("cut short", "application/json", "{\"a\":1}", "", false);
}

void PolicyTest::answersAreReadByWhatTheyClaimToBe()
{
    QFETCH(QString, type);
    QFETCH(QByteArray, body);
    QFETCH(bool, isComplete);
    QFETCH(QByteArray, json);
    model::CallResult result;
    result.status = 200;
    result.body = body;
    result.bodyComplete = isComplete;
    if (!type.isEmpty())
        result.headers.append({QStringLiteral("Content-Type"), type});
    const auto response = responseOf(result);
    QCOMPARE(response.ok(), !json.isEmpty());
    if (!response.ok())
        return;
    QCOMPARE(model::compactJson(response->value(QStringLiteral("body"))), json);
    QCOMPARE(response->value(QStringLiteral("status")).toInt(), 200);
    QCOMPARE(response->value(QStringLiteral("headers"))
                 .toObject()
                 .contains(QStringLiteral("content-type")),
             !type.isEmpty());
}

QTEST_GUILESS_MAIN(PolicyTest)
#include "tst_policy.moc"
