#include "simulation/outside.h"

#include <QUrl>

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using model::Call;
using model::Direction;

namespace
{
constexpr Millis bankRemembers = 10 * model::minute;

bool isWrite(const Call &call)
{
    return (call.direction == Direction::forward || call.direction == Direction::compensate) &&
           call.effect != model::Effect::read;
}

bool knowsKeys(const QString &service) { return service == "bank"_L1 || service == "kiosk"_L1; }

QString askedKey(const Call &call)
{
    const qsizetype at = call.request.path.indexOf("?key="_L1);
    return at < 0 ? QString() : QUrl::fromPercentEncoding(call.request.path.mid(at + 5).toLatin1());
}

model::CallResult resultOf(const Call &call)
{
    model::CallResult result;
    result.runId = call.runId;
    result.step = call.step;
    result.direction = call.direction;
    result.attempt = call.attempt;
    result.fence = call.fence;
    return result;
}
} // namespace

QByteArray bytesOf(const model::Request &request)
{
    return request.method.toLatin1() + ' ' + request.path.toLatin1() + ' ' + request.body;
}

const QStringList &Outside::services()
{
    static const QStringList names{u"bank"_s, u"registry"_s, u"depot"_s, u"mail"_s, u"kiosk"_s};
    return names;
}

bool Outside::happened(const QString &service, const QString &key) const
{
    const auto known = m_books.find({service, key});
    return known != m_books.end() && known->second.effects > 0;
}

QString Outside::idOf(const QString &service, const QString &key) const
{
    const auto known = m_books.find({service, key});
    return known == m_books.end() ? QString() : known->second.id;
}

Outside::Fate Outside::fateOf(const Call &call)
{
    const Settings &settings = m_scene.settings;
    const auto strikes = [&](int rate) { return m_scene.strikes(rate); };
    const auto away = m_awayUntil.find(call.dependency);
    if (!m_scene.calm && away != m_awayUntil.end() && m_scene.now() < away->second) {
        ++m_scene.record.figures.faults;
        return m_scene.dice.oneIn(2) ? Fate::notSent : Fate::lostBefore;
    }
    if (strikes(settings.notSent))
        return Fate::notSent;
    if (strikes(settings.lostBefore))
        return Fate::lostBefore;
    if (!isWrite(call))
        return strikes(settings.probeDown) ? Fate::probeDown : Fate::done;
    if (strikes(settings.replyLost))
        return Fate::replyLost;
    if (strikes(settings.late))
        return Fate::late;
    if (strikes(settings.serverError))
        return m_scene.dice.oneIn(2) ? Fate::errorBefore : Fate::errorAfter;
    if (strikes(settings.overloaded))
        return Fate::overloaded;
    if (strikes(settings.refused))
        return Fate::refused;
    if (strikes(settings.half))
        return Fate::half;
    if (strikes(settings.unauthorised))
        return Fate::unauthorised;
    if (knowsKeys(call.dependency) && strikes(settings.inUse))
        return Fate::inUse;
    return Fate::done;
}

Outside::Result Outside::failed(const Call &call, const char *error, bool isSent)
{
    Result failed{resultOf(call), isSent ? Told::unsure : Told::notSent};
    failed.result.sent = isSent;
    failed.result.error = QString::fromLatin1(error);
    failed.result.status = -1;
    return failed;
}

Outside::Result Outside::answered(int sent, const Reply &reply) const
{
    const Call &call = callOf(sent);
    Result answered{resultOf(call), Told::done};
    answered.result.status = reply.status;
    answered.result.body = reply.body;
    answered.result.bodyComplete = true;
    const bool gone = reply.status == 404 && call.request.method == "DELETE"_L1;
    const bool overloaded = reply.status == 503 && call.dependency == "bank"_L1;
    if (gone || (reply.status >= 200 && reply.status < 300))
        return answered;
    answered.told = reply.status >= 500 && !overloaded ? Told::unsure : Told::refused;
    // Busy with our key: the first request may yet be done.
    if (reply.status == 409)
        answered.told = Told::unsure;
    return answered;
}

void Outside::tellLater(Millis delay, const Result &result, const Tell &tell)
{
    m_scene.agenda.in(delay, [tell, result] { tell(result); });
}

const char *Outside::fateText(Fate fate)
{
    switch (fate) {
    case Fate::done: return "goes well";
    case Fate::notSent: return "connection refused, no byte left";
    case Fate::lostBefore: return "reset on the way there";
    case Fate::replyLost: return "the reply gets lost";
    case Fate::late: return "time-out, and it will arrive late";
    case Fate::errorBefore: return "500 before the work";
    case Fate::errorAfter: return "500 after the work";
    case Fate::overloaded: return "429 or 503, not executed";
    case Fate::refused: return "refused for good";
    case Fate::half: return "2xx cut short";
    case Fate::unauthorised: return "401";
    case Fate::inUse: return "409, busy with this key";
    case Fate::probeDown: return "no answer to the question";
    }
    Q_UNREACHABLE();
}

void Outside::take(int sent, const Tell &tell)
{
    const Call call = callOf(sent);
    const Fate fate = fateOf(call);
    const Way way{m_scene.dice.between(5, 200), m_scene.dice.between(5, 200)};
    if (m_scene.record.traces && fate != Fate::done)
        m_scene.note(call.dependency, u"%1 %2#%3: %4"_s
                                          .arg(call.key.isEmpty() ? call.step : call.key,
                                               model::directionName(call.direction))
                                          .arg(call.attempt)
                                          .arg(QLatin1String(fateText(fate))));
    switch (fate) {
    case Fate::notSent: tellLater(way.there, failed(call, "connect_refused", false), tell); return;
    case Fate::lostBefore: tellLater(way.there, failed(call, "reset", true), tell); return;
    case Fate::replyLost:
    case Fate::late: loseReply(sent, fate, way, tell); return;
    case Fate::done:
    case Fate::errorAfter:
    case Fate::half: doWork(sent, fate, way, tell); return;
    case Fate::errorBefore:
        tellLater(way.there + way.back, answered(sent, {500, "{}"}), tell);
        return;
    case Fate::overloaded:
    case Fate::refused:
    case Fate::unauthorised:
    case Fate::inUse:
    case Fate::probeDown: turnAway(sent, fate, way, tell); return;
    }
    Q_UNREACHABLE();
}

