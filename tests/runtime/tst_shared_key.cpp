// Goal: runs that share a key have one effect between them, also when the first of them failed
// without one and is tried again by hand. Method: two workflows that pay the same invoice, at a
// destination that recognises no key; every call that leaves is counted.
#include "runtime/rebuild.h"
#include "runtime/turn_bench.h"
#include "support/store_fixture.h"

#include <QtTest>

using namespace holdfast;
using namespace Qt::StringLiterals;
using namespace holdfast::tests;

namespace
{
const QString dependency = uR"(holdfast: 1
dependency: till
owner: team@example.com
url: http://127.0.0.1:9
idempotency: {protection: none}
)"_s;

QString workflow(const QString &name)
{
    return uR"(---
holdfast: 1
workflow: %1
version: 1
owner: team@example.com
event_id: ${ input.id }
input: {type: object, required: [id]}
steps:
  - step: pay
    dependency: till
    effect: write
    key: pay:${ input.id }
    http: {method: POST, path: /payments}
    receipt: {id: "${ response.body.id }"}
    retry: {attempts: 1}
    compensate: none
)"_s.arg(name);
}
} // namespace

class SharedKey : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase_data()
    {
        QTest::addColumn<StoreFixture::Kind>("kind");
        for (const auto kind : StoreFixture::available())
            QTest::newRow(qPrintable(StoreFixture::nameOf(kind))) << kind;
    }
    void init()
    {
        QFETCH_GLOBAL(StoreFixture::Kind, kind);
        m_fixture = std::make_unique<StoreFixture>(kind);
        m_store = m_fixture->connect();
        deploy(*m_store,
               dependency + workflow(u"first"_s) + workflow(u"second"_s) + workflow(u"third"_s));
        m_worker = std::make_unique<Worker>(*m_store, m_fixture->clock, u"w"_s, model::hour);
    }
    void cleanup()
    {
        m_worker.reset();
        m_store.reset();
        m_fixture.reset();
    }

    void whatAnotherRunDidMeanwhileIsNotDoneAgain()
    {
        const QString failed = start(u"first"_s);
        turn();
        refuse();
        QCOMPARE(statusOf(failed), u"failed"_s);
        const QString paid = start(u"second"_s);
        turn();
        QCOMPARE(leaving(), 1);
        answer();
        QCOMPARE(statusOf(paid), u"succeeded"_s);
        retry(failed);
        turn();
        QCOMPARE(leaving(), 0);
        QCOMPARE(statusOf(failed), u"succeeded"_s);
        QCOMPARE(show(failed)[u"duplicates_prevented"_s].toInt(), 1);
    }

    void whoTriesAgainKeepsOthersWaiting()
    {
        const QString failed = start(u"first"_s);
        turn();
        refuse();
        retry(failed);
        turn();
        QCOMPARE(leaving(), 1);
        const QString other = start(u"second"_s);
        turn();
        QCOMPARE(leaving(), 1);
        QVERIFY(compared().isEmpty());
        answer();
        QCOMPARE(statusOf(failed), u"succeeded"_s);
        untilDue();
        QCOMPARE(leaving(), 0);
        QCOMPARE(statusOf(other), u"succeeded"_s);
        QVERIFY(compared().isEmpty());
    }

    // Both have waited for the first and ask in the same turn.
    void oneOfTwoTakesOverWhatFailed()
    {
        start(u"first"_s);
        turn();
        start(u"second"_s);
        start(u"third"_s);
        turn();
        QCOMPARE(leaving(), 1);
        refuse();
        untilDue();
        QCOMPARE(leaving(), 1);
        answer();
        untilDue();
        QCOMPARE(leaving(), 0);
        QCOMPARE(m_store->unsettledRuns().value(), 0);
    }

private:
    QString start(const QString &workflow) { return startRun(*m_store, workflow, u"1"_s); }
    void turn(const QVector<model::CallResult> &results = {})
    {
        const auto turned = m_worker->turn.turn(results);
        QVERIFY2(turned.ok(), turned ? "" : qPrintable(turned.error().message));
    }
    qsizetype leaving() const { return m_worker->sent.calls.size(); }
    QVector<model::CallResult> takeAnswers()
    {
        const auto answers = m_worker->sent.answers();
        m_worker->sent.calls.clear();
        return answers;
    }
    void answer() { turn(takeAnswers()); }
    void refuse()
    {
        QVector<model::CallResult> answers = takeAnswers();
        for (model::CallResult &each : answers) {
            each.status = 422;
            each.body = "{}";
        }
        turn(answers);
    }
    // Whoever waits for a key looks again after a while.
    void untilDue()
    {
        const auto isWaiting = [this] {
            m_fixture->clock.advance(model::second);
            turn();
            return m_store->nextDue().value() > m_store->now().value() + model::minute ||
                   m_store->nextDue().value() == model::never || leaving() > 0;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isWaiting(), 30000);
    }
    void retry(const QString &run)
    {
        call(*m_store, u"retry"_s, {{u"run"_s, run}, {u"reason"_s, u"again"_s}});
    }
    QJsonValue show(const QString &run) { return call(*m_store, u"show"_s, {{u"run"_s, run}}); }
    QString statusOf(const QString &run) { return show(run)[u"status"_s].toString(); }
    QStringList compared()
    {
        const auto report = runtime::rebuild(*m_store, m_worker->catalog, false);
        return report ? report->differences : QStringList{report.error().message};
    }

    std::unique_ptr<StoreFixture> m_fixture;
    std::unique_ptr<ports::Store> m_store;
    std::unique_ptr<Worker> m_worker;
};

QTEST_GUILESS_MAIN(SharedKey)
#include "tst_shared_key.moc"
