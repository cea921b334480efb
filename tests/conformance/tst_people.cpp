// Goal: what people do at once, twice or too late has one outcome, and whoever loses is told why
// (H1-H4, H6; H5 is in engine/verify). Method: the whole engine on a shared database, each person
// with a login and a connection of their own, where it matters on threads that meet.
#include "model/ids.h"
#include "store/audit_chain.h"
#include "store/store_url.h"
#include "support/machine.h"
#include "support/shared_database.h"

#include <QTest>
#include <barrier>
#include <thread>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
constexpr int items = 12;

// A console of one person: a connection and a door.
class Console
{
public:
    explicit Console(const QString &url) : m_store(std::move(*store::openStore(url)))
    {
        if (const auto opened = m_store->open(); !opened)
            qFatal("%s", qPrintable(opened.error().message));
        m_door = std::make_unique<control::LocalDoor>(*m_store,
                                                      control::Surroundings{store::auditHash, {}});
    }
    model::Result<QJsonValue> call(const QString &name, const QJsonObject &arguments,
                                   const QString &id = {})
    {
        return m_door->call(
            {id.isEmpty() ? model::newId(m_clock.now()) : id, name, arguments, u"whoever"_s});
    }

private:
    ports::SystemClock m_clock;
    std::unique_ptr<ports::Store> m_store;
    std::unique_ptr<control::LocalDoor> m_door;
};

QString definitions(const Machine &machine)
{
    StepText bill{.name = u"bill"_s, .path = u"/payments/v1/invoices"_s};
    bill.extra = u"    approval: {}\n"_s;
    return machine.dependencyText(u"native"_s) + Machine::workflowText({Machine::stepText(bill)});
}
} // namespace

