// What a workflow's expressions become for one run: keys, requests, receipts and verdicts, or an
// error that names the expression. Hostile data and hostile expressions leave nothing behind.
#include "contract/definitions.h"
#include "contract/evaluator.h"
#include "contract/renderer.h"
#include "model/json.h"

#include <QJsonArray>
#include <QTest>

using namespace holdfast;
using namespace holdfast::contract;
using namespace holdfast::tests;

class EvaluatorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void valuesKeepTheirType_data();
    void valuesKeepTheirType();
    void missingAndUnusableValuesAreErrorsThatNameTheExpression_data();
    void missingAndUnusableValuesAreErrorsThatNameTheExpression();
    void anExpressionCannotReachClockChanceOrTheOutside_data();
    void anExpressionCannotReachClockChanceOrTheOutside();
    void anEndlessExpressionIsStopped_data();
    void anEndlessExpressionIsStopped();
    void oneEvaluationCannotInfluenceTheNext();
    void dataIsNeverParsedAsATemplate();
    void hugeOutputIsRefused();
    void verdictNeedsExactlyOneAnswer_data();
    void verdictNeedsExactlyOneAnswer();
    void receiptsHoldWhatWasDeclared();
    void aModelsAnswerMustFitItsSchema();
    void theEventIdComesFromTheInput();
    void classifyRulesOfTheStepComeFirst();
};

namespace
{
Scope withBody(const QByteArray &body, int status = 200)
{
    Scope scope = scopeOf(R"({"id":"a1","amount":5})");
    scope.key = QStringLiteral("charge:a1");
    scope.response = QJsonObject{{QStringLiteral("status"), status},
                                 {QStringLiteral("headers"), QJsonObject()},
                                 {QStringLiteral("body"), model::parseJson(body).value()}};
    return scope;
}

Result<QJsonValue> evaluate(const char *expression, const QByteArray &input)
{
    Renderer renderer(100);
    return renderer.evaluate(QString::fromLatin1(expression), Renderer::rootsOf(scopeOf(input)));
}
} // namespace

void EvaluatorTest::valuesKeepTheirType_data()
{
    QTest::addColumn<QByteArray>("expression");
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char *expression, const char *json) {
        QTest::newRow(expression) << QByteArray(expression) << QByteArray(json);
    };
    row("input.text", "\"t\"");
    row("input.number", "5");
    row("input.flag", "true");
    row("input.nothing", "null");
    row("input.list", "[1,{\"id\":\"x\"}]");
    row("input.list[1].id", "\"x\"");
    row("input.list.length", "2");
    row("input.big", "\"9007199254740993\"");
    row("input.list.length === 2", "true");
    row("input.text !== 't'", "false");
    row("input.number + 1", "6");
    row("input.list.map(x => typeof x)", "[\"number\",\"object\"]");
    row("({ a: input.number, b: [input.text] })", "{\"a\":5,\"b\":[\"t\"]}");
    row("input.absent ?? 'none'", "\"none\"");
    row("JSON.stringify(input.list)", "\"[1,{\\\"id\\\":\\\"x\\\"}]\"");
    row("Math.max(input.number, 9)", "9");
    row("encodeURIComponent('a b')", "\"a%20b\"");
    row("run.event_id", "\"e1\"");
}

void EvaluatorTest::valuesKeepTheirType()
{
    QFETCH(QByteArray, expression);
    QFETCH(QByteArray, json);
    const auto value =
        evaluate(expression.constData(), R"({"text":"t","number":5,"flag":true,"nothing":null,)"
                                         R"("list":[1,{"id":"x"}],"big":9007199254740993})");
    QVERIFY2(value.ok(), value.ok() ? "" : qPrintable(value.error().message));
    QCOMPARE(model::canonicalJson(*value), json);
}

void EvaluatorTest::missingAndUnusableValuesAreErrorsThatNameTheExpression_data()
{
    QTest::addColumn<QByteArray>("expression");
    for (const char *expression : {"input.absent",
                                   "input.a.b.c",
                                   "input.list[7]",
                                   "response.body",
                                   "receipt.id",
                                   "key",
                                   "undefined",
                                   "NaN",
                                   "1 / 0",
                                   "x => x",
                                   "({ a: undefined })",
                                   "[undefined]",
                                   "input.a.b.c.d",
                                   "nobody",
                                   "(() => { const a = {}; a.a = a; return a })()",
                                   "/x/",
                                   "input.toString",
                                   "secret",
                                   "input.__proto__",
                                   "throwing()"})
        QTest::newRow(expression) << QByteArray(expression);
}

