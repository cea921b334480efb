// Runs as the door's "show" tells them, made up for pictures and layout: one whose charge is
// ambiguous and waits for a person, and one that was compensated.
#pragma once

#include "model/json.h"
#include "ui/bridge/bridge.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonObject>
#include <QMap>
#include <QStringList>
#include <mutex>

namespace holdfast::tests
{

using namespace Qt::StringLiterals;

class StoryMaker
{
public:
    explicit StoryMaker(const QString &eventId)
        : m_start(QDateTime::currentMSecsSinceEpoch() - 3 * model::hour), m_eventId(eventId)
    {
    }

    QString at(model::Millis after) const { return model::instantText(m_start + after); }

    StoryMaker &step(const QString &name, const QString &status, const QString &effect,
                     const QString &dependency, const QJsonObject &more = {})
    {
        QJsonObject step{{u"step"_s, name},
                         {u"status"_s, status},
                         {u"effect"_s, effect},
                         {u"kind"_s, dependency.isEmpty() ? u"check"_s : u"http"_s},
                         {u"dependency"_s, dependency},
                         {u"key"_s, dependency.isEmpty() ? QString() : name + u":8841"_s},
                         {u"receipt"_s, QJsonValue()},
                         {u"reason"_s, QJsonValue()}};
        for (auto field = more.begin(); field != more.end(); ++field)
            step.insert(field.key(), field.value());
        m_steps.append(step);
        m_attempts.append(QJsonArray());
        return *this;
    }

    struct Try {
        model::Millis from = 0;
        model::Millis to = 0; // -1: open
        QString direction = u"forward"_s;
        QString failureClass;
        QString reason;
        int status = 200;
        QString why;
        QString response = {};
        QString method = u"POST"_s;
    };
    StoryMaker &attempt(const Try &tried)
    {
        QJsonArray &attempts = m_attempts.last();
        const QString step = m_steps.last().value(u"step"_s).toString();
        const QJsonObject request{
            {u"method"_s, tried.method},
            {u"path"_s, u"/v1/"_s + step},
            {u"content_type"_s, u"application/json"_s},
            {u"body"_s,
             u"{\"amount\":12000,\"customer\":\"cus_91\",\"note\":\"it's \\\"due\\\"\"}"_s}};
        attempts.append(QJsonObject{
            {u"number"_s, attempts.size() + 1},
            {u"direction"_s, tried.direction},
            {u"started_at"_s, at(tried.from)},
            {u"ended_at"_s, tried.to < 0 ? QJsonValue() : QJsonValue(at(tried.to))},
            {u"class"_s, orNull(tried.failureClass)},
            {u"reason"_s, orNull(tried.reason)},
            {u"status"_s, tried.status > 0 ? QJsonValue(tried.status) : QJsonValue()},
            {u"request"_s, request},
            {u"response"_s, orNull(tried.response)},
            {u"error"_s,
             tried.status > 0 ? QJsonValue() : QJsonValue(u"214 of 214 bytes sent, 0 received."_s)},
            {u"why"_s, tried.why}});
        return *this;
    }

    StoryMaker &entry(model::Millis after, const QString &kind, const QString &step,
                      const QJsonObject &more = {})
    {
        QJsonObject entry{
            {u"seq"_s, m_journal.size() + 1}, {u"at"_s, at(after)}, {u"kind"_s, kind}};
        if (!step.isEmpty())
            entry.insert(u"step"_s, step);
        for (auto field = more.begin(); field != more.end(); ++field)
            entry.insert(field.key(), field.value());
        m_journal.append(entry);
        return *this;
    }

