// How the sandbox misbehaves: scripted per path, or at random from a seed. The choice for a request
// depends on the seed, its path, its key and how often that pair was seen, never on the order in
// which concurrent requests arrive, so a seed tells the same story every time. Safe on any thread.
#pragma once

#include "model/result.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace holdfast::sandbox
{

struct Fault {
    enum class Kind {
        ok,
        drop,      // close without an answer
        reset,     // the same with RST
        hang,      // never answer
        half,      // 2xx headers and part of the body
        status,    // answer with `number`
        delay,     // act and answer after `number` ms
        late,      // drop now, act after `number` ms
        probeLag,  // effects are invisible to GET for `number` ms
        probeDown, // GET answers 500
        html200,   // a captive portal
        garbage,   // not HTTP
        slowLoris, // an answer of one byte at a time that never ends
        huge,      // a body larger than anyone wants
        redirect,  // 302 to `text`
        stored500, // a 500 that the key remembers
    };
    Kind kind = Kind::ok;
    bool worksFirst = false; // the work is done, then the fault strikes
    int number = 0;
    QString text;

    // "work_then_drop", "delay:200", "503", "429:7", "redirect:http://…"; work_then_ goes with any
    // of them.
    static model::Result<Fault> parse(const QString &name);
    bool isProbeFault() const { return kind == Kind::probeLag || kind == Kind::probeDown; }
};

class FaultPlan
{
public:
    static constexpr size_t queueMax = 10'000;
    static constexpr size_t seenMax = 500'000; // beyond it the dice forget, which only repeats them

    // A path is a prefix in whole segments, `*` stands for one of them, and "GET /path" is for that
    // method alone. Without a method it is for everything but GET, save that probe faults are for
    // GET only.
    model::Result<void> push(const QString &path, const QStringList &faults);
    // What happens when the queue is empty; an empty name goes back to behaving.
    model::Result<void> always(const QString &path, const QString &fault);
    void chaos(quint64 seed, int percent);
    void clear();

    Fault take(const QString &method, const QString &path, const QString &key);

    QJsonObject toJson() const;
    // {"queue": {path: [fault…]}, "always": {path: fault}, "seed": n, "chaos": percent}; all or
    // nothing.
    model::Result<void> apply(const QJsonObject &object);

private:
    struct Script {
        QString name;
        QString method; // empty: any but GET
        QStringList segments;
        std::vector<std::pair<QString, Fault>> queue;
        std::optional<std::pair<QString, Fault>> standing;
    };
    Script &scriptFor(const QString &path);
    std::vector<Script *> matches(const QString &method, const QString &path);
    Fault chaosFault(const QString &method, const QString &path, const QString &key);

    mutable std::mutex m_mutex;
    std::vector<Script> m_scripts;
    quint64 m_seed = 0;
    int m_chaosPercent = 0;
    std::map<std::pair<QString, QString>, quint64> m_seen;
};

} // namespace holdfast::sandbox