void EvaluatorTest::missingAndUnusableValuesAreErrorsThatNameTheExpression()
{
    QFETCH(QByteArray, expression);
    const auto value = evaluate(expression.constData(), R"({"a":{},"list":[]})");
    QVERIFY2(!value.ok(), value.ok() ? model::canonicalJson(*value).constData() : "");
    QVERIFY(value.error().message.contains(QString::fromLatin1(expression)));
}

void EvaluatorTest::anExpressionCannotReachClockChanceOrTheOutside_data()
{
    QTest::addColumn<QByteArray>("expression");
    for (const char *expression : {"Date.now()",
                                   "new Date().getTime()",
                                   "Math.random()",
                                   "eval('1')",
                                   "Function('return 1')()",
                                   "(function(){}).constructor('return 1')()",
                                   "(() => 1).constructor('return 1')()",
                                   "[].map.constructor('return 1')()",
                                   "(function*(){}).constructor('yield 1')().next().value",
                                   "globalThis.x",
                                   "console.log(1)",
                                   "gc()",
                                   "print(1)",
                                   "Qt.version",
                                   "qsTr('x')",
                                   "new Proxy({}, {}).x",
                                   "Reflect.ownKeys({})",
                                   "setTimeout(() => 1, 1)",
                                   "new XMLHttpRequest()",
                                   "import('fs')",
                                   "require('fs')",
                                   "input.constructor.constructor('1')"})
        QTest::newRow(expression) << QByteArray(expression);
}

void EvaluatorTest::anExpressionCannotReachClockChanceOrTheOutside()
{
    QFETCH(QByteArray, expression);
    QVERIFY(!evaluate(expression.constData(), "{}").ok());
}

void EvaluatorTest::anEndlessExpressionIsStopped_data()
{
    QTest::addColumn<QByteArray>("expression");
    for (const char *expression :
         {"(() => { while (true) {} })()", "(() => { for (;;); })()",
          "({ get a() { while (1) {} } })", "(function f() { return f() })()",
          "((f) => f(f))((f) => f(f))",
          "(() => { 'use strict'; return (function f() { return f() })() })()",
          "(() => { let s = 'x'; while (true) s += s })()",
          "(() => { const a = []; while (true) a.push(a) })()", "'x'.repeat(1e9).length",
          "'x'.padEnd(1e9).length", "Array(1e9).fill(0).length", "Array(1e9).join('x').length",
          "Array.from({ length: 1e9 }).length"})
        QTest::newRow(expression) << QByteArray(expression);
}

void EvaluatorTest::anEndlessExpressionIsStopped()
{
    QFETCH(QByteArray, expression);
    Renderer renderer(100);
    const Roots roots = Renderer::rootsOf(scopeOf(R"({"a":1})"));
    QVERIFY(!renderer.evaluate(QString::fromLatin1(expression), roots).ok());
    const auto next = renderer.evaluate(QStringLiteral("input.a + 1"), roots);
    QVERIFY2(next.ok(), "the engine is usable again");
    QCOMPARE(next->toInt(), 2);
}

void EvaluatorTest::oneEvaluationCannotInfluenceTheNext()
{
    Renderer renderer(100);
    const Roots roots = Renderer::rootsOf(scopeOf(R"({"a":{"b":1}})"));
    for (const char *attack :
         {"Object.prototype.leak = 1", "Array.prototype.map = () => 'x'", "leak = 1",
          "this.leak = 1", "Math.max = () => 7", "String.prototype.trim = () => 'x'",
          "JSON.stringify = () => 'x'", "input.a.b = 2",
          "Object.defineProperty(Object.prototype, 'leak', { value: 1 })",
          "(() => { input.__proto__.leak = 1 })()", "[].__proto__.leak = 1",
          "(function() { this.leak = 1; return 1 })()"})
        (void)renderer.evaluate(QString::fromLatin1(attack), roots);
    const auto after = renderer.evaluate(
        QStringLiteral("[typeof ({}).leak, typeof [].leak, [1].map(x => x + 1)[0], Math.max(1, 2), "
                       "' a '.trim(), JSON.stringify({}), input.a.b + 0]"),
        roots);
    QVERIFY2(after.ok(), after.ok() ? "" : qPrintable(after.error().message));
    QCOMPARE(model::canonicalJson(*after),
             QByteArray(R"(["undefined","undefined",2,2,"a","{}",1])"));
    QVERIFY(!renderer.evaluate(QStringLiteral("leak"), roots).ok());
}

