// Judges a simulation when it is over, by the books of the outside, the order in which things were
// committed, and the committed journal. Each checker is one promise and knows less than the engine.
#pragma once

#include "model/entry.h"
#include "simulation/stage.h"
#include "store/memory_store.h"

#include <QHash>

#include <limits>

namespace holdfast::simulation
{

// A committed entry with where it stands.
struct Fact {
    int order = 0; // of its commit, on the record's scale
    qint64 journal = 0;
    int seq = 0;
    qint64 fence = 0;
    QString worker;
    model::Entry entry;
};

struct RunFacts {
    QString runId;
    QString workflow;
    QString eventId;
    QVector<Fact> facts; // in the order of the journal
};

class Evidence
{
public:
    explicit Evidence(Scene &scene);

    const Record &record;
    const Stage &stage;
    const store::MemoryDatabase &database;
    QVector<RunFacts> runs;

    const RunFacts *run(const QString &runId) const;
    // The key of a step's operation, as it was prepared.
    QString keyOf(const RunFacts &run, const QString &step, model::Direction direction) const;
    // Calls that wrote, by service and key, in the order they were handed over.
    using Key = std::pair<QString, QString>;
    std::map<Key, QVector<int>> writes;
    // Between two moments of the record.
    struct Span {
        int after = 0;
        int before = std::numeric_limits<int>::max();
    };
    // Whether a person answered a question about this step.
    bool personDecided(const QString &runId, const QString &step, Span span) const;
    // How many times people said something that may send this operation again.
    int sentAgainByPeople(const QString &runId, const QString &step, model::Direction direction,
                          Span span) const;
    // Nothing comes of it: it was refused at the door, or never got there, or the engine refused it
    // when it came to it.
    bool wasTurnedDown(const Act &act) const;
    QStringList broken;
    void add(const char *promise, const QString &text)
    {
        broken.append(QLatin1String(promise) + QLatin1String(": ") + text);
    }

private:
    QHash<QString, int> m_runs;
};

using Checker = void (*)(Evidence &evidence);

// Every promise that was broken, as "I4: …".
QStringList checkAll(Scene &scene);

inline bool isAction(model::Direction direction)
{
    return direction == model::Direction::forward || direction == model::Direction::compensate;
}

} // namespace holdfast::simulation