// The request arrives, now or later, and nothing comes back.
void Outside::loseReply(int sent, Fate fate, const Way &way, const Tell &tell)
{
    const Call call = callOf(sent);
    if (fate == Fate::late) {
        m_scene.agenda.in(call.timeout + m_scene.dice.between(1, lateMost),
                          [this, sent] { arrive(sent); });
        tellLater(call.timeout, failed(call, "timeout", true), tell);
        return;
    }
    m_scene.agenda.in(way.there, [this, sent] { arrive(sent); });
    const bool hangs = m_scene.dice.oneIn(2);
    tellLater(hangs ? call.timeout : way.there + way.back,
              failed(call, hangs ? "timeout" : "reset", true), tell);
}

// The work is done; what is said of it may be wrong or cut short.
void Outside::doWork(int sent, Fate fate, const Way &way, const Tell &tell)
{
    m_scene.agenda.in(way.there, [this, sent, fate, way, tell] {
        const Reply reply = arrive(sent);
        Result result = answered(sent, fate == Fate::errorAfter ? Reply{500, "{}"} : reply);
        if (fate == Fate::half) {
            result.told = result.result.status < 300 ? Told::unsure : result.told;
            result.result.body.chop(std::min<qsizetype>(6, result.result.body.size()));
            result.result.bodyComplete = false;
            result.result.error = u"truncated"_s;
        }
        tellLater(way.back, result, tell);
    });
}

// Nothing is done, and it is said so.
void Outside::turnAway(int sent, Fate fate, const Way &way, const Tell &tell)
{
    const Call call = callOf(sent);
    Dice &dice = m_scene.dice;
    if (fate == Fate::probeDown) {
        if (dice.oneIn(2))
            tellLater(way.back, answered(sent, {dice.oneIn(2) ? 503 : 200, "{\"busy\":true}"}),
                      tell);
        else
            tellLater(call.timeout, failed(call, "timeout", true), tell);
        return;
    }
    if (fate == Fate::overloaded) {
        const bool limited = call.dependency != "bank"_L1 || dice.oneIn(2);
        Result busy = answered(sent, {limited ? 429 : 503, "{}"});
        if (dice.oneIn(3))
            busy.result.retryAfter = dice.between(0, 20 * model::second);
        tellLater(way.there + way.back, busy, tell);
        return;
    }
    const int status = fate == Fate::unauthorised                      ? 401
                       : fate == Fate::inUse                           ? 409
                       : call.dependency == "bank"_L1 && dice.oneIn(2) ? 402
                                                                       : 422;
    tellLater(way.back, answered(sent, {status, "{}"}), tell);
}

Outside::Reply Outside::arrive(int sent)
{
    const Call call = callOf(sent);
    if (call.direction == Direction::verify)
        return ask(call, askedKey(call));
    if (!isWrite(call))
        return {200, "{\"title\":\"as it was\"}"};
    return write(sent, call);
}

Outside::Reply Outside::ask(const Call &call, const QString &key)
{
    const auto known = m_books.find({call.dependency, key});
    const bool found = known != m_books.end() && known->second.effects > 0 &&
                       known->second.visibleAt <= m_scene.now();
    m_scene.record.asked.append(
        {m_scene.record.next(), m_scene.now(), call.dependency, key, found, true});
    if (m_scene.record.traces)
        m_scene.note(call.dependency,
                     u"asked for %1: %2"_s.arg(key, found ? u"there"_s : u"not there"_s));
    if (!found)
        return {200, "{\"found\":false}"};
    return {200, "{\"found\":true,\"id\":\"" + known->second.id.toLatin1() + "\"}"};
}

Outside::Reply Outside::write(int sent, const Call &call)
{
    Known &known = m_books[{call.dependency, call.key}];
    const QByteArray bytes = bytesOf(call.request);
    const Instant now = m_scene.now();
    const bool remembers =
        knowsKeys(call.dependency) && known.effects > 0 && now - known.since < bankRemembers;
    const bool sameState = call.dependency == "registry"_L1 && known.effects > 0;
    const bool mismatch = remembers && known.bytes != bytes;
    const bool effect = !remembers && !sameState;
    if (effect) {
        ++known.effects;
        known.since = now;
        known.visibleAt =
            now + (call.dependency == "depot"_L1 ? m_scene.dice.between(0, lagMost) : 0);
        known.id = u"%1-%2"_s.arg(call.dependency).arg(++m_ids);
        known.bytes = bytes;
    }
    m_scene.record.arrivals.append(
        {m_scene.record.next(), now, sent, call.dependency, call.key, bytes, effect, known.id});
    if (m_scene.record.traces)
        m_scene.note(
            call.dependency,
            u"%1 %2 as %3"_s.arg(call.key, effect ? u"DONE"_s : u"known already"_s, known.id));
    if (mismatch)
        return {422, "{\"error\":\"key was used for another request\"}"};
    return {200, "{\"id\":\"" + known.id.toLatin1() + "\"}"};
}

} // namespace holdfast::simulation
