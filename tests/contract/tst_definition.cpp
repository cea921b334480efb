// The grammar of workflow and dependency files: what is accepted, what is refused, and where.
#include "contract/definitions.h"

#include <QFile>
#include <QTest>

using namespace holdfast;
using namespace holdfast::contract;
using namespace holdfast::tests;

class DefinitionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shippedSamplesHaveNoErrors_data();
    void shippedSamplesHaveNoErrors();
    void aDependencyIsReadWhole();
    void aWorkflowIsReadWhole();
    void everyMistakeIsReportedNotJustTheFirst();
    void brokenWorkflowsAreRefused_data();
    void brokenWorkflowsAreRefused();
    void brokenDependenciesAreRefused_data();
    void brokenDependenciesAreRefused();
    void urlsOtherThanAnOriginAreRefused_data();
    void urlsOtherThanAnOriginAreRefused();
    void plainHttpToAnotherHostIsAWarning();
    void secretsInPlainTextAreRefused_data();
    void secretsInPlainTextAreRefused();
    void tenThousandStepsAreRefused();
    void commentsAndLayoutChangeNoHash();
    void everyKindOfStepIsRead();
};

void DefinitionTest::shippedSamplesHaveNoErrors_data()
{
    QTest::addColumn<QString>("file");
    for (const char *name : {"order", "billing-assistant"})
        QTest::newRow(name) << qEnvironmentVariable("HOLDFAST_SOURCE_DIR") +
                                   QStringLiteral("/resources/samples/") +
                                   QString::fromLatin1(name) + QStringLiteral(".yaml");
}

void DefinitionTest::shippedSamplesHaveNoErrors()
{
    QFETCH(QString, file);
    QFile sample(file);
    QVERIFY(sample.open(QIODevice::ReadOnly));
    const Findings findings = checkAll(sample.readAll());
    for (const Finding &finding : findings)
        qInfo().noquote() << finding.text();
    QVERIFY(findings.isEmpty());
}

void DefinitionTest::aDependencyIsReadWhole()
{
    const Parsed parsed = parse(
        QStringLiteral("d.yaml"),
        "holdfast: 1\ndependency: payments\nowner: p@example.com\nurl: https://api.example:8443\n"
        "headers:\n  Authorization: Bearer ${ secret.TOKEN }\n"
        "idempotency: {protection: native, header: X-Key, retention: 24h}\n"
        "classify:\n  - {status: 402, class: permanent, reason: card_declined}\n"
        "  - {status: [503, 504], class: transient}\n  - {status: 5xx, class: ambiguous}\n"
        "  - {exit: 75, class: transient, reason: later}\n"
        "  - {when: \"${ response.body.code === 'busy' }\", class: transient, reason: busy}\n"
        "breaker: {failures: 7, within: 10s, open_for: 1m}\n"
        "limit: {concurrency: 16, rate: 20/s, retry_ratio: 0.1}\nallow_private: true\n");
    QVERIFY(parsed.findings.isEmpty());
    const Dependency dependency = parsed.dependencies.value(0);
    QCOMPARE(dependency.keyHeader, QStringLiteral("X-Key"));
    QCOMPARE(dependency.retention, model::day);
    QCOMPARE(dependency.classify.size(), 6);
    QCOMPARE(dependency.classifyWhen.size(), 6);
    QCOMPARE(dependency.classify.at(0).reason, QStringLiteral("card_declined"));
    QCOMPARE(dependency.classify.at(2).statusFrom, 504);
    QCOMPARE(dependency.classify.at(3).statusFrom, 500);
    QCOMPARE(dependency.classify.at(3).statusTo, 599);
    QVERIFY(dependency.classify.at(5).hasWhen);
    QCOMPARE(dependency.breaker.failures, 7);
    QCOMPARE(dependency.limit.ratePerSecond, 20);
    QCOMPARE(dependency.limit.retryRatioPercent, 10);
    QVERIFY(dependency.allowPrivate);
    QCOMPARE(dependency.headers.first().second.source(),
             QStringLiteral("Bearer ${ secret.TOKEN }"));
}

