// Leads that change their owner, over weeks and for whoever may read. In a process of its own: its
// clock goes far ahead, and ids never go back.
#include "control/console_bench.h"

#include "support/shared_database.h"

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
QString routingWorkflow()
{
    return uR"(holdfast: 1
workflow: leads
version: 1
owner: sales@example.com
deadline: 5m
event_id: ${ input.id }
input:
  type: object
  required: [id, lead, owner]
outputs:
  lead: ${ input.lead }
  owner: ${ input.owner }
steps:
  - step: ok
    check: ${ input.lead !== '' }
)"_s;
}

QJsonObject leadOf(const QString &id, const QString &owner)
{
    return {{u"workflow"_s, u"leads"_s},
            {u"input"_s, QJsonObject{{u"id"_s, id}, {u"lead"_s, u"l1"_s}, {u"owner"_s, owner}}}};
}
} // namespace

class ReportFlips : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<DoorBench> m_bench;
    model::Instant m_latest = 1'800'000'000'000;

    void wait(model::Millis time)
    {
        m_bench->fixture.clock.advance(time);
        m_latest = m_bench->fixture.clock.now();
        QVERIFY(m_bench->store->renewLease(u"bench"_s, model::hour, u"running"_s).ok());
    }
    void give(const QString &owner)
    {
        m_bench->ok("start", leadOf(u"at-%1"_s.arg(m_latest), owner));
        m_bench->run(DoorBench::succeeds);
    }
    // Of the days up to tomorrow.
    QJsonValue flips(int days)
    {
        const model::Instant tomorrow = m_latest - m_latest % model::day + model::day;
        return m_bench->ok("report",
                           {{u"since"_s, model::instantText(tomorrow - days * model::day)},
                            {u"until"_s, model::instantText(tomorrow)}})["owner_flips"_L1];
    }

private Q_SLOTS:
    void init()
    {
        m_bench = std::make_unique<DoorBench>(StoreFixture::Kind::sqlite);
        m_bench->fixture.clock.set(m_latest);
        wait(model::hour);
        m_bench->deploy(routingWorkflow());
    }
    void cleanup() { m_bench.reset(); }

    void a_lead_may_change_hands_after_a_week()
    {
        give(u"ann"_s);
        wait(8 * model::day);
        give(u"bob"_s);
        QCOMPARE(flips(21)["flips"_L1].toInt(-1), 0);
        wait(6 * model::day);
        give(u"cem"_s);
        QCOMPARE(flips(21)["flips"_L1].toInt(-1), 1);
        QCOMPARE(flips(21)["list"_L1][0]["from"_L1].toString(), u"bob"_s);
    }

    // The owner before stands in an earlier window, and still counts.
    void what_was_given_before_the_window_is_known()
    {
        give(u"ann"_s);
        wait(3 * model::day);
        give(u"bob"_s);
        QCOMPARE(flips(1)["flips"_L1].toInt(-1), 1);
        QVERIFY(flips(1)["complete"_L1].toBool());
    }

    // Accepted long before the window, and ended in it.
    void a_run_counts_when_it_ends()
    {
        m_bench->ok("start", leadOf(u"slow"_s, u"bob"_s));
        wait(20 * model::day);
        m_bench->run(DoorBench::succeeds);
        wait(model::hour);
        give(u"ann"_s);
        QCOMPARE(flips(3)["runs_read"_L1].toInt(-1), 2);
    }

    void who_reads_no_outputs_is_told_nothing()
    {
        if (!PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        SharedDatabase team;
        QVERIFY(team.start());
        const auto ask = [&team](const QString &login, const char *name,
                                 const QJsonObject &arguments) {
            const auto store = team.openAs(login);
            if (!store)
                qFatal("%s cannot open the database", qPrintable(login));
            control::LocalDoor door(*store, DoorBench::surroundings());
            const auto answer = door.call(
                {model::newId(*store->now()), QString::fromLatin1(name), arguments, login});
            if (!answer)
                qFatal("%s was refused: %s", name, qPrintable(answer.error().message));
            return *answer;
        };
        const QJsonObject file{{u"file"_s, u"leads.yaml"_s}, {u"text"_s, routingWorkflow()}};
        ask(u"adam"_s, "deploy", {{u"files"_s, QJsonArray{file}}});
        QVERIFY(ask(u"omar"_s, "report", {})["owner_flips"_L1].isObject());
        QVERIFY(ask(u"vera"_s, "report", {})["owner_flips"_L1].isNull());
    }
};

QTEST_GUILESS_MAIN(ReportFlips)
#include "tst_report_flips.moc"
