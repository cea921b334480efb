// What follows when nobody knows whether a write happened: the four protection levels of §5, the
// rule that ambiguity belongs to the step (§11), I1a, I1b, I4, I6, I10 and the client cases
// ST1–ST7.
#include "engine/engine_fixture.h"

namespace holdfast::tests
{

class TestAmbiguity : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachProtectionHasItsAnswerToEachUnknown_data();
    void eachProtectionHasItsAnswerToEachUnknown();
    void nativeSendsTheSameKeyAndBytes();
    void nativeSendsAgainWhileTheKeyIsFreshOnly_data();
    void nativeSendsAgainWhileTheKeyIsFreshOnly();
    void aPausedWeekendDoesNotSendAnOldKey();
    void aSecondServerErrorOnANativeKeyIsNotLooped_data();
    void aSecondServerErrorOnANativeKeyIsNotLooped();
    void aKeyInUseIsAskedAgain();
    void aKeyInUseIsNeverAFailureWithoutEffect();
    void aLaterRefusalDoesNotClear_data();
    void aLaterRefusalDoesNotClear();
    void aLaterThrottlingDoesNotClear();
    void aLaterSuccessClears();
    void exhaustedWhileAmbiguousVerifies();
    void exhaustedWhileAmbiguousWithoutVerifyIsForAPerson();
    void aNaturalDeleteThatIsGoneClears();
    void noneIsNeverSentAgainByItself();
    void noneRetriesWhatProvablyHadNoEffect();
    void probeWithoutVerifyIsNone();
    void aChangedDependencySendsOpenAmbiguityToAPerson_data();
    void aChangedDependencySendsOpenAmbiguityToAPerson();
    void aChangedDependencyDoesNotStopWhatIsCertain();
    void aPersonsAbsentIsWorthOneMoreTry();
};

void TestAmbiguity::eachProtectionHasItsAnswerToEachUnknown_data()
{
    QTest::addColumn<int>("protection");
    QTest::addColumn<QByteArray>("fault");
    QTest::addColumn<QString>("phase");
    const QPair<Protection, const char *> answers[] = {{Protection::native, "waiting"},
                                                       {Protection::natural, "waiting"},
                                                       {Protection::probe, "settling"},
                                                       {Protection::none, "review"}};
    for (const auto &[protection, phase] : answers) {
        for (const char *fault : {"timeout", "reset", "500", "504", "408", "unreadable", "lost"})
            QTest::addRow("%s %s", qPrintable(protectionName(protection)), fault)
                << int(protection) << QByteArray(fault) << QString::fromLatin1(phase);
    }
}

void TestAmbiguity::eachProtectionHasItsAnswerToEachUnknown()
{
    QFETCH(int, protection);
    QFETCH(QByteArray, fault);
    QFETCH(QString, phase);
    const bool verify = Protection(protection) == Protection::probe;
    Story story(workflow({writes("pay", Protection(protection), verify)}));
    story.start();
    if (fault == "lost")
        story.takeOver();
    else if (fault == "unreadable")
        story.end(unreadable());
    else if (fault.toInt() > 0)
        story.end(answered(fault.toInt()));
    else
        story.end(broken(fault));
    QCOMPARE(story.phase("pay"), phase);
    QVERIFY(story.forward("pay").ambiguous);
    QCOMPARE(story.forward("pay").knownToHaveHappened, fault == "unreadable");
    QCOMPARE(story.review("pay"),
             phase == QLatin1String("review") ? QStringLiteral("ambiguous") : QString());
    QVERIFY2(!story.isOpen(), "nothing is sent in the decision that finds the ambiguity");
}

void TestAmbiguity::nativeSendsTheSameKeyAndBytes()
{
    Story story(workflow({writes("pay")}));
    story.start();
    const QString key = story.lastEntry(EntryKind::intent)->key;
    const QJsonObject request = story.forward("pay").request.toJson();
    story.end(broken("timeout"));
    story.passUntilDue();
    QCOMPARE(story.sent("pay"), 2);
    QCOMPARE(story.lastEntry(EntryKind::intent)->key, key);
    QCOMPARE(story.forward("pay").request.toJson(), request);
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
    QVERIFY(!story.forward("pay").ambiguous);
}

void TestAmbiguity::nativeSendsAgainWhileTheKeyIsFreshOnly_data()
{
    QTest::addColumn<qint64>("age");
    QTest::addColumn<bool>("verify");
    QTest::addColumn<QString>("phase");
    QTest::newRow("ST6 23 h") << 23 * hour << false << QStringLiteral("sending");
    QTest::newRow("ST6 25 h") << 25 * hour << false << QStringLiteral("review");
    QTest::newRow("ST6 25 h, verify") << 25 * hour << true << QStringLiteral("verifying");
    QTest::newRow("exactly the retention") << 24 * hour << false << QStringLiteral("review");
    QTest::newRow("within the margin")
        << 24 * hour - 5 * second << false << QStringLiteral("review");
}