void DefinitionTest::aWorkflowIsReadWhole()
{
    const QByteArray extra =
        "    ttl: 7d\n    timeout: 10s\n    receipt: {id: \"${ response.body.id }\"}\n"
        "    retry: {attempts: 3, delay: 500ms, backoff: 1.5, max_delay: 1m, jitter: none}\n"
        "    on_failure: review\n    when: ${ input.amount > 0 }\n    owner: x@example.com\n";
    const Workflow workflow = workflowFrom(workflowText(chargeText("c:${ input.id }", extra)));
    QCOMPARE(workflow.steps.size(), 1);
    const StepDefinition &step = workflow.steps.first();
    QCOMPARE(step.policy.forward.ttl, 7 * model::day);
    QCOMPARE(step.policy.forward.timeout, 10 * model::second);
    QCOMPARE(step.policy.forward.retry.attempts, 3);
    QCOMPARE(step.policy.forward.retry.backoffPercent, 150);
    QVERIFY(!step.policy.forward.retry.jitter);
    QCOMPARE(step.policy.onFailure, model::OnFailure::review);
    QVERIFY(step.policy.hasWhen && step.policy.irreversible);
    QCOMPARE(step.forward.key.parts.size(), 2);
    QCOMPARE(step.owner, QStringLiteral("x@example.com"));
}

void DefinitionTest::everyMistakeIsReportedNotJustTheFirst()
{
    const Findings findings = checkAll(
        "holdfast: 2\nworkflow: Billing\nversion: 0\nsteps:\n"
        "  - step: A\n    effect: maybe\n    http: {method: FETCH, path: v1}\n    colour: red\n");
    for (const char *rule :
         {"wrong_type", "name", "missing_key", "wrong_word", "path", "unknown_key", "dependency"})
        QVERIFY2(hasFinding(findings, QString::fromLatin1(rule)), rule);
    QVERIFY(hasFinding(findings, QStringLiteral("unknown_key"), 8, 5));
    QVERIFY(findings.size() >= 9);
}

