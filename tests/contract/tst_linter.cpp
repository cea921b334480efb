// Keys, protections and names that would do harm later are refused before a workflow is deployed.
#include "contract/definitions.h"
#include "contract/expression_scan.h"

#include <QTest>

using namespace holdfast;
using namespace holdfast::contract;
using namespace holdfast::tests;

class LinterTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void badKeysAreRefused_data();
    void badKeysAreRefused();
    void goodKeysPass_data();
    void goodKeysPass();
    void aKeyFromAModelsOutputIsRefused();
    void aKeyFromAReceiptThatHoldsAModelsOutputIsRefused();
    void protectionMustFitTheCall_data();
    void protectionMustFitTheCall();
    void unknownNamesAreRefused_data();
    void unknownNamesAreRefused();
    void namesThatExpressionsDeclareAreTheirOwn_data();
    void namesThatExpressionsDeclareAreTheirOwn();
    void aClosedInputSchemaMakesAMisspeltMemberAnError();
};

void LinterTest::badKeysAreRefused_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QString>("rule");
    const auto row = [](const char *name, const char *key, const char *rule) {
        QTest::newRow(name) << QByteArray(key) << QString::fromLatin1(rule);
    };
    row("Date", "k:${ input.id }:${ new Date().getTime() }", "key_random");
    row("Date.now", "k:${ input.id }:${ Date.now() }", "key_random");
    row("Math.random", "k:${ input.id }:${ Math.random() }", "key_random");
    row("a member called timestamp", "k:${ input.timestamp }", "key_random");
    row("a member called uuid", "k:${ input.uuid }", "key_random");
    row("now", "k:${ input.id }:${ now }", "key_random");
    row("run id", "k:${ input.id }:${ run.run_id }", "key_random");
    row("start of the run", "k:${ input.id }:${ run.started_at }", "key_random");
    row("whole run", "k:${ input.id }:${ JSON.stringify(run) }", "key_random");
    row("no business id", "charge", "key_too_narrow");
    row("no business id, computed", "charge:${ 1 + 1 }", "key_too_narrow");
    row("only the workflow", "charge:${ run.workflow }", "key_too_narrow");
    row("whole input", "k:${ input }", "key_too_broad");
    row("whole input as text", "k:${ JSON.stringify(input) }", "key_too_broad");
    row("whole input by spread", "k:${ Object.keys({...input}).join() }", "key_too_broad");
    row("attempt", "k:${ input.id }:${ attempt }", "key_attempt");
    row("attempt of the run", "k:${ input.id }:${ run.attempt }", "key_attempt");
    row("whole receipt", "k:${ JSON.stringify(steps.look.receipt) }", "key_too_broad");
    row("whole body", "k:${ steps.look.receipt.body }", "key_too_broad");
}

void LinterTest::badKeysAreRefused()
{
    QFETCH(QByteArray, key);
    QFETCH(QString, rule);
    const QByteArray look = "  - {step: look, dependency: payments, effect: read, "
                            "http: {method: GET, path: /x}}\n";
    const Findings findings =
        checkAll(dependencyText() + "---\n" + workflowText(look + chargeText(key)));
    QVERIFY(hasErrors(findings));
    QVERIFY(hasFinding(findings, rule, 17, 10));
}

void LinterTest::goodKeysPass_data()
{
    QTest::addColumn<QByteArray>("key");
    for (const char *key :
         {"payment:${ input.account }:${ input.invoice }:${ input.cycle }", "k:${ run.event_id }",
          "k:${ steps.look.receipt.id }", "k:${ input.date.slice(0, 10) }", "${ input.id }",
          "k:${ input.updated_at }"})
        QTest::newRow(key) << QByteArray(key);
}

void LinterTest::goodKeysPass()
{
    QFETCH(QByteArray, key);
    const QByteArray look = "  - {step: look, dependency: payments, effect: read, "
                            "http: {method: GET, path: /x}}\n";
    const Findings findings =
        checkAll(dependencyText() + "---\n" + workflowText(look + chargeText(key)));
    for (const Finding &finding : findings)
        qInfo().noquote() << finding.text();
    QVERIFY(findings.isEmpty());
}

void LinterTest::aKeyFromAModelsOutputIsRefused()
{
    const QByteArray steps = "  - {step: propose, dependency: payments, llm: {model: m, prompt: p, "
                             "prompt_version: v1}}\n" +
                             chargeText("k:${ input.id }:${ steps.propose.receipt.output.id }");
    QVERIFY(hasFinding(checkAll(dependencyText() + "---\n" + workflowText(steps)),
                       QStringLiteral("key_model_output")));
}

void LinterTest::aKeyFromAReceiptThatHoldsAModelsOutputIsRefused()
{
    const QByteArray steps =
        "  - {step: propose, dependency: payments, llm: {model: m, prompt: p, "
        "prompt_version: v1}}\n"
        "  - {step: look, dependency: payments, effect: read, http: {method: GET, path: /x}, "
        "receipt: {id: \"${ steps.propose.receipt.output.id }\"}}\n" +
        chargeText("k:${ steps.look.receipt.id }");
    QVERIFY(hasFinding(checkAll(dependencyText() + "---\n" + workflowText(steps)),
                       QStringLiteral("key_model_output")));
}