void TestAmbiguity::nativeSendsAgainWhileTheKeyIsFreshOnly()
{
    QFETCH(qint64, age);
    QFETCH(bool, verify);
    QFETCH(QString, phase);
    Story story(workflow({writes("pay", Protection::native, verify)}));
    story.start();
    const Instant sentAt = story.now;
    story.end(broken("timeout"));
    story.now = sentAt + age;
    story.turn(Tick{});
    QCOMPARE(story.phase("pay"), phase);
    QCOMPARE(story.sent("pay"), phase == QLatin1String("sending") ? 2 : 1);
}

void TestAmbiguity::aPausedWeekendDoesNotSendAnOldKey()
{
    Story story(workflow({writes("pay")}));
    story.start();
    story.end(broken("timeout"));
    story.gates.pauses = {Pause{}};
    story.pass(minute);
    QCOMPARE(story.status(), QStringLiteral("held"));
    story.now += 2 * day;
    story.gates.pauses.clear();
    story.turn(Tick{});
    QCOMPARE(story.sent("pay"), 1);
    QCOMPARE(story.status(), QStringLiteral("review"));
}

void TestAmbiguity::aSecondServerErrorOnANativeKeyIsNotLooped_data()
{
    QTest::addColumn<bool>("verify");
    QTest::addColumn<QString>("phase");
    QTest::newRow("a person") << false << QStringLiteral("review");
    QTest::newRow("a verify") << true << QStringLiteral("settling");
}

void TestAmbiguity::aSecondServerErrorOnANativeKeyIsNotLooped()
{
    QFETCH(bool, verify);
    QFETCH(QString, phase);
    Story story(workflow({writes("pay", Protection::native, verify)}));
    story.start();
    story.end(answered(500));
    QCOMPARE(story.phase("pay"), QStringLiteral("waiting"));
    story.passUntilDue();
    story.end(answered(500));
    QCOMPARE(story.phase("pay"), phase);
    story.pass(day);
    QCOMPARE(story.sent("pay"), 2);
}

void TestAmbiguity::aKeyInUseIsAskedAgain()
{
    Story story(workflow({writes("pay")}));
    story.start();
    story.end(broken("timeout"));
    story.passUntilDue();
    story.end(answered(409));
    QCOMPARE(story.phase("pay"), QStringLiteral("waiting"));
    story.passUntilDue();
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
}

// N8: 409 for our own key says that the destination is busy with our own request: that is no proof
// of "no".
void TestAmbiguity::aKeyInUseIsNeverAFailureWithoutEffect()
{
    Story story(workflow({writes("pay")}));
    story.start();
    for (int i = 0; i < 20 && story.isOpen(); ++i) {
        story.end(answered(409));
        if (!isFinal(story.run.status) && nextDue(story.run) != never)
            story.passUntilDue();
    }
    QVERIFY2(story.phase("pay") != QLatin1String("failed"), "I4: somebody is at work on this key");
}

void TestAmbiguity::aLaterRefusalDoesNotClear_data()
{
    QTest::addColumn<int>("status");
    for (const int status : {400, 402, 403, 404, 410, 422})
        QTest::addRow("%d", status) << status;
}

void TestAmbiguity::aLaterRefusalDoesNotClear()
{
    QFETCH(int, status);
    for (const bool verify : {false, true}) {
        Story story(workflow({writes("pay", Protection::native, verify)}));
        story.start();
        story.end(broken("timeout"));
        story.passUntilDue();
        story.end(answered(status));
        QVERIFY(story.forward("pay").ambiguous);
        QCOMPARE(story.phase("pay"),
                 verify ? QStringLiteral("settling") : QStringLiteral("review"));
    }
}

void TestAmbiguity::aLaterThrottlingDoesNotClear()
{
    Story story(workflow({writes("pay")}));
    story.start();
    story.end(broken("timeout"));
    story.passUntilDue();
    story.end(answered(429));
    QVERIFY(story.forward("pay").ambiguous);
    story.passUntilDue();
    story.end(answered(429));
    QCOMPARE(story.status(), QStringLiteral("review"));
    QVERIFY(story.forward("pay").ambiguous);
}

void TestAmbiguity::aLaterSuccessClears()
{
    Story story(workflow({undoable(writes("pay")), writes("ship")}));
    story.start();
    story.end(answered(502));
    story.passUntilDue();
    story.end(done());
    QVERIFY(!story.forward("pay").ambiguous);
    QCOMPARE(story.sent("ship"), 1);
}

