// People: what may be answered to which review, and approvals bound to bytes and time (I13, E2,
// E5).
#include "engine/engine_fixture.h"

namespace holdfast::tests
{

class TestReviews : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyKindTakesItsVerdictsAndRefusesTheOthers_data();
    void everyKindTakesItsVerdictsAndRefusesTheOthers();
    void theSecondDecisionIsRefused_data();
    void theSecondDecisionIsRefused();
    void happenedKeepsThePersonsReceipt();
    void aConflictShowsBothPayloads_data();
    void aConflictShowsBothPayloads();
    void anUnknownItemIsRefused();
    void approvalIsBoundToTheBytes();
    void approvalIsNeededOncePerOperation();
    void anExpiredApprovalCannotBeGiven();
    void anExpiredApprovalRejectsOrSkips_data();
    void anExpiredApprovalRejectsOrSkips();
    void aRejectedApprovalFailsTheStep();
    void aDestructiveStepWaitsForAPerson();
    void anApprovalStepNeedsNoBytes();
    void anApprovalIsNotAnsweredByResolve();
    void aNoteChangesNothing();
};

namespace
{
using Verdict = Resolve::Verdict;

// A story that waits for a person about an item of this kind.
Story waiting(const QByteArray &reviewKind)
{
    StepPolicy pay = undoable(writes("pay", Protection::none));
    if (reviewKind == "dead_letter in place")
        pay.onFailure = OnFailure::review;
    if (reviewKind == "approval")
        pay.forward.approval = ApprovalPolicy{};
    Story story(workflow({pay, writes("ship")}));
    if (reviewKind == "conflict")
        story.ledger[QStringLiteral("pay")] = LedgerAnswered::Outcome::otherRequest;
    story.start();
    if (reviewKind == "ambiguous")
        story.end(broken("timeout"));
    if (reviewKind.startsWith("dead_letter"))
        story.end(answered(422));
    if (reviewKind == "compensation_failed") {
        story.end(done());
        story.end(answered(422));
        story.end(answered(422));
    }
    story.ledger.clear();
    return story;
}

QString itemOf(const Story &story)
{
    for (const Step &step : story.run.steps) {
        if (!step.forward.reviewId.isEmpty())
            return step.forward.reviewId;
        if (!step.undo.reviewId.isEmpty())
            return step.undo.reviewId;
    }
    return story.run.deadLetterId;
}
} // namespace

void TestReviews::everyKindTakesItsVerdictsAndRefusesTheOthers_data()
{
    QTest::addColumn<QByteArray>("reviewKind");
    QTest::addColumn<int>("verdict");
    QTest::addColumn<bool>("accepted");
    const QMap<QByteArray, QVector<Verdict>> allowed{
        {"ambiguous", {Verdict::happened, Verdict::absent}},
        {"conflict", {Verdict::retry, Verdict::waive, Verdict::dismiss}},
        {"dead_letter", {Verdict::retry, Verdict::dismiss}},
        {"dead_letter in place", {Verdict::retry, Verdict::waive, Verdict::dismiss}},
        {"compensation_failed", {Verdict::retry, Verdict::waive, Verdict::dismiss}},
        {"approval", {}}};
    const QPair<Verdict, const char *> verdicts[] = {
        {Verdict::happened, "happened"}, {Verdict::absent, "absent"},
        {Verdict::retry, "retry"},       {Verdict::waive, "waive"},
        {Verdict::dismiss, "dismiss"},   {Verdict::verify, "verify"}};
    for (auto kindOf = allowed.cbegin(); kindOf != allowed.cend(); ++kindOf) {
        for (const auto &[verdict, name] : verdicts)
            QTest::addRow("%s %s", kindOf.key().constData(), name)
                << kindOf.key() << int(verdict) << kindOf.value().contains(verdict);
    }
}

void TestReviews::everyKindTakesItsVerdictsAndRefusesTheOthers()
{
    QFETCH(QByteArray, reviewKind);
    QFETCH(int, verdict);
    QFETCH(bool, accepted);
    Story story = waiting(reviewKind);
    const QString item = itemOf(story);
    QVERIFY(!item.isEmpty());
    const Outcome outcome = story.resolve(item, Verdict(verdict));
    QCOMPARE(outcome.accepted(), accepted);
    if (accepted)
        QCOMPARE(story.lastEntry(EntryKind::reviewClosed)->reviewId, item);
    else
        QCOMPARE(itemOf(story), item);
}

