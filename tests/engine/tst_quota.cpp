// What all workers together may use of a dependency's limits: places, calls within a second,
// retries. Taken whole or not at all, and never more than there is.
#include "engine/quota.h"

#include <QRandomGenerator>
#include <QtTest>

using namespace holdfast;
using namespace holdfast::engine;
using namespace Qt::StringLiterals;

namespace
{
constexpr Instant noon = 1'700'000'000'000;

LimitPolicy limited(int concurrency, int rate)
{
    LimitPolicy limit;
    limit.concurrency = concurrency;
    limit.ratePerSecond = rate;
    return limit;
}
} // namespace

class QuotaTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void placesAreSharedByAllWorkers()
    {
        Quota quota;
        const LimitPolicy limit = limited(5, 0);
        QVERIFY(take(quota, u"a"_s, {.places = 3}, limit, noon));
        QVERIFY(!take(quota, u"b"_s, {.places = 3}, limit, noon));
        QCOMPARE(quota.placesOf(u"b"_s), 0);
        QVERIFY(take(quota, u"b"_s, {.places = 2}, limit, noon));
        // Whoever holds its places already asks nobody.
        QVERIFY(take(quota, u"a"_s, {.places = 2}, limit, noon));
        QCOMPARE(quota.placesOf(u"a"_s), 3);
        giveBack(quota, u"a"_s, 1);
        QVERIFY(take(quota, u"b"_s, {.places = 4}, limit, noon));
        giveBack(quota, u"b"_s, 0);
        QVERIFY(!quota.places.contains(u"b"_s));
    }

    void aLoweredLimitLetsNobodyTakeMore()
    {
        Quota quota;
        QVERIFY(take(quota, u"a"_s, {.places = 5}, limited(5, 0), noon));
        QVERIFY(!take(quota, u"b"_s, {.places = 1}, limited(2, 0), noon));
        QVERIFY(take(quota, u"a"_s, {.places = 5}, limited(2, 0), noon));
        QCOMPARE(quota.placesElsewhere(u"b"_s), 5);
    }

    void noSecondSeesMoreThanTheRate()
    {
        QRandomGenerator dice(7);
        Quota quota;
        const LimitPolicy limit = limited(0, 10);
        QVector<std::pair<Instant, int>> made;
        Instant now = noon;
        for (int i = 0; i < 20'000; ++i) {
            now += dice.bounded(120);
            const int calls = 1 + dice.bounded(4);
            if (take(quota, u"w%1"_s.arg(dice.bounded(4)), {.calls = calls}, limit, now))
                made.append({now, calls});
        }
        QVERIFY(made.size() > 1000);
        int fullest = 0;
        for (qsizetype from = 0, to = 0, count = 0; to < made.size(); ++to) {
            count += made.at(to).second;
            while (made.at(from).first <= made.at(to).first - second)
                count -= made.at(from++).second;
            fullest = std::max(fullest, int(count));
        }
        QCOMPARE(fullest, 10);
        QVERIFY(quota.calls.size() <= 10);
    }

    void theOldestCallSaysWhenThereIsRoom()
    {
        Quota quota;
        QCOMPARE(quota.oldestCall(noon), never);
        QVERIFY(take(quota, u"a"_s, {.calls = 1}, limited(0, 2), noon));
        QVERIFY(take(quota, u"b"_s, {.calls = 1}, limited(0, 2), noon + 400));
        QVERIFY(!take(quota, u"b"_s, {.calls = 1}, limited(0, 2), noon + 999));
        QCOMPARE(quota.oldestCall(noon + 999), noon);
        QVERIFY(take(quota, u"b"_s, {.calls = 1}, limited(0, 2), noon + 1000));
        QCOMPARE(quota.oldestCall(noon + 1000), noon + 400);
    }

    void retriesAreTenAtOnceTenASecondAndAShareOfFirstTries()
    {
        Quota quota;
        const LimitPolicy limit;
        QVERIFY(!take(quota, u"a"_s, {.retries = 11}, limit, noon));
        QVERIFY(take(quota, u"a"_s, {.retries = 10}, limit, noon));
        QVERIFY(!take(quota, u"b"_s, {.retries = 1}, limit, noon + 99));
        QVERIFY(take(quota, u"b"_s, {.retries = 1}, limit, noon + 100));
        QVERIFY(take(quota, u"b"_s, {.retries = 1, .earned = 1000}, limit, noon + 100));
        // More than the whole cannot be saved up.
        QVERIFY(!take(quota, u"b"_s, {.retries = 11, .earned = 50'000}, limit, noon + hour));
    }

    void timeThatGoesBackAddsNothing()
    {
        Quota quota;
        const LimitPolicy limit;
        QVERIFY(take(quota, u"a"_s, {.retries = 10}, limit, noon));
        QVERIFY(!take(quota, u"a"_s, {.retries = 1}, limit, noon - hour));
        QVERIFY(take(quota, u"a"_s, {.calls = 1}, limit, noon - hour));
        QCOMPARE(quota.retriesLeft(limit, noon), 0);
    }

    void nothingIsTakenWhereOneThingIsMissing()
    {
        Quota quota;
        const LimitPolicy limit = limited(2, 2);
        QVERIFY(take(quota, u"a"_s, {.places = 1, .calls = 2}, limit, noon));
        const Quota before = quota;
        QVERIFY(!take(quota, u"b"_s, {.places = 1, .calls = 1}, limit, noon));
        QCOMPARE(quota, before);
    }

    void theTextIsTheWhole()
    {
        Quota quota;
        const LimitPolicy limit = limited(4, 4);
        QVERIFY(take(quota, u"a"_s, {.places = 2, .calls = 3, .retries = 1}, limit, noon));
        quota.wantedAt = noon + 5;
        QCOMPARE(Quota::fromText(quota.toText()), quota);
        QVERIFY(quota.isWanted(noon + second) && !quota.isWanted(noon + minute));
        QCOMPARE(Quota::fromText(Quota().toText()), Quota());
    }
};

QTEST_GUILESS_MAIN(QuotaTest)
#include "tst_quota.moc"