void DefinitionTest::brokenWorkflowsAreRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("rule");
    const auto row = [](const char *name, const QByteArray &text, const char *rule) {
        QTest::newRow(name) << dependencyText() + "---\n" + text << QString::fromLatin1(rule);
    };
    row("unknown key", workflowText(chargeText({"k:${ input.id }"}, "    retries: 3\n")),
        "unknown_key");
    row("duplicate step", workflowText(chargeText() + chargeText()), "duplicate_step");
    row("step name with a dash", workflowText("  - step: a-b\n    check: true\n"), "name");
    row("no action", workflowText("  - step: a\n"), "action");
    row("two actions", workflowText("  - step: a\n    check: true\n    wait: {for: 1s}\n"),
        "action");
    row("no steps", "holdfast: 1\nworkflow: a\nversion: 1\nowner: o\n", "missing_key");
    row("empty steps", workflowText("  []\n"), "steps");
    row("no owner", "holdfast: 1\nworkflow: a\nversion: 1\nsteps: [{step: a, check: true}]\n",
        "missing_key");
    row("missing compensation",
        workflowText("  - {step: a, dependency: payments, effect: write, key: \"k:${ input.id }\", "
                     "http: {method: POST, path: /x}}\n"),
        "missing_compensation");
    row("write without key",
        workflowText("  - {step: a, dependency: payments, effect: write, compensate: none, "
                     "http: {method: POST, path: /x}}\n"),
        "missing_key_expression");
    row("no effect",
        workflowText("  - {step: a, dependency: payments, http: {method: GET, path: /x}}\n"),
        "missing_key");
    row("a read that deletes",
        workflowText("  - {step: a, dependency: payments, effect: read, "
                     "http: {method: DELETE, path: /x}}\n"),
        "effect");
    row("unknown dependency",
        workflowText("  - {step: a, dependency: nobody, effect: read, "
                     "http: {method: GET, path: /x}}\n"),
        "unknown_dependency");
    row("a cycle: a step that needs a later one",
        workflowText("  - {step: a, check: \"${ steps.b.status === 'succeeded' }\"}\n"
                     "  - {step: b, check: \"${ steps.a.status === 'succeeded' }\"}\n"),
        "unknown_step");
    row("a step that needs itself",
        workflowText("  - {step: a, check: \"${ steps.a.status === 'succeeded' }\"}\n"),
        "unknown_step");
    row("unreachable step", workflowText("  - {step: a, when: false, check: true}\n"),
        "unreachable_step");
    row("duration with a fraction", workflowText(chargeText("k:${ input.id }", "    ttl: 1.5h\n")),
        "duration");
    row("duration without unit", workflowText(chargeText("k:${ input.id }", "    ttl: 30\n")),
        "duration");
    row("21 attempts", workflowText(chargeText("k:${ input.id }", "    retry: {attempts: 21}\n")),
        "wrong_type");
    row("backoff below 1",
        workflowText(chargeText("k:${ input.id }", "    retry: {backoff: 0.5}\n")), "wrong_type");
    row("unknown schema keyword",
        workflowText(chargeText(), "input: {type: object, unevaluatedProperties: false}\n"),
        "schema_keyword");
    row("unknown schema keyword, deep",
        workflowText(chargeText(), "input: {properties: {a: {items: {prefixItems: []}}}}\n"),
        "schema_keyword");
    row("schema with a broken pattern type", workflowText(chargeText(), "input: {type: objekt}\n"),
        "schema");
    row("schema that contains itself",
        workflowText(chargeText(),
                     "input: {definitions: {a: {allOf: [{$ref: \"#/definitions/a\"}]}}, "
                     "$ref: \"#/definitions/a\"}\n"),
        "schema");
    row("remote schema",
        workflowText(chargeText(), "input: {$ref: \"https://example.com/schema\"}\n"), "schema");
    row("CR in a header",
        workflowText("  - {step: a, dependency: payments, effect: read, http: {method: GET, "
                     "path: /x, headers: {X-A: \"a\\r\\nX-B: c\"}}}\n"),
        "header_value");
    row("a header's name with a space",
        workflowText("  - {step: a, dependency: payments, effect: read, http: {method: GET, "
                     "path: /x, headers: {\"X A\": b}}}\n"),
        "header_name");
    row("our own header",
        workflowText("  - {step: a, dependency: payments, effect: read, http: {method: GET, "
                     "path: /x, headers: {host: evil.example}}}\n"),
        "header_name");
    row("a path with another host",
        workflowText("  - {step: a, dependency: payments, effect: read, http: {method: GET, "
                     "path: \"${ input.url }\"}}\n"),
        "path");
    row("computed program",
        workflowText("  - {step: a, effect: read, command: {argv: [\"${ input.program }\"]}}\n"),
        "command");
    row("both document kinds", "holdfast: 1\nworkflow: a\ndependency: b\n", "document");
}

void DefinitionTest::brokenWorkflowsAreRefused()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, rule);
    const Findings findings = checkAll(text);
    QVERIFY(hasErrors(findings));
    QVERIFY(hasFinding(findings, rule));
}

