// The rule of a tripwire: at the threshold, not below it, and not of too small a sample.
#include "engine/tripwire.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast::engine;

class Tripwire : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void a_share_pulls_exactly_at_its_threshold()
    {
        const TripRule rule{TripMeasure::failureRate, 20, 100};
        QVERIFY(!trips(rule, {19, 100}));
        QVERIFY(trips(rule, {20, 100}));
        QVERIFY(!trips(rule, {99, 99})); // too small a sample
        QVERIFY(!trips(rule, {40, 201}));
        QVERIFY(trips(rule, {41, 201}));
        QVERIFY(!trips({TripMeasure::retryRate, 1, 1}, {0, 0}));
        QVERIFY(!trips({TripMeasure::retryRate, 1, 1}, {0, 1000}));
    }
    void a_count_pulls_exactly_at_its_threshold()
    {
        const TripRule rule{TripMeasure::failures, 3, 3};
        QVERIFY(!trips(rule, {2, 2}));
        QVERIFY(trips(rule, {3, 3}));
    }
    void figures_come_from_counters()
    {
        const QMap<QString, qint64> counters{{u"attempts"_s, 100},
                                             {u"retries"_s, 7},
                                             {u"ambiguous"_s, 5},
                                             {u"confirmed"_s, 80},
                                             {u"failed"_s, 20},
                                             {u"compensated"_s, 8},
                                             {u"compensation_failed"_s, 2},
                                             {u"failed:check_failed"_s, 4}};
        QCOMPARE(tripFigures(TripMeasure::retryRate, counters, {}), (TripFigures{7, 100}));
        QCOMPARE(tripFigures(TripMeasure::ambiguityRate, counters, {}), (TripFigures{5, 100}));
        QCOMPARE(tripFigures(TripMeasure::failureRate, counters, {}), (TripFigures{20, 100}));
        QCOMPARE(tripFigures(TripMeasure::compensationRate, counters, {}), (TripFigures{10, 80}));
        QCOMPARE(tripFigures(TripMeasure::failures, counters, {}), (TripFigures{20, 20}));
        QCOMPARE(tripFigures(TripMeasure::failures, counters, u"check_failed"_s),
                 (TripFigures{4, 4}));
        QCOMPARE((TripFigures{3, 5}.less({4, 2})), (TripFigures{0, 3}));
    }
    void names_lead_back()
    {
        for (const QString &name : tripMeasureNames())
            QCOMPARE(tripMeasureName(*tripMeasureFromName(name)), name);
        QVERIFY(!tripMeasureFromName(u"luck"_s));
    }
};

QTEST_GUILESS_MAIN(Tripwire)
#include "tst_tripwire.moc"
