// One run whole and its contract. Goal: a person sees what was sent, what came back, why it counts
// as what it counts, and what may be done now. On every store.
#include "control/console_bench.h"

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

class RunPage : public QObject, private ConsoleSuite
{
    Q_OBJECT

private:
    static model::CallResult answers(int status, const QByteArray &body = {})
    {
        model::CallResult result;
        result.status = status;
        result.body = body;
        result.bodyComplete = true;
        result.detail = u"one line"_s;
        return result;
    }
    QJsonValue attemptAfter(const QString &id, const DoorBench::Answer &answer)
    {
        const QString run = runTo(id, failingAt(u"pay"_s, answer));
        return m_bench->show(run)["steps"_L1][0]["attempts"_L1][0];
    }
    QString whyAfter(const QString &id, int status)
    {
        return attemptAfter(id, [status](const model::Call &) { return answers(status); })["why"_L1]
            .toString();
    }

private Q_SLOTS:
    void initTestCase_data() { addKinds(); }
    void init() { freshBench(); }
    void cleanup() { m_bench.reset(); }

    void an_attempt_shows_what_went_out_and_came_back()
    {
        const QJsonValue attempt = attemptAfter(u"a"_s, [](const model::Call &) {
            return answers(422, R"({"message":"no such customer","token":"tok_1"})");
        });
        QCOMPARE(attempt["request"_L1]["path"_L1].toString(), u"/v1/payments"_s);
        QVERIFY(!QJsonDocument(attempt.toObject()).toJson().contains("hunter2"));
        QVERIFY(attempt["response"_L1].toString().contains("no such customer"_L1));
        QVERIFY(!attempt["response"_L1].toString().contains("tok_1"_L1));
        QCOMPARE(attempt["error"_L1].toString(), u"one line"_s);
        QCOMPARE(attempt["why"_L1].toString(),
                 u"payments answered 422: it refused, so nothing was done."_s);
    }

    void every_class_has_a_why()
    {
        QVERIFY(whyAfter(u"a"_s, 503).contains("nobody knows whether it happened"_L1));
        QVERIFY(whyAfter(u"b"_s, 429).contains("refused for now"_L1));
        QVERIFY(whyAfter(u"c"_s, 302).contains("never followed"_L1));
        QVERIFY2(whyAfter(u"d"_s, 402).contains("declares as permanent (card declined)"_L1),
                 qPrintable(whyAfter(u"d2"_s, 402)));
        QVERIFY(whyAfter(u"e"_s, 200).contains("could not be read"_L1));
        const QJsonValue lost = attemptAfter(u"f"_s, DoorBench::timesOut);
        QVERIFY(lost["why"_L1].toString().contains("no answer came in time"_L1));
        QVERIFY(lost["response"_L1].isNull());
        const QJsonValue unsent = attemptAfter(u"g"_s, [](const model::Call &) {
            model::CallResult result;
            result.sent = false;
            result.error = u"connect_refused"_s;
            return result;
        });
        QVERIFY(unsent["why"_L1].toString().startsWith("Nothing was sent"_L1));
        const QJsonValue done = attemptAfter(u"h"_s, DoorBench::succeeds);
        QCOMPARE(done["why"_L1].toString(),
                 u"payments answered 201, and the receipt was read: it happened."_s);
    }

    void the_contract_in_force_is_shown()
    {
        const QString run = runTo(u"a"_s, DoorBench::succeeds);
        const QJsonValue contract = m_bench->show(run)["contract"_L1];
        QCOMPARE(contract["workflow"_L1].toString(), u"one"_s);
        QVERIFY(contract["source"_L1].toString().contains("step: pay"_L1));
        QVERIFY(contract["source"_L1].toString().contains("password: ***"_L1));
        QVERIFY(contract["source"_L1].toString().contains("{token: ***}"_L1));
        QVERIFY(contract["source"_L1].toString().contains("key: pay:${ input.id }"_L1));
        const QJsonValue pay = contract["steps"_L1][0];
        QCOMPARE(pay["protection"_L1].toString(), u"native"_s);
        QCOMPARE(pay["compensate"_L1].toString(), u"POST /v1/payments/${ receipt.id }/refund"_s);
        const QStringList lines = contract["source"_L1].toString().split(u'\n');
        QVERIFY(lines.value(pay["line"_L1].toInt() - 1).contains("step: pay"_L1));
    }

    void actions_are_what_the_engine_allows()
    {
        const QString stuck = ambiguousAt(u"pay"_s, u"a"_s);
        QJsonValue actions = m_bench->show(stuck)["actions"_L1];
        QVERIFY(!actions["cancel"_L1]["allowed"_L1].toBool());
        QVERIFY(actions["cancel"_L1]["why"_L1].toString().contains("nobody knows"_L1));
        QVERIFY(!actions["retry"_L1]["allowed"_L1].toBool());
        QVERIFY(!actions["rerun"_L1]["allowed"_L1].toBool());
        QVERIFY(!actions["verify"_L1]["allowed"_L1].toBool());
        QVERIFY(!refusal("cancel", {{u"run"_s, stuck}}).isEmpty());
        const QString done = runTo(u"b"_s, DoorBench::succeeds);
        actions = m_bench->show(done)["actions"_L1];
        QVERIFY(actions["compensate"_L1]["allowed"_L1].toBool());
        QCOMPARE(actions["compensate"_L1]["why"_L1].toString(), u"Compensates pay."_s);
        QVERIFY(!actions["retry"_L1]["allowed"_L1].toBool());
        QVERIFY(!actions["rerun"_L1]["allowed"_L1].toBool());
        QVERIFY(actions["rerun"_L1]["may_confirm"_L1].toBool());
        const QString fresh = m_bench->start(u"c"_s);
        QVERIFY(m_bench->show(fresh)["actions"_L1]["cancel"_L1]["allowed"_L1].toBool());
    }

