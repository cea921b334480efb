// Compensation: strict reverse order, nothing undone on a guess, nothing confirmed forgotten
// (I14–I16, D1–D6), and the order case of mission I. Cancelling is part of it: what a cancelled run
// did is undone.
#include "engine/engine_fixture.h"

namespace holdfast::tests
{

class TestSaga : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void chargeFailsAndTheStockIsReleased();
    void shippingFailsAndTheChargeIsRefundedThenTheStockReleased();
    void theRefundFailsAndAPersonGetsIt();
    void afterTheRefundIsRetriedTheStockIsReleased();
    void afterTheRefundIsWaivedTheStockIsReleased();
    void aRefundRetriedByAPersonKeepsItsKeyAndBytes();
    void compensationsHaveTheirOwnKeys();
    void readStepsAndIrreversibleOnesAreSkipped();
    void aReadThatDeclaresACompensationIsNotCompensated();
    void effectsOfAnotherRunAreNotCompensated();
    void skippedStepsAreNotCompensated();
    void theOrderIsThatOfConfirmation();
    void nothingIsUndoneWhileAnOutcomeIsUnknown();
    void anAmbiguousDetachedStepHoldsTheCompensationBack();
    void anAmbiguousCompensationIsVerifiedOrAPersons_data();
    void anAmbiguousCompensationIsVerifiedOrAPersons();
    void aTransientCompensationIsRetried();
    void aCompensationThatCannotBePreparedGoesToAPerson();
    void aCompensationMayNeedAnApproval();
    void whatCompensatedOnceStaysCompensated();
};

namespace
{
Policy orderCase()
{
    StepPolicy ship = writes("ship");
    return workflow({undoable(writes("reserve")), undoable(writes("charge")), ship});
}

const QStringList chargeThenReserve{QStringLiteral("charge"), QStringLiteral("reserve")};

Story refundFailed()
{
    Story story(orderCase());
    story.start();
    story.end(done());
    story.end(done());
    story.end(answered(422));
    story.end(answered(403));
    return story;
}
} // namespace

void TestSaga::chargeFailsAndTheStockIsReleased()
{
    Story story(orderCase());
    story.start();
    story.end(done());
    story.end(answered(402));
    QCOMPARE(story.status(), QStringLiteral("compensating"));
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("compensated"));
    QCOMPARE(story.sentInOrder(Direction::compensate), QStringList{QStringLiteral("reserve")});
    QCOMPARE(story.run.compensationCount, 1);
    QCOMPARE(story.run.failedStep, QStringLiteral("charge"));
}

void TestSaga::shippingFailsAndTheChargeIsRefundedThenTheStockReleased()
{
    Story story(orderCase());
    story.start();
    story.end(done());
    story.end(done());
    story.end(answered(422));
    QCOMPARE(story.sentInOrder(Direction::compensate), QStringList{QStringLiteral("charge")});
    QCOMPARE(story.undoPhase("reserve"), QStringLiteral("idle"));
    story.end(done());
    QCOMPARE(story.sentInOrder(Direction::compensate), chargeThenReserve);
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("compensated"));
}

void TestSaga::theRefundFailsAndAPersonGetsIt()
{
    Story story = refundFailed();
    QCOMPARE(story.status(), QStringLiteral("compensation_failed"));
    QCOMPARE(story.review("charge", Direction::compensate), QStringLiteral("compensation_failed"));
    QCOMPARE(story.opened(ReviewKind::compensationFailed), 1);
    for (int i = 0; i < 5; ++i)
        story.pass(day);
    QCOMPARE(story.status(), QStringLiteral("compensation_failed"));
    QCOMPARE(story.sent("reserve", Direction::compensate), 0);
}

void TestSaga::afterTheRefundIsRetriedTheStockIsReleased()
{
    Story story = refundFailed();
    QVERIFY(story.resolve("charge", Resolve::Verdict::retry, Direction::compensate).accepted());
    QCOMPARE(story.status(), QStringLiteral("compensating"));
    QCOMPARE(story.sent("charge", Direction::compensate), 2);
    story.end(done());
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("compensated"));
    QCOMPARE(story.sent("reserve", Direction::compensate), 1);
}

void TestSaga::afterTheRefundIsWaivedTheStockIsReleased()
{
    Story story = refundFailed();
    QVERIFY(story.resolve("charge", Resolve::Verdict::waive, Direction::compensate).accepted());
    QVERIFY(story.run.find(QStringLiteral("charge"))->waived);
    QCOMPARE(story.sent("charge", Direction::compensate), 1);
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("compensated"));
}