void EvaluatorTest::dataIsNeverParsedAsATemplate()
{
    const Workflow workflow = workflowFrom(workflowText(
        "  - {step: a, dependency: payments, effect: read, http: {method: POST, path: /x, "
        "body: {text: \"Hello ${ input.name }\"}}}\n"));
    Evaluator evaluator;
    const auto prepared = evaluator.prepare(workflow, 0, Target::forward,
                                            scopeOf(R"({"name":"${ input.secret } {{ x }}"})"));
    QVERIFY(prepared.ok());
    QCOMPARE(prepared->request.body, QByteArray(R"({"text":"Hello ${ input.secret } {{ x }}"})"));
}

void EvaluatorTest::hugeOutputIsRefused()
{
    const Workflow workflow = workflowFrom(workflowText(
        "  - {step: a, dependency: payments, effect: read, http: {method: POST, path: /x, "
        "body: [\"${ input.text }\", \"${ input.text }\", \"${ input.text }\"]}}\n"));
    Evaluator evaluator;
    const QByteArray input = "{\"text\":\"" + QByteArray(100 * 1024, 'x') + "\"}";
    QVERIFY(!evaluator.prepare(workflow, 0, Target::forward, scopeOf(input)).ok());
}

void EvaluatorTest::verdictNeedsExactlyOneAnswer_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("verdict"); // -1: an error
    QTest::newRow("one") << QByteArray(R"({"data":[{"id":"x"}]})") << int(Verdict::happened);
    QTest::newRow("none") << QByteArray(R"({"data":[]})") << int(Verdict::absent);
    QTest::newRow("two") << QByteArray(R"({"data":[1,2]})") << int(Verdict::unknown);
    QTest::newRow("unreadable") << QByteArray(R"({"error":"x"})") << -1;
}

void EvaluatorTest::verdictNeedsExactlyOneAnswer()
{
    QFETCH(QByteArray, body);
    QFETCH(int, verdict);
    const Workflow workflow = workflowFrom(workflowText(chargeText(
        "charge:${ input.id }",
        "    verify:\n      http: {method: GET, path: \"/v1/charges?key=${ key }\"}\n"
        "      happened: ${ response.body.data.length === 1 }\n"
        "      absent: ${ response.body.data.length === 0 }\n"
        "      receipt: {id: \"${ response.body.data[0].id }\"}\n      settle_after: 5s\n")));
    Evaluator evaluator;
    const auto request = evaluator.verifyRequest(workflow, 0, Target::forward, withBody("{}"));
    QVERIFY(request.ok());
    QCOMPARE(request->path, QStringLiteral("/v1/charges?key=charge%3Aa1"));
    const auto answer = evaluator.verdict(workflow, 0, Target::forward, withBody(body));
    QCOMPARE(answer.ok() ? int(*answer) : -1, verdict);
    if (verdict == int(Verdict::happened)) {
        const auto receipt = evaluator.verifyReceipt(workflow, 0, Target::forward, withBody(body));
        QVERIFY(receipt.ok());
        QCOMPARE(model::compactJson(*receipt), QByteArray(R"({"id":"x"})"));
    }
}