    void looking_changes_nothing()
    {
        const QString run = ambiguousAt(u"pay"_s);
        const QJsonValue before = m_bench->ok("pulse", {});
        m_bench->show(run);
        review();
        m_bench->ok("compensate", {{u"run"_s, run}, {u"preview"_s, true}});
        QCOMPARE(m_bench->ok("pulse", {}), before);
    }

    void a_verify_shows_its_question()
    {
        m_bench->deploy(twoStepWorkflow(QStringLiteral(R"(    protection: probe
    verify:
      http: {method: GET, path: "/v1/payments?ref=${ key }"}
      happened: ${ response.body.length === 1 }
      absent: ${ response.body.length === 0 }
)"))
                            .replace("version: 1"_L1, "version: 2"_L1));
        const QString run = ambiguousAt(u"pay"_s);
        const QJsonArray attempts = m_bench->show(run)["steps"_L1][0]["attempts"_L1].toArray();
        QCOMPARE(attempts[1]["direction"_L1].toString(), u"verify"_s);
        QCOMPARE(attempts[1]["request"_L1]["path"_L1].toString(), u"/v1/payments?ref=pay%3Aa"_s);
        QVERIFY(m_bench->show(run)["actions"_L1]["verify"_L1]["allowed"_L1].toBool());
        QCOMPARE(answerOf(review(), u"verify"_s)["then"_L1].toString(),
                 u"Asks payments whether it happened."_s);
    }

    void a_compensation_is_shown_as_it_would_be_sent()
    {
        const QString run = runTo(u"a"_s, DoorBench::succeeds);
        const QJsonArray plan =
            m_bench->ok("compensate", {{u"run"_s, run}, {u"preview"_s, true}})["plan"_L1].toArray();
        QCOMPARE(plan.size(), 2);
        QCOMPARE(plan[0]["step"_L1].toString(), u"tell"_s);
        QCOMPARE(plan[0]["verdict"_L1].toString(), u"cannot"_s);
        QVERIFY(plan[0]["request"_L1].isNull());
        const QJsonValue request = plan[1]["request"_L1];
        QCOMPARE(request["method"_L1].toString(), u"POST"_s);
        QCOMPARE(request["path"_L1].toString(), u"/v1/payments/obj_1/refund"_s);
        QVERIFY(request["body"_L1].toString().contains("***"_L1));
        QVERIFY(!QJsonDocument(plan).toJson().contains("secret-word"));
        QVERIFY(
            !refusal("compensate",
                     {{u"run"_s, run}, {u"preview"_s, true}, {u"steps"_s, QJsonArray{u"nope"_s}}})
                 .isEmpty());
    }

    void a_workflow_is_shown_with_what_it_lacks()
    {
        const QJsonValue shown = m_bench->ok("workflow", {{u"workflow"_s, u"one"_s}});
        QCOMPARE(shown["version"_L1].toInt(), 1);
        QCOMPARE(shown["versions"_L1].toArray(), QJsonArray{1});
        QCOMPARE(shown["owner"_L1].toString(), u"team@example.com"_s);
        QCOMPARE(shown["deployed_by"_L1].toString(), u"ada"_s);
        QCOMPARE(shown["steps"_L1].toArray().size(), 2);
        QCOMPARE(shown["steps"_L1][0]["key"_L1].toString(), u"pay:${ input.id }"_s);
        QCOMPARE(shown["steps"_L1][0]["timeout_ms"_L1].toInt(), 2000);
        QVERIFY(shown["findings"_L1].isArray());
        QMap<QString, QJsonValue> checks;
        for (const QJsonValue &check : shown["readiness"_L1].toArray())
            checks.insert(check["check"_L1].toString(), check);
        QCOMPARE(checks.size(), 6);
        QVERIFY(checks[u"Every write has a key"_s]["ok"_L1].toBool());
        QVERIFY(checks[u"It has an owner"_s]["ok"_L1].toBool());
        const QJsonValue lost = checks[u"Every write is safe against a lost answer"_s];
        QVERIFY(!lost["ok"_L1].toBool());
        QVERIFY(lost["why"_L1].toString().contains("tell"_L1));
        QVERIFY(
            checks[u"Every write that more can fail after can be compensated"_s]["ok"_L1].toBool());
        QCOMPARE(m_bench->call("workflow", {{u"workflow"_s, u"nope"_s}}).error().kind,
                 model::ErrorKind::notFound);
        QCOMPARE(
            m_bench->call("workflow", {{u"workflow"_s, u"one"_s}, {u"version"_s, 9}}).error().kind,
            model::ErrorKind::notFound);
        QVERIFY(!refusal("workflow", {}).isEmpty());
    }
};

QTEST_GUILESS_MAIN(RunPage)
#include "tst_run_page.moc"
