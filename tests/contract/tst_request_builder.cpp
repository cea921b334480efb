// Goal: what is sent is exactly what the definition and the input say: path values cannot climb,
// headers cannot break out, keys are stable, and equal requests have equal hashes.
#include "contract/definitions.h"
#include "contract/evaluator.h"
#include "contract/renderer.h"
#include "model/json.h"

#include <QJsonArray>
#include <QTest>

using namespace holdfast;
using namespace holdfast::contract;
using namespace holdfast::tests;

class RequestBuilderTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aRequestIsPrepared();
    void badKeysAreRefusedAfterEvaluation_data();
    void badKeysAreRefusedAfterEvaluation();
    void headersWithLineBreaksAreRefused_data();
    void headersWithLineBreaksAreRefused();
    void pathValuesAreEncodedAndCannotClimb_data();
    void pathValuesAreEncodedAndCannotClimb();
    void aGenerationIsAppendedToKeys();
    void aCompensationHasAKeyOfItsOwn();
    void theHashIgnoresOrderAndSeesEveryValue();
    void aCommandIsPrepared();
};

void RequestBuilderTest::aRequestIsPrepared()
{
    Evaluator evaluator;
    const auto prepared = evaluator.prepare(workflowFrom(workflowText(chargeText())), 0,
                                            Target::forward, scopeOf(R"({"id":"a1","amount":5})"));
    QVERIFY(prepared.ok());
    QCOMPARE(prepared->operation, QStringLiteral("payments POST /v1/charges"));
    QCOMPARE(prepared->key, QStringLiteral("charge:a1"));
    QCOMPARE(prepared->request.method, QStringLiteral("POST"));
    QCOMPARE(prepared->request.path, QStringLiteral("/v1/charges"));
    QCOMPARE(prepared->request.body, QByteArray(R"({"amount":5})"));
    QCOMPARE(prepared->request.contentType, QStringLiteral("application/json"));
    QCOMPARE(
        prepared->hash,
        model::sha256Hex(R"(["payments POST /v1/charges","POST","/v1/charges",{"amount":5}])"));
}

void RequestBuilderTest::badKeysAreRefusedAfterEvaluation_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::newRow("missing") << QByteArray("{}");
    QTest::newRow("null") << QByteArray(R"({"id":null})");
    QTest::newRow("object") << QByteArray(R"({"id":{"a":1}})");
    QTest::newRow("list") << QByteArray(R"({"id":[1]})");
    QTest::newRow("space") << QByteArray(R"({"id":"a b"})");
    QTest::newRow("line break") << QByteArray(R"({"id":"a\nb"})");
    QTest::newRow("not ASCII") << QByteArray(R"({"id":"\u00e9"})");
    QTest::newRow("NUL") << QByteArray(R"({"id":"a\u0000"})");
    QTest::newRow("256 characters") << "{\"id\":\"" + QByteArray(256 - 7, 'x') + "\"}";
}

void RequestBuilderTest::badKeysAreRefusedAfterEvaluation()
{
    QFETCH(QByteArray, input);
    Scope scope = scopeOf(input);
    scope.input.insert(QStringLiteral("amount"), 5);
    Evaluator evaluator;
    const Workflow workflow = workflowFrom(workflowText(chargeText()));
    QVERIFY(!evaluator.prepare(workflow, 0, Target::forward, scope).ok());
    scope.input.insert(QStringLiteral("id"), QString(255 - 7, QLatin1Char('x')));
    QVERIFY(evaluator.prepare(workflow, 0, Target::forward, scope).ok());
}

void RequestBuilderTest::headersWithLineBreaksAreRefused_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::newRow("CR") << QByteArray(R"({"h":"a\rb"})");
    QTest::newRow("LF") << QByteArray(R"({"h":"a\nX-Evil: 1"})");
    QTest::newRow("NUL") << QByteArray(R"({"h":"a\u0000b"})");
    QTest::newRow("DEL") << QByteArray(R"({"h":"a\u007fb"})");
}

void RequestBuilderTest::headersWithLineBreaksAreRefused()
{
    QFETCH(QByteArray, input);
    const Workflow workflow = workflowFrom(workflowText(
        "  - {step: a, dependency: payments, effect: read, http: {method: GET, path: /x, "
        "headers: {X-A: \"${ input.h }\"}}}\n"));
    Evaluator evaluator;
    QVERIFY(!evaluator.prepare(workflow, 0, Target::forward, scopeOf(input)).ok());
    QVERIFY(evaluator.prepare(workflow, 0, Target::forward, scopeOf(R"({"h":"fine"})")).ok());
}

void RequestBuilderTest::pathValuesAreEncodedAndCannotClimb_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<QString>("path"); // empty: refused
    QTest::newRow("plain") << QByteArray(R"({"id":"a-1_2.3~","q":"x"})")
                           << QStringLiteral("/v1/a-1_2.3~/x?q=x");
    QTest::newRow("slash") << QByteArray(R"({"id":"a/b","q":"x&y=z#"})")
                           << QStringLiteral("/v1/a%2Fb/x?q=x%26y%3Dz%23");
    QTest::newRow("line break") << QByteArray(R"({"id":"a\r\nb","q":"\u0000"})")
                                << QStringLiteral("/v1/a%0D%0Ab/x?q=%00");
    QTest::newRow("not ASCII") << QByteArray(R"({"id":"\u00e9","q":""})")
                               << QStringLiteral("/v1/%C3%A9/x?q=");
    QTest::newRow("percent") << QByteArray(R"({"id":"%2e%2e","q":"x"})")
                             << QStringLiteral("/v1/%252e%252e/x?q=x");
    QTest::newRow("up") << QByteArray(R"({"id":"..","q":"x"})") << QString();
    QTest::newRow("here") << QByteArray(R"({"id":".","q":"x"})") << QString();
    QTest::newRow("empty") << QByteArray(R"({"id":"","q":"x"})") << QString();
}

