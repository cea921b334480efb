// A worker process in the simulation: the real routine and the real turns, on the simulation's
// clock, with a sender that hands calls to the simulated outside. It can die and lose all it held
// in memory, and freeze: what it was about to send may then leave when it thaws.
#pragma once

#include "ports/sender.h"
#include "runtime/routine.h"
#include "simulation/faulty_store.h"
#include "simulation/outside.h"

namespace holdfast::simulation
{

class SimulatedWorker : public ports::Sender
{
public:
    SimulatedWorker(int number, Scene &scene);
    ~SimulatedWorker() override;

    void boot();
    void die(const QString &why);
    void freeze(Millis time);
    void loseConnection();
    void look(); // news, perhaps
    void pass();
    bool isUp() const { return m_routine != nullptr; }
    bool isFrozen() const { return m_frozenUntil != model::never; }
    bool isBusy() const { return m_passing; }
    QString name() const { return m_name; }

    void setReport(Report) override {}
    void send(const model::Call &call) override;
    void drain() override {}

private:
    void schedule(Instant at);
    void leave(int sent);
    void hear(int life, int sent, const Outside::Result &result);
    void thaw();
    void countTurn();
    void judge(const model::Error &error);

    Scene &m_scene;
    const int m_number;
    QString m_name;
    int m_life = 0; // counts boots: what an earlier life waited for reaches nobody
    std::unique_ptr<FaultyStore> m_store;
    std::unique_ptr<runtime::Routine> m_routine;
    QVector<model::CallResult> m_inbox;
    QVector<int> m_told;   // calls whose results no turn has committed yet
    QVector<int> m_unsent; // handed over while frozen
    Instant m_passAt = model::never;
    Instant m_frozenUntil = model::never;
    bool m_passing = false;
    Instant m_second = model::never; // the one under way, and its turns
    int m_turnsInIt = 0;
};

} // namespace holdfast::simulation
