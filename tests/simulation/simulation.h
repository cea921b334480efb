// One seed: a bad day, then a calm one, then the verdict. The seed fixes everything; the same seed
// gives the same history, bit for bit.
#pragma once

#include "simulation/people.h"
#include "simulation/simulated_worker.h"

namespace holdfast::simulation
{

struct Verdict {
    quint64 seed = 0;
    quint64 hash = 0; // of the whole history
    QStringList violations;
    QStringList trace; // only where it was asked for
    Figures figures;

    bool good() const { return violations.isEmpty(); }
};

class Simulation
{
public:
    Simulation(Stage &stage, quint64 seed, bool traces, Notes *notes = nullptr);
    ~Simulation();

    Verdict run();

private:
    void plan();
    void planTrouble();
    void hint();
    void somebodyElse(const QString &who);
    void calmDown();
    bool isQuiet() const;
    bool goesRound() const; // a worker turns and turns and nothing comes of it
    QString whatGoesOn() const;
    quint64 historyHash() const;

    const quint64 m_seed;
    Record m_record;
    Scene m_scene;
    Outside m_outside;
    People m_people;
    std::vector<std::unique_ptr<SimulatedWorker>> m_workers;
    int m_depth = 0; // of those who are quicker than those who are quicker
};

} // namespace holdfast::simulation
