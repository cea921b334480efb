// The services that workflows call, with books of their own. Each keeps the promise its dependency
// file makes and not one more: `bank` and `kiosk` know a key for as long as they say, `registry` is
// asked for the same thing twice and does it once, `depot` does what it is asked as often as it is
// asked but can be asked what it did, `mail` neither.
#pragma once

#include "simulation/scene.h"

#include <map>

namespace holdfast::simulation
{

class Outside
{
public:
    struct Result {
        model::CallResult result;
        Told told = Told::nothing;
    };
    using Tell = std::function<void(const Result &)>;

    explicit Outside(Scene &scene) : m_scene(scene) {}

    // The first byte of a call leaves now; `tell` hears how it ended, as far as that can be heard.
    void take(int sent, const Tell &tell);
    void closeService(const QString &service, Instant until) { m_awayUntil[service] = until; }

    // What a person finds who looks into the books.
    bool happened(const QString &service, const QString &key) const;
    QString idOf(const QString &service, const QString &key) const;

    static const QStringList &services();
    // How long after its time-out a request may still arrive, and how long the depot may hide it.
    static constexpr Millis lateMost = 4 * model::second;
    static constexpr Millis lagMost = 3 * model::second;

private:
    enum class Fate {
        done,
        notSent,
        lostBefore,
        replyLost,
        late,
        errorBefore,
        errorAfter,
        overloaded,
        refused,
        half,
        unauthorised,
        inUse,
        probeDown,
    };
    using Books = std::pair<QString, QString>; // service and key
    struct Reply {
        int status = 200;
        QByteArray body;
    };
    struct Way {
        Millis there = 0;
        Millis back = 0;
    };
    struct Known {
        Instant since = model::never;
        Instant visibleAt = model::never;
        QString id;
        QByteArray bytes;
        int effects = 0;
    };

    const model::Call &callOf(int sent) const { return m_scene.record.sent.at(sent).call; }
    Fate fateOf(const model::Call &call);
    Reply arrive(int sent);
    Reply ask(const model::Call &call, const QString &key);
    Reply write(int sent, const model::Call &call);
    void loseReply(int sent, Fate fate, const Way &way, const Tell &tell);
    void doWork(int sent, Fate fate, const Way &way, const Tell &tell);
    void turnAway(int sent, Fate fate, const Way &way, const Tell &tell);
    void tellLater(Millis delay, const Result &result, const Tell &tell);
    static const char *fateText(Fate fate);
    Result answered(int sent, const Reply &reply) const;
    static Result failed(const model::Call &call, const char *error, bool isSent);

    Scene &m_scene;
    std::map<Books, Known> m_books;
    std::map<QString, Instant> m_awayUntil;
    int m_ids = 0;
};

// The bytes that count: two calls with the same key must agree in them.
QByteArray bytesOf(const model::Request &request);

} // namespace holdfast::simulation
