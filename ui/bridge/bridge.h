// The one object that crosses threads. The window asks it, and an answer comes back on the window's
// own thread, later; the door to the database is called on two threads of its own, one that reads
// and one that acts, so that a long read never keeps a pause waiting. What comes back is immutable.
#pragma once

#include "model/result.h"
#include "model/time.h"

#include <QJsonObject>
#include <QJsonValue>
#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>

namespace holdfast::bridge
{

using model::Result;

// One operation of the control door. Called, and destroyed, on one of the bridge's threads only: it
// may own a connection that belongs to that thread.
using Call = std::function<Result<QJsonValue>(const QString &name, const QJsonObject &arguments)>;
using Answer = std::function<void(const Result<QJsonValue> &answer)>;

// The engine as this process knows it; a word and, where something is wrong, why.
struct EngineState {
    QString word; // running, draining, stopped, attached to another process …
    QString message;
    int inFlight = 0;

    bool operator==(const EngineState &) const = default;
};

struct Sources {
    Call read;
    Call act;
    std::function<EngineState()> engine; // must answer at once
    std::function<model::Instant()> now; // the clock of this machine
    QString actor;                       // who the person is to the database
    QString database;                    // its address without a password
};

class CallThread;

class Bridge : public QObject
{
    Q_OBJECT
public:
    explicit Bridge(Sources sources, QObject *parent = nullptr);
    ~Bridge() override;

    // Reads. The answer is dropped when `context` is gone by the time it comes.
    void ask(const QString &name, const QJsonObject &arguments, QObject *context, Answer answer);
    // A person's act: recorded, audited, done once. Comes with a pulse right after it.
    void act(const QString &name, const QJsonObject &arguments, QObject *context, Answer answer);

    void start(); // begins to look for changes
    void pulse(); // looks now
    // Asks nothing more. retired() follows once no call is under way: a bridge deleted then waits
    // for nobody, one deleted earlier waits for a database that may hang.
    void retire();

    const QString &actor() const { return m_sources.actor; }
    const QString &database() const { return m_sources.database; }
    model::Instant now() const { return m_sources.now(); }
    const EngineState &engine() const { return m_engine; }
    // The last answer of "pulse": counts that every page may show.
    const QJsonObject &marks() const { return m_marks; }
    bool isAway() const { return !m_problem.isEmpty(); }
    const QString &problem() const { return m_problem; }   // one sentence
    model::Instant lastGood() const { return m_lastGood; } // when figures were last read

Q_SIGNALS:
    // Something in the database is not as it was. At most four times a second.
    void changed();
    // The database went away or came back, or the engine's state is another.
    void stateChanged();
    void retired();

private:
    void pulsed(const Result<QJsonValue> &answer);
    void deliver(QObject *context, bool hadContext, const Answer &answer,
                 const Result<QJsonValue> &value);

    Sources m_sources;
    std::unique_ptr<CallThread> m_reader;
    std::unique_ptr<CallThread> m_actor;
    QTimer m_timer;
    bool m_isPulsing = false;
    QJsonObject m_marks;
    QString m_problem;
    model::Instant m_lastGood = model::never;
    EngineState m_engine;
};

} // namespace holdfast::bridge
