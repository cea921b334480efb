// What was given up on and then told of late is asked about before it is tried again, whoever wants
// that (I1): the destination may have forgotten the key by then, or never have known one.
#include "engine/engine_fixture.h"

namespace holdfast::tests
{

class TestLateRetry : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatCameLateIsAskedAbout_data();
    void whatCameLateIsAskedAbout();
    void whatCannotBeAskedAboutIsForAPerson();
    void whatIsThenFoundAbsentIsSent();
    void aLateUndoIsAskedAbout();
    void aLateFailureIsNoReasonToAsk();
};

namespace
{
using Verdict = Resolve::Verdict;

LateReport late(FailureClass known, Direction direction = Direction::forward)
{
    LateReport report;
    report.step = QStringLiteral("pay");
    report.direction = direction;
    report.attempt = 1;
    report.failureClass = known;
    return report;
}

StepPolicy payOnce(Protection protection)
{
    StepPolicy pay = writes("pay", protection, true);
    pay.forward.retry.attempts = 1;
    return pay;
}

// Its worker was lost, it was said to be absent, and then it was given up on.
void giveUp(Story &story)
{
    story.start();
    story.takeOver();
    story.passUntilDue();
    story.end(absent());
    QCOMPARE(story.status(), QStringLiteral("failed"));
}
} // namespace

void TestLateRetry::whatCameLateIsAskedAbout_data()
{
    QTest::addColumn<int>("protection");
    QTest::addColumn<int>("known");
    for (const Protection protection :
         {Protection::native, Protection::natural, Protection::probe}) {
        for (const FailureClass known : {FailureClass::none, FailureClass::ambiguous}) {
            QTest::addRow("%s, %s", qPrintable(protectionName(protection)),
                          qPrintable(failureClassName(known)))
                << int(protection) << int(known);
        }
    }
}

void TestLateRetry::whatCameLateIsAskedAbout()
{
    QFETCH(int, protection);
    QFETCH(int, known);
    Story story(workflow({payOnce(Protection(protection))}));
    giveUp(story);
    story.turn(late(FailureClass(known)));
    QCOMPARE(story.status(), QStringLiteral("failed"));
    story.pass(2 * day);
    QVERIFY(story.retry().accepted());
    if (!story.isOpen())
        story.passUntilDue();
    QCOMPARE(story.phase("pay"), QStringLiteral("verifying"));
    QCOMPARE(story.sent("pay"), 1);
    story.end(found());
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
    QCOMPARE(story.sent("pay"), 1);
}

void TestLateRetry::whatCannotBeAskedAboutIsForAPerson()
{
    Story story(workflow({writes("pay", Protection::none)}));
    story.start();
    story.end(answered(422));
    QCOMPARE(story.status(), QStringLiteral("failed"));
    story.turn(late(FailureClass::none));
    QVERIFY(story.retry().accepted());
    QCOMPARE(story.phase("pay"), QStringLiteral("review"));
    QCOMPARE(story.sent("pay"), 1);
    QVERIFY(story.resolve("pay", Verdict::happened).accepted());
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
    QCOMPARE(story.sent("pay"), 1);
}

// What was only in doubt, and was asked about late enough, did not happen.
void TestLateRetry::whatIsThenFoundAbsentIsSent()
{
    Story story(workflow({payOnce(Protection::probe)}));
    giveUp(story);
    story.turn(late(FailureClass::ambiguous));
    story.pass(minute);
    QVERIFY(story.retry().accepted());
    if (!story.isOpen())
        story.passUntilDue();
    story.end(absent());
    if (!story.isOpen())
        story.passUntilDue();
    QCOMPARE(story.sent("pay"), 2);
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("succeeded"));
}

void TestLateRetry::aLateUndoIsAskedAbout()
{
    StepPolicy pay = undoable(writes("pay"), Protection::probe, true);
    pay.undo->retry.attempts = 1;
    StepPolicy ship = writes("ship", Protection::native);
    Story story(workflow({pay, ship}));
    story.start();
    story.end(done());
    story.end(answered(422));
    QCOMPARE(story.sent("pay", Direction::compensate), 1);
    story.takeOver();
    story.passUntilDue();
    story.end(absent());
    QCOMPARE(story.status(), QStringLiteral("compensation_failed"));
    story.turn(late(FailureClass::none, Direction::compensate));
    QVERIFY(story.retry().accepted());
    if (!story.isOpen())
        story.passUntilDue();
    QCOMPARE(story.undoPhase("pay"), QStringLiteral("verifying"));
    story.end(found());
    QCOMPARE(story.status(), QStringLiteral("compensated"));
    QCOMPARE(story.sent("pay", Direction::compensate), 1);
}

void TestLateRetry::aLateFailureIsNoReasonToAsk()
{
    Story story(workflow({payOnce(Protection::probe)}));
    giveUp(story);
    story.turn(late(FailureClass::permanent));
    QVERIFY(story.retry().accepted());
    QCOMPARE(story.sent("pay"), 2);
}

} // namespace holdfast::tests

QTEST_GUILESS_MAIN(holdfast::tests::TestLateRetry)
#include "tst_late_retry.moc"