void TestAmbiguity::exhaustedWhileAmbiguousVerifies()
{
    Story story(workflow({writes("put", Protection::natural, true)}));
    story.start();
    for (int i = 0; i < 2; ++i) {
        story.end(broken("timeout"));
        story.passUntilDue();
    }
    story.end(broken("timeout"));
    QCOMPARE(story.sent("put"), 3);
    QCOMPARE(story.phase("put"), QStringLiteral("settling"));
    story.passUntilDue();
    QCOMPARE(story.sent("put", Direction::verify), 1);
}

void TestAmbiguity::exhaustedWhileAmbiguousWithoutVerifyIsForAPerson()
{
    Story story(workflow({undoable(writes("reserve")), writes("put", Protection::natural)}));
    story.start();
    story.end(done());
    for (int i = 0; i < 2; ++i) {
        story.end(broken("timeout"));
        story.passUntilDue();
    }
    story.end(broken("timeout"));
    QCOMPARE(story.status(), QStringLiteral("review"));
    QCOMPARE(story.review("put"), QStringLiteral("ambiguous"));
    QVERIFY2(!story.run.compensating, "never compensation on a guess");
}

void TestAmbiguity::aNaturalDeleteThatIsGoneClears()
{
    StepPolicy step = writes("delete", Protection::natural);
    step.forward.isDelete = true;
    Story story(workflow({step}));
    story.start();
    story.end(broken("timeout"));
    story.passUntilDue();
    story.end(answered(404));
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
}

void TestAmbiguity::noneIsNeverSentAgainByItself()
{
    // Even a declared verify does not make it automatic.
    for (const bool verify : {false, true}) {
        Story story(workflow({writes("mail", Protection::none, verify)}));
        story.start();
        story.end(broken("timeout"));
        for (int i = 0; i < 10; ++i)
            story.pass(hour);
        QCOMPARE(story.status(), QStringLiteral("review"));
        QCOMPARE(story.sends.size(), 1);
    }
}

void TestAmbiguity::noneRetriesWhatProvablyHadNoEffect()
{
    Story story(workflow({writes("mail", Protection::none)}));
    story.start();
    story.end(unsent("connect_refused"));
    story.passUntilDue();
    story.end(answered(429));
    story.passUntilDue();
    QCOMPARE(story.sent("mail"), 3);
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
}

void TestAmbiguity::probeWithoutVerifyIsNone()
{
    Story story(workflow({writes("pay", Protection::probe, false)}));
    story.start();
    story.end(broken("timeout"));
    QCOMPARE(story.status(), QStringLiteral("review"));
    QCOMPARE(story.review("pay"), QStringLiteral("ambiguous"));
}

void TestAmbiguity::aChangedDependencySendsOpenAmbiguityToAPerson_data()
{
    QTest::addColumn<int>("protection");
    QTest::newRow("native") << int(Protection::native);
    QTest::newRow("natural") << int(Protection::natural);
    QTest::newRow("probe") << int(Protection::probe);
}

void TestAmbiguity::aChangedDependencySendsOpenAmbiguityToAPerson()
{
    QFETCH(int, protection);
    Story story(workflow({writes("pay", Protection(protection), true)}));
    story.gate().revision = 1;
    story.start();
    story.end(broken("timeout"));
    story.gate().revision = 2;
    story.gate().compatibleSince = 2;
    story.pass(minute);
    QCOMPARE(story.status(), QStringLiteral("review"));
    QCOMPARE(story.review("pay"), QStringLiteral("ambiguous"));
    QCOMPARE(story.sends.size(), 1);
}

void TestAmbiguity::aChangedDependencyDoesNotStopWhatIsCertain()
{
    Story story(workflow({writes("pay")}));
    story.gate().revision = 1;
    story.start();
    story.end(answered(429));
    story.gate().revision = 2;
    story.gate().compatibleSince = 2;
    story.passUntilDue();
    QCOMPARE(story.sent("pay"), 2);
    // A new revision with the same origin and protection stops nothing either.
    story.end(broken("timeout"));
    story.gate().revision = 3;
    story.passUntilDue();
    QCOMPARE(story.sent("pay"), 3);
}

void TestAmbiguity::aPersonsAbsentIsWorthOneMoreTry()
{
    StepPolicy step = writes("mail", Protection::none);
    step.forward.retry.attempts = 1;
    Story story(workflow({step}));
    story.start();
    for (int i = 1; i < 4; ++i) {
        story.end(broken("timeout"));
        QCOMPARE(story.sent("mail"), i);
        QVERIFY(story.resolve("mail", Resolve::Verdict::absent).accepted());
        QCOMPARE(story.sent("mail"), i + 1);
    }
}

} // namespace holdfast::tests

QTEST_APPLESS_MAIN(holdfast::tests::TestAmbiguity)
#include "tst_ambiguity.moc"
