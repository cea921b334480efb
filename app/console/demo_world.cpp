#include "app/console/demo_world.h"

#include <QCryptographicHash>
#include <utility>

namespace holdfast::console
{

using namespace Qt::StringLiterals;

namespace
{
// Of a thousand writes; the rest goes well.
constexpr int lostReplies = 18;
constexpr int lostRequests = 8;
constexpr int busyAnswers = 26;
constexpr int tooManyAnswers = 12;
constexpr int refusals = 22;
constexpr int failingRefunds = 350;

sandbox::Incoming incomingOf(const model::Call &call)
{
    sandbox::Incoming incoming;
    incoming.method = call.request.method;
    incoming.target = call.request.path;
    incoming.path = call.request.path.section(u'?', 0, 0);
    incoming.headers = {{u"Idempotency-Key"_s, call.key}};
    incoming.body = call.request.body;
    incoming.key = call.key;
    return incoming;
}

model::CallResult endOf(const model::Call &call)
{
    model::CallResult result;
    result.runId = call.runId;
    result.step = call.step;
    result.direction = call.direction;
    result.attempt = call.attempt;
    result.fence = call.fence;
    result.bodyComplete = true;
    return result;
}
} // namespace

// Depends on what is asked, not on when: the same seed tells the same story.
int DemoWorld::draw(const model::Call &call) const
{
    const QString text =
        u"%1|%2|%3|%4"_s.arg(m_seed).arg(call.request.path, call.key).arg(call.attempt);
    const QByteArray hash = QCryptographicHash::hash(text.toUtf8(), QCryptographicHash::Sha256);
    return ((uchar(hash.at(0)) << 8) | uchar(hash.at(1))) % 1000;
}

DemoWorld::Luck DemoWorld::luckOf(const model::Call &call, int draw) const
{
    if (call.request.path.endsWith("/refund"_L1))
        return draw < failingRefunds ? Luck::refused : Luck::good;
    if (call.direction != model::Direction::forward)
        return Luck::good;
    for (const auto &[share, luck] :
         {std::pair{lostReplies, Luck::lostReply}, std::pair{lostRequests, Luck::lostRequest},
          std::pair{busyAnswers, Luck::busy}, std::pair{tooManyAnswers, Luck::tooMany},
          std::pair{refusals, Luck::refused}}) {
        if (draw < share)
            return luck;
        draw -= share;
    }
    return Luck::good;
}

void DemoWorld::answer(const model::Call &call, model::CallResult &result)
{
    const sandbox::Incoming incoming = incomingOf(call);
    sandbox::Reply reply;
    if (incoming.method == "GET"_L1)
        reply = m_services.look(incoming, 0);
    else if (const auto known = m_services.begin(incoming))
        reply = *known;
    else
        reply = m_services.complete(incoming);
    result.status = reply.status;
    result.body = reply.body;
    result.bodyComplete = true;
}

void DemoWorld::send(const model::Call &call)
{
    model::CallResult result = endOf(call);
    const int drawn = draw(call);
    model::Millis took = 80 + drawn;
    switch (luckOf(call, drawn)) {
    case Luck::good: answer(call, result); break;
    case Luck::lostReply:
        answer(call, result);
        result = endOf(call);
        result.error = u"timeout"_s;
        result.detail = u"no answer within %1 s"_s.arg(call.timeout / model::second);
        took = call.timeout;
        break;
    case Luck::lostRequest:
        result.error = u"empty_reply"_s;
        result.detail = u"the connection was closed without an answer"_s;
        break;
    case Luck::busy:
        result.status = 503;
        result.body = "{\"error\":\"overloaded\"}";
        break;
    case Luck::tooMany:
        result.status = 429;
        result.retryAfter = 2 * model::second;
        result.body = "{\"error\":\"rate limited\"}";
        break;
    case Luck::refused:
        result.status = call.request.path.contains("/charges"_L1) ? 402 : 422;
        result.body =
            result.status == 402 ? "{\"error\":\"card declined\"}" : "{\"error\":\"refused\"}";
        break;
    }
    m_latency = std::max(m_latency, took);
    m_results.append(result);
}

QVector<model::CallResult> DemoWorld::takeResults()
{
    m_latency = 0;
    return std::exchange(m_results, {});
}

} // namespace holdfast::console
