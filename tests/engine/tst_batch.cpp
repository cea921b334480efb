// Goal: a batch begins with one, goes no faster than its rate, and holds itself when its items fare
// badly.
#include "engine/batch.h"

#include <QtTest>

using namespace holdfast::engine;
using namespace Qt::StringLiterals;

namespace
{
constexpr Instant noon = 1'800'000'000'000;

BatchProgress progress(int taken, int base = 0)
{
    return {20, 1000, taken, base, taken == 0 ? never : noon};
}

BatchSeen fares(int ended, int troubled = 0)
{
    BatchSeen seen;
    seen.ended = ended;
    seen.troubled = troubled;
    seen.trouble = u"the run is failed again"_s;
    return seen;
}
} // namespace

class BatchTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void firstOneThenFiveThenTheRest()
    {
        QCOMPARE(afterLook(progress(0), {}, noon).take, 1);
        QCOMPARE(afterLook(progress(1), fares(1), noon).take, 5);
        QCOMPARE(afterLook(progress(6), fares(6), noon + 100).take, 2);
        QCOMPARE(afterLook(progress(6), fares(6), noon + 10 * second).take, 20);
        // Whoever lets it go on begins with one again.
        QCOMPARE(afterLook(progress(400, 400), {}, noon).take, 1);
    }

    void aStageWaitsForItsRunsButNotForEver()
    {
        BatchSeen seen = fares(1);
        seen.moving = 1;
        QCOMPARE(afterLook(progress(1), seen, noon + second).take, 0);
        QCOMPARE(afterLook(progress(1), seen, noon + minute).take, 5);
        seen = {};
        seen.recorded = 1;
        QCOMPARE(afterLook(progress(1), seen, noon + second).take, 0);
    }

    void whatNobodyAppliesDoesNotPileUp()
    {
        BatchSeen seen = fares(0);
        seen.recorded = batchWindow - 3;
        QCOMPARE(afterLook(progress(300), seen, noon + second).take, 3);
        seen.recorded = batchWindow;
        QCOMPARE(afterLook(progress(300), seen, noon + second).take, 0);
    }

    void itHoldsItselfOnTooMuchTrouble()
    {
        QCOMPARE(afterLook(progress(1), fares(1, 1), noon).state, BatchState::running);
        const BatchStep held = afterLook(progress(6), fares(6, 2), noon);
        QCOMPARE(held.state, BatchState::held);
        QCOMPARE(held.note, u"2 of the last 6 did not work: the run is failed again"_s);
        QCOMPARE(afterLook(progress(100), fares(100, 20), noon).state, BatchState::running);
        QCOMPARE(afterLook(progress(100), fares(100, 21), noon).state, BatchState::held);
    }

    void itIsDoneWhenNothingIsLeft()
    {
        BatchProgress all = progress(1000);
        QCOMPARE(afterLook(all, fares(1000, 900), noon).state, BatchState::done);
        BatchSeen seen = fares(999);
        seen.recorded = 1;
        QCOMPARE(afterLook(all, seen, noon).state, BatchState::running);
        all.taken = 999;
        QCOMPARE(afterLook(all, fares(900), noon + second).take, 1);
    }

    void whatAPersonMayDo()
    {
        for (const BatchState ended : {BatchState::done, BatchState::stopped}) {
            for (const BatchAct act : {BatchAct::hold, BatchAct::go, BatchAct::stop})
                QVERIFY(!afterAct(ended, act));
        }
        QCOMPARE(afterAct(BatchState::running, BatchAct::hold), BatchState::held);
        QCOMPARE(afterAct(BatchState::held, BatchAct::go), BatchState::running);
        QCOMPARE(afterAct(BatchState::held, BatchAct::stop), BatchState::stopped);
        QVERIFY(!afterAct(BatchState::running, BatchAct::go));
        QVERIFY(!afterAct(BatchState::held, BatchAct::hold));
    }

    // A run that was dismissed is failed because somebody wanted that.
    void troubleIsWhatTheActDidNotMean()
    {
        QVERIFY(isTrouble(u"retry"_s, {}, RunStatus::failed));
        QVERIFY(isTrouble(u"resolve"_s, u"absent"_s, RunStatus::review));
        QVERIFY(!isTrouble(u"resolve"_s, u"dismiss"_s, RunStatus::failed));
        QVERIFY(!isTrouble(u"resolve"_s, u"verify"_s, RunStatus::review));
        QVERIFY(isTrouble(u"compensate"_s, {}, RunStatus::compensationFailed));
        QVERIFY(!isTrouble(u"cancel"_s, {}, RunStatus::failed));
    }
};

QTEST_GUILESS_MAIN(BatchTest)
#include "tst_batch.moc"
