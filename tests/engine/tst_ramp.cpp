// Goal: a ramp lets through no more than its stage, goes on only on proof, and stops on errors;
// what it is kept as reads back the same.
#include "engine/gates.h"
#include "engine/ramp.h"

#include <QtTest>

using namespace holdfast::engine;
using namespace Qt::StringLiterals;

namespace
{
QStringList held(int count)
{
    QStringList ids;
    for (int i = 1; i <= count; ++i)
        ids << u"run-%1"_s.arg(i, 6, 10, QChar(u'0'));
    return ids;
}

QStringList labels(const Ramp &ramp)
{
    QStringList list;
    for (const RampStage &stage : ramp.stages)
        list << u"%1=%2"_s.arg(stage.label).arg(stage.runs);
    return list;
}

RampLook look(qint64 ok, qint64 failed = 0)
{
    RampLook look;
    look.mark = 10;
    look.ok = ok;
    look.failed = failed;
    look.failure = u"timeout"_s;
    return look;
}
} // namespace

class RampTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void stagesGrowAndNoneIsEmpty_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<QStringList>("stages");
        QTest::newRow("none") << 0 << QStringList{u"100 %=0"_s};
        QTest::newRow("one") << 1 << QStringList{u"100 %=1"_s};
        QTest::newRow("three") << 3 << QStringList{u"1=1"_s, u"50 %=2"_s, u"100 %=3"_s};
        QTest::newRow("thirty") << 30
                                << QStringList{u"1=1"_s, u"5=5"_s, u"50 %=15"_s, u"100 %=30"_s};
        QTest::newRow("thousand") << 1000
                                  << QStringList{u"1=1"_s, u"5=5"_s, u"10 %=100"_s, u"50 %=500"_s,
                                                 u"100 %=1000"_s};
    }
    void stagesGrowAndNoneIsEmpty()
    {
        QFETCH(int, count);
        QFETCH(QStringList, stages);
        const Ramp ramp = startRamp(held(count), 7, 100);
        QCOMPARE(labels(ramp), stages);
        QCOMPARE(ramp.isDone(), stages.size() == 1);
        QCOMPARE(Ramp::fromText(ramp.toText()), ramp);
    }

    void proofRaisesTheStageUntilItIsDone()
    {
        Ramp ramp = startRamp(held(1000), 7, 100);
        QCOMPARE(ramp.admits(), u"run-000001"_s);
        QCOMPARE(afterLook(ramp, look(0), 200).stage, 0);
        for (const auto &[ok, admits] :
             {std::pair(1, u"run-000005"_s), std::pair(4, u"run-000100"_s),
              std::pair(20, u"run-000500"_s)}) {
            QCOMPARE(afterLook(ramp, look(ok - 1), 200).stage, ramp.stage);
            ramp = afterLook(ramp, look(ok), 200);
            QCOMPARE(ramp.admits(), admits);
            QCOMPARE(ramp.ok, 0);
        }
        ramp = afterLook(ramp, look(20), 300);
        QVERIFY(ramp.isDone());
    }

    void aStageWhoseRunsAreGoneIsNoReasonToWait()
    {
        RampLook nobody = look(0);
        nobody.anyMoves = false;
        QCOMPARE(afterLook(startRamp(held(30), 0, 1), nobody, 2).stage, 1);
    }

    void errorsStopIt()
    {
        const Ramp ramp = startRamp(held(30), 0, 1);
        const Ramp first = afterLook(ramp, look(0, 1), 2);
        QCOMPARE(first.state, RampState::repaused);
        QCOMPARE(first.admits(), QString());
        QCOMPARE(first.note, u"1 of 1 attempts failed, the last with timeout"_s);
        QCOMPARE(afterLook(ramp, look(4, 1), 2).state, RampState::ramping);
        QCOMPARE(afterLook(ramp, look(3, 1), 2).state, RampState::repaused);
        RampLook open = look(5);
        open.openBreaker = u"stripe"_s;
        QCOMPARE(afterLook(ramp, open, 2).note, u"the breaker of stripe opened"_s);
    }

    void aPersonHoldsGoesOnAndPausesAgain()
    {
        const Ramp ramp = startRamp(held(30), 0, 1);
        QVERIFY(!afterAct(ramp, RampAct::go, u"ada"_s));
        const Ramp holding = *afterAct(ramp, RampAct::hold, u"ada"_s);
        QCOMPARE(holding.admits(), ramp.admits());
        QCOMPARE(afterLook(holding, look(9), 2).stage, 0);
        QCOMPARE(afterLook(holding, look(0, 3), 2).state, RampState::repaused);
        QCOMPARE(afterAct(holding, RampAct::go, u"ada"_s)->state, RampState::ramping);
        const Ramp again = *afterAct(holding, RampAct::repause, u"ada"_s);
        QCOMPARE(again.note, u"paused again by ada"_s);
        QVERIFY(!afterAct(again, RampAct::repause, u"ada"_s));
    }

    void aPauseStopsAllButThoseAdmitted()
    {
        Gates gates;
        const Ramp ramp = startRamp(held(30), 0, 1);
        gates.pauses = {pauseFrom(u"all"_s, {}, u"writes"_s, ramp.toText())};
        GateQuestion question;
        question.effect = Effect::write;
        question.runId = u"run-000001"_s;
        QVERIFY(ask(gates, question, 1).open);
        question.runId = u"run-000002"_s;
        QVERIFY(!ask(gates, question, 1).open);
        gates.pauses = {pauseFrom(u"all"_s, {}, u"intake"_s, ramp.toText())};
        QVERIFY(!isIntakePaused(gates, u"w"_s, u"run-000001"_s));
        QVERIFY(isIntakePaused(gates, u"w"_s, u"run-000002"_s));
        QVERIFY(isIntakePaused(gates, u"w"_s, {}));
    }

    void textNobodyWroteLetsNobodyThrough()
    {
        for (const QString &text :
             {u"x"_s, u"{}"_s, uR"({"state":"ramping","stage":3,"stages":[]})"_s})
            QCOMPARE(Ramp::fromText(text).admits(), QString());
    }
};

QTEST_APPLESS_MAIN(RampTest)
#include "tst_ramp.moc"
