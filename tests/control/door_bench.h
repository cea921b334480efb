// A door on a fresh database, with an engine whose outside is a script: what a step's call comes to
// is said by the test, so that runs reach reviews, failures and effects without a network and
// without waiting.
#pragma once

#include "control/local_door.h"
#include "model/ids.h"
#include "runtime/archiver.h"
#include "runtime/turn.h"
#include "store/audit_chain.h"
#include "store/packed_archive.h"
#include "support/store_fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

namespace holdfast::tests
{

// Keeps what it is given; the bench answers.
class CollectingSender : public ports::Sender
{
public:
    void setReport(Report) override {}
    void send(const model::Call &call) override { calls.append(call); }
    void drain() override {}

    QVector<model::Call> calls;
};

class DoorBench
{
public:
    using Answer = std::function<model::CallResult(const model::Call &)>;

    explicit DoorBench(StoreFixture::Kind kind)
        : fixture(kind), store(fixture.connect()), door(*store, surroundings()),
          m_turn(*store, m_catalog, sender, fixture.clock, {.worker = QStringLiteral("bench")})
    {
        ports::WorkerRow worker;
        worker.id = QStringLiteral("bench");
        const auto registered = store->registerWorker(worker, model::hour);
        Q_ASSERT(registered.ok());
    }

    static control::Surroundings surroundings()
    {
        control::Surroundings around;
        around.auditHash = store::auditHash;
        around.facts = [] { return QJsonObject(); };
        around.host = QStringLiteral("here");
        const auto archiver = std::make_shared<runtime::Archiver>(
            [](const ports::ArchiveRow &row) {
                return std::make_unique<store::PackedArchive>(row);
            },
            around.host, QStringLiteral("test"));
        around.archiveStep = [archiver](ports::Store &store, const QString &id,
                                        const QString &actor) {
            return archiver->goOn(store, id, actor);
        };
        return around;
    }

    model::Result<QJsonValue> call(const char *name, const QJsonObject &arguments,
                                   const QString &id = {}, const QString &actor = {})
    {
        return door.call({id.isEmpty() ? model::newId(fixture.clock.now()) : id,
                          QString::fromLatin1(name), arguments,
                          actor.isEmpty() ? QStringLiteral("ada") : actor});
    }
    // Fails the process, not only the test, where it is refused: nothing after it would mean
    // anything.
    QJsonValue ok(const char *name, const QJsonObject &arguments)
    {
        const auto answer = call(name, arguments);
        if (!answer)
            qFatal("%s was refused: %s", name, qPrintable(answer.error().message));
        return *answer;
    }
    void deploy(const QString &text)
    {
        const QJsonObject file{{QStringLiteral("file"), QStringLiteral("bench.yaml")},
                               {QStringLiteral("text"), text}};
        const QJsonValue answer = ok("deploy", {{QStringLiteral("files"), QJsonArray{file}}});
        if (answer.toObject().contains(QLatin1String("refused")))
            qFatal("the bench's workflow was refused: %s",
                   QJsonDocument(answer.toObject()).toJson().constData());
    }
    QString start(const QString &id)
    {
        return ok("start", {{QStringLiteral("workflow"), QStringLiteral("one")},
                            {QStringLiteral("input"),
                             QJsonObject{{QStringLiteral("id"), id}}}})[QLatin1String("run_id")]
            .toString();
    }
    // Turns until nothing more happens at this instant.
    void run(const Answer &answer)
    {
        QVector<model::CallResult> results;
        for (int i = 0; i < 50; ++i) {
            sender.calls.clear();
            const auto report = m_turn.turn(results);
            if (!report)
                qFatal("a turn failed: %s", qPrintable(report.error().message));
            results.clear();
            for (const model::Call &sent : std::as_const(sender.calls))
                results.append(resultOf(sent, answer));
            if (results.isEmpty() && report->claimed == 0 && report->decided == 0)
                return;
        }
        qFatal("the engine did not come to rest");
    }
    QJsonObject show(const QString &runId)
    {
        return ok("show", {{QStringLiteral("run"), runId}}).toObject();
    }
    QJsonArray reviews() { return ok("reviews", {})[QLatin1String("reviews")].toArray(); }

    static model::CallResult succeeds(const model::Call &)
    {
        model::CallResult result;
        result.status = 201;
        result.headers = {{QStringLiteral("content-type"), QStringLiteral("application/json")}};
        result.body = R"({"id":"obj_1"})";
        result.bodyComplete = true;
        return result;
    }
    static model::CallResult timesOut(const model::Call &)
    {
        model::CallResult result;
        result.error = QStringLiteral("timeout");
        result.status = -1;
        return result;
    }
    static model::CallResult isRefused(const model::Call &)
    {
        model::CallResult result;
        result.status = 422;
        result.bodyComplete = true;
        return result;
    }

    StoreFixture fixture;
    std::unique_ptr<ports::Store> store;
    control::LocalDoor door;
    CollectingSender sender;

private:
    static model::CallResult resultOf(const model::Call &sent, const Answer &answer)
    {
        model::CallResult result = answer(sent);
        result.runId = sent.runId;
        result.step = sent.step;
        result.direction = sent.direction;
        result.attempt = sent.attempt;
        result.fence = sent.fence;
        return result;
    }

    runtime::Catalog m_catalog;
    runtime::Turn m_turn;
};

// One write without any protection, and its compensation.
inline QString oneStepWorkflow(int version = 1, const QString &path = QStringLiteral("/t"))
{
    return QStringLiteral(R"(holdfast: 1
dependency: crm
owner: team@example.com
url: http://127.0.0.1:9
idempotency:
  protection: none
breaker: {failures: 1000, within: 60s, open_for: 1s}
---
holdfast: 1
workflow: one
version: %1
owner: team@example.com
deadline: 5m
event_id: ${ input.id }
input:
  type: object
  required: [id]
  properties:
    id: {type: string}
steps:
  - step: make
    dependency: crm
    effect: write
    key: make:${ input.id }
    ttl: 30d
    timeout: 2s
    http:
      method: POST
      path: %2
      body:
        ref: make:${ input.id }
        password: hunter2
    receipt:
      id: ${ response.body.id }
    retry: {attempts: 1, delay: 50ms, backoff: 2, max_delay: 500ms, jitter: full}
    compensate:
      http:
        method: POST
        path: "/undo/${ receipt.id }"
)")
        .arg(version)
        .arg(path);
}

} // namespace holdfast::tests
