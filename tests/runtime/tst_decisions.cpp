// Goal: a person's decision that the engine turns down when it comes to apply it does not take the
// question away. Method: one person asks the target again, another answers the same item before a
// worker has seen either; the second answer is rejected, and the item has to wait for a person
// again.
#include "control/local_door.h"
#include "model/ids.h"
#include "runtime/turn.h"
#include "support/store_fixture.h"

#include <QJsonArray>
#include <QtTest>

using namespace holdfast;
using namespace Qt::StringLiterals;
using tests::StoreFixture;

namespace
{
const QString definitions = uR"(holdfast: 1
dependency: world
owner: team@example.com
url: http://127.0.0.1:9
idempotency: {protection: probe, header: X-Reference}
---
holdfast: 1
workflow: flow
version: 1
owner: team@example.com
event_id: ${ input.id }
input: {type: object, required: [id]}
steps:
  - step: first
    dependency: world
    effect: write
    key: first:${ input.id }
    http: {method: POST, path: /first}
    retry: {attempts: 1}
    verify:
      http: {method: GET, path: "/first?key=${ key }"}
      happened: ${ response.body.found === true }
      absent: ${ response.body.found === false }
    compensate: none
)"_s;

// Nothing comes back whatever is sent.
class Silence : public ports::Sender
{
public:
    void setReport(Report) override {}
    void send(const model::Call &call) override { calls.append(call); }
    void drain() override {}

    QVector<model::CallResult> resets()
    {
        QVector<model::CallResult> results;
        for (const model::Call &call : std::exchange(calls, {})) {
            model::CallResult result;
            result.runId = call.runId;
            result.step = call.step;
            result.direction = call.direction;
            result.attempt = call.attempt;
            result.fence = call.fence;
            result.error = u"reset"_s;
            result.status = -1;
            results.append(result);
        }
        return results;
    }
    QVector<model::Call> calls;
};
} // namespace

class DecisionsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aRejectedDecisionLeavesTheItemOpen_data()
    {
        QTest::addColumn<StoreFixture::Kind>("kind");
        for (const auto kind : StoreFixture::available())
            QTest::newRow(qPrintable(StoreFixture::nameOf(kind))) << kind;
    }
    void aRejectedDecisionLeavesTheItemOpen()
    {
        QFETCH(StoreFixture::Kind, kind);
        StoreFixture fixture(kind);
        const auto store = fixture.connect();
        control::LocalDoor door(*store);
        const auto ask = [&](const QString &name, const QJsonObject &arguments) {
            return door.call({model::newId(fixture.clock.now()), name, arguments, u"ada"_s});
        };
        QVERIFY(ask(u"deploy"_s, {{u"files"_s, QJsonArray{QJsonObject{{u"file"_s, u"f.yaml"_s},
                                                                      {u"text"_s, definitions}}}}})
                    .ok());
        QVERIFY(ask(u"start"_s,
                    {{u"workflow"_s, u"flow"_s}, {u"input"_s, QJsonObject{{u"id"_s, u"1"_s}}}})
                    .ok());
        QVERIFY(
            store
                ->registerWorker({u"w"_s, u"host"_s, 1, u"test"_s, 0, 0, u"running"_s}, model::hour)
                .ok());
        runtime::Catalog catalog;
        Silence silence;
        runtime::TurnOptions options;
        options.worker = u"w"_s;
        runtime::Turn turn(*store, catalog, silence, fixture.clock, options);
        // The attempt, then the question to the target; neither is answered.
        QVERIFY(turn.turn({}).ok());
        QVERIFY(turn.turn(silence.resets()).ok());
        QVERIFY(turn.turn(silence.resets()).ok());
        const auto open = store->reviews({});
        QVERIFY(open.ok());
        QCOMPARE(open->size(), 1);
        const auto answer = [&](const QString &verdict) {
            return ask(u"resolve"_s, {{u"review"_s, open->first().id},
                                      {u"verdict"_s, verdict},
                                      {u"reason"_s, u"looked"_s}});
        };
        QVERIFY(answer(u"verify"_s).ok());
        const auto second = answer(u"absent"_s);
        QVERIFY(second.ok());
        QVERIFY(turn.turn({}).ok());
        const auto command = store->command(second->toObject().value("command"_L1).toString());
        QCOMPARE((*command)->result, u"rejected"_s);
        QVERIFY(turn.turn(silence.resets()).ok());
        QCOMPARE(store->reviews({})->size(), 1);
        QVERIFY(answer(u"happened"_s).ok());
        QVERIFY(turn.turn({}).ok());
        QVERIFY(store->reviews({})->isEmpty());
        QCOMPARE(store->unsettledRuns().value(), 0);
    }
};

QTEST_GUILESS_MAIN(DecisionsTest)
#include "tst_decisions.moc"