void EvaluatorTest::receiptsHoldWhatWasDeclared()
{
    Evaluator evaluator;
    const Workflow bare = workflowFrom(workflowText(chargeText()));
    const Workflow declared = workflowFrom(workflowText(
        chargeText("charge:${ input.id }", "    receipt: {id: \"${ response.body.id }\"}\n")));
    const auto whole = evaluator.receipt(bare, 0, Target::forward, withBody(R"({"id":"c"})", 201));
    QVERIFY(whole.ok());
    QCOMPARE(model::compactJson(*whole), QByteArray(R"({"body":{"id":"c"},"status":201})"));
    const auto chosen =
        evaluator.receipt(declared, 0, Target::forward, withBody(R"({"id":9007199254740993})"));
    QVERIFY(chosen.ok());
    QCOMPARE(model::compactJson(*chosen), QByteArray(R"({"id":"9007199254740993"})"));
    QVERIFY(!evaluator.receipt(declared, 0, Target::forward, withBody("{}")).ok());
}

void EvaluatorTest::aModelsAnswerMustFitItsSchema()
{
    const Workflow workflow = workflowFrom(workflowText(
        "  - {step: a, dependency: payments, llm: {model: m1, prompt: \"Id ${ input.id }\", "
        "prompt_version: v3, schema: {type: object, required: [n], properties: "
        "{n: {type: integer, maximum: 100}}}}}\n"));
    Evaluator evaluator;
    const auto prepared = evaluator.prepare(workflow, 0, Target::forward, scopeOf(R"({"id":"a"})"));
    QVERIFY(prepared.ok());
    QVERIFY(prepared->request.body.contains(R"("content":"Id a")"));
    const auto answer = [&](const QByteArray &content) {
        const QJsonObject message{{QStringLiteral("content"), QString::fromUtf8(content)}};
        const QJsonObject body{{QStringLiteral("choices"),
                                QJsonArray{QJsonObject{{QStringLiteral("message"), message}}}}};
        return evaluator.receipt(workflow, 0, Target::forward, withBody(model::compactJson(body)));
    };
    const auto good = answer(R"({"n":5})");
    QVERIFY(good.ok());
    QCOMPARE(good->value(QStringLiteral("output")).toObject().value(QStringLiteral("n")).toInt(),
             5);
    QCOMPARE(good->value(QStringLiteral("prompt_version")).toString(), QStringLiteral("v3"));
    QVERIFY(!answer(R"({"n":500})").ok());
    QVERIFY(!answer("I approve myself").ok());
    QVERIFY(!evaluator.receipt(workflow, 0, Target::forward, withBody("{}")).ok());
}

void EvaluatorTest::theEventIdComesFromTheInput()
{
    const Workflow workflow = workflowFrom(workflowText(chargeText()));
    Evaluator evaluator;
    QCOMPARE(evaluator.eventId(workflow, QJsonObject{{QStringLiteral("id"), 7}}).value(),
             QStringLiteral("7"));
    QVERIFY(!evaluator.eventId(workflow, {}).ok());
    QVERIFY(!evaluator.eventId(workflow, QJsonObject{{QStringLiteral("id"), QString()}}).ok());
}

void EvaluatorTest::classifyRulesOfTheStepComeFirst()
{
    const QByteArray text =
        dependencyText("native", "classify: [{status: 409, class: permanent}]\n") + "---\n" +
        workflowText(
            chargeText("charge:${ input.id }",
                       "    classify:\n      - {when: \"${ response.body.busy === true }\", "
                       "class: transient}\n"));
    const Parsed parsed = parse(QStringLiteral("t.yaml"), text);
    QVERIFY(!hasErrors(parsed.findings));
    const Dependency dependency = parsed.dependencies.first();
    const auto policy = policyOf(parsed.workflows.first(), {{dependency.name, dependency}});
    QCOMPARE(policy.steps.first().forward.classify.size(), 2);
    QVERIFY(policy.steps.first().forward.classify.first().hasWhen);
    Evaluator evaluator;
    const auto holds = [&](const QByteArray &body) {
        return evaluator.classifyWhen(parsed.workflows.first(), &dependency, 0, Target::forward,
                                      withBody(body, 409));
    };
    QCOMPARE(holds(R"({"busy":true})"), QVector<bool>({true, true}));
    QCOMPARE(holds(R"({"busy":false})"), QVector<bool>({false, true}));
    QCOMPARE(holds("{}"), QVector<bool>({false, true}));
}

QTEST_GUILESS_MAIN(EvaluatorTest)
#include "tst_evaluator.moc"