void DefinitionTest::brokenDependenciesAreRefused_data()
{
    QTest::addColumn<QByteArray>("extra");
    QTest::addColumn<QString>("rule");
    const auto row = [](const char *name, const char *extra, const char *rule) {
        QTest::newRow(name) << QByteArray(extra) << QString::fromLatin1(rule);
    };
    row("unknown key", "timeout: 5s\n", "unknown_key");
    row("unknown class", "classify: [{status: 500, class: odd}]\n", "wrong_word");
    row("status out of range", "classify: [{status: 999, class: transient}]\n", "wrong_type");
    row("rule that matches everything", "classify: [{class: transient}]\n", "classify");
    row("rate without unit", "limit: {rate: 20}\n", "rate");
    row("ratio above one", "limit: {retry_ratio: 2}\n", "wrong_type");
    row("breaker without failures", "breaker: {failures: 0}\n", "wrong_type");
    row("input in a header", "headers: {X-A: \"${ input.id }\"}\n", "name_not_here");
}

void DefinitionTest::brokenDependenciesAreRefused()
{
    QFETCH(QByteArray, extra);
    QFETCH(QString, rule);
    const Findings findings = checkAll(dependencyText("native", extra));
    QVERIFY(hasErrors(findings));
    QVERIFY(hasFinding(findings, rule));
}

void DefinitionTest::urlsOtherThanAnOriginAreRefused_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<bool>("isGood");
    for (const char *good : {"https://api.example", "https://api.example:8443",
                             "http://127.0.0.1:8460", "http://[::1]:80", "http://localhost:1"})
        QTest::newRow(good) << QString::fromLatin1(good) << true;
    for (const char *bad :
         {"ftp://a.example", "file:///etc/passwd", "gopher://a.example", "https://u:p@a.example",
          "https://a.example/", "https://a.example/v1", "https://a.example?x=1",
          "https://a.example#x", "//a.example", "a.example", "https://", "https://a.example:0",
          "https://a.example:99999", "http://0x7f.1", "http://2130706433", "http://0177.0.0.1",
          "https://a example", "https://a..example", "https://${ input.host }"})
        QTest::newRow(bad) << QString::fromLatin1(bad) << false;
    QTest::newRow("homograph") << QStringLiteral("https://\u0430pi.example") << false;
}

void DefinitionTest::urlsOtherThanAnOriginAreRefused()
{
    QFETCH(QString, url);
    QFETCH(bool, isGood);
    const Findings findings =
        checkAll("holdfast: 1\ndependency: d\nowner: o\nurl: \"" + url.toUtf8() + "\"\n");
    QCOMPARE(hasErrors(findings), !isGood);
    if (!isGood)
        QVERIFY(hasFinding(findings, QStringLiteral("url"), 4, 6));
}

void DefinitionTest::plainHttpToAnotherHostIsAWarning()
{
    const Findings findings =
        checkAll("holdfast: 1\ndependency: d\nowner: o\nurl: http://api.example\n");
    QVERIFY(!hasErrors(findings));
    QVERIFY(hasFinding(findings, QStringLiteral("plain_http"), 4, 6));
}

void DefinitionTest::secretsInPlainTextAreRefused_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<bool>("isGood");
    QTest::newRow("by reference") << QByteArray("Bearer ${ secret.TOKEN }") << true;
    QTest::newRow("bearer") << QByteArray("Bearer abcdef") << false;
    QTest::newRow("basic") << QByteArray("Basic dXNlcjpwYXNz") << false;
    QTest::newRow("sk_") << QByteArray("sk_live_abc") << false;
    QTest::newRow("whsec_") << QByteArray("whsec_abc") << false;
    QTest::newRow("bare") << QByteArray("abcdef") << false;
}

void DefinitionTest::secretsInPlainTextAreRefused()
{
    QFETCH(QByteArray, value);
    QFETCH(bool, isGood);
    const Findings findings =
        checkAll(dependencyText("native", "headers:\n  Authorization: " + value + "\n"));
    QCOMPARE(hasErrors(findings), !isGood);
    if (!isGood)
        QVERIFY(hasFinding(findings, QStringLiteral("plain_secret"), 7, 18));
}

void DefinitionTest::tenThousandStepsAreRefused()
{
    QByteArray steps;
    for (int i = 0; i < 10000; ++i)
        steps += "  - {step: s" + QByteArray::number(i) + ", check: true}\n";
    QVERIFY(hasFinding(checkAll(workflowText(steps)), QStringLiteral("too_many_steps")));
}

