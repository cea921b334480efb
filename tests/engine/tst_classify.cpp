// The failure map, row by row, against design.md §5 and promises.md N1–N10: what an ended attempt
// means for reads and writes, over HTTP and as a local program, and how a dependency's own rules
// override it.
#include "engine/classify.h"
#include "engine/engine_words.h"

#include <QtTest>

namespace holdfast::tests
{

class TestClassify : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyHttpEndingHasItsClass_data();
    void everyHttpEndingHasItsClass();
    void whatWasNotSentHadNoEffect_data();
    void whatWasNotSentHadNoEffect();
    void aDestructiveStepIsClassifiedLikeAWrite();
    void everyExitOfAProgramHasItsClass_data();
    void everyExitOfAProgramHasItsClass();
    void credentialsAreNotAboutTheRun();
    void aKeyInUseIsAWaitOnlyAtANativeDependency();
    void aNaturalDeleteThatFindsNothingHasHappened_data();
    void aNaturalDeleteThatFindsNothingHasHappened();
    void anUnreadableTwoHundredHasHappened();
    void aDependencysRuleOverridesTheMap();
    void theFirstMatchingRuleWins();
    void aRuleMayNameARangeOrAnError();
    void aRuleMayNameAnErrorOfACallThatWasNotSent();
    void aRuleNeverMakesAnUnsentCallAmbiguous();
    void aRuleWithAnExpressionNeedsItToHold();
    void aRuleDoesNotMakeAReadAmbiguous();
    void aVerifyAndASnapshotAreReads();
    void everyBuiltInRowIsShownToPeople();
};

namespace
{
ClassifyRule rule(int status, FailureClass failureClass, const char *reason)
{
    ClassifyRule made;
    made.statusFrom = made.statusTo = status;
    made.failureClass = failureClass;
    made.reason = QString::fromLatin1(reason);
    return made;
}

QString classOf(const OperationPolicy &policy, const Ended &ended)
{
    return failureClassName(classify(policy, ended).failureClass);
}

const OperationPolicy readPolicy = operationOf(Effect::read, Protection::none);
const OperationPolicy writePolicy = operationOf(Effect::write, Protection::none);

Ended truncated(int status)
{
    Ended ended = answered(status);
    ended.error = QStringLiteral("truncated");
    ended.readable = false;
    return ended;
}
} // namespace

void TestClassify::everyHttpEndingHasItsClass_data()
{
    QTest::addColumn<Ended>("ended");
    QTest::addColumn<QString>("asRead");
    QTest::addColumn<QString>("asWrite");
    const QString none = QStringLiteral("none");
    const QString transient = QStringLiteral("transient");
    const QString permanent = QStringLiteral("permanent");
    const QString ambiguous = QStringLiteral("ambiguous");
    for (const int status : {200, 201, 202, 204, 299})
        QTest::addRow("%d", status) << answered(status) << none << none;
    for (const int status : {301, 302, 303, 307, 308})
        QTest::addRow("N9 %d is never followed", status)
            << answered(status) << permanent << permanent;
    for (const int status : {400, 403, 404, 405, 409, 410, 413, 415, 418, 422, 451})
        QTest::addRow("N7 %d", status) << answered(status) << permanent << permanent;
    for (const int status : {408, 500, 501, 502, 503, 504, 599})
        QTest::addRow("N5 %d", status) << answered(status) << transient << ambiguous;
    QTest::addRow("ST7 429") << answered(429) << transient << transient;
    for (const char *error : {"timeout", "reset", "empty_reply", "bad_reply"})
        QTest::addRow("N3 %s", error) << broken(error) << transient << ambiguous;
    QTest::addRow("N10 200 unreadable") << unreadable() << transient << ambiguous;
    QTest::addRow("N10 200 truncated") << truncated(200) << transient << ambiguous;
    QTest::addRow("500 truncated") << truncated(500) << transient << ambiguous;
    QTest::addRow("N14 no status at all") << answered(0) << transient << ambiguous;
    QTest::addRow("N14 stays at 1xx") << answered(100) << transient << ambiguous;
}

void TestClassify::everyHttpEndingHasItsClass()
{
    QFETCH(Ended, ended);
    QFETCH(QString, asRead);
    QFETCH(QString, asWrite);
    QCOMPARE(classOf(readPolicy, ended), asRead);
    QCOMPARE(classOf(writePolicy, ended), asWrite);
    QVERIFY(!classify(writePolicy, ended).reason.isEmpty());
}

void TestClassify::whatWasNotSentHadNoEffect_data()
{
    QTest::addColumn<QByteArray>("error");
    QTest::addColumn<QString>("expected");
    for (const char *error : {"dns_failure", "connect_refused", "connect_timeout", "connect_failed",
                              "tls_failed", "too_late", "cancelled"})
        QTest::addRow("N1/N2 %s", error) << QByteArray(error) << QStringLiteral("transient");
    for (const char *error : {"certificate_invalid", "address_forbidden"})
        QTest::addRow("N1 %s", error) << QByteArray(error) << QStringLiteral("permanent");
}

