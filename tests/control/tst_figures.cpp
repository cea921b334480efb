// Counters and what to know before a pause is lifted. Goal: the figures agree with what happened,
// and with the journal. On every store.
#include "control/console_bench.h"

#include "runtime/rebuild.h"

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

class Figures : public QObject, private ConsoleSuite
{
    Q_OBJECT

private:
    QJsonObject lastHour(const QJsonObject &more = {})
    {
        const model::Instant now = *m_bench->store->now();
        QJsonObject arguments{{u"since"_s, model::instantText(now - model::hour)},
                              {u"until"_s, model::instantText(now + model::minute)}};
        for (auto value = more.begin(); value != more.end(); ++value)
            arguments.insert(value.key(), *value);
        return arguments;
    }
    static QJsonValue named(const QJsonValue &list, QLatin1String field, const QString &name)
    {
        for (const QJsonValue &item : list.toArray()) {
            if (item[field].toString() == name)
                return item;
        }
        return {};
    }

private Q_SLOTS:
    void initTestCase_data() { addKinds(); }
    void init() { freshBench(); }
    void cleanup() { m_bench.reset(); }

    void a_series_adds_up_to_what_happened()
    {
        runTo(u"a"_s, DoorBench::succeeds);
        ambiguousAt(u"pay"_s, u"b"_s);
        m_bench->ok("start", {{u"workflow"_s, u"one"_s},
                              {u"input"_s, QJsonObject{{u"id"_s, u"a"_s}}}}); // a replay
        const QJsonValue series = m_bench->ok("series", lastHour({{u"bucket_ms"_s, 600000}}));
        QCOMPARE(series["totals"_L1]["runs_started"_L1].toInt(), 2);
        QCOMPARE(series["totals"_L1]["runs_succeeded"_L1].toInt(), 1);
        QCOMPARE(series["totals"_L1]["attempts"_L1].toInt(), 3);
        QCOMPARE(series["totals"_L1]["ambiguous"_L1].toInt(), 1);
        QCOMPARE(series["totals"_L1]["reviews"_L1].toInt(), 1);
        QCOMPARE(series["totals"_L1]["runs_failed"_L1].toInt(-1), 0);
        const QJsonArray buckets = series["buckets"_L1].toArray();
        QVERIFY(buckets.size() == 7 || buckets.size() == 8);
        int started = 0;
        for (const QJsonValue &bucket : buckets)
            started += bucket["runs_started"_L1].toInt();
        QCOMPARE(started, 2);
        QVERIFY(buckets.first()["at"_L1].isString());
    }

    void a_series_refuses_what_makes_no_sense()
    {
        QVERIFY(!refusal("series", lastHour({{u"bucket_ms"_s, 1000}})).isEmpty());
        QVERIFY(!refusal("series", lastHour({{u"bucket_ms"_s, 90000}})).isEmpty());
        QVERIFY(
            !refusal("series", {{u"since"_s, u"2020-01-01"_s}, {u"bucket_ms"_s, 60000}}).isEmpty());
        QVERIFY(!refusal("series", {{u"since"_s, u"2027-01-01"_s}, {u"until"_s, u"2026-01-01"_s}})
                     .isEmpty());
        QVERIFY(!refusal("rates", {{u"since"_s, u"soon"_s}}).isEmpty());
        QVERIFY(m_bench->call("series", {}).ok());
    }

    void rates_are_by_operation_and_by_dependency()
    {
        runTo(u"a"_s, DoorBench::succeeds);
        ambiguousAt(u"pay"_s, u"b"_s);
        QJsonValue rates = m_bench->ok("rates", lastHour());
        const QJsonValue pay = named(rates["operations"_L1], "step"_L1, u"pay"_s);
        QCOMPARE(pay["workflow"_L1].toString(), u"one"_s);
        QCOMPARE(pay["dependency"_L1].toString(), u"payments"_s);
        QCOMPARE(pay["attempts"_L1].toInt(), 2);
        QCOMPARE(pay["confirmed"_L1].toInt(), 1);
        const QJsonValue mail = named(rates["dependencies"_L1], "dependency"_L1, u"mail"_s);
        QCOMPARE(mail["attempts"_L1].toInt(), 1);
        QCOMPARE(rates["measures"_L1].toArray().size(), 7);
        const auto measure = [&](const QString &name) {
            return named(rates["measures"_L1], "name"_L1, name);
        };
        QCOMPARE(measure(u"time_to_detect"_s)["now"_L1].toInt(-1), 0);
        QVERIFY(measure(u"time_to_recover"_s)["now"_L1].isNull());
        QCOMPARE(measure(u"time_to_recover"_s)["denominator"_L1].toInt(-1), 0);
        QCOMPARE(measure(u"retry_storm_rate"_s)["denominator"_L1].toInt(-1), 1);
        m_bench->ok("resolve", {{u"review"_s, m_bench->reviews().first()["id"_L1]},
                                {u"verdict"_s, u"happened"_s},
                                {u"receipt"_s, QJsonObject{{u"id"_s, u"x"_s}}},
                                {u"reason"_s, u"looked"_s}});
        m_bench->run(DoorBench::succeeds);
        rates = m_bench->ok("rates", lastHour());
        QVERIFY(measure(u"time_to_recover"_s)["now"_L1].toInt(-1) >= 0);
        QCOMPARE(measure(u"time_to_recover"_s)["denominator"_L1].toInt(), 1);
        QCOMPARE(measure(u"retry_storm_rate"_s)["denominator"_L1].toInt(-1), 2);
    }