class People : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        QVERIFY(m_team.start());
        m_adam = std::make_unique<Machine>(m_team.urlOf(u"adam"_s));
        m_omar = std::make_unique<Machine>(m_team.urlOf(u"omar"_s));
        m_wendy = std::make_unique<Machine>(m_team.urlOf(u"wendy"_s));
        m_adam->deploy(definitions(*m_adam));
    }

    // H1: a click that arrives twice, and Enter pressed twice.
    void twice_is_once()
    {
        const QString item = newItem();
        Console ana(m_team.urlOf(u"ana"_s));
        const QJsonObject decision{{u"review"_s, item}, {u"reason"_s, u"I looked"_s}};
        const QString id = u"one click %1"_s.arg(item);
        const auto first = ana.call(u"approve"_s, decision, id);
        const auto again = ana.call(u"approve"_s, decision, id);
        QVERIFY(first.ok() && again.ok());
        QCOMPARE((*first)["command"_L1], (*again)["command"_L1]);
        const auto other = ana.call(u"approve"_s, decision);
        QCOMPARE(other.error().kind, model::ErrorKind::conflict);
        QCOMPARE(auditRows(item), 1);
        m_wendy->runUntilIdle();
        QCOMPARE(m_adam->world.books().effectCount(), 1);
    }

    // H2: two consoles decide at the same moment, one to approve and one to reject.
    void two_at_once_have_one_outcome()
    {
        QStringList ids;
        for (int i = 0; i < items; ++i)
            ids << newItem();
        const int before = m_adam->world.books().effectCount();
        QVector<model::Result<QJsonValue>> approved(items, model::refused({}));
        QVector<model::Result<QJsonValue>> rejected(items, model::refused({}));
        std::barrier together(2);
        const auto decide = [&](const QString &login, const QString &act,
                                QVector<model::Result<QJsonValue>> &answers) {
            Console console(m_team.urlOf(login));
            for (int i = 0; i < items; ++i) {
                together.arrive_and_wait();
                answers[i] =
                    console.call(act, {{u"review"_s, ids.at(i)}, {u"reason"_s, u"I looked"_s}});
            }
        };
        std::thread ana(decide, u"ana"_s, u"approve"_s, std::ref(approved));
        std::thread olga(decide, u"olga"_s, u"reject"_s, std::ref(rejected));
        ana.join();
        olga.join();
        int yes = 0;
        for (int i = 0; i < items; ++i) {
            QVERIFY2(approved[i].ok() != rejected[i].ok(), qPrintable(ids.at(i)));
            const auto &lost = approved[i].ok() ? rejected[i] : approved[i];
            QCOMPARE(lost.error().kind, model::ErrorKind::conflict);
            QVERIFY2(lost.error().message.contains(approved[i].ok() ? u"ana"_s : u"olga"_s),
                     qPrintable(lost.error().message));
            QCOMPARE(auditRows(ids.at(i)), 1);
            yes += approved[i].ok();
        }
        m_wendy->runUntilIdle();
        QCOMPARE(m_adam->world.books().effectCount() - before, yes);
    }

    // H3: the approval is of the bytes that were shown; of others it is void.
    void an_approval_of_other_bytes_is_void()
    {
        const QString item = newItem();
        const int before = m_adam->world.books().effectCount();
        Console ana(m_team.urlOf(u"ana"_s));
        const auto stale = ana.call(
            u"approve"_s,
            {{u"review"_s, item}, {u"reason"_s, u"as it was"_s}, {u"hash"_s, QString(64, u'0')}});
        QVERIFY(!stale.ok());
        QVERIFY2(stale.error().message.contains("not the one that was shown"),
                 qPrintable(stale.error().message));
        m_wendy->runUntilIdle();
        QCOMPARE(m_adam->world.books().effectCount(), before);
        QCOMPARE(auditRows(item), 0);
        QVERIFY(ana.call(u"reject"_s, {{u"review"_s, item}, {u"reason"_s, u"no"_s}}).ok());
        m_wendy->runUntilIdle();
    }

    // H6: what a breaker keeps back stays back, and says so.
    void resuming_does_not_pass_an_open_breaker()
    {
        const QString item = newItem();
        Console ana(m_team.urlOf(u"ana"_s)), omar(m_team.urlOf(u"omar"_s));
        const int before = m_adam->world.books().requestCount();
        const QJsonObject why{{u"reason"_s, u"an incident"_s}};
        QVERIFY(omar.call(u"pause"_s, why).ok());
        QVERIFY(omar.call(u"breaker"_s, {{u"dependency"_s, u"world"_s},
                                         {u"state"_s, u"open"_s},
                                         {u"reason"_s, u"it is down"_s}})
                    .ok());
        QVERIFY(ana.call(u"approve"_s, {{u"review"_s, item}, {u"reason"_s, u"yes"_s}}).ok());
        QVERIFY(omar.call(u"resume"_s, why).ok());
        auto worker = m_wendy->startWorker();
        QTRY_COMPARE_WITH_TIMEOUT(m_omar->statusOf(m_run), u"waiting"_s, 60'000);
        QCOMPARE(m_adam->world.books().requestCount(), before);
        const QJsonObject shown = m_omar->show(m_run);
        QVERIFY2(QJsonDocument(shown).toJson().contains("breaker"), QJsonDocument(shown).toJson());
        QVERIFY(omar.call(u"breaker"_s, {{u"dependency"_s, u"world"_s},
                                         {u"state"_s, u"closed"_s},
                                         {u"reason"_s, u"it is up"_s}})
                    .ok());
        QTRY_COMPARE_WITH_TIMEOUT(m_omar->statusOf(m_run), u"succeeded"_s, 60'000);
        worker->drain();
        QVERIFY(worker->join());
    }

private:
    // A run that waits for an approval; the item's id.
    QString newItem()
    {
        m_run = m_omar->start(u"e%1"_s.arg(++m_events));
        m_wendy->runUntilIdle();
        for (const QJsonValue &item : m_omar->reviews()) {
            if (item["run_id"_L1].toString() == m_run)
                return item["id"_L1].toString();
        }
        qFatal("the run waits for nobody");
    }
    int auditRows(const QString &subject)
    {
        int rows = 0;
        const QJsonArray list =
            m_omar->call(u"audit"_s, {{u"limit"_s, 1000}, {u"after"_s, 0}})["audit"_L1].toArray();
        for (const QJsonValue &row : list)
            rows += row["subject"_L1].toString() == subject;
        return rows;
    }

    SharedDatabase m_team;
    std::unique_ptr<Machine> m_adam;
    std::unique_ptr<Machine> m_omar;
    std::unique_ptr<Machine> m_wendy;
    QString m_run;
    int m_events = 0;
};

QTEST_GUILESS_MAIN(People)
#include "tst_people.moc"