void DefinitionTest::commentsAndLayoutChangeNoHash()
{
    const Workflow one = workflowFrom(workflowText("  - {step: a, check: true}\n"));
    const Workflow two =
        workflowFrom("# a comment\n" + workflowText("  - check: true\n    step: \"a\"\n"));
    const Workflow three = workflowFrom(workflowText("  - {step: b, check: true}\n"));
    QVERIFY(!one.hash.isEmpty());
    QCOMPARE(one.hash, two.hash);
    QVERIFY(one.hash != three.hash);
}

void DefinitionTest::everyKindOfStepIsRead()
{
    const QByteArray steps =
        "  - {step: total, check: \"${ input.amount > 0 }\"}\n"
        "  - {step: pause, wait: {for: 5m}}\n"
        "  - {step: signed, wait: {event: signed, timeout: 7d, then: continue}}\n"
        "  - {step: go, approval: {who: [boss@example.com], expires: 2h, then: skip, four_eyes: "
        "true}}\n"
        "  - step: propose\n    dependency: payments\n"
        "    llm: {model: m1, prompt: \"Sum ${ input.id }\", prompt_version: 3, "
        "schema: {type: object}, canary: {share: 5, model: m2}}\n"
        "  - step: local\n    effect: write\n    key: local:${ input.id }\n"
        "    command: {program: /usr/bin/tool, args: [--id, \"${ input.id }\"], input: {a: 1}}\n"
        "    compensate: {command: {argv: [/usr/bin/tool, --undo]}}\n"
        "  - step: wipe\n    dependency: payments\n    effect: destructive\n"
        "    key: wipe:${ input.id }\n    protection: natural\n"
        "    snapshot: {http: {method: GET, path: \"/v1/${ input.id }\"}}\n"
        "    http: {method: DELETE, path: \"/v1/${ input.id }\"}\n"
        "    compensate:\n      http: {method: PUT, path: \"/v1/${ input.id }\", body: \"${ before "
        "}\"}\n"
        "  - step: mail\n    dependency: payments\n    effect: write\n    key: mail:${ input.id }\n"
        "    http: {method: POST, path: /mail}\n    detached: true\n    shadow: true\n"
        "    compensate: {none: an apology is sent}\n";
    const Findings findings = checkAll(dependencyText() + "---\n" + workflowText(steps));
    for (const Finding &finding : findings)
        qInfo().noquote() << finding.text();
    QVERIFY(!hasErrors(findings));
    const Workflow workflow = workflowFrom(workflowText(steps));
    using model::StepKind;
    const StepKind kinds[] = {StepKind::check,    StepKind::wait, StepKind::wait,
                              StepKind::approval, StepKind::llm,  StepKind::command,
                              StepKind::http,     StepKind::http};
    for (int i = 0; i < 8; ++i)
        QCOMPARE(workflow.steps.at(i).kind, kinds[i]);
    QCOMPARE(workflow.steps.at(1).policy.wait.duration, 5 * model::minute);
    QVERIFY(!workflow.steps.at(2).policy.wait.failOnTimeout);
    QVERIFY(workflow.steps.at(3).policy.forward.approval->fourEyes);
    QVERIFY(!workflow.steps.at(3).policy.forward.approval->rejectOnExpiry);
    QVERIFY2(workflow.steps.at(6).policy.forward.approval.has_value(), "destructive asks a person");
    QVERIFY(workflow.steps.at(6).policy.hasSnapshot);
    QVERIFY(workflow.steps.at(7).policy.detached && workflow.steps.at(7).policy.shadow);
    QCOMPARE(workflow.steps.at(7).policy.correction, QStringLiteral("an apology is sent"));
}

QTEST_GUILESS_MAIN(DefinitionTest)
#include "tst_definition.moc"
