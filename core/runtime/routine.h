// What a worker does between two waits, without a thread of its own: keep the database open, renew
// the lease, take a turn, sweep, and say for how long nothing needs to be done. A worker drives it
// on its thread, a simulation on a clock that it sets.
#pragma once

#include "runtime/alert_watch.h"
#include "runtime/memory.h"
#include "runtime/turn.h"

namespace holdfast::runtime
{

struct WorkerOptions {
    QString id;
    int concurrency = 200;
    model::Millis lease = 10 * model::second;
    model::Millis renewEvery = 3 * model::second;
    model::Millis pollEvery = model::second; // how long a shared database may hide news from us
    model::Millis rampEvery = model::second; // how often those let through by a ramp are looked at
    model::Millis batchEvery = 200;          // how often a batch that goes on is looked at
    bool untilIdle = false;
    QString programVersion;
    // Where the login may not execute runs, the database is served all the same and nothing is
    // claimed; else that is an error.
    bool mayWatch = false;
    // Where it is written down how far the database had come; empty: nothing is remembered.
    QString memoryFile{};
    ports::Telemetry *telemetry = nullptr; // outlives the worker
    // Who carries alerts; outlives the worker. None: this worker sends none.
    ports::Courier *courier = nullptr;
    model::Millis tripwiresEvery = 5 * model::second; // how often their counters are looked at
};

class Routine
{
public:
    Routine(ports::Store &store, Catalog &catalog, ports::Sender &sender, const ports::Clock &clock,
            WorkerOptions options, std::shared_ptr<Answers> answers = nullptr);

    // Results wait here until a turn has committed them.
    void add(const QVector<model::CallResult> &results) { m_results += results; }
    // Stops claiming and sending; open attempts end.
    void drain();
    // The database is open and the lease is ours; else nothing may be done, and nothing is sent.
    Result<void> getReady();
    Result<TurnReport> turn();
    // The janitor: keys past their time become tombstones, a few at a time, when nothing else is
    // pressing, and hours that are over are added up.
    void sweep();
    // Nothing is left that would go on by itself.
    bool isSettled();
    int owned() const { return m_turn.owned(); }
    bool hasResults() const { return !m_results.isEmpty(); }
    // Alerts on the wire; whoever leaves without waiting for them has them sent again.
    bool hasAlertsUnderWay() const
    {
        return m_options.courier && m_options.courier->underWay() > 0;
    }
    // The database went away, and it is not yet time to look for it again.
    bool isAway() const { return m_pauseBeforeOpen > 0; }
    // The disk is full: what is under way is still written down, nothing new is sent.
    bool isShortOfSpace() const { return m_isShort; }
    // Another program has changed the schema: what is under way ends, and then this worker. Empty:
    // it fits.
    const QString &misfit() const { return m_misfit; }
    // The login may not execute runs: others do.
    bool onlyWatches() const { return m_onlyWatches; }
    model::Millis wait();
    void leave();

private:
    Result<void> openStore();
    Result<void> renewLease();
    QString shownState() const;
    Result<void> lookWhetherItFits();
    Result<void> lookAfterRamps();
    Result<void> lookAfterBatches();
    Result<void> lookAfterAlerts();
    Result<void> lookAfterTripwires();
    Result<void> compareWithMemory();
    Result<void> holdEverything(const QString &why);
    void remember();
    void lookForSpace();
    void saveSpace();
    void setGoing();
    void noteClock();
    template <typename T>
    Result<T> failed(const model::Error &error);

    ports::Store &m_store;
    Catalog &m_catalog;
    const ports::Clock &m_clock;
    const WorkerOptions m_options;
    Turn m_turn;
    std::optional<AlertWatch> m_alerts;
    Memory m_memory;
    QVector<model::CallResult> m_results; // not yet committed
    model::Millis m_renewedAt = 0;
    model::Millis m_pauseBeforeOpen = 0;
    model::Millis m_sweptAt = 0;
    model::Millis m_summedAt = 0;
    model::Millis m_rampsSeenAt = 0;
    std::optional<model::Millis> m_batchesSeenAt;
    std::optional<model::Millis> m_alertsSeenAt;
    std::optional<model::Millis> m_tripwiresSeenAt;
    model::Millis m_spaceSeenAt = 0;
    model::Millis m_rememberedAt = 0;
    std::optional<model::Millis> m_wallOffset; // of the wall clock from the monotonic one
    bool m_moreIsDue = false;
    bool m_aBatchGoes = false;
    bool m_idle = false;
    bool m_registered = false;
    bool m_isShort = false;
    bool m_isDraining = false;
    bool m_onlyWatches = false;
    QString m_misfit;
};

} // namespace holdfast::runtime
