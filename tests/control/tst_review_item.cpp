// One review item and who looks at it. Goal: a person is told what is asked, what is known and what
// each answer does, and what is told is what then happens. On every store.
#include "control/console_bench.h"

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;
using model::ErrorKind;

class ReviewItem : public QObject, private ConsoleSuite
{
    Q_OBJECT

private:
    static QString knownText(const QJsonObject &review)
    {
        QStringList texts;
        const QJsonArray known = review["known"_L1].toArray();
        for (const QJsonValue &fact : known)
            texts.append(fact["text"_L1].toString());
        return texts.join(u'\n');
    }
    void decide(const QJsonObject &review, const QString &verdict, const QJsonObject &more = {})
    {
        QJsonObject arguments{
            {u"review"_s, review["id"_L1]}, {u"verdict"_s, verdict}, {u"reason"_s, u"looked"_s}};
        for (auto value = more.begin(); value != more.end(); ++value)
            arguments.insert(value.key(), *value);
        m_bench->ok("resolve", arguments);
    }

private Q_SLOTS:
    void initTestCase_data() { addKinds(); }
    void init() { freshBench(); }
    void cleanup() { m_bench.reset(); }

    void a_lost_answer_is_asked_about_with_what_is_known()
    {
        ambiguousAt(u"pay"_s);
        const QJsonObject item = review();
        QCOMPARE(item["question"_L1].toString(),
                 u"Did payments carry out step pay (POST /v1/payments)?"_s);
        const QString known = knownText(item);
        QVERIFY2(
            known.contains("Attempt 1 began: POST /v1/payments to payments under key pay:a."_L1),
            qPrintable(known));
        QVERIFY(known.contains("no answer came in time, so nobody knows"_L1));
        QVERIFY(item["known"_L1][0]["at"_L1].isString());
        const QString check = item["check"_L1].toVariant().toStringList().join(u'\n');
        QVERIFY2(check.contains("pay:a"_L1), qPrintable(check));
        QVERIFY(check.contains("remembers this key until"_L1));
        QVERIFY(item["key_expires_at"_L1].isString());
        QCOMPARE(item["run"_L1]["status"_L1].toString(), u"review"_s);
        QCOMPARE(item["similar"_L1].toInt(-1), 0);
        QVERIFY(item["payloads"_L1].isNull());
        QVERIFY(!QJsonDocument(item).toJson().contains("hunter2"));
    }

    void what_is_told_is_what_happens()
    {
        const QString run = ambiguousAt(u"pay"_s);
        const QJsonObject item = review();
        const QJsonObject happened = answerOf(item, u"happened"_s);
        QCOMPARE(happened["then"_L1].toString(), u"Stores the receipt and goes on with tell."_s);
        QVERIFY(happened["allowed"_L1].toBool());
        QVERIFY(happened["needs_receipt"_L1].toBool());
        QCOMPARE(happened["receipt_fields"_L1].toArray(), QJsonArray{u"id"_s});
        const QJsonObject absent = answerOf(item, u"absent"_s);
        QVERIFY2(
            absent["then"_L1].toString().startsWith(
                "Sends the same request again under the same key, which payments remembers"_L1),
            qPrintable(absent["then"_L1].toString()));
        const QJsonObject verify = answerOf(item, u"verify"_s);
        QVERIFY(!verify["allowed"_L1].toBool());
        QVERIFY(verify["why"_L1].toString().contains("declares no verify"_L1));
        const QJsonObject undo = answerOf(item, u"compensate"_s);
        QVERIFY(!undo["allowed"_L1].toBool());
        QCOMPARE(undo["operation"_L1].toString(), u"cancel"_s);
        decide(item, u"absent"_s);
        m_bench->run(DoorBench::succeeds);
        QCOMPARE(m_bench->show(run)["status"_L1].toString(), u"succeeded"_s);
        const QJsonArray attempts = m_bench->show(run)["steps"_L1][0]["attempts"_L1].toArray();
        QCOMPARE(attempts.size(), 2);
    }

    void the_last_step_ends_the_run()
    {
        ambiguousAt(u"tell"_s);
        const QJsonObject item = review();
        QCOMPARE(answerOf(item, u"happened"_s)["then"_L1].toString(),
                 u"Stores the receipt and ends the run as succeeded."_s);
        const QString check = item["check"_L1].toVariant().toStringList().join(u'\n');
        QVERIFY(check.contains("does not recognise a second request"_L1));
        QVERIFY(item["key_expires_at"_L1].isNull());
    }

    void a_pause_is_part_of_what_is_told()
    {
        ambiguousAt(u"pay"_s);
        m_bench->ok("pause", {{u"dependency"_s, u"payments"_s}, {u"reason"_s, u"incident"_s}});
        QCOMPARE(answerOf(review(), u"absent"_s)["then"_L1].toString(),
                 u"Waits until the pause is lifted, and then goes on with pay."_s);
    }