void TestClassify::whatWasNotSentHadNoEffect()
{
    QFETCH(QByteArray, error);
    QFETCH(QString, expected);
    QCOMPARE(classOf(readPolicy, unsent(error)), expected);
    QCOMPARE(classOf(writePolicy, unsent(error)), expected);
    QVERIFY(!classify(writePolicy, unsent(error)).happened);
}

void TestClassify::aDestructiveStepIsClassifiedLikeAWrite()
{
    const OperationPolicy policy = operationOf(Effect::destructive, Protection::none);
    QCOMPARE(classOf(policy, broken("timeout")), QStringLiteral("ambiguous"));
    QCOMPARE(classOf(policy, answered(500)), QStringLiteral("ambiguous"));
    QCOMPARE(classOf(policy, answered(422)), QStringLiteral("permanent"));
}

void TestClassify::everyExitOfAProgramHasItsClass_data()
{
    QTest::addColumn<Ended>("ended");
    QTest::addColumn<QString>("asRead");
    QTest::addColumn<QString>("asWrite");
    const QString transient = QStringLiteral("transient");
    const QString ambiguous = QStringLiteral("ambiguous");
    Ended silent = exited(0);
    silent.readable = false;
    QTest::newRow("0") << exited(0) << QStringLiteral("none") << QStringLiteral("none");
    QTest::newRow("0, output unreadable") << silent << transient << ambiguous;
    QTest::newRow("1 proves nothing") << exited(1) << transient << ambiguous;
    QTest::newRow("75 says: nothing done") << exited(75) << transient << transient;
    QTest::newRow("killed") << broken("killed") << transient << ambiguous;
    QTest::newRow("timeout") << broken("timeout") << transient << ambiguous;
    QTest::newRow("not a program")
        << unsent("spawn_failed") << QStringLiteral("permanent") << QStringLiteral("permanent");
}

void TestClassify::everyExitOfAProgramHasItsClass()
{
    QFETCH(Ended, ended);
    QFETCH(QString, asRead);
    QFETCH(QString, asWrite);
    OperationPolicy policy = readPolicy;
    policy.kind = StepKind::command;
    QCOMPARE(classOf(policy, ended), asRead);
    policy.effect = Effect::write;
    QCOMPARE(classOf(policy, ended), asWrite);
}

void TestClassify::credentialsAreNotAboutTheRun()
{
    for (const OperationPolicy &policy : {readPolicy, writePolicy}) {
        QVERIFY(classify(policy, answered(401)).credentials);
        QVERIFY(classify(policy, unsent("secret_missing")).credentials);
        QVERIFY(!classify(policy, answered(403)).credentials);
    }
}

void TestClassify::aKeyInUseIsAWaitOnlyAtANativeDependency()
{
    const Classification native =
        classify(operationOf(Effect::write, Protection::native), answered(409));
    QVERIFY(native.inUse);
    QCOMPARE(native.failureClass, FailureClass::transient);
    for (const Protection other : {Protection::natural, Protection::probe, Protection::none}) {
        const Classification refused = classify(operationOf(Effect::write, other), answered(409));
        QVERIFY(!refused.inUse);
        QCOMPARE(refused.failureClass, FailureClass::permanent);
    }
}

void TestClassify::aNaturalDeleteThatFindsNothingHasHappened_data()
{
    QTest::addColumn<int>("status");
    QTest::newRow("404") << 404;
    QTest::newRow("410") << 410;
}

void TestClassify::aNaturalDeleteThatFindsNothingHasHappened()
{
    QFETCH(int, status);
    OperationPolicy policy = operationOf(Effect::write, Protection::natural);
    QCOMPARE(classOf(policy, answered(status)), QStringLiteral("permanent"));
    policy.isDelete = true;
    QVERIFY(classify(policy, answered(status)).ok());
    QCOMPARE(classOf(policy, answered(403)), QStringLiteral("permanent"));
    policy.protection = Protection::none;
    QCOMPARE(classOf(policy, answered(status)), QStringLiteral("permanent"));
}

void TestClassify::anUnreadableTwoHundredHasHappened()
{
    QVERIFY(classify(writePolicy, unreadable()).happened);
    QVERIFY(classify(writePolicy, truncated(201)).happened);
    QVERIFY(!classify(writePolicy, truncated(500)).happened);
    QVERIFY(!classify(readPolicy, unreadable()).happened);
}