// I5: bytes are stored once. Whatever preparing it again would give, the key goes out with the old
// ones.
void TestSaga::aRefundRetriedByAPersonKeepsItsKeyAndBytes()
{
    Story story = refundFailed();
    const QString key = story.undo("charge").key;
    const QJsonObject request = story.undo("charge").request.toJson();
    story.body = QByteArrayLiteral("{\"amount\":2}");
    story.resolve("charge", Resolve::Verdict::retry, Direction::compensate);
    QCOMPARE(story.sent("charge", Direction::compensate), 2);
    QCOMPARE(story.undo("charge").key, key);
    QCOMPARE(story.undo("charge").request.toJson(), request);
}

void TestSaga::compensationsHaveTheirOwnKeys()
{
    Story story = refundFailed();
    QVERIFY(story.undo("charge").key != story.forward("charge").key);
    QVERIFY(!story.undo("charge").key.isEmpty());
}

void TestSaga::readStepsAndIrreversibleOnesAreSkipped()
{
    StepPolicy mail = writes("mail");
    mail.irreversible = true;
    Story story(workflow({undoable(writes("reserve")), reads("look"), mail, writes("ship")}));
    story.start();
    for (int i = 0; i < 3; ++i)
        story.end(done());
    story.end(answered(422));
    story.end(done());
    QCOMPARE(story.sentInOrder(Direction::compensate), QStringList{QStringLiteral("reserve")});
    QCOMPARE(story.status(), QStringLiteral("compensated"));
}

void TestSaga::aReadThatDeclaresACompensationIsNotCompensated()
{
    Story story(workflow({undoable(reads("look")), writes("ship")}));
    story.start();
    story.end(done());
    story.end(answered(422));
    QCOMPARE(story.sentInOrder(Direction::compensate), QStringList());
    QCOMPARE(story.status(), QStringLiteral("failed"));
}

void TestSaga::effectsOfAnotherRunAreNotCompensated()
{
    Story story(
        workflow({undoable(writes("reserve")), undoable(writes("charge")), writes("ship")}));
    story.ledger[QStringLiteral("charge")] = LedgerAnswered::Outcome::succeeded;
    story.start();
    story.end(done());
    QVERIFY(story.forward("charge").replayed);
    QCOMPARE(story.sent("charge"), 0);
    QCOMPARE(story.run.duplicatesPrevented, 1);
    story.end(answered(422));
    story.end(done());
    QCOMPARE(story.sentInOrder(Direction::compensate), QStringList{QStringLiteral("reserve")});
    QCOMPARE(story.status(), QStringLiteral("compensated"));
}

void TestSaga::skippedStepsAreNotCompensated()
{
    StepPolicy gift = undoable(writes("gift"));
    gift.hasWhen = true;
    Story story(workflow({gift, writes("ship")}));
    story.skips.insert(QStringLiteral("gift"));
    story.start();
    QCOMPARE(story.phase("gift"), QStringLiteral("skipped"));
    story.end(answered(422));
    QCOMPARE(story.status(), QStringLiteral("failed"));
    QCOMPARE(story.sent("gift", Direction::compensate), 0);
}

void TestSaga::theOrderIsThatOfConfirmation()
{
    // The detached step comes first in the file and is confirmed last, so it is undone first.
    StepPolicy slow = undoable(writes("slow"));
    slow.detached = true;
    Story story(workflow({slow, undoable(writes("reserve")), writes("ship")}));
    story.start();
    story.end(done(), "reserve");
    story.end(done(), "slow");
    story.end(answered(422), "ship");
    story.end(done());
    story.end(done());
    const QStringList expected{QStringLiteral("slow"), QStringLiteral("reserve")};
    QCOMPARE(story.sentInOrder(Direction::compensate), expected);
    QCOMPARE(story.status(), QStringLiteral("compensated"));
}

void TestSaga::nothingIsUndoneWhileAnOutcomeIsUnknown()
{
    Story story(workflow({undoable(writes("reserve")), writes("mail", Protection::none)}));
    story.start();
    story.end(done());
    story.end(broken("timeout"));
    QCOMPARE(story.status(), QStringLiteral("review"));
    story.pass(day);
    QCOMPARE(story.sent("reserve", Direction::compensate), 0);
    QVERIFY(!story.cancel().accepted());
    QVERIFY(!story.compensate().accepted());
    QCOMPARE(story.sent("reserve", Direction::compensate), 0);
    story.resolve("mail", Resolve::Verdict::absent);
    story.end(answered(422));
    QCOMPARE(story.sent("reserve", Direction::compensate), 1);
}