void TestReviews::theSecondDecisionIsRefused_data()
{
    QTest::addColumn<QByteArray>("reviewKind");
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("second");
    QTest::newRow("happened, absent")
        << QByteArray("ambiguous") << int(Verdict::happened) << int(Verdict::absent);
    QTest::newRow("absent, absent")
        << QByteArray("ambiguous") << int(Verdict::absent) << int(Verdict::absent);
    QTest::newRow("waive, dismiss")
        << QByteArray("conflict") << int(Verdict::waive) << int(Verdict::dismiss);
    QTest::newRow("retry, dismiss")
        << QByteArray("dead_letter") << int(Verdict::retry) << int(Verdict::dismiss);
    QTest::newRow("dismiss, dismiss")
        << QByteArray("dead_letter") << int(Verdict::dismiss) << int(Verdict::dismiss);
    QTest::newRow("waive, retry") << QByteArray("compensation_failed") << int(Verdict::waive)
                                  << int(Verdict::retry);
}

// I13: exactly one wins; the other is told.
void TestReviews::theSecondDecisionIsRefused()
{
    QFETCH(QByteArray, reviewKind);
    QFETCH(int, first);
    QFETCH(int, second);
    Story story = waiting(reviewKind);
    const QString item = itemOf(story);
    QVERIFY(story.resolve(item, Verdict(first)).accepted());
    QCOMPARE(story.resolve(item, Verdict(second)).kind, Outcome::Kind::rejected);
}

void TestReviews::happenedKeepsThePersonsReceipt()
{
    Story story = waiting("ambiguous");
    story.resolve(itemOf(story), Verdict::happened,
                  {{QStringLiteral("id"), QStringLiteral("seen")}});
    QCOMPARE(story.forward("pay").receipt.value(QStringLiteral("id")).toString(),
             QStringLiteral("seen"));
    QCOMPARE(story.lastEntry(EntryKind::confirmed)->actor, QStringLiteral("ada"));
    QCOMPARE(story.sent("ship"), 1);
}

void TestReviews::aConflictShowsBothPayloads_data()
{
    QTest::addColumn<int>("outcome");
    QTest::newRow("other request") << int(LedgerAnswered::Outcome::otherRequest);
    QTest::newRow("voided receipt") << int(LedgerAnswered::Outcome::compensated);
    QTest::newRow("tombstone") << int(LedgerAnswered::Outcome::expired);
}

void TestReviews::aConflictShowsBothPayloads()
{
    QFETCH(int, outcome);
    Story story(workflow({writes("pay")}));
    story.ledger[QStringLiteral("pay")] = LedgerAnswered::Outcome(outcome);
    story.start();
    QCOMPARE(story.status(), QStringLiteral("review"));
    QCOMPARE(story.review("pay"), QStringLiteral("conflict"));
    QCOMPARE(story.sent("pay"), 0);
    QVERIFY(!story.forward("pay").replayed);
}

void TestReviews::anUnknownItemIsRefused()
{
    Story story = waiting("ambiguous");
    for (const Verdict verdict : {Verdict::happened, Verdict::absent, Verdict::retry,
                                  Verdict::waive, Verdict::dismiss, Verdict::verify}) {
        QCOMPARE(story.resolve(QStringLiteral("rv-nonsense"), verdict).kind,
                 Outcome::Kind::rejected);
        QCOMPARE(story.resolve(QString(), verdict).kind, Outcome::Kind::rejected);
    }
    const Approve approve{QStringLiteral("ada"), {}, itemOf(story), {}};
    QCOMPARE(story.turn(approve).kind, Outcome::Kind::rejected);
    const Reject reject{QStringLiteral("ada"), {}, itemOf(story)};
    QCOMPARE(story.turn(reject).kind, Outcome::Kind::rejected);
}

void TestReviews::approvalIsBoundToTheBytes()
{
    Story story = waiting("approval");
    QCOMPARE(story.status(), QStringLiteral("waiting"));
    QCOMPARE(story.sent("pay"), 0);
    const QString item = itemOf(story);
    Approve approve{QStringLiteral("ada"), {}, item, QStringLiteral("hash-of-other-bytes")};
    QCOMPARE(story.turn(approve).kind, Outcome::Kind::rejected);
    approve.hash = story.forward("pay").hash;
    QVERIFY(story.turn(approve).accepted());
    QCOMPARE(story.sent("pay"), 1);
    QCOMPARE(story.turn(approve).kind, Outcome::Kind::rejected);
    QCOMPARE(story.lastEntry(EntryKind::approved)->hash, approve.hash);
    QCOMPARE(story.lastEntry(EntryKind::approved)->actor, QStringLiteral("ada"));
}

