// One suite for all stores: counters say the same before and after their hours are added up.
// Method: some hours of counters, asked for over spans that begin and end within hours, at hours
// and beyond; then hours are added up, a few at a time, and everything is asked again.
#include "store/store_suite.h"

#include <QTest>

using namespace holdfast;
using namespace holdfast::ports;
using holdfast::tests::StoreFixture;

class ConformanceHours : public QObject, private tests::StoreSuite
{
    Q_OBJECT

private:
    static constexpr Instant begin = 500'000 * model::hour;
    static constexpr int hours = 80;

    static RollupRow counted(Instant minute, const QString &workflow, const QString &step,
                             qint64 attempts)
    {
        return {minute,
                workflow,
                step,
                QStringLiteral("payments"),
                QStringLiteral("worker"),
                {{QStringLiteral("attempts"), attempts}, {QStringLiteral("retries"), 1}}};
    }
    void add(const QVector<RollupRow> &rows)
    {
        OK(m_store->begin());
        TurnWrites writes;
        writes.rollups = rows;
        OK(m_store->write(writes));
        OK(m_store->commit());
    }
    // Several workflows in every seventh minute; nothing in the fourth hour, nor for more than a
    // day.
    void fill()
    {
        QVector<RollupRow> rows;
        for (int minute = 0; minute < hours * 60; minute += 7) {
            if (minute / 60 == 3 || (minute / 60 > 20 && minute / 60 < 50))
                continue;
            const Instant at = begin + minute * model::minute;
            rows.append(counted(at, QStringLiteral("one"), QStringLiteral("pay"), minute));
            rows.append(counted(at, QStringLiteral("one"), QStringLiteral("tell"), 2));
            rows.append(counted(at, QStringLiteral("two"), QStringLiteral("pay"), 3));
        }
        add(rows);
    }
    static QString textOf(const QVector<RollupRow> &rows)
    {
        QString text;
        for (const RollupRow &row : rows) {
            text += QStringLiteral("%1 %2 %3 %4:")
                        .arg((row.minute - begin) / model::minute)
                        .arg(row.workflow, row.step, row.dependency);
            for (auto count = row.counts.cbegin(); count != row.counts.cend(); ++count)
                text += QStringLiteral(" %1=%2").arg(count.key()).arg(count.value());
            text += u'\n';
        }
        return text;
    }
    QString answers()
    {
        const auto at = [](int minute) { return begin + minute * model::minute; };
        const std::pair<Instant, Instant> spans[] = {
            {at(0), at(540)},  {at(0), at(60)},     {at(20), at(40)},    {at(20), at(400)},
            {at(60), at(400)}, {at(0), at(10'000)}, {at(130), at(180)},  {at(-600), model::never},
            {at(0), at(4800)}, {at(125), at(4700)}, {at(900), at(3400)}, {at(960), at(3840)}};
        QString text;
        for (const auto &[since, until] : spans) {
            const auto sums = m_store->rollupSums(since, until);
            if (!sums)
                return sums.error().message;
            text += textOf(*sums);
            for (const Millis bucket : {model::hour, 3 * model::hour, 20 * model::minute}) {
                const auto series = m_store->rollupSeries(since, until, bucket);
                if (!series)
                    return series.error().message;
                text += textOf(*series);
            }
        }
        return text;
    }
    int sum(Instant until, int most)
    {
        const auto summed = m_store->sumHours(until, most);
        if (!summed)
            qFatal("%s", qPrintable(summed.error().message));
        return *summed;
    }
    bool sums() const { return m_fixture->kind() != StoreFixture::Kind::memory; }

private Q_SLOTS:
    void initTestCase_data() { addKinds(); }
    void init() { freshStore(); }
    void cleanup() { dropStore(); }

    void counters_are_the_same_however_they_are_read()
    {
        fill();
        const QString before = answers();
        QVERIFY(before.contains(QLatin1String("two pay payments")));
        const Instant end = begin + 70 * model::hour + 30 * model::minute;
        if (sums())
            QCOMPARE(sum(end, 5), 5);
        QCOMPARE(answers(), before);
        while (sum(end, 5) > 0)
            QCOMPARE(answers(), before);
        // What is not over is left alone.
        QCOMPARE(sum(end, 2), 0);
        QCOMPARE(answers(), before);
    }

    void a_late_minute_counts()
    {
        fill();
        const Instant end = begin + hours * model::hour;
        while (sum(end, 100) > 0)
            ;
        const RollupRow late =
            counted(begin + 17 * model::hour, QStringLiteral("one"), QStringLiteral("pay"), 1000);
        const auto attempts = [&] {
            qint64 bySeries = 0, bySums = 0;
            const auto series = m_store->rollupSeries(begin, end, hours * model::hour);
            for (const RollupRow &row : *series)
                bySeries += row.counts.value(QStringLiteral("attempts"));
            const auto all = m_store->rollupSums(begin, end);
            for (const RollupRow &row : *all)
                bySums += row.counts.value(QStringLiteral("attempts"));
            return bySeries == bySums ? bySeries : -1;
        };
        const qint64 before = attempts();
        add({late});
        QCOMPARE(attempts(), before + 1000);
        while (sum(end, 2) > 0)
            ;
        QCOMPARE(attempts(), before + 1000);
    }

    void rebuilt_counters_replace_the_hours()
    {
        fill();
        const Instant end = begin + hours * model::hour;
        while (sum(end, 100) > 0)
            ;
        OK(m_store->replaceRollups(
            {counted(begin, QStringLiteral("one"), QStringLiteral("pay"), 5)}));
        for (int round = 0; round < 2; ++round) {
            const auto found = m_store->rollupSums(begin, end);
            OK(found);
            QCOMPARE(found->size(), 1);
            QCOMPARE(found->first().counts.value(QStringLiteral("attempts")), 5);
            sum(end, 100);
        }
    }
};

QTEST_GUILESS_MAIN(ConformanceHours)
#include "tst_conformance_hours.moc"
