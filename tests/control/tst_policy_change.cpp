// Goal: what a failure group suggests follows from its class, its reason and the definition in
// force; the lines it shows are lines that can be deployed; and it suggests nothing where no policy
// is at fault.
#include "contract/parser.h"
#include "control/policy_change.h"

#include <QtTest>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::control;

namespace
{
const char definitions[] = R"(holdfast: 1
dependency: crm
owner: crm@example.com
url: https://crm.example
headers:
  Authorization: Bearer ${ secret.CRM }
idempotency: {protection: probe, header: X-Reference}
limit: {rate: 20/s}
---
holdfast: 1
dependency: chat
owner: chat@example.com
url: https://chat.example
idempotency: {protection: none}
---
holdfast: 1
workflow: lead
version: 7
owner: sales@example.com
deadline: 10m
event_id: ${ input.id }
steps:
  - step: upsert
    dependency: crm
    effect: write
    key: lead:${ input.id }
    timeout: 10s
    http: {method: POST, path: /leads}
    receipt: {id: "${ response.body.id }"}
    retry: {attempts: 4, delay: 2s}
    verify:
      http: {method: GET, path: "/leads?key=${ key }"}
      happened: ${ response.body.found === true }
      absent: ${ response.body.found === false }
      settle_after: 5s
    compensate:
      http: {method: POST, path: "/leads/${ receipt.id }/remove"}
  - step: consent
    approval: {who: [], expires: 1h}
  - step: ping
    dependency: chat
    effect: write
    key: ping:${ input.id }
    http: {method: POST, path: /messages}
    compensate: none
)";

struct Deployed {
    Deployed()
    {
        const contract::Parsed parsed = contract::parse(u"lead.yaml"_s, definitions);
        for (const contract::Finding &finding : parsed.findings)
            qInfo("%s", qPrintable(finding.text()));
        for (const contract::Dependency &dependency : parsed.dependencies)
            dependencies.insert(dependency.name, dependency);
        // As a database gives it: each document on its own.
        const contract::Parsed alone =
            contract::parse(u"lead.yaml"_s, parsed.workflows.first().source.toUtf8());
        definition.workflow = alone.workflows.first();
        definition.policy = contract::policyOf(definition.workflow, dependencies);
    }
    // With runs that met the failure this often and ended so.
    QJsonObject suggested(const SeenGroup &group, int occurrences = 4,
                          const QString &outcome = u"failed"_s) const
    {
        const QJsonObject run{{u"outcome"_s, outcome}, {u"occurrences"_s, occurrences}};
        return suggestedChange(group, {run, run, run}, definition, dependencies);
    }

    Definition definition;
    QMap<QString, contract::Dependency> dependencies;
};

SeenGroup groupOf(const char *step, const char *failureClass, const char *reason,
                  const char *direction = "forward")
{
    SeenGroup group;
    group.row.workflow = u"lead"_s;
    group.row.step = QLatin1String(step);
    group.row.direction = QLatin1String(direction);
    group.row.failureClass = QLatin1String(failureClass);
    group.row.reason = QLatin1String(reason);
    group.runs = 9;
    return group;
}
} // namespace

class PolicyChangeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aValueFollowsFromTheFailure_data()
    {
        QTest::addColumn<QString>("step");
        QTest::addColumn<QString>("failureClass");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("of");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("line"); // as it would stand there
        QTest::addColumn<QString>("direction");
        const auto row = [](const char *name, const char *step, const char *failureClass,
                            const char *reason, const char *of, const char *field, const char *line,
                            const char *direction = "forward") {
            QTest::newRow(name) << QString::fromLatin1(step) << QString::fromLatin1(failureClass)
                                << QString::fromLatin1(reason) << QString::fromLatin1(of)
                                << QString::fromLatin1(field) << QString::fromLatin1(line)
                                << QString::fromLatin1(direction);
        };
        row("too fast for the rate that is set", "upsert", "transient", "rate_limited",
            "dependency", "limit.rate", "+limit: {rate: 15/s}");
        row("too fast without a rate", "ping", "transient", "rate_limited", "dependency",
            "limit.rate", "+limit: {rate: 10/s}");
        row("answers too late", "upsert", "ambiguous", "timeout", "workflow",
            "steps.upsert.timeout", "+    timeout: 20s");
        row("not to be had yet", "upsert", "transient", "inconclusive", "workflow",
            "steps.upsert.verify.settle_after", "+      settle_after: 10s", "verify");
        row("the compensation's attempts used up", "upsert", "transient", "connect_refused",
            "workflow", "steps.upsert.compensate.retry.attempts", "+      retry: {attempts: 6}",
            "compensate");
        row("out of time", "ping", "permanent", "deadline_exceeded", "workflow", "deadline",
            "+deadline: 20m");
        row("nobody decided", "consent", "permanent", "approval_expired", "workflow",
            "steps.consent.approval.expires", "+    approval: {who: [], expires: 2h}");
        row("attempts used up", "upsert", "transient", "connect_refused", "workflow",
            "steps.upsert.retry.attempts", "+    retry: {attempts: 6, delay: 2s}");
    }
    void aValueFollowsFromTheFailure()
    {
        QFETCH(QString, step);
        QFETCH(QString, failureClass);
        QFETCH(QString, reason);
        QFETCH(QString, of);
        QFETCH(QString, field);
        QFETCH(QString, line);
        QFETCH(QString, direction);
        const Deployed deployed;
        const QJsonObject change = deployed.suggested(groupOf(
            qPrintable(step), qPrintable(failureClass), qPrintable(reason), qPrintable(direction)));
        QCOMPARE(change["of"_L1].toString(), of);
        QCOMPARE(change["field"_L1].toString(), field);
        QVERIFY(!change["why"_L1].toString().isEmpty());
        const QString diff = change["diff"_L1].toString();
        QVERIFY2(diff.split(u'\n').contains(line), qPrintable(diff));
        // What changes a workflow is its next version, or it could not be deployed.
        QCOMPARE(diff.contains(u"\n+version: 8\n"_s), of == "workflow"_L1);
        const QStringList hunks = diff.split(u'\n').filter(QRegularExpression(u"^[-+][^-+]"_s));
        QVERIFY2(hunks.size() <= 4, qPrintable(diff));
        // The line that is shown is in the text as it stands: the changed one, or the one above.
        const QString source = of == "workflow"_L1
                                   ? deployed.definition.workflow.source
                                   : deployed.dependencies[change["name"_L1].toString()].source;
        const QString shown = source.split(u'\n').at(change["line"_L1].toInt() - 1);
        const qsizetype at = diff.indexOf(u'\n' + line + u'\n');
        const QString above = diff.left(at).section(u'\n', -1).mid(1);
        QCOMPARE(shown, above);
    }

    void whatIsMoreThanAValueIsSaidInWords()
    {
        const Deployed deployed;
        const QJsonObject change = deployed.suggested(groupOf("ping", "ambiguous", "reset"));
        QVERIFY(change["why"_L1].toString().contains(u"declare protection: probe"_s));
        QCOMPARE(change["diff"_L1].toString(), QString());
        QCOMPARE(change["line"_L1].toInt(), deployed.definition.workflow.steps.last().place.line);
    }

    void noPolicyIsAtFault_data()
    {
        QTest::addColumn<SeenGroup>("group");
        QTest::newRow("refused for what it says") << groupOf("upsert", "permanent", "refused");
        QTest::newRow("credentials") << groupOf("upsert", "transient", "credentials_refused");
        QTest::newRow("a question that failed")
            << groupOf("upsert", "transient", "timeout", "verify");
        QTest::newRow("the busy key of another") << groupOf("upsert", "transient", "key_in_use");
        QTest::newRow("a step that is gone") << groupOf("old", "transient", "timeout");
    }
    void noPolicyIsAtFault()
    {
        QFETCH(SeenGroup, group);
        QCOMPARE(Deployed().suggested(group), QJsonObject());
    }

    // Only a run that met the failure as often as it may try has used up its attempts.
    void whatCameThroughNeedsNoMoreAttempts()
    {
        const SeenGroup group = groupOf("upsert", "transient", "connect_refused");
        const Deployed deployed;
        QVERIFY(!deployed.suggested(group, 4).isEmpty());
        QVERIFY(deployed.suggested(group, 3).isEmpty());
        QVERIFY(deployed.suggested(group, 4, u"succeeded"_s).isEmpty());
        QVERIFY(deployed.suggested(group, 4, u"cancelled"_s).isEmpty());
    }

    void aQuestionThatMayBeAboutEitherSideSuggestsNothing()
    {
        Deployed deployed;
        deployed.definition.policy.steps.first().undo->hasVerify = true;
        QVERIFY(
            deployed.suggested(groupOf("upsert", "transient", "inconclusive", "verify")).isEmpty());
    }

    void aSecretWrittenIntoAFileIsNotShown()
    {
        Deployed deployed;
        QString &source = deployed.dependencies[u"crm"_s].source;
        source.replace(u"Bearer ${ secret.CRM }"_s, u"Bearer sk_live_51H"_s);
        source.replace(u"\nlimit:"_s, u"\nowner_note: x\nlimit:"_s);
        const QJsonObject change =
            deployed.suggested(groupOf("upsert", "transient", "rate_limited"));
        QVERIFY(!QJsonDocument(change).toJson().contains("sk_live"));
    }
};

QTEST_GUILESS_MAIN(PolicyChangeTest)
#include "tst_policy_change.moc"
