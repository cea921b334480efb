// Goal: the time of a file follows the boot clock and never goes back. Method: a clock whose wall,
// boot clock and boot are set by hand.
#include "store/sqlite_time.h"

#include <QtTest>

using namespace holdfast;
using store::SqliteTime;

namespace
{
constexpr model::Instant morning = 1'800'000'000'000;

class HandClock : public ports::Clock
{
public:
    model::Instant now() const override { return wall; }
    model::Millis monotonic() const override { return steady; }
    QString bootId() const override { return boot; }
    void pass(model::Millis time)
    {
        wall += time;
        steady += time;
    }

    model::Instant wall = morning;
    model::Millis steady = 5000;
    QString boot = QStringLiteral("boot-1");
};
} // namespace

class SqliteTimeTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void a_wall_that_jumps_changes_nothing()
    {
        HandClock clock;
        SqliteTime time(clock);
        time.begin({}, 0);
        QCOMPARE(time.now(), morning);
        clock.wall += model::hour;
        QCOMPARE(time.now(), morning);
        clock.wall = 0;
        clock.pass(70);
        QCOMPARE(time.now(), morning + 70);
    }
    void within_a_boot_it_goes_on_over_a_restart()
    {
        HandClock clock;
        SqliteTime first(clock);
        first.begin({}, 0);
        const QString kept = first.text();
        clock.pass(model::minute);
        clock.wall -= 3 * model::hour;
        SqliteTime second(clock);
        second.begin(kept, morning);
        QCOMPARE(second.now(), morning + model::minute);
    }
    void after_another_boot_it_goes_on_from_the_newest_row()
    {
        HandClock clock;
        SqliteTime first(clock);
        first.begin({}, 0);
        const QString kept = first.text();
        clock.boot = QStringLiteral("boot-2");
        clock.steady = 10;
        clock.wall = morning - model::day;
        SqliteTime second(clock);
        second.begin(kept, morning + 500);
        QCOMPARE(second.now(), morning + 500);
        clock.pass(20);
        QCOMPARE(second.now(), morning + 520);
    }
    void a_wall_that_is_ahead_is_caught_up_with_after_the_next_boot()
    {
        HandClock clock;
        SqliteTime first(clock);
        first.begin({}, 0);
        clock.wall += model::hour;
        SqliteTime second(clock);
        second.begin(first.text(), morning);
        QCOMPARE(second.now(), morning);
        clock.boot = QStringLiteral("boot-2");
        SqliteTime third(clock);
        third.begin(second.text(), morning);
        QCOMPARE(third.now(), morning + model::hour);
    }
    void clocks_without_a_boot_are_not_compared()
    {
        HandClock clock;
        clock.boot.clear();
        SqliteTime first(clock);
        first.begin({}, 0);
        clock.steady += model::day;
        SqliteTime second(clock);
        second.begin(first.text(), 0);
        QCOMPARE(second.now(), morning);
    }
    void what_cannot_be_read_is_as_good_as_nothing()
    {
        HandClock clock;
        for (const QString &kept : {QStringLiteral("x"), QStringLiteral("boot-1 1"),
                                    QStringLiteral("boot-1 a b"), QStringLiteral("  ")}) {
            SqliteTime time(clock);
            time.begin(kept, 0);
            QCOMPARE(time.now(), morning);
        }
    }
};

QTEST_GUILESS_MAIN(SqliteTimeTest)
#include "tst_sqlite_time.moc"
