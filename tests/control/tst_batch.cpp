// Goal: a batch does to each run what the act alone would have done, in the name of whoever started
// it, once, whatever is interrupted; its totals add up at every moment. Method: the real door, the
// real watch and the real turn on every kind of database, with an outside that is a script.
#include "control/door_bench.h"
#include "runtime/batch_watch.h"

#include <QElapsedTimer>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
QString verifiedWorkflow()
{
    return oneStepWorkflow().replace("    retry: {attempts: 1"_L1, R"(    verify:
      http: {method: GET, path: "/t?key=${ key }"}
      happened: ${ response.body.data.length === 1 }
      absent: ${ response.body.data.length === 0 }
      settle_after: 1s
    retry: {attempts: 1)"_L1);
}

qint64 sumOf(const QJsonValue &totals)
{
    qint64 sum = 0;
    for (const QJsonValue &count : totals.toObject())
        sum += count.toInteger();
    return sum;
}
} // namespace

class Batch : public QObject
{
    Q_OBJECT

    static QJsonArray plan(DoorBench &bench, QJsonObject arguments)
    {
        QJsonArray items;
        while (true) {
            const QJsonValue page = bench.ok("batch_plan", arguments);
            for (const QJsonValue &item : page["items"_L1].toArray())
                items.append(item);
            if (page["cursor"_L1].isNull())
                return items;
            arguments.insert(u"cursor"_s, page["cursor"_L1]);
        }
    }
    static QString start(DoorBench &bench, QJsonObject arguments, const QString &id = {})
    {
        QJsonObject order = arguments;
        for (const auto &name : {u"runs"_s, u"filter"_s, u"status"_s, u"items"_s})
            order.remove(name);
        order.insert(u"items"_s, plan(bench, arguments));
        order.insert(u"reason"_s, u"bank is back"_s);
        const auto started = bench.call("batch_start", order, id);
        if (!started)
            qFatal("batch_start: %s", qPrintable(started.error().message));
        return (*started)["id"_L1].toString();
    }
    static QJsonObject show(DoorBench &bench, const QString &id)
    {
        const QJsonObject batch = bench.ok("batch", {{u"batch"_s, id}}).toObject();
        if (sumOf(batch["totals"_L1]["states"_L1]) != batch["items"_L1].toInt())
            qFatal("the totals do not add up");
        return batch;
    }
    static int stateCount(const QJsonObject &batch, const char *state)
    {
        return batch["totals"_L1]["states"_L1][QLatin1String(state)].toInt();
    }
    static void look(DoorBench &bench)
    {
        bench.fixture.clock.advance(model::second);
        const auto looked = runtime::BatchWatch(*bench.store).look();
        QVERIFY2(looked.ok(), looked.ok() ? "" : qPrintable(looked.error().message));
    }
    // Looks and turns until the batch is no longer running. Where time is the database's own, its
    // rate lets through what time has passed.
    static QJsonObject finish(DoorBench &bench, const QString &id, const DoorBench::Answer &answer)
    {
        QElapsedTimer patience;
        patience.start();
        while (true) {
            look(bench);
            bench.run(answer);
            const QJsonObject batch = show(bench, id);
            if (batch["state"_L1] != "running"_L1)
                return batch;
            if (patience.hasExpired(300'000))
                qFatal("the batch does not end");
        }
    }
    static QStringList failedRuns(DoorBench &bench, int count)
    {
        QStringList runs;
        for (int i = 0; i < count; ++i)
            runs << bench.start(u"failed-%1"_s.arg(i));
        bench.run(DoorBench::isRefused);
        return runs;
    }
    static void kinds()
    {
        QTest::addColumn<int>("kind");
        for (const StoreFixture::Kind kind : StoreFixture::available())
            QTest::newRow(qPrintable(StoreFixture::nameOf(kind))) << int(kind);
    }

private Q_SLOTS:
    void safe_and_unsafe_are_told_apart_data() { kinds(); }
    void safe_and_unsafe_are_told_apart()
    {
        QFETCH(int, kind);
        DoorBench bench{StoreFixture::Kind(kind)};
        bench.deploy(oneStepWorkflow());
        const QString failed = bench.start(u"a"_s);
        bench.run(DoorBench::isRefused);
        const QString doubtful = bench.start(u"b"_s);
        bench.run(DoorBench::timesOut);
        const QString good = bench.start(u"c"_s);
        bench.run(DoorBench::succeeds);
        const QJsonArray items =
            plan(bench, {{u"act"_s, u"retry"_s}, {u"runs"_s, QJsonArray{failed, doubtful, good}}});
        QCOMPARE(items.size(), 3);
        QCOMPARE(items[0]["verdict"_L1].toString(), u"safe"_s);
        QVERIFY(!items[0]["why"_L1].toString().isEmpty());
        QCOMPARE(items[1]["verdict"_L1].toString(), u"duplicate"_s);
        QCOMPARE(items[1]["may_include"_L1].toBool(), false);
        QCOMPARE(items[2]["verdict"_L1].toString(), u"impossible"_s);
        // By filter it is the same; the newest comes first.
        QCOMPARE(plan(bench, {{u"act"_s, u"retry"_s}, {u"filter"_s, u"workflow:one"_s}}).size(), 3);
        const QJsonArray answers = plan(bench, {{u"act"_s, u"resolve"_s},
                                                {u"verdict"_s, u"absent"_s},
                                                {u"filter"_s, u"status:review"_s}});
        QCOMPARE(answers.size(), 1);
        QCOMPARE(answers[0]["verdict"_L1].toString(), u"duplicate"_s);
        QCOMPARE(answers[0]["may_include"_L1].toBool(), true);
    }

    void what_a_target_can_be_asked_needs_verify()
    {
        DoorBench bench{StoreFixture::Kind::memory};
        bench.deploy(verifiedWorkflow());
        const QString doubtful = bench.start(u"b"_s);
        bench.run(DoorBench::timesOut);
        const QJsonArray retried =
            plan(bench, {{u"act"_s, u"retry"_s}, {u"runs"_s, QJsonArray{doubtful}}});
        QCOMPARE(retried[0]["verdict"_L1].toString(), u"verify"_s);
    }

    void each_is_done_once_in_the_name_of_who_started_data() { kinds(); }
    void each_is_done_once_in_the_name_of_who_started()
    {
        QFETCH(int, kind);
        DoorBench bench{StoreFixture::Kind(kind)};
        bench.deploy(oneStepWorkflow());
        const QStringList runs = failedRuns(bench, 8);
        const QString good = bench.start(u"good"_s);
        bench.run(DoorBench::succeeds);
        const QString id = model::newId(bench.fixture.clock.now());
        const QJsonObject order{{u"act"_s, u"retry"_s}, {u"filter"_s, u"workflow:one"_s}};
        QCOMPARE(start(bench, order, id), id);
        // The answer was lost and it is sent again.
        QCOMPARE(bench.call("batch_start", {{u"act"_s, u"retry"_s}}, id).ok(), true);
        QCOMPARE(bench.ok("batches", {})["batches"_L1].toArray().size(), 1);
        const QJsonObject batch = finish(bench, id, DoorBench::succeeds);
        QCOMPARE(batch["state"_L1].toString(), u"done"_s);
        QCOMPARE(stateCount(batch, "applied"), 8);
        QCOMPARE(stateCount(batch, "apart"), 1);
        QCOMPARE(batch["totals"_L1]["runs_now"_L1]["succeeded"_L1].toInt(), 8);
        for (const QString &run : runs) {
            QCOMPARE(bench.show(run)["status"_L1].toString(), u"succeeded"_s);
            const auto audit = bench.store->auditOf({{}, u"retry"_s, run, 0, 100});
            QCOMPARE(audit->rows.size(), 1);
            QCOMPARE(audit->rows.first().actor, u"ada"_s);
            QVERIFY(audit->rows.first().body.contains(id));
        }
        QCOMPARE(bench.show(good)["status"_L1].toString(), u"succeeded"_s);
        const QJsonValue chains = bench.ok("audit_verify", {});
        QVERIFY2(chains["intact"_L1].toBool(),
                 QJsonDocument(chains.toObject()).toJson().constData());
        const QJsonArray items =
            bench.ok("batch_items", {{u"batch"_s, id}, {u"state"_s, u"apart"_s}})["items"_L1]
                .toArray();
        QCOMPARE(items.size(), 1);
        QVERIFY(items[0]["message"_L1].toString().contains("succeeded"));
    }

    void it_begins_with_one_and_holds_itself_data() { kinds(); }
    void it_begins_with_one_and_holds_itself()
    {
        QFETCH(int, kind);
        DoorBench bench{StoreFixture::Kind(kind)};
        bench.deploy(oneStepWorkflow());
        failedRuns(bench, 30);
        const QString id =
            start(bench, {{u"act"_s, u"retry"_s}, {u"filter"_s, u"status:failed"_s}});
        look(bench);
        QCOMPARE(show(bench, id)["taken"_L1].toInt(), 1);
        look(bench);
        // Nobody has applied it: the next ones wait for it.
        QCOMPARE(show(bench, id)["taken"_L1].toInt(), 1);
        const QJsonObject held = finish(bench, id, DoorBench::isRefused);
        QCOMPARE(held["state"_L1].toString(), u"held"_s);
        QCOMPARE(held["taken"_L1].toInt(), 6);
        QVERIFY2(held["note"_L1].toString().contains("failed again"),
                 qPrintable(held["note"_L1].toString()));
        QCOMPARE(stateCount(held, "pending"), 24);
        bench.ok("batch_do", {{u"batch"_s, id}, {u"do"_s, u"go"_s}});
        look(bench);
        QCOMPARE(show(bench, id)["taken"_L1].toInt(), 7);
        const QJsonObject done = finish(bench, id, DoorBench::succeeds);
        QCOMPARE(done["state"_L1].toString(), u"done"_s);
        QCOMPARE(stateCount(done, "applied"), 30);
        // What the retry budget keeps waiting is under way; what failed again is said.
        QCOMPARE(done["totals"_L1]["runs_now"_L1]["failed"_L1].toInt(), 6);
    }

    void a_person_holds_goes_on_and_stops_data() { kinds(); }
    void a_person_holds_goes_on_and_stops()
    {
        QFETCH(int, kind);
        DoorBench bench{StoreFixture::Kind(kind)};
        bench.deploy(oneStepWorkflow());
        failedRuns(bench, 20);
        const QString id =
            start(bench, {{u"act"_s, u"retry"_s}, {u"filter"_s, u"status:failed"_s}});
        const auto tell = [&](const QString &word) {
            return bench.call("batch_do", {{u"batch"_s, id}, {u"do"_s, word}});
        };
        QVERIFY(!tell(u"go"_s));
        QVERIFY(!tell(u"dance"_s));
        QVERIFY(tell(u"hold"_s).ok());
        look(bench);
        QCOMPARE(show(bench, id)["taken"_L1].toInt(), 0);
        QVERIFY(tell(u"go"_s).ok());
        look(bench);
        QVERIFY(tell(u"stop"_s).ok());
        QVERIFY(!tell(u"go"_s));
        QCOMPARE(stateCount(show(bench, id), "recorded"), 1);
        QCOMPARE(stateCount(show(bench, id), "skipped"), 19);
        // What was recorded is still applied, and said.
        bench.run(DoorBench::succeeds);
        look(bench);
        QCOMPARE(stateCount(show(bench, id), "applied"), 1);
        QCOMPARE(show(bench, id)["state"_L1].toString(), u"stopped"_s);
        const auto audit = bench.store->auditOf({{}, u"batch"_s, u"system"_s, 0, 100});
        QCOMPARE(audit->rows.size(), 4);
    }

    // Whoever lost the answer asks again, and meanwhile somebody else may have said otherwise.
    void a_word_that_is_sent_twice_acts_once_data() { kinds(); }
    void a_word_that_is_sent_twice_acts_once()
    {
        QFETCH(int, kind);
        DoorBench bench{StoreFixture::Kind(kind)};
        bench.deploy(oneStepWorkflow());
        failedRuns(bench, 2);
        const QString id =
            start(bench, {{u"act"_s, u"retry"_s}, {u"filter"_s, u"status:failed"_s}});
        const auto tell = [&](const QString &word, const QString &request) {
            return bench.call("batch_do", {{u"batch"_s, id}, {u"do"_s, word}}, request);
        };
        QVERIFY(tell(u"hold"_s, u"first"_s).ok());
        QVERIFY(tell(u"go"_s, u"second"_s).ok());
        const auto again = tell(u"hold"_s, u"first"_s);
        QVERIFY(again.ok());
        QCOMPARE(again->toObject()["state"_L1].toString(), u"running"_s);
        const auto audit = bench.store->auditOf({{}, u"batch"_s, u"system"_s, 0, 100});
        QCOMPARE(audit->rows.size(), 3);
    }

    void what_moved_on_is_left_alone_data() { kinds(); }
    void what_moved_on_is_left_alone()
    {
        QFETCH(int, kind);
        DoorBench bench{StoreFixture::Kind(kind)};
        bench.deploy(oneStepWorkflow());
        const QStringList runs = failedRuns(bench, 2);
        const QString id =
            start(bench, {{u"act"_s, u"retry"_s}, {u"runs"_s, QJsonArray::fromStringList(runs)}});
        bench.ok("note", {{u"run"_s, runs[0]}, {u"text"_s, u"wait"_s}});
        bench.run(DoorBench::succeeds);
        const QJsonObject done = finish(bench, id, DoorBench::succeeds);
        QCOMPARE(stateCount(done, "skipped"), 1);
        QCOMPARE(stateCount(done, "applied"), 1);
        QCOMPARE(bench.show(runs[0])["status"_L1].toString(), u"failed"_s);
    }

    void answers_to_items_are_decisions_data() { kinds(); }
    void answers_to_items_are_decisions()
    {
        QFETCH(int, kind);
        DoorBench bench{StoreFixture::Kind(kind)};
        bench.deploy(oneStepWorkflow());
        for (int i = 0; i < 4; ++i)
            bench.start(u"doubt-%1"_s.arg(i));
        bench.run(DoorBench::timesOut);
        QJsonArray items;
        for (const QJsonValue &review : bench.reviews())
            items.append(review["id"_L1]);
        QCOMPARE(items.size(), 4);
        QJsonObject order{{u"act"_s, u"resolve"_s}, {u"verdict"_s, u"absent"_s}};
        order.insert(u"items"_s, items);
        // It might be done twice: only who says so gets it.
        QJsonObject unsafe = order;
        unsafe.insert(u"items"_s, plan(bench, order));
        unsafe.insert(u"reason"_s, u"asked them"_s);
        QVERIFY(!bench.call("batch_start", unsafe));
        unsafe.insert(u"include_unsafe"_s, true);
        const QJsonValue started = bench.ok("batch_start", unsafe);
        // Somebody is faster with one of them.
        bench.ok("resolve", {{u"review"_s, items[3]},
                             {u"verdict"_s, u"happened"_s},
                             {u"receipt"_s, QJsonObject{{u"id"_s, u"x"_s}}},
                             {u"reason"_s, u"seen"_s}});
        const QJsonObject done = finish(bench, started["id"_L1].toString(), DoorBench::succeeds);
        QCOMPARE(stateCount(done, "applied"), 3);
        QCOMPARE(stateCount(done, "skipped"), 1);
        QCOMPARE(bench.reviews().size(), 0);
        ports::ReviewFilter filter;
        filter.id = items[0].toString();
        filter.onlyOpen = false;
        const auto review = bench.store->reviews(filter);
        QCOMPARE(review->first().decidedBy, u"ada"_s);
        QCOMPARE(review->first().decision, u"absent"_s);
        QCOMPARE(review->first().reason, u"asked them"_s);
    }

    void what_makes_no_sense_is_refused()
    {
        DoorBench bench{StoreFixture::Kind::memory};
        bench.deploy(oneStepWorkflow());
        const QString run = failedRuns(bench, 1).first();
        const auto refused = [&](const char *name, const QJsonObject &arguments) {
            const auto answer = bench.call(name, arguments);
            return answer ? QString() : answer.error().message;
        };
        QVERIFY(refused("batch_plan", {{u"act"_s, u"approve"_s}}).contains("can retry"));
        QVERIFY(refused("batch_plan", {{u"act"_s, u"resolve"_s}}).contains("a verdict is"));
        QVERIFY(refused("batch_plan", {{u"act"_s, u"retry"_s}, {u"runs"_s, QJsonArray{u"x"_s}}})
                    .contains("no run x"));
        QVERIFY(refused("batch_plan", {{u"act"_s, u"retry"_s}, {u"items"_s, QJsonArray{u"x"_s}}})
                    .contains("takes runs"));
        QVERIFY(refused("batch_start", {{u"act"_s, u"retry"_s}}).contains("reason"));
        QVERIFY(refused("batch_start", {{u"act"_s, u"retry"_s}, {u"reason"_s, u"r"_s}})
                    .contains("nothing matches"));
        QVERIFY(
            refused("batch_start", {{u"act"_s, u"retry"_s}, {u"reason"_s, u"r"_s}, {u"rate"_s, 0}})
                .contains("rate"));
        const QJsonObject item{{u"run_id"_s, run}, {u"verdict"_s, u"safe"_s}};
        QVERIFY(refused("batch_start", {{u"act"_s, u"retry"_s},
                                        {u"reason"_s, u"r"_s},
                                        {u"items"_s, QJsonArray{item, item}}})
                    .contains("twice"));
        QVERIFY(refused("batch", {{u"batch"_s, u"none"_s}}).contains("no batch"));
        QCOMPARE(bench.ok("batches", {})["batches"_L1].toArray().size(), 0);
    }
};

QTEST_GUILESS_MAIN(Batch)
#include "tst_batch.moc"
