// Goal: a worker that has its hands full waits. Method: more runs are due than it may have open at
// once, and nothing comes back; it has to wait for that, not look again and again. Nor does one
// that drains.
#include "control/local_door.h"
#include "model/ids.h"
#include "runtime/routine.h"
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
idempotency: {protection: natural}
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
    http: {method: PUT, path: "/first/${ input.id }"}
    compensate: none
)"_s;

class Nobody : public ports::Sender
{
public:
    void setReport(Report) override {}
    void send(const model::Call &) override {}
    void drain() override {}
};
} // namespace

class RoutineTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void whoHasNoRoomWaits_data()
    {
        QTest::addColumn<int>("concurrency");
        QTest::addColumn<bool>("drains");
        QTest::newRow("full") << 1 << false;
        QTest::newRow("draining") << 5 << true;
    }
    void whoHasNoRoomWaits()
    {
        QFETCH(int, concurrency);
        QFETCH(bool, drains);
        StoreFixture fixture(StoreFixture::Kind::memory);
        const auto store = fixture.connect();
        control::LocalDoor door(*store);
        const auto ask = [&](const QString &name, const QJsonObject &arguments) {
            return door.call({model::newId(fixture.clock.now()), name, arguments, u"ada"_s}).ok();
        };
        QVERIFY(
            ask(u"deploy"_s, {{u"files"_s, QJsonArray{QJsonObject{{u"file"_s, u"f.yaml"_s},
                                                                  {u"text"_s, definitions}}}}}));
        const auto start = [&](const QString &id) {
            return ask(u"start"_s,
                       {{u"workflow"_s, u"flow"_s}, {u"input"_s, QJsonObject{{u"id"_s, id}}}});
        };
        QVERIFY(start(u"1"_s));
        runtime::Catalog catalog;
        Nobody nobody;
        runtime::WorkerOptions options;
        options.id = u"w"_s;
        options.concurrency = concurrency;
        runtime::Routine routine(*store, catalog, nobody, fixture.clock, options);
        QVERIFY(routine.getReady().ok());
        QVERIFY(routine.turn().ok());
        QCOMPARE(routine.owned(), 1);
        if (drains)
            routine.drain();
        QVERIFY(start(u"2"_s));
        fixture.clock.advance(10);
        QVERIFY(routine.getReady().ok()); // others see at once that it drains
        QVERIFY(routine.turn().ok());
        QCOMPARE(routine.owned(), 1);
        QCOMPARE(routine.wait(), options.pollEvery);
    }
};

QTEST_GUILESS_MAIN(RoutineTest)
#include "tst_routine.moc"