    QJsonObject show(const QString &status, const QString &verdict, model::Millis endsAfter) const
    {
        QJsonArray steps;
        for (qsizetype at = 0; at < m_steps.size(); ++at) {
            QJsonObject step = m_steps.at(at);
            step.insert(u"attempts"_s, m_attempts.at(at));
            steps.append(step);
        }
        const QJsonObject no{{u"allowed"_s, false},
                             {u"why"_s, u"the run waits for a decision; see its review item"_s}};
        const QJsonObject yes{{u"allowed"_s, true}, {u"why"_s, u"Stops the run."_s}};
        return {{u"run_id"_s, u"0197c3aa-51d2-7e31-9c40-6f2be1a7d0e2"_s},
                {u"event_id"_s, m_eventId},
                {u"workflow"_s, u"billing-assistant"_s},
                {u"version"_s, 3},
                {u"status"_s, status},
                {u"verdict"_s, verdict},
                {u"seq"_s, m_journal.size()},
                {u"retry_count"_s, 1},
                {u"compensation_count"_s, 0},
                {u"duplicates_prevented"_s, 1},
                {u"created_at"_s, at(0)},
                {u"started_at"_s, at(20)},
                {u"finished_at"_s, endsAfter < 0 ? QJsonValue() : QJsonValue(at(endsAfter))},
                {u"steps"_s, steps},
                {u"journal"_s, m_journal},
                {u"reviews"_s, QJsonArray()},
                {u"input"_s, QJsonObject{{u"order_id"_s, m_eventId}}},
                {u"contract"_s, contract()},
                {u"actions"_s, QJsonObject{{u"retry"_s, no},
                                           {u"cancel"_s, yes},
                                           {u"compensate"_s, no},
                                           {u"rerun"_s, no},
                                           {u"verify"_s, yes}}}};
    }

private:
    static QJsonValue orNull(const QString &text)
    {
        return text.isEmpty() ? QJsonValue() : QJsonValue(text);
    }

    QJsonObject contract() const
    {
        QString source =
            u"holdfast: 1\nworkflow: billing-assistant\nversion: 3\nowner: billing@example.com\n"
            "deadline: 15m\nevent_id: ${ input.order_id }\nsteps:\n"_s;
        QJsonArray steps;
        for (const QJsonObject &step : m_steps) {
            const QString name = step["step"_L1].toString();
            steps.append(QJsonObject{{u"step"_s, name}, {u"line"_s, source.count(u'\n') + 1}});
            source += u"  - step: %1\n    dependency: %2\n    effect: %3\n    timeout: 20s\n"
                      "    http:\n      method: POST\n      path: /v1/%1\n"_s.arg(
                          name, step["dependency"_L1].toString(), step["effect"_L1].toString());
        }
        return {{u"workflow"_s, u"billing-assistant"_s},
                {u"version"_s, 3},
                {u"source"_s, source},
                {u"steps"_s, steps}};
    }

