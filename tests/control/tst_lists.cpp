// The console's lists and signs of life. Goal: filters, counts, pages and the pulse say what is in
// the database. Method: a scripted outside brings runs to different ends, on every store.
#include "control/console_bench.h"

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;
using model::ErrorKind;

class Lists : public QObject, private ConsoleSuite
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase_data() { addKinds(); }
    void init() { freshBench(); }
    void cleanup() { m_bench.reset(); }

    void runs_are_found_by_what_is_typed()
    {
        const QString done = runTo(u"done"_s, DoorBench::succeeds);
        const QString stuck = ambiguousAt(u"pay"_s, u"stuck"_s);
        runTo(u"dead"_s, failingAt(u"tell"_s, DoorBench::isRefused));
        m_bench->start(u"new"_s);
        QCOMPARE(eventsOf(u""_s), (QStringList{u"new"_s, u"dead"_s, u"stuck"_s, u"done"_s}));
        QCOMPARE(eventsOf(u"status:review"_s), QStringList{u"stuck"_s});
        QCOMPARE(eventsOf(u"status:review,succeeded"_s), (QStringList{u"stuck"_s, u"done"_s}));
        QCOMPARE(eventsOf(u"step:pay"_s), QStringList{u"stuck"_s});
        QCOMPARE(eventsOf(u"dependency:payments"_s), QStringList{u"stuck"_s});
        QCOMPARE(eventsOf(u"dependency:mail status:succeeded"_s), QStringList{u"done"_s});
        QCOMPARE(eventsOf(u"key:pay:done"_s), QStringList{u"done"_s});
        QCOMPARE(eventsOf(u"key:nobody"_s), QStringList());
        QCOMPARE(eventsOf(u"reason:timeout"_s), QStringList{u"stuck"_s});
        QCOMPARE(eventsOf(u"event:done workflow:one"_s), QStringList{u"done"_s});
        QCOMPARE(eventsOf(u"workflow:other"_s), QStringList());
        QCOMPARE(eventsOf(u"run:"_s + stuck), QStringList{u"stuck"_s});
        QCOMPARE(eventsOf(done), QStringList{u"done"_s});
        QCOMPARE(eventsOf(u"stuck"_s), QStringList{u"stuck"_s});
        QCOMPARE(eventsOf(u"stuck status:succeeded"_s), QStringList());
        QCOMPARE(eventsOf(u"since:1d"_s).size(), 4);
        const QJsonValue counted = m_bench->ok("count", {{u"filter"_s, u"workflow:one"_s}});
        QCOMPARE(counted["count"_L1].toInt(), 4);
        QCOMPARE(counted["capped"_L1].toBool(), false);
    }

    void a_bad_filter_is_refused_by_name()
    {
        QVERIFY(refusal("runs", {{u"filter"_s, u"colour:red"_s}}).contains("colour"_L1));
        QVERIFY(refusal("count", {{u"filter"_s, u"status:lost"_s}}).contains("lost"_L1));
        QVERIFY(refusal("runs", {{u"filter"_s, u"dependency:nope"_s}}).contains("payments"_L1));
        QVERIFY(!refusal("runs", {{u"filter"_s, u""_s}, {u"step"_s, u"pay"_s}}).isEmpty());
        QVERIFY(!refusal("runs", {{u"limit"_s, 201}}).isEmpty());
        QVERIFY(!refusal("runs", {{u"limit"_s, 0}}).isEmpty());
        QVERIFY(m_bench->call("runs", {{u"limit"_s, 200}}).ok());
    }

    void pages_follow_each_other()
    {
        for (int i = 0; i < 5; ++i)
            m_bench->start(QString::number(i));
        const QJsonValue first =
            m_bench->ok("runs", {{u"filter"_s, u"step:none"_s}, {u"limit"_s, 3}});
        QVERIFY(first["runs"_L1].toArray().isEmpty());
        QVERIFY(first["cursor"_L1].isNull());
        QJsonValue page = m_bench->ok("runs", {{u"filter"_s, u"status:queued"_s}, {u"limit"_s, 3}});
        QCOMPARE(page["runs"_L1].toArray().size(), 3);
        page = m_bench->ok(
            "runs",
            {{u"filter"_s, u"status:queued"_s}, {u"limit"_s, 3}, {u"cursor"_s, page["cursor"_L1]}});
        QCOMPARE(page["runs"_L1].toArray().size(), 2);
        QVERIFY(page["cursor"_L1].isNull());
    }

    void completion_knows_what_is_there()
    {
        ambiguousAt(u"pay"_s);
        const QJsonValue words = m_bench->ok("filter_words", {})["words"_L1];
        QVERIFY(words["status"_L1].toArray().contains(u"held"_s));
        QCOMPARE(words["workflow"_L1].toArray(), QJsonArray{u"one"_s});
        QCOMPARE(words["step"_L1].toArray(), (QJsonArray{u"pay"_s, u"tell"_s}));
        QCOMPARE(words["dependency"_L1].toArray(), (QJsonArray{u"mail"_s, u"payments"_s}));
        QCOMPARE(words["reason"_L1].toArray(), QJsonArray{u"timeout"_s});
    }

    void the_pulse_moves_when_something_happens()
    {
        const QJsonValue before = m_bench->ok("pulse", {});
        QCOMPARE(before["runs"_L1]["queued"_L1].toInt(-1), 0);
        QCOMPARE(before["reviews"_L1]["ambiguous"_L1].toInt(-1), 0);
        QVERIFY(before["oldest"_L1].toObject().isEmpty());
        QCOMPARE(before["workers_alive"_L1].toInt(), 1);
        ambiguousAt(u"pay"_s);
        m_bench->start(u"b"_s);
        const QJsonValue after = m_bench->ok("pulse", {});
        QVERIFY(after["journal"_L1].toInteger() > before["journal"_L1].toInteger());
        QVERIFY(after["audit"_L1].toInteger() > before["audit"_L1].toInteger());
        QCOMPARE(after["runs"_L1]["queued"_L1].toInt(), 1);
        QCOMPARE(after["runs"_L1]["review"_L1].toInt(), 1);
        QCOMPARE(after["reviews"_L1]["ambiguous"_L1].toInt(), 1);
        QVERIFY(after["oldest"_L1]["ambiguous"_L1].isString());
        QVERIFY(after["pauses"_L1].toArray().isEmpty());
        QVERIFY(after["breakers_open"_L1].toArray().isEmpty());
    }

    void the_pulse_shows_what_a_pause_holds()
    {
        m_bench->ok("pause", {{u"dependency"_s, u"mail"_s}, {u"reason"_s, u"incident"_s}});
        runTo(u"a"_s, DoorBench::succeeds);
        runTo(u"b"_s, DoorBench::succeeds);
        for (int i = 0; i < 2; ++i) {
            const QJsonValue pause = m_bench->ok("pulse", {})["pauses"_L1][0];
            QCOMPARE(pause["scope"_L1].toString(), u"dependency"_s);
            QCOMPARE(pause["target"_L1].toString(), u"mail"_s);
            QCOMPARE(pause["held"_L1].toInt(), 2);
            QCOMPARE(pause["in_flight"_L1].toInt(), 0);
            QCOMPARE(pause["started_since"_L1].toInt(-1), 0);
            QVERIFY(pause["ramp"_L1].isNull());
        }
        m_bench->ok(
            "breaker",
            {{u"dependency"_s, u"payments"_s}, {u"state"_s, u"open"_s}, {u"reason"_s, u"test"_s}});
        QCOMPARE(m_bench->ok("pulse", {})["breakers_open"_L1].toArray(), QJsonArray{u"payments"_s});
    }

    void the_ledger_is_paged()
    {
        runTo(u"a"_s, DoorBench::succeeds);
        ambiguousAt(u"pay"_s, u"b"_s);
        QJsonValue page = m_bench->ok("ledger_page", {{u"limit"_s, 2}});
        QCOMPARE(page["ledger"_L1].toArray().size(), 2);
        QCOMPARE(page["ledger"_L1][0]["key"_L1].toString(), u"pay:a"_s);
        // A list would read a journal for each row; a key that is asked for has its request.
        QVERIFY(page["ledger"_L1][0]["request"_L1].isUndefined());
        const QJsonValue one = m_bench->ok("ledger", {{u"key"_s, u"pay:a"_s}});
        QCOMPARE(one["ledger"_L1][0]["request"_L1]["path"_L1].toString(), u"/v1/payments"_s);
        page = m_bench->ok("ledger_page", {{u"limit"_s, 2}, {u"after"_s, page["cursor"_L1]}});
        QCOMPARE(page["ledger"_L1].toArray().size(), 1);
        QVERIFY(page["cursor"_L1].isNull());
        page = m_bench->ok("ledger_page", {{u"status"_s, u"processing"_s}});
        QCOMPARE(page["ledger"_L1].toArray().size(), 1);
        QCOMPARE(page["ledger"_L1][0]["key"_L1].toString(), u"pay:b"_s);
        QVERIFY(refusal("ledger_page", {{u"status"_s, u"lost"_s}}).contains("processing"_L1));
        QVERIFY(!refusal("ledger_page", {{u"after"_s, u"nonsense"_s}}).isEmpty());
        QVERIFY(!refusal("ledger_page", {{u"limit"_s, 1000}}).isEmpty());
    }

    void the_audit_is_shown_from_its_end()
    {
        const QString run = ambiguousAt(u"pay"_s);
        const QString id = m_bench->reviews().first()["id"_L1].toString();
        QVERIFY(m_bench->call("claim", {{u"review"_s, id}}, {}, u"bob"_s).ok());
        QJsonValue page = m_bench->ok("audit", {{u"limit"_s, 1}});
        QCOMPARE(page["audit"_L1][0]["action"_L1].toString(), u"claim"_s);
        QCOMPARE(page["audit"_L1][0]["actor"_L1].toString(), u"bob"_s);
        page = m_bench->ok("audit", {{u"limit"_s, 1}, {u"before"_s, page["cursor"_L1]}});
        QCOMPARE(page["audit"_L1][0]["action"_L1].toString(), u"start"_s);
        QCOMPARE(m_bench->ok("audit", {{u"actor"_s, u"bob"_s}})["audit"_L1].toArray().size(), 1);
        QCOMPARE(m_bench->ok("audit", {{u"action"_s, u"deploy"_s}})["audit"_L1].toArray().size(),
                 1);
        QCOMPARE(m_bench->ok("audit", {{u"run"_s, run}})["audit"_L1].toArray().size(), 2);
        // As an export wants it.
        QCOMPARE(m_bench->ok("audit", {})["audit"_L1][0]["action"_L1].toString(), u"deploy"_s);
        QVERIFY(!refusal("audit", {{u"before"_s, u"x"_s}}).isEmpty());
    }

    void views_are_kept_and_audited()
    {
        QVERIFY(m_bench->ok("views", {})["views"_L1].toArray().isEmpty());
        m_bench->ok("save_view",
                    {{u"name"_s, u"Payments today"_s}, {u"filter"_s, u"dependency:payments"_s}});
        m_bench->ok("save_view", {{u"name"_s, u"Late"_s}, {u"filter"_s, u"status:review"_s}});
        m_bench->ok("save_view", {{u"name"_s, u"Late"_s}, {u"filter"_s, u"status:held"_s}});
        const QJsonArray views = m_bench->ok("views", {})["views"_L1].toArray();
        QCOMPARE(views.size(), 2);
        QCOMPARE(views[0]["name"_L1].toString(), u"Late"_s);
        QCOMPARE(views[0]["filter"_L1].toString(), u"status:held"_s);
        m_bench->ok("delete_view", {{u"name"_s, u"Late"_s}});
        QCOMPARE(m_bench->ok("views", {})["views"_L1].toArray().size(), 1);
        QCOMPARE(m_bench->call("delete_view", {{u"name"_s, u"Late"_s}}).error().kind,
                 ErrorKind::notFound);
        QVERIFY(refusal("save_view", {{u"name"_s, u"x"_s}, {u"filter"_s, u"colour:red"_s}})
                    .contains("colour"_L1));
        QVERIFY(!refusal("save_view", {{u"name"_s, u" "_s}, {u"filter"_s, u""_s}}).isEmpty());
        QVERIFY(!refusal("save_view", {{u"name"_s, u"a\nb"_s}, {u"filter"_s, u""_s}}).isEmpty());
        QCOMPARE(m_bench->ok("audit", {{u"action"_s, u"save_view"_s}})["audit"_L1].toArray().size(),
                 3);
        QVERIFY(m_bench->ok("audit_verify", {})["intact"_L1].toBool());
    }
};

QTEST_GUILESS_MAIN(Lists)
#include "tst_lists.moc"