    void a_dead_letter_offers_a_way_on_and_a_way_back()
    {
        const QString run = runTo(u"a"_s, failingAt(u"tell"_s, DoorBench::isRefused));
        QCOMPARE(m_bench->show(run)["status"_L1].toString(), u"compensated"_s);
        runTo(u"b"_s, failingAt(u"pay"_s, DoorBench::isRefused));
        const QJsonObject item = review();
        QCOMPARE(item["kind"_L1].toString(), u"dead_letter"_s);
        QVERIFY(item["question"_L1].toString().contains("failed (refused)"_L1));
        const QJsonObject again = answerOf(item, u"retry"_s);
        QVERIFY(again["allowed"_L1].toBool());
        QVERIFY2(again["then"_L1].toString().startsWith("Takes the run up again at pay"_L1),
                 qPrintable(again["then"_L1].toString()));
        QVERIFY(!answerOf(item, u"compensate"_s)["allowed"_L1].toBool());
        QCOMPARE(answerOf(item, u"dismiss"_s)["then"_L1].toString(),
                 u"Takes the item off the list; nothing else changes."_s);
    }

    void a_failed_compensation_says_that_the_effect_stands()
    {
        const auto failing = [](const model::Call &call) {
            const bool fails =
                call.step == "tell"_L1 || call.direction == model::Direction::compensate;
            return fails ? DoorBench::isRefused(call) : DoorBench::succeeds(call);
        };
        runTo(u"a"_s, failing);
        const QJsonObject item = review();
        QCOMPARE(item["kind"_L1].toString(), u"compensation_failed"_s);
        QVERIFY(item["question"_L1].toString().contains("its effect stands"_L1));
        const QJsonObject waive = answerOf(item, u"waive"_s);
        QVERIFY2(waive["then"_L1].toString().contains("leaves the effect of pay as it is"_L1),
                 qPrintable(waive["then"_L1].toString()));
        QVERIFY(answerOf(item, u"retry"_s)["allowed"_L1].toBool());
    }