void TestClassify::aDependencysRuleOverridesTheMap()
{
    OperationPolicy policy = writePolicy;
    policy.classify = {rule(402, FailureClass::transient, "card_busy"),
                       rule(503, FailureClass::transient, "overloaded"),
                       rule(401, FailureClass::permanent, "no_such_account"),
                       rule(422, FailureClass::ambiguous, "half_done")};
    QCOMPARE(classify(policy, answered(402)).reason, QStringLiteral("card_busy"));
    QCOMPARE(classOf(policy, answered(402)), QStringLiteral("transient"));
    QCOMPARE(classOf(policy, answered(503)), QStringLiteral("transient"));
    QCOMPARE(classOf(policy, answered(401)), QStringLiteral("permanent"));
    QVERIFY(!classify(policy, answered(401)).credentials);
    QCOMPARE(classOf(policy, answered(422)), QStringLiteral("ambiguous"));
    QCOMPARE(classOf(policy, answered(500)), QStringLiteral("ambiguous"));
}

void TestClassify::theFirstMatchingRuleWins()
{
    OperationPolicy policy = writePolicy;
    policy.classify = {rule(503, FailureClass::transient, "first"),
                       rule(503, FailureClass::permanent, "second")};
    QCOMPARE(classify(policy, answered(503)).reason, QStringLiteral("first"));
}

void TestClassify::aRuleMayNameARangeOrAnError()
{
    OperationPolicy policy = writePolicy;
    ClassifyRule range = rule(520, FailureClass::transient, "edge");
    range.statusTo = 529;
    ClassifyRule error = rule(0, FailureClass::transient, "never_reaches_them");
    error.error = QStringLiteral("reset");
    policy.classify = {range, error};
    QCOMPARE(classify(policy, answered(529)).reason, QStringLiteral("edge"));
    QCOMPARE(classOf(policy, answered(530)), QStringLiteral("ambiguous"));
    QCOMPARE(classOf(policy, broken("reset")), QStringLiteral("transient"));
    QCOMPARE(classOf(policy, broken("timeout")), QStringLiteral("ambiguous"));
}

// C1: the map is by status, error and body. A refused connection can be hopeless at one dependency.
void TestClassify::aRuleMayNameAnErrorOfACallThatWasNotSent()
{
    OperationPolicy policy = writePolicy;
    ClassifyRule refused = rule(0, FailureClass::permanent, "switched_off");
    refused.error = QStringLiteral("connect_refused");
    policy.classify = {refused};
    QCOMPARE(classOf(policy, unsent("connect_refused")), QStringLiteral("permanent"));
    QCOMPARE(classify(policy, unsent("connect_refused")).reason, QStringLiteral("switched_off"));
    QCOMPARE(classOf(policy, unsent("dns_failure")), QStringLiteral("transient"));
}

void TestClassify::aRuleNeverMakesAnUnsentCallAmbiguous()
{
    OperationPolicy policy = writePolicy;
    ClassifyRule any = rule(0, FailureClass::ambiguous, "who_knows");
    policy.classify = {any};
    QCOMPARE(classOf(policy, unsent("connect_refused")), QStringLiteral("transient"));
}

void TestClassify::aRuleWithAnExpressionNeedsItToHold()
{
    OperationPolicy policy = writePolicy;
    ClassifyRule when = rule(500, FailureClass::permanent, "declined");
    when.hasWhen = true;
    policy.classify = {when};
    Ended ended = answered(500);
    QCOMPARE(classOf(policy, ended), QStringLiteral("ambiguous"));
    ended.classifyWhen = {false};
    QCOMPARE(classOf(policy, ended), QStringLiteral("ambiguous"));
    ended.classifyWhen = {true};
    QCOMPARE(classOf(policy, ended), QStringLiteral("permanent"));
}

void TestClassify::aRuleDoesNotMakeAReadAmbiguous()
{
    OperationPolicy policy = readPolicy;
    policy.classify = {rule(500, FailureClass::ambiguous, "half_done")};
    QCOMPARE(classOf(policy, answered(500)), QStringLiteral("transient"));
}

void TestClassify::aVerifyAndASnapshotAreReads()
{
    for (const Direction direction : {Direction::verify, Direction::snapshot}) {
        Ended ended = broken("timeout");
        ended.direction = direction;
        QCOMPARE(classOf(writePolicy, ended), QStringLiteral("transient"));
        ended = answered(500);
        ended.direction = direction;
        QCOMPARE(classOf(writePolicy, ended), QStringLiteral("transient"));
    }
    Ended undo = broken("timeout");
    undo.direction = Direction::compensate;
    QCOMPARE(classOf(writePolicy, undo), QStringLiteral("ambiguous"));
}

void TestClassify::everyBuiltInRowIsShownToPeople()
{
    QVERIFY(builtInRules().size() >= 12);
    for (const BuiltInRule &row : builtInRules()) {
        QVERIFY(*row.match && *row.applies && *row.failureClass && *row.reason);
    }
}

} // namespace holdfast::tests

QTEST_APPLESS_MAIN(holdfast::tests::TestClassify)
#include "tst_classify.moc"