void TestSaga::anAmbiguousDetachedStepHoldsTheCompensationBack()
{
    StepPolicy mail = writes("mail", Protection::none);
    mail.detached = true;
    Story story(workflow({undoable(writes("reserve")), mail, writes("ship")}));
    story.start();
    story.end(done());
    story.end(broken("timeout"), "mail");
    story.end(answered(422), "ship");
    QCOMPARE(story.sent("reserve", Direction::compensate), 0);
    QCOMPARE(story.status(), QStringLiteral("review"));
    story.resolve("mail", Resolve::Verdict::happened);
    QCOMPARE(story.sent("reserve", Direction::compensate), 1);
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("compensated"));
}

void TestSaga::anAmbiguousCompensationIsVerifiedOrAPersons_data()
{
    QTest::addColumn<int>("protection");
    QTest::addColumn<QString>("phase");
    QTest::newRow("native") << int(Protection::native) << QStringLiteral("waiting");
    QTest::newRow("probe") << int(Protection::probe) << QStringLiteral("settling");
    QTest::newRow("none") << int(Protection::none) << QStringLiteral("review");
}

void TestSaga::anAmbiguousCompensationIsVerifiedOrAPersons()
{
    QFETCH(int, protection);
    QFETCH(QString, phase);
    const bool verify = Protection(protection) == Protection::probe;
    Story story(
        workflow({undoable(writes("reserve")),
                  undoable(writes("charge"), Protection(protection), verify), writes("ship")}));
    story.start();
    story.end(done());
    story.end(done());
    story.end(answered(422));
    story.end(broken("timeout"));
    QCOMPARE(story.undoPhase("charge"), phase);
    QVERIFY(story.undo("charge").ambiguous);
    QCOMPARE(story.sent("reserve", Direction::compensate), 0);
    if (phase == QLatin1String("review"))
        story.resolve("charge", Resolve::Verdict::happened, Direction::compensate);
    else {
        story.passUntilDue();
        story.end(verify ? found() : done());
    }
    QCOMPARE(story.undoPhase("charge"), QStringLiteral("succeeded"));
    QCOMPARE(story.sent("reserve", Direction::compensate), 1);
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("compensated"));
}

void TestSaga::aTransientCompensationIsRetried()
{
    Story story(orderCase());
    story.start();
    story.end(done());
    story.end(answered(402));
    story.end(answered(429));
    QCOMPARE(story.status(), QStringLiteral("compensating"));
    story.passUntilDue();
    story.end(answered(429));
    story.passUntilDue();
    story.end(answered(429));
    QCOMPARE(story.status(), QStringLiteral("compensation_failed"));
    QCOMPARE(story.sent("reserve", Direction::compensate), 3);
}

void TestSaga::aCompensationThatCannotBePreparedGoesToAPerson()
{
    Story story(orderCase());
    story.unpreparable.insert(QStringLiteral("undo:key:reserve"));
    story.start();
    story.end(done());
    story.end(answered(402));
    QCOMPARE(story.status(), QStringLiteral("compensation_failed"));
    story.unpreparable.clear();
    story.resolve("reserve", Resolve::Verdict::retry, Direction::compensate);
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("compensated"));
}

void TestSaga::aCompensationMayNeedAnApproval()
{
    StepPolicy charge = undoable(writes("charge"));
    charge.undo->approval = ApprovalPolicy{};
    Story story(workflow({charge, writes("ship")}));
    story.start();
    story.end(done());
    story.end(answered(422));
    QCOMPARE(story.undoPhase("charge"), QStringLiteral("asking"));
    QCOMPARE(story.sent("charge", Direction::compensate), 0);
    const Operation undo = story.undo("charge");
    QVERIFY(story.turn(Approve{QStringLiteral("ada"), {}, undo.reviewId, undo.hash}).accepted());
    story.end(done());
    QCOMPARE(story.status(), QStringLiteral("compensated"));
}

void TestSaga::whatCompensatedOnceStaysCompensated()
{
    Story story(orderCase());
    story.start();
    story.end(done());
    story.end(answered(402));
    story.end(done());
    QVERIFY(!story.retry().accepted());
    QVERIFY(!story.cancel().accepted());
    QVERIFY(!story.compensate().accepted());
    QCOMPARE(story.turn(Tick{}).kind, Outcome::Kind::replayed);
    QCOMPARE(story.turn(TakenOver{}).kind, Outcome::Kind::replayed);
    QCOMPARE(story.status(), QStringLiteral("compensated"));
}

} // namespace holdfast::tests

QTEST_APPLESS_MAIN(holdfast::tests::TestSaga)
#include "tst_saga.moc"
