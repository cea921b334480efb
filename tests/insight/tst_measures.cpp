// The measures by worked examples: what each sentence says is what comes out, and nothing comes out
// where there is nothing to divide by.
#include "insight/measures.h"

#include <QFile>
#include <QJsonArray>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast;
using insight::Counts;
using insight::Measure;

namespace
{
Measure named(const QVector<Measure> &measures, const QString &name)
{
    for (const Measure &measure : measures) {
        if (measure.name == name)
            return measure;
    }
    qFatal("there is no measure %s", qPrintable(name));
}

ports::ReviewRow item(const QString &kind, model::Instant ended, model::Instant opened,
                      model::Instant decided)
{
    ports::ReviewRow row;
    row.kind = kind;
    row.openedAt = opened;
    row.decidedAt = decided;
    row.evidence = {
        {u"attempts"_s, QJsonArray{QJsonObject{{u"ended_at"_s, model::instantText(ended)}}}}};
    return row;
}
} // namespace

class Measures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothing_to_divide_by_is_no_value()
    {
        const auto measures = insight::measuresOf({}, {});
        QCOMPARE(measures.size(), 7);
        for (const Measure &measure : measures) {
            QVERIFY2(!measure.value, qPrintable(measure.name));
            QVERIFY(measure.definition.endsWith(u'.'));
            QVERIFY(measure.unit == "percent"_L1 || measure.unit == "ms"_L1);
        }
    }

    void shares_are_of_what_they_say()
    {
        const Counts counts{
            {u"effects"_s, 200},      {u"late_effects"_s, 1},        {u"runs_succeeded"_s, 90},
            {u"runs_failed"_s, 6},    {u"runs_cancelled"_s, 4},      {u"runs_stormy"_s, 5},
            {u"compensated"_s, 3},    {u"compensation_failed"_s, 1}, {u"reviews_closed"_s, 8},
            {u"reviews_needed"_s, 6}, {u"duration_ms"_s, 5000}};
        const auto measures = insight::measuresOf(counts, {});
        QCOMPARE(*named(measures, u"duplicate_effect_rate"_s).value, 0.5);
        QCOMPARE(*named(measures, u"retry_storm_rate"_s).value, 5.0);
        QCOMPARE(named(measures, u"retry_storm_rate"_s).denominator, 100);
        QCOMPARE(*named(measures, u"compensation_success_rate"_s).value, 75.0);
        QCOMPARE(*named(measures, u"escalation_precision"_s).value, 75.0);
        QCOMPARE(*named(measures, u"time_to_stable_completion"_s).value, 50.0);
    }

    // None of something is a fact, and differs from nothing being known.
    void none_of_some_is_zero()
    {
        const auto measures = insight::measuresOf({{u"effects"_s, 3}}, {});
        QCOMPARE(*named(measures, u"duplicate_effect_rate"_s).value, 0.0);
        QVERIFY(!named(measures, u"retry_storm_rate"_s).value);
    }

    void medians_leave_approvals_out()
    {
        const model::Instant at = 1'800'000'000'000;
        const QVector<ports::ReviewRow> items{
            item(u"ambiguous"_s, at, at + 1000, at + 61'000),
            item(u"dead_letter"_s, at, at + 3000, at + 13'000),
            item(u"conflict"_s, at, at + 5000, model::never),
            item(u"approval"_s, at, at + 900'000, at + 990'000),
        };
        const auto measures = insight::measuresOf({}, items);
        QCOMPARE(*named(measures, u"time_to_detect"_s).value, 3000.0);
        QCOMPARE(named(measures, u"time_to_detect"_s).denominator, 3);
        // Of two it is what lies between them.
        QCOMPARE(*named(measures, u"time_to_recover"_s).value, 35'000.0);
        QCOMPARE(named(measures, u"time_to_recover"_s).denominator, 2);
    }

    void medians_are_of_the_newest_items_that_are_no_approvals()
    {
        const model::Instant at = 1'800'000'000'000;
        QVector<ports::ReviewRow> items{item(u"conflict"_s, at, at + 1'000'000, model::never)};
        for (int i = 0; i < insight::medianItemsMax; ++i) {
            items.append(item(u"ambiguous"_s, at, at + 7, at + 9));
            items.append(item(u"approval"_s, at, at + 1'000'000, model::never));
        }
        const Measure detect = named(insight::measuresOf({}, items), u"time_to_detect"_s);
        QCOMPARE(detect.denominator, insight::medianItemsMax);
        QCOMPARE(*detect.value, 7.0);
    }

    void the_man_page_says_what_is_measured()
    {
        QFile file(qEnvironmentVariable("HOLDFAST_SOURCE_DIR") +
                   u"/resources/platform/man/holdfastctl.1.scd"_s);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString page = QString::fromUtf8(file.readAll()).simplified();
        for (const Measure &measure : insight::measuresOf({}, {})) {
            const QString words = u"_%1_: %2"_s.arg(measure.title.toLower(), measure.definition);
            QVERIFY2(page.contains(words, Qt::CaseInsensitive), qPrintable(words));
        }
    }

    void shares_stay_within_their_bounds()
    {
        for (qint64 whole = 0; whole < 60; ++whole) {
            for (qint64 part = 0; part <= whole; ++part) {
                const auto share = insight::shareOf(part, whole);
                QCOMPARE(share.has_value(), whole > 0);
                QVERIFY(!share || (*share >= 0 && *share <= 100));
                QVERIFY(!share || (*share == 0) == (part == 0));
                QVERIFY(!share || (*share == 100) == (part == whole));
            }
        }
    }
};

QTEST_GUILESS_MAIN(Measures)
#include "tst_measures.moc"
