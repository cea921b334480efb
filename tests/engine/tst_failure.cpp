// Goal: failures that are alike have one group and others have another, whatever text a service
// answers with; no secret and no id gets into what is kept. Method: entries as the engine writes
// them, and hostile text.
#include "engine/failure.h"

#include "model/json.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::model;
using engine::Failure;
using engine::failuresOf;
using engine::normalisedMessage;

namespace
{
Policy policy()
{
    Policy policy;
    StepPolicy step;
    step.step = u"pay"_s;
    step.forward.dependency = u"bank"_s;
    step.undo = OperationPolicy();
    step.undo->dependency = u"mail"_s;
    policy.steps = {step};
    return policy;
}

Run run()
{
    Run run;
    run.runId = u"r1"_s;
    run.workflow = u"billing"_s;
    run.version = 2;
    return run;
}

Entry entry(EntryKind kind, const QString &reason, const QJsonObject &detail = {})
{
    Entry entry;
    entry.kind = kind;
    entry.at = 1000;
    entry.step = u"pay"_s;
    entry.reason = reason;
    entry.detail = detail;
    return entry;
}

Entry ended(FailureClass failureClass, const QString &reason, const QString &response = {})
{
    Entry made = entry(EntryKind::attemptEnded, reason);
    made.attempt = 1;
    made.failureClass = failureClass;
    if (!response.isEmpty())
        made.detail.insert(u"response"_s, response);
    return made;
}

Entry opened(ReviewKind kind, const QString &reason)
{
    Entry made = entry(EntryKind::reviewOpened, reason);
    made.reviewKind = kind;
    made.reviewId = u"rv-1"_s;
    return made;
}

QString messageOf(const QString &response)
{
    return failuresOf(run(), {ended(FailureClass::permanent, u"refused"_s, response)}, policy())
        .first()
        .message;
}
} // namespace

