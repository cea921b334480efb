// What the tests of the console's operations share: a bench on a database of the row's kind, and a
// workflow with a protected write, a plain one and a read.
#pragma once

#include "control/door_bench.h"

namespace holdfast::tests
{

inline QString twoStepWorkflow(const QString &extra = {})
{
    return QStringLiteral(R"(holdfast: 1
dependency: payments
owner: team@example.com
url: http://127.0.0.1:9
idempotency:
  protection: native
  retention: 24h
classify:
  - {status: 402, class: permanent, reason: card_declined}
breaker: {failures: 1000, within: 60s, open_for: 1s}
---
holdfast: 1
dependency: mail
owner: team@example.com
url: http://127.0.0.1:9
idempotency:
  protection: none
breaker: {failures: 1000, within: 60s, open_for: 1s}
---
holdfast: 1
workflow: one
version: 1
owner: team@example.com
deadline: 5m
event_id: ${ input.id }
input:
  type: object
  required: [id]
  properties:
    id: {type: string}
steps:
  - step: pay
    dependency: payments
    effect: write
    key: pay:${ input.id }
    ttl: 30d
    timeout: 2s
    http:
      method: POST
      path: /v1/payments
      body:
        ref: pay:${ input.id }
        password: hunter2
    receipt:
      id: ${ response.body.id }
    retry: {attempts: 1, delay: 50ms, backoff: 2, max_delay: 500ms, jitter: full}
    compensate:
      http:
        method: POST
        path: "/v1/payments/${ receipt.id }/refund"
        body: {token: secret-word}
%1  - step: tell
    dependency: mail
    effect: write
    key: tell:${ input.id }
    ttl: 30d
    timeout: 2s
    http:
      method: POST
      path: /send
    retry: {attempts: 1, delay: 50ms, backoff: 2, max_delay: 500ms, jitter: full}
    compensate: none
)")
        .arg(extra);
}

// Fails at one step as the given answer does; everything else succeeds.
inline DoorBench::Answer failingAt(const QString &step, const DoorBench::Answer &answer)
{
    return [step, answer](const model::Call &call) {
        return call.step == step ? answer(call) : DoorBench::succeeds(call);
    };
}

class ConsoleSuite
{
protected:
    std::unique_ptr<DoorBench> m_bench;

    static void addKinds()
    {
        QTest::addColumn<int>("kind");
        for (const StoreFixture::Kind kind : StoreFixture::available())
            QTest::newRow(qPrintable(StoreFixture::nameOf(kind))) << int(kind);
    }
    void freshBench()
    {
        QFETCH_GLOBAL(int, kind);
        m_bench = std::make_unique<DoorBench>(StoreFixture::Kind(kind));
        m_bench->deploy(twoStepWorkflow());
    }
    QString runTo(const QString &id, const DoorBench::Answer &answer)
    {
        const QString run = m_bench->start(id);
        m_bench->run(answer);
        return run;
    }
    QString ambiguousAt(const QString &step, const QString &id = QStringLiteral("a"))
    {
        return runTo(id, failingAt(step, DoorBench::timesOut));
    }
    QJsonObject review()
    {
        const QJsonArray open = m_bench->reviews();
        if (open.size() != 1)
            qFatal("%lld items are open, not one", static_cast<long long>(open.size()));
        return m_bench
            ->ok("review",
                 {{QStringLiteral("review"), open.first()[QLatin1String("id")].toString()}})
            .toObject();
    }
    static QJsonObject answerOf(const QJsonObject &review, const QString &verdict)
    {
        const QJsonArray answers = review[QLatin1String("answers")].toArray();
        for (const QJsonValue &answer : answers) {
            if (answer[QLatin1String("verdict")].toString() == verdict)
                return answer.toObject();
        }
        return {};
    }
    QString refusal(const char *name, const QJsonObject &arguments, const QString &actor = {})
    {
        const auto answer = m_bench->call(name, arguments, {}, actor);
        return answer ? QString() : answer.error().message;
    }
    QStringList eventsOf(const QString &filter)
    {
        QStringList events;
        const QJsonArray runs =
            m_bench->ok("runs", {{QStringLiteral("filter"), filter}})[QLatin1String("runs")]
                .toArray();
        for (const QJsonValue &run : runs)
            events.append(run[QLatin1String("event_id")].toString());
        return events;
    }
};

} // namespace holdfast::tests