    void an_approval_shows_the_request_and_minds_four_eyes()
    {
        m_bench->deploy(twoStepWorkflow(QStringLiteral(R"(    approval: {four_eyes: true}
)"))
                            .replace("version: 1"_L1, "version: 2"_L1));
        const QString run = runTo(u"a"_s, DoorBench::succeeds);
        QJsonObject item = review();
        QCOMPARE(item["question"_L1].toString(),
                 u"May step pay be sent to payments (POST /v1/payments)?"_s);
        QVERIFY(!answerOf(item, u"approve"_s)["allowed"_L1].toBool());
        QVERIFY(answerOf(item, u"approve"_s)["why"_L1].toString().contains("ada"_L1));
        item = m_bench->call("review", {{u"review"_s, item["id"_L1]}}, {}, u"bob"_s)->toObject();
        QVERIFY(answerOf(item, u"approve"_s)["allowed"_L1].toBool());
        QCOMPARE(answerOf(item, u"approve"_s)["then"_L1].toString(),
                 u"Sends step pay to payments."_s);
        QVERIFY(answerOf(item, u"reject"_s)["then"_L1].toString().contains("failed"_L1));
        QVERIFY(m_bench
                    ->call("approve", {{u"review"_s, item["id"_L1]}, {u"reason"_s, u"fine"_s}}, {},
                           u"bob"_s)
                    .ok());
        m_bench->run(DoorBench::succeeds);
        QCOMPARE(m_bench->show(run)["status"_L1].toString(), u"succeeded"_s);
    }

    void a_conflict_shows_both_payloads()
    {
        // Two events that share a business key and differ in their body.
        m_bench->deploy(
            twoStepWorkflow()
                .replace("version: 1"_L1, "version: 2"_L1)
                .replace("key: pay:${ input.id }"_L1, "key: pay:${ input.id.charAt(0) }"_L1));
        runTo(u"a1"_s, DoorBench::succeeds);
        runTo(u"a2"_s, DoorBench::succeeds);
        const QJsonObject item = review();
        QCOMPARE(item["kind"_L1].toString(), u"conflict"_s);
        QVERIFY(item["question"_L1].toString().contains("pay:a"_L1));
        QVERIFY(item["payloads"_L1]["this"_L1].isObject());
        QVERIFY(item["payloads"_L1]["other"_L1].isObject());
        QVERIFY(answerOf(item, u"waive"_s)["allowed"_L1].toBool());
    }

    void similar_items_are_counted()
    {
        ambiguousAt(u"pay"_s, u"a"_s);
        ambiguousAt(u"pay"_s, u"b"_s);
        ambiguousAt(u"tell"_s, u"c"_s);
        const QJsonArray open = m_bench->reviews();
        QCOMPARE(open.size(), 3);
        for (const QJsonValue &listed : open) {
            const QJsonValue item = m_bench->ok("review", {{u"review"_s, listed["id"_L1]}});
            QCOMPARE(item["similar"_L1].toInt(-1),
                     listed["step"_L1].toString() == "pay"_L1 ? 1 : 0);
        }
    }

    void a_decided_item_says_who_decided_what()
    {
        ambiguousAt(u"pay"_s);
        const QJsonObject item = review();
        decide(item, u"happened"_s, {{u"receipt"_s, QJsonObject{{u"id"_s, u"x"_s}}}});
        const QJsonObject decided =
            m_bench->ok("review", {{u"review"_s, item["id"_L1]}}).toObject();
        QCOMPARE(decided["decision"_L1].toString(), u"happened"_s);
        QCOMPARE(decided["decided_by"_L1].toString(), u"ada"_s);
        const QJsonObject absent = answerOf(decided, u"absent"_s);
        QVERIFY(!absent["allowed"_L1].toBool());
        QVERIFY(absent["why"_L1].toString().contains("ada decided"_L1));
        QCOMPARE(m_bench->call("claim", {{u"review"_s, item["id"_L1]}}).error().kind,
                 ErrorKind::conflict);
    }

    void one_person_claims_and_the_other_learns_who()
    {
        ambiguousAt(u"pay"_s);
        const QJsonValue id = m_bench->reviews().first()["id"_L1];
        const QJsonValue claimed = m_bench->ok("claim", {{u"review"_s, id}});
        QCOMPARE(claimed["claimed_by"_L1].toString(), u"ada"_s);
        QVERIFY(claimed["claimed_until"_L1].isString());
        QCOMPARE(m_bench->reviews().first()["claimed_by"_L1].toString(), u"ada"_s);
        const auto other = m_bench->call("claim", {{u"review"_s, id}}, {}, u"bob"_s);
        QVERIFY(!other);
        QCOMPARE(other.error().kind, ErrorKind::conflict);
        QVERIFY(other.error().message.contains("ada"_L1));
        QVERIFY(other.error().message.contains(claimed["claimed_until"_L1].toString()));
        QVERIFY(!m_bench->call("claim", {{u"review"_s, id}, {u"release"_s, true}}, {}, u"bob"_s));
        QVERIFY(!m_bench->call("snooze", {{u"review"_s, id}, {u"until"_s, QJsonValue()}}, {},
                               u"bob"_s));
        const QJsonValue released = m_bench->ok("claim", {{u"review"_s, id}, {u"release"_s, true}});
        QVERIFY(released["claimed_by"_L1].isNull());
        QVERIFY(m_bench->call("claim", {{u"review"_s, id}}, {}, u"bob"_s).ok());
        QCOMPARE(m_bench->call("claim", {{u"review"_s, u"none"_s}}).error().kind,
                 ErrorKind::notFound);
        QCOMPARE(m_bench->ok("audit", {{u"action"_s, u"claim"_s}})["audit"_L1].toArray().size(), 3);
    }

    void a_claim_runs_out()
    {
        if (!m_bench->fixture.hasOwnClock())
            QSKIP("the time of this database cannot be set");
        ambiguousAt(u"pay"_s);
        const QJsonValue id = m_bench->reviews().first()["id"_L1];
        m_bench->ok("claim", {{u"review"_s, id}});
        m_bench->fixture.clock.advance(31 * model::minute);
        QVERIFY(m_bench->call("claim", {{u"review"_s, id}}, {}, u"bob"_s).ok());
        QCOMPARE(m_bench->reviews().first()["claimed_by"_L1].toString(), u"bob"_s);
    }

    void an_item_is_snoozed_and_woken()
    {
        ambiguousAt(u"pay"_s);
        const QJsonValue id = m_bench->reviews().first()["id"_L1];
        const auto inHours = [this](int hours) {
            return model::instantText(*m_bench->store->now() + hours * model::hour);
        };
        const QString tomorrow = inHours(24);
        const QJsonValue snoozed =
            m_bench->ok("snooze", {{u"review"_s, id}, {u"until"_s, tomorrow}});
        QCOMPARE(snoozed["snoozed_until"_L1].toString(), tomorrow);
        QCOMPARE(m_bench->reviews().size(), 1);
        const QJsonValue woken =
            m_bench->ok("snooze", {{u"review"_s, id}, {u"until"_s, QJsonValue()}});
        QVERIFY(woken["snoozed_until"_L1].isNull());
        QVERIFY(!refusal("snooze", {{u"review"_s, id}, {u"until"_s, inHours(-1)}}).isEmpty());
        QVERIFY(!refusal("snooze", {{u"review"_s, id}, {u"until"_s, inHours(9999)}}).isEmpty());
        QVERIFY(!refusal("snooze", {{u"review"_s, id}, {u"until"_s, u"later"_s}}).isEmpty());
        QCOMPARE(m_bench->ok("audit", {{u"action"_s, u"snooze"_s}})["audit"_L1].toArray().size(),
                 2);
        QVERIFY(m_bench->ok("audit_verify", {})["intact"_L1].toBool());
    }
};

QTEST_GUILESS_MAIN(ReviewItem)
#include "tst_review_item.moc"
