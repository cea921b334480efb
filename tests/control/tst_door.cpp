// The door's operations on every store that needs no server. Goal: what people may rely on when
// they look, start and decide. Method: a scripted outside brings runs to where a decision is
// needed.
#include "control/door_bench.h"

#include "model/mask.h"

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;
using model::ErrorKind;

class Door : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<DoorBench> m_bench;

    QString ambiguousRun(const QString &id)
    {
        const QString run = m_bench->start(id);
        m_bench->run(DoorBench::timesOut);
        return run;
    }
    QJsonObject happened(const QString &review)
    {
        return {{u"review"_s, review},
                {u"verdict"_s, u"happened"_s},
                {u"receipt"_s, QJsonObject{{u"id"_s, u"obj_1"_s}}},
                {u"reason"_s, u"seen in the CRM"_s}};
    }

private Q_SLOTS:
    void initTestCase_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("memory") << int(StoreFixture::Kind::memory);
        QTest::newRow("sqlite") << int(StoreFixture::Kind::sqlite);
    }
    void init()
    {
        QFETCH_GLOBAL(int, kind);
        m_bench = std::make_unique<DoorBench>(StoreFixture::Kind(kind));
        m_bench->deploy(oneStepWorkflow());
    }
    void cleanup() { m_bench.reset(); }

    void one_event_is_one_run()
    {
        const QJsonObject arguments{{u"workflow"_s, u"one"_s},
                                    {u"input"_s, QJsonObject{{u"id"_s, u"a"_s}}}};
        const QJsonValue first = m_bench->ok("start", arguments);
        const QJsonValue second = m_bench->ok("start", arguments);
        QCOMPARE(first["replayed"_L1].toBool(), false);
        QCOMPARE(second["replayed"_L1].toBool(), true);
        QCOMPARE(first["run_id"_L1], second["run_id"_L1]);
    }

    void the_same_event_with_other_input_is_a_conflict_that_names_the_run()
    {
        const QString run = m_bench->start(u"a"_s);
        const auto answer = m_bench->call("start", {{u"workflow"_s, u"one"_s},
                                                    {u"event_id"_s, u"a"_s},
                                                    {u"input"_s, QJsonObject{{u"id"_s, u"b"_s}}}});
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, ErrorKind::conflict);
        QVERIFY(answer.error().message.contains(run));
    }

    void input_that_breaks_the_schema_starts_nothing()
    {
        const auto answer = m_bench->call(
            "start", {{u"workflow"_s, u"one"_s}, {u"input"_s, QJsonObject{{u"id"_s, 7}}}});
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, ErrorKind::invalid);
        QVERIFY(m_bench->ok("runs", {})["runs"_L1].toArray().isEmpty());
    }

    void a_version_never_changes()
    {
        const QJsonObject file{{u"file"_s, u"f"_s}, {u"text"_s, oneStepWorkflow(1, u"/other"_s)}};
        const auto other = m_bench->call("deploy", {{u"files"_s, QJsonArray{file}}});
        QVERIFY(!other);
        QCOMPARE(other.error().kind, ErrorKind::conflict);
        const QJsonObject next{{u"file"_s, u"f"_s}, {u"text"_s, oneStepWorkflow(2, u"/other"_s)}};
        QVERIFY(m_bench->call("deploy", {{u"files"_s, QJsonArray{next}}}).ok());
    }

    void findings_refuse_the_whole_deployment()
    {
        const QJsonObject good{{u"file"_s, u"good"_s}, {u"text"_s, oneStepWorkflow(5)}};
        const QJsonObject bad{{u"file"_s, u"bad.yaml"_s},
                              {u"text"_s, u"holdfast: 1\nworkflow: [\n"_s}};
        const QJsonValue answer = m_bench->ok("deploy", {{u"files"_s, QJsonArray{good, bad}}});
        QVERIFY(answer.toObject().contains("refused"_L1));
        QVERIFY(!answer["findings"_L1].toArray().isEmpty());
        QCOMPARE(m_bench->ok("workflows", {})["workflows"_L1].toArray().size(), 1);
    }

    void a_lost_reply_is_shown_as_it_is()
    {
        const QString run = ambiguousRun(u"a"_s);
        const QJsonObject shown = m_bench->show(run);
        QCOMPARE(shown["status"_L1].toString(), u"review"_s);
        const QJsonValue step = shown["steps"_L1].toArray().first();
        QCOMPARE(step["status"_L1].toString(), u"review"_s);
        QCOMPARE(step["key"_L1].toString(), u"make:a"_s);
        QVERIFY(step["receipt"_L1].isNull());
        const QJsonValue attempt = step["attempts"_L1].toArray().first();
        QCOMPARE(attempt["class"_L1].toString(), u"ambiguous"_s);
        QCOMPARE(attempt["direction"_L1].toString(), u"forward"_s);
        QVERIFY(shown["verdict"_L1].toString().contains("nobody knows"_L1));
        QCOMPARE(shown["reviews"_L1].toArray().size(), 1);
    }

    void a_resolution_is_recorded_then_applied()
    {
        const QString run = ambiguousRun(u"a"_s);
        const QString review = m_bench->reviews().first()["id"_L1].toString();
        const QJsonValue recorded = m_bench->ok("resolve", happened(review));
        QCOMPARE(recorded["state"_L1].toString(), u"recorded"_s);
        m_bench->run(DoorBench::succeeds);
        const QJsonValue applied = m_bench->ok("command", {{u"command"_s, recorded["command"_L1]}});
        QCOMPARE(applied["state"_L1].toString(), u"applied"_s);
        const QJsonObject shown = m_bench->show(run);
        QCOMPARE(shown["status"_L1].toString(), u"succeeded"_s);
        QCOMPARE(shown["steps"_L1][0]["receipt"_L1]["id"_L1].toString(), u"obj_1"_s);
        QVERIFY(m_bench->reviews().isEmpty());
    }

    void two_who_decide_have_one_winner_and_the_loser_learns_who()
    {
        ambiguousRun(u"a"_s);
        const QString review = m_bench->reviews().first()["id"_L1].toString();
        QVERIFY(m_bench->call("resolve", happened(review), {}, u"ada"_s).ok());
        QJsonObject absent{
            {u"review"_s, review}, {u"verdict"_s, u"absent"_s}, {u"reason"_s, u"no"_s}};
        const auto loser = m_bench->call("resolve", absent, {}, u"bob"_s);
        QVERIFY(!loser);
        QCOMPARE(loser.error().kind, ErrorKind::conflict);
        QVERIFY(loser.error().message.contains("ada"_L1));
        QVERIFY(loser.error().message.contains("happened"_L1));
    }

    void a_request_sent_twice_acts_once()
    {
        ambiguousRun(u"a"_s);
        const QString review = m_bench->reviews().first()["id"_L1].toString();
        const QString id = model::newId(m_bench->fixture.clock.now());
        const auto first = m_bench->call("resolve", happened(review), id);
        const auto second = m_bench->call("resolve", happened(review), id);
        QVERIFY(first.ok() && second.ok());
        QCOMPARE(*first, *second);
        QCOMPARE(m_bench->store->pendingCommands(10)->size(), 1);
    }

    void what_the_engine_would_reject_is_refused_at_once()
    {
        const QString run = ambiguousRun(u"a"_s);
        const QString review = m_bench->reviews().first()["id"_L1].toString();
        QJsonObject wrong{{u"review"_s, review}, {u"verdict"_s, u"waive"_s}, {u"reason"_s, u"x"_s}};
        const auto waived = m_bench->call("resolve", wrong);
        QVERIFY(!waived);
        QCOMPARE(waived.error().kind, ErrorKind::refused);
        const auto cancelled = m_bench->call("cancel", {{u"run"_s, run}});
        QVERIFY(!cancelled);
        QCOMPARE(cancelled.error().kind, ErrorKind::refused);
        QCOMPARE(m_bench->store->pendingCommands(10)->size(), 0);
        QCOMPARE(m_bench->reviews().size(), 1);
    }

    void a_reason_is_required_to_decide()
    {
        ambiguousRun(u"a"_s);
        QJsonObject arguments = happened(m_bench->reviews().first()["id"_L1].toString());
        arguments.remove(u"reason"_s);
        QCOMPARE(m_bench->call("resolve", arguments).error().kind, ErrorKind::invalid);
    }

    void a_stale_version_is_refused_kindly()
    {
        ambiguousRun(u"a"_s);
        const QJsonValue review = m_bench->reviews().first();
        QJsonObject arguments = happened(review["id"_L1].toString());
        arguments.insert(u"version"_s, 9999);
        const auto stale = m_bench->call("resolve", arguments);
        QCOMPARE(stale.error().kind, ErrorKind::conflict);
        arguments.insert(u"version"_s, review["version"_L1]);
        QVERIFY(m_bench->call("resolve", arguments).ok());
    }

    void compensation_can_be_seen_before_it_is_done()
    {
        const QString run = m_bench->start(u"a"_s);
        m_bench->run(DoorBench::succeeds);
        const QJsonValue preview =
            m_bench->ok("compensate", {{u"run"_s, run}, {u"preview"_s, true}});
        const QJsonValue planned = preview["plan"_L1].toArray().first();
        QCOMPARE(planned["verdict"_L1].toString(), u"will_compensate"_s);
        QCOMPARE(planned["request"_L1]["path"_L1].toString(), u"/undo/obj_1"_s);
        m_bench->ok("compensate", {{u"run"_s, run}, {u"reason"_s, u"wrong customer"_s}});
        m_bench->run(DoorBench::succeeds);
        QCOMPARE(m_bench->show(run)["status"_L1].toString(), u"compensated"_s);
    }

    void a_rerun_is_refused_while_effects_stand_and_uses_new_keys()
    {
        const QString run = m_bench->start(u"a"_s);
        m_bench->run(DoorBench::succeeds);
        const auto unsafe = m_bench->call("rerun", {{u"run"_s, run}});
        QVERIFY(!unsafe);
        QVERIFY(unsafe.error().message.contains("make"_L1));
        const QJsonValue again = m_bench->ok("rerun", {{u"run"_s, run}, {u"confirm"_s, true}});
        QCOMPARE(again["event_id"_L1].toString(), u"a#2"_s);
        m_bench->run(DoorBench::succeeds);
        const QJsonObject shown = m_bench->show(again["run_id"_L1].toString());
        QCOMPARE(shown["status"_L1].toString(), u"succeeded"_s);
        QCOMPARE(shown["steps"_L1][0]["key"_L1].toString(), u"make:a~2"_s);
    }

    void a_pause_holds_and_says_what_it_holds()
    {
        const QJsonValue paused =
            m_bench->ok("pause", {{u"dependency"_s, u"crm"_s}, {u"reason"_s, u"incident"_s}});
        QCOMPARE(paused["in_flight"_L1].toInt(), 0);
        const QString run = m_bench->start(u"a"_s);
        m_bench->run(DoorBench::succeeds);
        QCOMPARE(m_bench->show(run)["status"_L1].toString(), u"held"_s);
        const QJsonValue listed = m_bench->ok("pauses", {})["pauses"_L1].toArray().first();
        QCOMPARE(listed["started_since"_L1].toInt(), 0);
        QCOMPARE(listed["held"_L1].toInt(), 1);
        m_bench->ok("resume", {{u"dependency"_s, u"crm"_s}});
        QVERIFY(m_bench->ok("pauses", {})["pauses"_L1].toArray().isEmpty());
        m_bench->run(DoorBench::succeeds);
        QCOMPARE(m_bench->show(run)["status"_L1].toString(), u"succeeded"_s);
    }

    void resume_lifts_exactly_what_it_names()
    {
        m_bench->ok("pause", {{u"workflow"_s, u"one"_s}, {u"reason"_s, u"w"_s}});
        m_bench->ok("pause", {{u"reason"_s, u"everything"_s}});
        m_bench->ok("resume", {});
        const QJsonArray left = m_bench->ok("pauses", {})["pauses"_L1].toArray();
        QCOMPARE(left.size(), 1);
        QCOMPARE(left.first()["scope"_L1].toString(), u"workflow"_s);
        QCOMPARE(m_bench->call("resume", {}).error().kind, ErrorKind::notFound);
    }

    void intake_paused_means_accepted_as_held()
    {
        m_bench->ok("pause", {{u"depth"_s, u"intake"_s}, {u"reason"_s, u"r"_s}});
        const QString run = m_bench->start(u"a"_s);
        QCOMPARE(m_bench->show(run)["status"_L1].toString(), u"held"_s);
        QCOMPARE(m_bench->ok("pauses", {})["pauses"_L1][0]["started_since"_L1].toInt(), 0);
        m_bench->ok("resume", {});
        m_bench->run(DoorBench::succeeds);
        QCOMPARE(m_bench->show(run)["status"_L1].toString(), u"succeeded"_s);
    }

    void a_dead_letter_can_be_retried()
    {
        const QString run = m_bench->start(u"a"_s);
        m_bench->run(DoorBench::isRefused);
        QCOMPARE(m_bench->show(run)["status"_L1].toString(), u"failed"_s);
        QCOMPARE(m_bench->reviews().first()["kind"_L1].toString(), u"dead_letter"_s);
        m_bench->ok("retry", {{u"run"_s, run}});
        m_bench->run(DoorBench::succeeds);
        QCOMPARE(m_bench->show(run)["status"_L1].toString(), u"succeeded"_s);
        QVERIFY(m_bench->reviews().isEmpty());
    }

    void the_audit_names_who_and_why_and_is_intact()
    {
        ambiguousRun(u"a"_s);
        m_bench->ok("resolve", happened(m_bench->reviews().first()["id"_L1].toString()));
        const QJsonArray rows = m_bench->ok("audit", {})["audit"_L1].toArray();
        const QJsonValue last = rows.last();
        QCOMPARE(last["actor"_L1].toString(), u"ada"_s);
        QCOMPARE(last["action"_L1].toString(), u"resolve"_s);
        QCOMPARE(last["body"_L1]["reason"_L1].toString(), u"seen in the CRM"_s);
        QVERIFY(m_bench->ok("audit_verify", {})["intact"_L1].toBool());
    }

    void secrets_are_masked_in_views()
    {
        const QString run = ambiguousRun(u"a"_s);
        const QByteArray shown = QJsonDocument(m_bench->show(run)).toJson();
        QVERIFY(!shown.contains("hunter2"));
        QVERIFY(model::isSecretName(u"Authorization"_s));
        QVERIFY(model::isSecretName(u"X-Api-Key"_s));
        QVERIFY(!model::isSecretName(u"key"_s));
    }

    void lists_are_paged()
    {
        for (int i = 0; i < 3; ++i)
            m_bench->start(QString::number(i));
        const QJsonValue first = m_bench->ok("runs", {{u"limit"_s, 2}});
        QCOMPARE(first["runs"_L1].toArray().size(), 2);
        const QJsonValue second =
            m_bench->ok("runs", {{u"limit"_s, 2}, {u"cursor"_s, first["cursor"_L1]}});
        QCOMPARE(second["runs"_L1].toArray().size(), 1);
        QVERIFY(second["cursor"_L1].isNull());
    }

    void unknown_things_are_not_found()
    {
        QCOMPARE(m_bench->call("show", {{u"run"_s, u"nope"_s}}).error().kind, ErrorKind::notFound);
        QCOMPARE(m_bench->call("nonsense", {}).error().kind, ErrorKind::unsupported);
        QCOMPARE(m_bench->call("pause", {{u"workflow"_s, u"typo"_s}, {u"reason"_s, u"r"_s}})
                     .error()
                     .kind,
                 ErrorKind::notFound);
    }
};

QTEST_GUILESS_MAIN(Door)
#include "tst_door.moc"