void LinterTest::protectionMustFitTheCall_data()
{
    QTest::addColumn<QByteArray>("protection");
    QTest::addColumn<QByteArray>("extra");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<bool>("isError");
    QTest::newRow("natural POST") << QByteArray("natural") << QByteArray()
                                  << QStringLiteral("natural_method") << true;
    QTest::newRow("probe without verify")
        << QByteArray("probe") << QByteArray() << QStringLiteral("probe_without_verify") << false;
    QTest::newRow("none with retries")
        << QByteArray("none") << QByteArray("    retry: {attempts: 4}\n")
        << QStringLiteral("retry_without_protection") << false;
    QTest::newRow("override to natural")
        << QByteArray("native") << QByteArray("    protection: natural\n")
        << QStringLiteral("natural_method") << true;
}

void LinterTest::protectionMustFitTheCall()
{
    QFETCH(QByteArray, protection);
    QFETCH(QByteArray, extra);
    QFETCH(QString, rule);
    QFETCH(bool, isError);
    const Findings findings = checkAll(dependencyText(protection) + "---\n" +
                                       workflowText(chargeText("k:${ input.id }", extra)));
    QVERIFY(hasFinding(findings, rule));
    QCOMPARE(hasErrors(findings), isError);
}

void LinterTest::unknownNamesAreRefused_data()
{
    QTest::addColumn<QByteArray>("expression");
    QTest::addColumn<QString>("rule");
    const auto row = [](const char *expression, const char *rule) {
        QTest::newRow(expression) << QByteArray(expression) << QString::fromLatin1(rule);
    };
    row("inptu.id === 1", "unknown_name");
    row("globalThis.x === 1", "unknown_name");
    row("this === 1", "unknown_name");
    row("eval('1') === 1", "unknown_name");
    row("Function('1') === 1", "unknown_name");
    row("new Date() === 1", "unknown_name");
    row("console.log(1)", "unknown_name");
    row("Math.random() > 1", "unknown_name");
    row("process.env.HOME === 'x'", "unknown_name");
    row("secret.TOKEN === 'x'", "name_not_here");
    row("response.status === 200", "name_not_here");
    row("receipt.id === 'x'", "name_not_here");
    row("steps.nobody.status === 'x'", "unknown_step");
    row("Object.keys(steps).length > 0", "unknown_step");
    row("input.a ===", "expression");
    row("1); (2", "expression");
    row("(1", "expression");
    row("'abc", "expression");
    row("1 /* x", "expression");
    row("1; 2", "expression");
    row("(() => { 'use strict'; return 1 })()", "expression");
    row("[].map(x => y).length", "unknown_name");
    row("`${ nobody }`", "unknown_name");
    row("({a: nobody}).a", "unknown_name");
    row("", "expression");
}

void LinterTest::unknownNamesAreRefused()
{
    QFETCH(QByteArray, expression);
    QFETCH(QString, rule);
    const QByteArray quoted = QByteArray(expression).replace('\'', "''");
    const Findings findings =
        checkAll(workflowText("  - step: a\n    check: '${ " + quoted + " }'\n"));
    QVERIFY(hasErrors(findings));
    QVERIFY(hasFinding(findings, rule, 8, 12));
}

void LinterTest::namesThatExpressionsDeclareAreTheirOwn_data()
{
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QStringList>("names");
    const auto row = [](const char *expression, const QStringList &names) {
        QTest::newRow(expression) << QString::fromLatin1(expression) << names;
    };
    const QString input = QStringLiteral("input");
    row("input.a.map(x => x.b)", {input});
    row("input.a.reduce((sum, line) => sum + line.amount, 0)", {input});
    row("input.a.map(({ b, c }) => b + c)", {input});
    row("input.a ? input.b : input.c", {input});
    row("({ nobody: input.a, other: 1 }).nobody", {input});
    row("'nobody ${ x }'.length + input.a", {input});
    row("`a ${ input.b } c`", {input});
    row("/nobody\\/[/]x/.test(input.a)", {input});
    row("(() => { const x = input.a; let y = x; return y })()", {input});
    row("(function f(n) { return n ? f(n - 1) : input.a })(3)", {input});
    row("(() => { try { return input.a } catch (e) { return e.message } })()", {input});
    row("input?.a?.b", {input});
    row("a / b / c", {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
    row("((a = nobody) => a)()", {QStringLiteral("nobody")});
}

void LinterTest::namesThatExpressionsDeclareAreTheirOwn()
{
    QFETCH(QString, expression);
    QFETCH(QStringList, names);
    const ExpressionScan scan = scanExpression(expression);
    QCOMPARE(scan.error, QString());
    QStringList found;
    for (const auto &use : scan.uses) {
        if (!found.contains(use.path.first()))
            found.append(use.path.first());
    }
    QCOMPARE(found, names);
}

void LinterTest::aClosedInputSchemaMakesAMisspeltMemberAnError()
{
    const QByteArray schema =
        "input: {type: object, properties: {id: {type: string}}, additionalProperties: false}\n";
    QVERIFY(hasFinding(
        checkAll(workflowText("  - {step: a, check: \"${ input.di === 'x' }\"}\n", schema)),
        QStringLiteral("unknown_input")));
    QVERIFY(!hasErrors(
        checkAll(workflowText("  - {step: a, check: \"${ input.id === 'x' }\"}\n", schema))));
}

QTEST_GUILESS_MAIN(LinterTest)
#include "tst_linter.moc"