    const model::Instant m_start;
    const QString m_eventId;
    QVector<QJsonObject> m_steps;
    QVector<QJsonArray> m_attempts;
    QJsonArray m_journal;
};

inline QJsonObject ambiguousRun()
{
    StoryMaker made(u"invoice/8841"_s);
    made.step(u"check_total"_s, u"succeeded"_s, u"read"_s, {});
    made.step(u"plan"_s, u"succeeded"_s, u"read"_s, u"llm"_s, {{u"kind"_s, u"llm"_s}})
        .attempt({40,
                  1'440,
                  u"forward"_s,
                  {},
                  u"ok"_s,
                  200,
                  u"The target answered 200."_s,
                  u"{\"plan\":\"charge\"}"_s});
    made.step(u"reserve"_s, u"succeeded"_s, u"write"_s, u"inventory"_s,
              {{u"receipt"_s, QJsonObject{{u"id"_s, u"res_77"_s}}}})
        .attempt({1'500, 1'620, u"forward"_s, u"transient"_s, u"overloaded"_s, 503,
                  u"Inventory declares 503 as not executed, so it is safe to try again."_s,
                  u"{\"error\":\"try later\"}"_s})
        .attempt({3'700,
                  4'010,
                  u"forward"_s,
                  {},
                  u"ok"_s,
                  201,
                  u"The target answered 201."_s,
                  u"{\"id\":\"res_77\"}"_s});
    made.step(u"charge"_s, u"review"_s, u"write"_s, u"payments"_s, {{u"reason"_s, u"timeout"_s}})
        .attempt({4'060, 24'060, u"forward"_s, u"ambiguous"_s, u"timeout"_s, 0,
                  u"The request was sent whole and no answer came in time, so it may have "
                  "happened. Payments has no rule for it; the built-in map says ambiguous."_s})
        .attempt({39'000,
                  39'300,
                  u"verify"_s,
                  u"transient"_s,
                  u"server_error"_s,
                  503,
                  u"A verify that fails tells nothing."_s,
                  {},
                  u"GET"_s})
        .attempt({639'000,
                  639'250,
                  u"verify"_s,
                  u"transient"_s,
                  u"server_error"_s,
                  503,
                  u"A verify that fails tells nothing."_s,
                  {},
                  u"GET"_s});
    made.step(u"send_email"_s, u"pending"_s, u"write"_s, u"mail"_s);
    made.entry(0, u"accepted"_s, {}, {{u"actor"_s, u"n8n"_s}})
        .entry(1'500, u"intent"_s, u"reserve"_s, {{u"attempt"_s, 1}})
        .entry(1'620, u"attempt_ended"_s, u"reserve"_s,
               {{u"attempt"_s, 1},
                {u"class"_s, u"transient"_s},
                {u"reason"_s, u"overloaded"_s},
                {u"status"_s, 503}})
        .entry(1'620, u"retry_scheduled"_s, u"reserve"_s)
        .entry(3'700, u"intent"_s, u"reserve"_s, {{u"attempt"_s, 2}})
        .entry(4'010, u"confirmed"_s, u"reserve"_s, {{u"attempt"_s, 2}})
        .entry(4'060, u"intent"_s, u"charge"_s, {{u"attempt"_s, 1}})
        .entry(24'060, u"attempt_ended"_s, u"charge"_s,
               {{u"attempt"_s, 1}, {u"class"_s, u"ambiguous"_s}, {u"reason"_s, u"timeout"_s}})
        .entry(24'060, u"verify_scheduled"_s, u"charge"_s)
        .entry(39'000, u"intent"_s, u"charge"_s, {{u"attempt"_s, 2}, {u"direction"_s, u"verify"_s}})
        .entry(39'300, u"verify_scheduled"_s, u"charge"_s)
        .entry(639'000, u"intent"_s, u"charge"_s,
               {{u"attempt"_s, 3}, {u"direction"_s, u"verify"_s}})
        .entry(639'250, u"review_opened"_s, u"charge"_s, {{u"review_kind"_s, u"ambiguous"_s}})
        .entry(2'000'000, u"noted"_s, {},
               {{u"actor"_s, u"grace"_s},
                {u"detail"_s, QJsonObject{{u"text"_s, u"Asked the provider; ticket 4711."_s}}}});
    QJsonObject show = made.show(
        u"review"_s,
        u"step charge was sent and its answer was lost (timeout): nobody knows whether it "
        "happened; look in the target, then resolve review r1."_s,
        -1);
    show.insert(u"reviews"_s, QJsonArray{QJsonObject{{u"id"_s, u"r1"_s}}});
    return show;
}

inline QJsonObject compensatedRun()
{
    StoryMaker made(u"order/1207"_s);
    const QJsonObject undone{{u"compensation"_s, QJsonObject{{u"key"_s, u"undo:8841"_s}}}};
    made.step(u"reserve"_s, u"compensated"_s, u"write"_s, u"inventory"_s, undone)
        .attempt({50, 310, u"forward"_s, {}, u"ok"_s, 201, u"The target answered 201."_s})
        .attempt({2'450, 2'700, u"compensate"_s, {}, u"ok"_s, 200, u"The target answered 200."_s});
    made.step(u"charge"_s, u"compensated"_s, u"write"_s, u"payments"_s, undone)
        .attempt({350, 900, u"forward"_s, {}, u"ok"_s, 201, u"The target answered 201."_s})
        .attempt({1'450, 1'700, u"compensate"_s, u"transient"_s, u"overloaded"_s, 503, u"Busy."_s})
        .attempt({2'000, 2'400, u"compensate"_s, {}, u"ok"_s, 200, u"The target answered 200."_s});
    made.step(u"ship"_s, u"failed"_s, u"write"_s, u"shipping"_s)
        .attempt({940, 1'400, u"forward"_s, u"permanent"_s, u"out_of_stock"_s, 422,
                  u"The target refused it with 422, so it had no effect."_s,
                  u"{\"error\":\"out of stock\"}"_s});
    made.entry(0, u"accepted"_s, {});
    return made.show(u"compensated"_s,
                     u"Failed at step ship (out of stock) and was compensated; no effect stands. "
                     "Rerun starts it anew."_s,
                     2'750);
}

// What compensating a run would do.
inline QJsonObject compensationPlan()
{
    const auto step = [](const QString &name, const QString &verdict, const QString &why,
                         bool hasRequest) {
        QJsonObject planned{{u"step"_s, name},
                            {u"verdict"_s, verdict},
                            {u"why"_s, why},
                            {u"request"_s, QJsonValue()}};
        if (hasRequest) {
            planned.insert(u"key"_s, u"undo:"_s + name);
            planned.insert(u"request"_s,
                           QJsonObject{{u"method"_s, u"POST"_s},
                                       {u"path"_s, u"/v1/%1/77/void"_s.arg(name)},
                                       {u"content_type"_s, u"application/json"_s},
                                       {u"body"_s, u"{\"reason\":\"compensation\"}"_s}});
        }
        return planned;
    };
    return {{u"version"_s, 14},
            {u"plan"_s,
             QJsonArray{step(u"send_email"_s, u"cannot"_s, u"an e-mail cannot be unsent"_s, false),
                        step(u"charge"_s, u"will_compensate"_s, u"confirmed"_s, true),
                        step(u"reserve"_s, u"will_compensate"_s, u"confirmed"_s, true),
                        step(u"plan"_s, u"nothing_to_do"_s, u"it only reads"_s, false)}}};
}

// A door that knows one run.
class StoryDoor
{
public:
    explicit StoryDoor(const QJsonObject &show) : m_show(show) {}

    bridge::Sources sources()
    {
        bridge::Sources sources;
        sources.read = [this](const QString &name, const QJsonObject &in) {
            return call(name, in);
        };
        sources.act = sources.read;
        sources.engine = [] { return bridge::EngineState{u"running"_s, {}, 0}; };
        sources.now = [] { return QDateTime::currentMSecsSinceEpoch(); };
        sources.actor = u"ada"_s;
        return sources;
    }
    void setShow(const QJsonObject &show)
    {
        const std::lock_guard lock(m_mutex);
        m_show = show;
    }
    void setAnswer(const QString &name, const QJsonObject &answer)
    {
        const std::lock_guard lock(m_mutex);
        m_answers.insert(name, answer);
    }
    void refuse(const QString &name, const QString &why)
    {
        const std::lock_guard lock(m_mutex);
        m_refusals.insert(name, why);
    }
    QVector<QJsonObject> asked(const QString &name) const
    {
        const std::lock_guard lock(m_mutex);
        return m_asked.value(name);
    }

private:
    model::Result<QJsonValue> call(const QString &name, const QJsonObject &in)
    {
        const std::lock_guard lock(m_mutex);
        m_asked[name].append(in);
        if (m_refusals.contains(name))
            return model::refused(m_refusals.value(name));
        if (m_answers.contains(name))
            return QJsonValue(m_answers.value(name));
        if (name == "show"_L1)
            return QJsonValue(m_show);
        if (name == "ledger"_L1)
            return QJsonValue(
                QJsonObject{{u"ledger"_s,
                             QJsonArray{QJsonObject{{u"key"_s, u"charge:8841"_s},
                                                    {u"operation"_s, u"payments POST /v1/charge"_s},
                                                    {u"status"_s, u"processing"_s},
                                                    {u"step"_s, u"charge"_s}}}}});
        if (name == "dependencies"_L1)
            return QJsonValue(QJsonObject{
                {u"dependencies"_s,
                 QJsonArray{QJsonObject{
                     {u"dependency"_s, u"payments"_s},
                     {u"url"_s, u"https://api.payments.example"_s},
                     {u"source"_s, u"holdfast: 1\ndependency: payments\nheaders:\n"
                                   "  Authorization: Bearer ${ secret.PAYMENTS_TOKEN }\n"
                                   "idempotency:\n  protection: native\n  header: X-Key\n"_s}}}}});
        return QJsonValue(QJsonObject{{u"command"_s, u"c1"_s}, {u"state"_s, u"recorded"_s}});
    }

    mutable std::mutex m_mutex;
    QJsonObject m_show;
    QMap<QString, QJsonObject> m_answers;
    QMap<QString, QString> m_refusals;
    QMap<QString, QVector<QJsonObject>> m_asked;
};

} // namespace holdfast::tests