void TestReviews::approvalIsNeededOncePerOperation()
{
    Story story = waiting("approval");
    story.approve("pay");
    story.end(answered(429));
    story.passUntilDue();
    QCOMPARE(story.sent("pay"), 2);
    QCOMPARE(story.opened(ReviewKind::approval), 1);
}

void TestReviews::anExpiredApprovalCannotBeGiven()
{
    Story story = waiting("approval");
    const Approve approve{QStringLiteral("ada"), {}, itemOf(story), story.forward("pay").hash};
    story.now += day;
    QCOMPARE(story.turn(approve).kind, Outcome::Kind::rejected);
    QCOMPARE(story.sent("pay"), 0);
}

void TestReviews::anExpiredApprovalRejectsOrSkips_data()
{
    QTest::addColumn<bool>("reject");
    QTest::newRow("reject") << true;
    QTest::newRow("skip") << false;
}

void TestReviews::anExpiredApprovalRejectsOrSkips()
{
    QFETCH(bool, reject);
    StepPolicy mail = writes("mail");
    mail.forward.approval = ApprovalPolicy{{}, hour, reject, false};
    Story story(workflow({mail, writes("ship")}));
    story.start();
    story.pass(hour - 1);
    QCOMPARE(story.phase("mail"), QStringLiteral("asking"));
    story.passUntilDue();
    QCOMPARE(story.phase("mail"), reject ? QStringLiteral("failed") : QStringLiteral("skipped"));
    QCOMPARE(story.sent("ship"), reject ? 0 : 1);
    QCOMPARE(story.sent("mail"), 0);
    QVERIFY(story.forward("mail").reviewId.isEmpty());
}

void TestReviews::aRejectedApprovalFailsTheStep()
{
    Story story = waiting("approval");
    const Reject reject{QStringLiteral("ada"), QStringLiteral("too much"), itemOf(story)};
    QVERIFY(story.turn(reject).accepted());
    QCOMPARE(story.status(), QStringLiteral("failed"));
    QCOMPARE(story.run.reason, QStringLiteral("approval_rejected"));
    QCOMPARE(story.sent("pay"), 0);
}

void TestReviews::aDestructiveStepWaitsForAPerson()
{
    StepPolicy drop = stepOf("drop", operationOf(Effect::destructive, Protection::natural));
    drop.forward.approval = ApprovalPolicy{};
    Story story(workflow({drop}));
    story.start();
    story.pass(hour);
    QCOMPARE(story.sent("drop"), 0);
    story.approve("drop");
    QCOMPARE(story.sent("drop"), 1);
}

void TestReviews::anApprovalStepNeedsNoBytes()
{
    StepPolicy gate = kind("gate", StepKind::approval);
    gate.forward.approval = ApprovalPolicy{};
    Story story(workflow({gate, writes("ship")}));
    story.start();
    QCOMPARE(story.phase("gate"), QStringLiteral("asking"));
    QVERIFY(story.approve("gate").accepted());
    QCOMPARE(story.phase("gate"), QStringLiteral("succeeded"));
    QCOMPARE(story.forward("gate").receipt.value(QStringLiteral("approved_by")).toString(),
             QStringLiteral("ada"));
    QCOMPARE(story.sent("ship"), 1);
}

void TestReviews::anApprovalIsNotAnsweredByResolve()
{
    Story story = waiting("approval");
    QCOMPARE(story.resolve(itemOf(story), Verdict::happened).kind, Outcome::Kind::rejected);
    QCOMPARE(story.sent("pay"), 0);
}

void TestReviews::aNoteChangesNothing()
{
    Story story = waiting("ambiguous");
    const QByteArray before = picture(story.run);
    QVERIFY(story.turn(Note{QStringLiteral("ada"), QStringLiteral("called them")}).accepted());
    QCOMPARE(picture(story.run), before);
}

} // namespace holdfast::tests

QTEST_APPLESS_MAIN(holdfast::tests::TestReviews)
#include "tst_reviews.moc"