void RequestBuilderTest::pathValuesAreEncodedAndCannotClimb()
{
    QFETCH(QByteArray, input);
    QFETCH(QString, path);
    const Workflow workflow = workflowFrom(
        workflowText("  - {step: a, dependency: payments, effect: read, http: {method: GET, "
                     "path: \"/v1/${ input.id }/x?q=${ input.q }\"}}\n"));
    Evaluator evaluator;
    const auto prepared = evaluator.prepare(workflow, 0, Target::forward, scopeOf(input));
    QCOMPARE(prepared.ok(), !path.isEmpty());
    if (prepared.ok())
        QCOMPARE(prepared->request.path, path);
}

void RequestBuilderTest::aGenerationIsAppendedToKeys()
{
    const Workflow workflow = workflowFrom(workflowText(
        chargeText().replace("compensate: none", "compensate: {http: {method: POST, path: /u}}")));
    Evaluator evaluator;
    Scope scope = scopeOf(R"({"id":"a1","amount":5})");
    scope.run.insert(QStringLiteral("generation"), 3);
    const auto forward = evaluator.prepare(workflow, 0, Target::forward, scope);
    QVERIFY(forward.ok());
    QCOMPARE(forward->key, QStringLiteral("charge:a1~3"));
    scope.key = forward->key;
    const auto undo = evaluator.prepare(workflow, 0, Target::undo, scope);
    QVERIFY(undo.ok());
    QCOMPARE(undo->key, QStringLiteral("undo:charge:a1~3"));
}

void RequestBuilderTest::aCompensationHasAKeyOfItsOwn()
{
    const Workflow workflow = workflowFrom(workflowText(chargeText().replace(
        "compensate: none",
        "compensate: {key: \"refund:${ receipt.id }\", http: {method: POST, "
        "path: \"/v1/charges/${ receipt.id }/refund\", body: {ref: \"${ key }\"}}}")));
    Evaluator evaluator;
    Scope scope = scopeOf(R"({"id":"a1","amount":5})");
    scope.key = QStringLiteral("charge:a1");
    scope.receipt = QJsonObject{{QStringLiteral("id"), QStringLiteral("ch_1")}};
    const auto undo = evaluator.prepare(workflow, 0, Target::undo, scope);
    QVERIFY(undo.ok());
    QCOMPARE(undo->key, QStringLiteral("refund:ch_1"));
    QCOMPARE(undo->operation, QStringLiteral("payments POST /v1/charges/${ receipt.id }/refund"));
    QCOMPARE(undo->request.path, QStringLiteral("/v1/charges/ch_1/refund"));
    QCOMPARE(undo->request.body, QByteArray(R"({"ref":"refund:ch_1"})"));
}

void RequestBuilderTest::theHashIgnoresOrderAndSeesEveryValue()
{
    const Workflow workflow = workflowFrom(workflowText(
        "  - {step: a, dependency: payments, effect: read, http: {method: POST, path: /x, "
        "body: \"${ input }\"}}\n"));
    Evaluator evaluator;
    const auto hash = [&](const QByteArray &input) {
        return evaluator.prepare(workflow, 0, Target::forward, scopeOf(input)).value().hash;
    };
    QCOMPARE(hash(R"({"a":1,"b":2})"), hash("{ \"b\": 2.0, \"a\": 1 }"));
    QVERIFY(hash(R"({"a":1,"b":2})") != hash(R"({"a":1,"b":3})"));
    QVERIFY(hash(R"({"a":1})") != hash(R"({"a":"1"})"));
}

void RequestBuilderTest::aCommandIsPrepared()
{
    const Workflow workflow = workflowFrom(workflowText(
        "  - {step: a, effect: read, command: {argv: [/bin/tool, \"--id=${ input.id }\"], "
        "input: {n: \"${ input.n }\"}}}\n"));
    Evaluator evaluator;
    const auto prepared =
        evaluator.prepare(workflow, 0, Target::forward, scopeOf(R"({"id":"; rm -rf /","n":1})"));
    QVERIFY(prepared.ok());
    QCOMPARE(prepared->operation, QStringLiteral("local command /bin/tool"));
    QCOMPARE(prepared->request.argv,
             QStringList({QStringLiteral("/bin/tool"), QStringLiteral("--id=; rm -rf /")}));
    QCOMPARE(prepared->request.body, QByteArray(R"({"n":1})"));
    QVERIFY(!evaluator.prepare(workflow, 0, Target::forward, scopeOf(R"({"id":"a\u0000b","n":1})"))
                 .ok());
}

QTEST_GUILESS_MAIN(RequestBuilderTest)
#include "tst_request_builder.moc"