class TestFailure : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void what_varies_from_run_to_run_is_left_out_data()
    {
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("normalised");
        QTest::newRow("empty") << QString() << QString();
        QTest::newRow("plain") << u"card was declined"_s << u"card was declined"_s;
        QTest::newRow("amount") << u"amount 1,299.50 EUR exceeds 1000"_s
                                << u"amount <n> EUR exceeds <n>"_s;
        QTest::newRow("percent") << u"fee of -3.5% refused"_s << u"fee of <n> refused"_s;
        QTest::newRow("uuid") << u"no order 01900000-aaaa-7000-8000-00000000000F here"_s
                              << u"no order <id> here"_s;
        QTest::newRow("id") << u"invoice inv_8fK2x not found"_s << u"invoice <id> not found"_s;
        QTest::newRow("order") << u"ORD-2026-1142 is closed"_s << u"<id> is closed"_s;
        QTest::newRow("hex") << u"blob 9f86d081884c7d65 missing"_s << u"blob <id> missing"_s;
        QTest::newRow("name") << u"h2 and v1 stay"_s << u"h2 and v1 stay"_s;
        QTest::newRow("quoted id") << u"customer 'c 17' unknown"_s << u"customer <id> unknown"_s;
        QTest::newRow("quoted name")
            << u"field 'amount' is required"_s << u"field 'amount' is required"_s;
        QTest::newRow("email") << u"cannot mail ada.l+x@example.co.uk now"_s
                               << u"cannot mail <email> now"_s;
        QTest::newRow("url") << u"GET https://api.example/v1/orders/1142/lines?key=7&x=1 failed"_s
                             << u"GET https://api.example/v1/orders/<id>/lines failed"_s;
        QTest::newRow("spaces") << u"  a\tb\r\n c "_s << u"a b c"_s;
        QTest::newRow("unicode") << u"Größe ٣٤ ungültig für Łódź"_s
                                 << u"Größe <n> ungültig für Łódź"_s;
        QTest::newRow("composed") << u"u\u0308ber"_s << u"\u00fcber"_s;
        QTest::newRow("direction marks") << u"a\u202eb\u0000c"_s << u"a b c"_s;
        QTest::newRow("bearer") << u"got Authorization: Bearer abc.def-ghi back"_s
                                << u"got Authorization: *** *** back"_s;
        QTest::newRow("secret") << u"password=hunter2, user ada"_s << u"password=***, user ada"_s;
        QTest::newRow("quoted secret")
            << u"{\"api_key\": \"s3cr3t\", broken"_s << u"{\"api_key\": ***, broken"_s;
        QTest::newRow("secret in url") << u"https://x.example/a?access_token=abc123 refused"_s
                                       << u"https://x.example/a refused"_s;
    }
    void what_varies_from_run_to_run_is_left_out()
    {
        QFETCH(QString, message);
        QFETCH(QString, normalised);
        QCOMPARE(normalisedMessage(message), normalised);
    }

    void text_is_kept_short_and_whole()
    {
        const QString longest = normalisedMessage(QString(100'000, u'x') + u" 17"_s);
        QVERIFY(longest.size() <= engine::failureMessageMax);
        // A pair of surrogates is cut as a whole, and a lone one does not come through.
        const QString faces = normalisedMessage(QString::fromUtf8("😀").repeated(200));
        QVERIFY(faces.size() <= engine::failureMessageMax);
        QCOMPARE(QString::fromUtf8(faces.toUtf8()), faces);
        const QString lone = normalisedMessage(u"a"_s + QChar(0xd800) + u"b"_s);
        QCOMPARE(QString::fromUtf8(lone.toUtf8()), lone);
        QVERIFY(!lone.contains(QChar(0xd800)));
    }

    void what_is_normal_stays_as_it_is()
    {
        for (const QString &text : {u"amount 12 for ada@example.com at https://x.example/o/17"_s,
                                    u"token=abc x 'y 1'"_s, QString(500, u'z')}) {
            const QString once = normalisedMessage(text);
            QCOMPARE(normalisedMessage(once), once);
        }
    }

    void the_sentence_of_an_answer_is_found()
    {
        QCOMPARE(messageOf(u"{\"error\":{\"message\":\"card 4242 declined\",\"code\":\"x\"}}"_s),
                 u"card <n> declined"_s);
        QCOMPARE(messageOf(u"{\"errors\":[{\"detail\":\"no stock\"}]}"_s), u"no stock"_s);
        QCOMPARE(messageOf(u"{\"title\":\"Too Large\",\"status\":413}"_s), u"Too Large"_s);
        QCOMPARE(messageOf(u"<html><head><title>502 Bad Gateway</title></head></html>"_s),
                 u"<n> Bad Gateway"_s);
        QCOMPARE(messageOf(u"upstream gone\nat line 7"_s), u"upstream gone"_s);
        // What is named like a secret is none of a group's business.
        QCOMPARE(messageOf(u"{\"error\":{\"secret\":\"hunter2\"}}"_s), QString());
        // Hostile nesting and halves of documents say nothing and break nothing.
        QCOMPARE(messageOf(QString(5000, u'[')), QString());
        QCOMPARE(messageOf(u"{\"message\":{\"message\":{\"message\":{\"message\":\"x\"}}}}"_s),
                 QString());
    }

    void every_failed_attempt_is_one_failure()
    {
        const auto found = failuresOf(
            run(),
            {ended(FailureClass::transient, u"overloaded"_s, u"{\"message\":\"try later\"}"_s),
             entry(EntryKind::retryScheduled, u"overloaded"_s)},
            policy());
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.first().step, u"pay"_s);
        QCOMPARE(found.first().failureClass, FailureClass::transient);
        QCOMPARE(found.first().reason, u"overloaded"_s);
        QCOMPARE(found.first().message, u"try later"_s);
        QCOMPARE(found.first().dependency, u"bank"_s);
        QCOMPARE(found.first().at, Instant(1000));
        QCOMPARE(found.first().group.size(), 16);
        // What the target says of an earlier attempt is an answer, no failure.
        QVERIFY(failuresOf(run(), {ended(FailureClass::none, u"absent"_s)}, policy()).isEmpty());
    }

    void what_follows_from_an_attempt_is_not_counted_again()
    {
        const auto found = failuresOf(run(),
                                      {ended(FailureClass::permanent, u"refused"_s),
                                       entry(EntryKind::stepFailed, u"refused"_s),
                                       opened(ReviewKind::deadLetter, u"refused"_s)},
                                      policy());
        QCOMPARE(found.size(), 1);
        QVERIFY(
            failuresOf(run(), {opened(ReviewKind::deadLetter, u"refused"_s)}, policy()).isEmpty());
        QVERIFY(failuresOf(run(), {opened(ReviewKind::approval, u"approval_needed"_s)}, policy())
                    .isEmpty());
    }

    void a_step_fails_without_an_attempt_too()
    {
        const auto check =
            failuresOf(run(), {entry(EntryKind::stepFailed, u"check_failed"_s)}, policy());
        QCOMPARE(check.size(), 1);
        QCOMPARE(check.first().failureClass, FailureClass::permanent);
        const auto conflict =
            failuresOf(run(), {opened(ReviewKind::conflict, u"semantic_conflict"_s)}, policy());
        QCOMPARE(conflict.size(), 1);
        const auto doubt =
            failuresOf(run(), {opened(ReviewKind::ambiguous, u"key_expired"_s)}, policy());
        QCOMPARE(doubt.first().failureClass, FailureClass::ambiguous);
        Entry undo =
            entry(EntryKind::stepFailed, u"refused"_s, {{u"message"_s, u"no receipt 17"_s}});
        undo.direction = Direction::compensate;
        const auto undone = failuresOf(run(), {undo}, policy());
        QCOMPARE(undone.first().direction, Direction::compensate);
        QCOMPARE(undone.first().dependency, u"mail"_s);
        QCOMPARE(undone.first().message, u"no receipt <n>"_s);
    }

    void what_a_person_decides_is_no_failure()
    {
        for (const QString &reason : {u"cancelled"_s, u"dismissed"_s, u"not_started"_s})
            QVERIFY(failuresOf(run(), {entry(EntryKind::stepFailed, reason)}, policy()).isEmpty());
        Entry givenUp = entry(EntryKind::stepFailed, u"timeout"_s);
        givenUp.actor = u"ada"_s;
        QVERIFY(failuresOf(run(), {givenUp}, policy()).isEmpty());
        // But for an approval that was denied: nothing else tells of that.
        QCOMPARE(failuresOf(run(), {entry(EntryKind::stepFailed, u"approval_rejected"_s)}, policy())
                     .size(),
                 1);
    }

    void what_follows_from_a_decision_is_a_failure_of_its_own()
    {
        // A retry by hand and what came of it stand in one change.
        Entry closed = entry(EntryKind::reviewClosed, u"mended"_s);
        closed.actor = u"ada"_s;
        QCOMPARE(
            failuresOf(run(), {closed, entry(EntryKind::stepFailed, u"check_failed"_s)}, policy())
                .size(),
            1);
    }

    void a_group_is_made_of_what_makes_failures_alike()
    {
        const auto of = [](const Entry &entry, const Run &whole = run()) {
            return failuresOf(whole, {entry}, policy()).first().group;
        };
        const QString body = u"{\"message\":\"order %1 is closed\"}"_s;
        const QString group = of(ended(FailureClass::permanent, u"refused"_s, body.arg(17)));
        QCOMPARE(of(ended(FailureClass::permanent, u"refused"_s, body.arg(18))), group);
        Run later = run();
        later.version = 9;
        later.runId = u"r2"_s;
        QCOMPARE(of(ended(FailureClass::permanent, u"refused"_s, body.arg(17)), later), group);
        later.workflow = u"other"_s;
        QVERIFY(of(ended(FailureClass::permanent, u"refused"_s, body.arg(17)), later) != group);
        QVERIFY(of(ended(FailureClass::ambiguous, u"refused"_s, body.arg(17))) != group);
        QVERIFY(of(ended(FailureClass::permanent, u"timeout"_s, body.arg(17))) != group);
        QVERIFY(of(ended(FailureClass::permanent, u"refused"_s, u"other"_s)) != group);
        // By heart: the id is kept in databases.
        Failure failure;
        failure.step = u"pay"_s;
        failure.failureClass = FailureClass::permanent;
        failure.reason = u"refused"_s;
        failure.message = u"order <n> is closed"_s;
        const QByteArray text =
            R"({"class":"permanent","direction":"forward","message":"order <n> is closed",)"
            R"("reason":"refused","step":"pay","workflow":"billing"})";
        QCOMPARE(engine::failureGroupId(u"billing"_s, failure), sha256Hex(text).left(16));
        QCOMPARE(group, sha256Hex(text).left(16));
    }
};

QTEST_GUILESS_MAIN(TestFailure)
#include "tst_failure.moc"