    void hours_that_are_over_add_up_all_the_same()
    {
        if (!m_bench->fixture.hasOwnClock())
            QSKIP("the time of this database cannot be set");
        SettableClock &clock = m_bench->fixture.clock;
        ports::WorkerRow worker;
        worker.id = u"bench"_s;
        QVERIFY(m_bench->store->registerWorker(worker, 7 * model::day).ok());
        const model::Instant midnight = clock.now() - clock.now() % model::day + model::day;
        const QString since = model::instantText(midnight);
        for (int i = 0; i < 5; ++i) {
            clock.set(midnight + i * model::hour + 10 * model::minute);
            runTo(QString::number(i), DoorBench::succeeds);
            QVERIFY(m_bench->store->sumHours(clock.now() - 5 * model::minute, 10).ok());
            const QString until = model::instantText(clock.now() + model::minute);
            for (const QString &from : {since, model::instantText(midnight + 90 * model::second)}) {
                const QJsonObject arguments{{u"since"_s, from}, {u"until"_s, until}};
                const QJsonValue rates = m_bench->ok("rates", arguments);
                QCOMPARE(named(rates["operations"_L1], "step"_L1, u"pay"_s)["attempts"_L1].toInt(),
                         i + 1);
                QJsonObject byHour = arguments;
                byHour.insert(u"bucket_ms"_s, model::hour);
                const QJsonValue series = m_bench->ok("series", byHour);
                QCOMPARE(series["totals"_L1]["runs_started"_L1].toInt(), i + 1);
                const QJsonArray buckets = series["buckets"_L1].toArray();
                QCOMPARE(buckets.size(), i + 1);
                QCOMPARE(buckets.last()["runs_succeeded"_L1].toInt(), 1);
            }
        }
        // Late, but within the hour that is not sealed yet.
        clock.set(midnight + 4 * model::hour + 55 * model::minute);
        runTo(u"late"_s, DoorBench::succeeds);
        const QJsonValue all =
            m_bench->ok("rates", {{u"since"_s, since},
                                  {u"until"_s, model::instantText(midnight + 10 * model::hour)}});
        QCOMPARE(named(all["dependencies"_L1], "dependency"_L1, u"mail"_s)["attempts"_L1].toInt(),
                 6);
    }

    void the_counters_are_what_the_journal_says()
    {
        runTo(u"a"_s, DoorBench::succeeds);
        ambiguousAt(u"pay"_s, u"b"_s);
        m_bench->start(u"c"_s);
        runtime::Catalog catalog;
        const auto report = runtime::rebuild(*m_bench->store, catalog, false);
        QVERIFY2(report.ok(), report.ok() ? "" : qPrintable(report.error().message));
        QVERIFY2(report->differenceCount == 0, qPrintable(report->differences.join(u'\n')));
        QCOMPARE(report->runs, 3);
    }

    void a_pause_is_checked_before_it_is_lifted()
    {
        // Sent once and not settled: its key ages while the pause lasts.
        ambiguousAt(u"pay"_s, u"a"_s);
        const QJsonValue paused =
            m_bench->ok("pause", {{u"dependency"_s, u"payments"_s}, {u"reason"_s, u"incident"_s}});
        m_bench->ok("resolve", {{u"review"_s, m_bench->reviews().first()["id"_L1]},
                                {u"verdict"_s, u"absent"_s},
                                {u"reason"_s, u"looked"_s}});
        runTo(u"b"_s, DoorBench::succeeds);
        const QJsonValue checked = m_bench->ok("resume_check", {{u"pause"_s, paused["id"_L1]}});
        QCOMPARE(checked["held"_L1].toInt(), 2);
        QCOMPARE(checked["by_age"_L1].toArray().size(), 4);
        QCOMPARE(checked["by_age"_L1][0]["count"_L1].toInt(), 2);
        QCOMPARE(checked["dependencies"_L1].toArray().size(), 1);
        const QJsonValue payments = checked["dependencies"_L1][0];
        QCOMPARE(payments["dependency"_L1].toString(), u"payments"_s);
        QCOMPARE(payments["breaker"_L1].toString(), u"closed"_s);
        QCOMPARE(payments["success_rate"_L1].toDouble(-1), 0.0);
        QVERIFY(checked["keys_expiring"_L1].isArray());
        QVERIFY(!refusal("resume_check", {{u"pause"_s, u"none"_s}}).isEmpty());
        QVERIFY(!refusal("resume_check", {}).isEmpty());
        m_bench->ok("resume", {{u"pause"_s, paused["id"_L1]}});
        QVERIFY(refusal("resume_check", {{u"pause"_s, paused["id"_L1]}}).contains("ada"_L1));
    }

    void everything_paused_names_every_dependency()
    {
        const QJsonValue paused = m_bench->ok("pause", {{u"reason"_s, u"incident"_s}});
        const QJsonValue checked = m_bench->ok("resume_check", {{u"pause"_s, paused["id"_L1]}});
        QCOMPARE(checked["held"_L1].toInt(-1), 0);
        QCOMPARE(checked["dependencies"_L1].toArray().size(), 2);
        QVERIFY(checked["dependencies"_L1][0]["success_rate"_L1].isNull());
        const QJsonValue workflow =
            m_bench->ok("pause", {{u"workflow"_s, u"one"_s}, {u"reason"_s, u"incident"_s}});
        QCOMPARE(m_bench->ok("resume_check", {{u"pause"_s, workflow["id"_L1]}})["dependencies"_L1]
                     .toArray()
                     .size(),
                 2);
    }
};

QTEST_GUILESS_MAIN(Figures)
#include "tst_figures.moc"
