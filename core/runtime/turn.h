// One turn of the engine: load, decide, commit, perform. It takes everything that finished or came
// due since the last one, decides all of it, commits it in one transaction, and only then touches
// the outside. It owns no thread; whoever drives it calls turn() again and again.
#pragma once

#include "engine/ramp.h"
#include "ports/clock.h"
#include "ports/sender.h"
#include "ports/store.h"
#include "ports/telemetry.h"
#include "runtime/answers.h"
#include "runtime/catalog.h"
#include "runtime/projection.h"

#include <QHash>

namespace holdfast::runtime
{

struct TurnOptions {
    QString worker;
    int concurrency = 200; // runs with an attempt open at once
    int claimsMax = 500;   // runs taken in one turn
    bool maySend = true;   // false: a decision is applied where no worker lives
    bool onlyCommanded = false;
    ports::Telemetry *telemetry = nullptr; // outlives the turn
};

struct TurnReport {
    int claimed = 0;
    int decided = 0;
    int sent = 0;
    bool moreIsDue = false; // the claim was cut short: turn again at once
};

class Turn
{
public:
    // Those who turn on one thread may share their answers, and so what was compiled for them.
    Turn(ports::Store &store, Catalog &catalog, ports::Sender &sender, const ports::Clock &clock,
         TurnOptions options, std::shared_ptr<Answers> answers = nullptr);

    // On an error nothing was committed and the results must be handed in again.
    Result<TurnReport> turn(const QVector<model::CallResult> &results);

    void setMaySend(bool maySend) { m_options.maySend = maySend; }
    void setClaiming(bool claiming) { m_claiming = claiming; }
    void setLease(model::Millis untilMonotonic) { m_leaseUntil = untilMonotonic; }
    // Ramping while any pause's ramp is; somebody has to look after those under way.
    engine::RampState ramp() const { return m_ramp; }
    int owned() const { return int(m_owned.size()); }
    // The database is not the one in which they were ours: none is believed to be without a look.
    void doubtOwned();
    // Whether a run that is due would be taken.
    bool hasRoom() const { return m_claiming && owned() < m_options.concurrency; }
    // Results of calls that could not even be made; they belong into the next turn.
    QVector<model::CallResult> takeRefused();

private:
    // The run goes into a turn's work and comes back when that turn stands. If it does not, what
    // the journal says is what the run was.
    struct Loaded {
        model::Run run;
        ports::RunRow row;
        bool lent = false;
    };
    // One run's share of a turn.
    struct Work {
        int seqBefore = 0;
        model::Run run;
        ports::RunRow row;
        std::shared_ptr<const DeployedWorkflow> deployed;
        model::Entries entries;
        QVector<engine::Send> sends;
        QVector<engine::TripPause> trips;
        model::Instant lookAgainAt = model::never;
        bool claimed = false;
        bool commanded = false; // a command was decided on it
    };
    struct PendingKey {
        QString runId;
        engine::ClaimKey claim;
    };

    // turn.cpp
    // False: nothing of it stands, and it has to be decided again.
    Result<bool> tryTurn(const QVector<model::CallResult> &results);
    // Answers with the runs that turned out to be fenced off; if there are any, nothing may be
    // committed.
    Result<QSet<QString>> decideAll(const QVector<model::CallResult> &results);
    bool isStillOurs(const ports::ClaimedRun &item) const;
    Result<QSet<QString>> loadClaimed();
    QVector<Work *> claimedInTurns();
    void lookAtPausesAgain();
    Result<Work *> workFor(const QString &runId);
    Result<bool> takeBack(Loaded &loaded);
    Result<void> applyResults(const QVector<model::CallResult> &results);
    Result<void> applyCommands();
    void applyCommand(const ports::CommandRow &command, Work &work);
    engine::Outcome decide(Work &work, const engine::Event &event) const;
    void decideOn(Work &work, const engine::Event &event);
    void take(Work &work, engine::Outcome outcome);
    void takeOver(const ports::LedgerRow &row);
    Result<void> settleKeys();
    Result<void> showBoth(engine::LedgerAnswered &event, const ports::LedgerRow &asked,
                          const ports::LedgerRow &found);
    // turn_gates.cpp
    Result<std::shared_ptr<const DeployedWorkflow>> deployedFor(const model::Run &run);
    Result<void> loadGates(const QVector<model::CallResult> &results);
    void fillGate(const DeployedDependency &deployed, const engine::Breaker &breaker);
    void countInFlight(const QVector<model::CallResult> &results);
    void noteBreaker(const Work &work, const model::Entries &entries);
    QString dependencyOf(const Work &work, const model::CallResult &result) const;
    // turn_quotas.cpp
    void readQuotas(const QVector<ports::QuotaRow> &rows);
    void fillLimits(engine::DependencyGate &gate, const QString &dependency) const;
    QMap<QString, engine::QuotaNeed> quotaNeeds() const;
    // False: others were quicker, and not all of it is left.
    Result<bool> takeQuotas();
    void settleQuotas();
    QStringList lookForPlaces();
    void spreadWaiting();
    model::Instant moment() const;
    // turn_write.cpp
    Result<QSet<QString>> write();
    void writeBreakers();
    Result<void> commit();
    Result<void> settleUnknownCommit();
    void finishTurn();
    void perform(const Work &work);
    void send(const Work &work, const engine::Send &sending);
    void tripPause(const Work &work, const engine::TripPause &trip);
    bool writeTrip(const Work &work, const engine::TripPause &trip);
    Result<void> keepOrphan(const model::CallResult &result);

    ports::Store &m_store;
    Catalog &m_catalog;
    ports::Sender &m_sender;
    const ports::Clock &m_clock;
    TurnOptions m_options;
    const std::shared_ptr<Answers> m_answers;
    bool m_claiming = true;
    engine::RampState m_ramp = engine::RampState::none;
    model::Millis m_leaseUntil = 0;
    model::Millis m_leaseOfTurn = 0; // as it was when the gates were locked

    QHash<QString, Loaded> m_owned; // runs of ours with an attempt open
    engine::Gates m_gates;          // as the last turn found and left them
    QMap<QString, qint64> m_earned; // thousandths of retries that committed first tries have added
    QMap<QString, model::Millis> m_spreads; // how far those who wait for a limit are spread
    QVector<model::CallResult> m_refused;
    model::Millis m_catalogReadAt = 0;
    bool m_commitUnknown = false; // what stands below is of a turn whose commit may have taken

    // This turn's.
    model::Instant m_now = model::never;
    model::Millis m_askedAt = 0;  // our own clock before the gates were asked for
    model::Millis m_lockedAt = 0; // the same moment by our own clock
    // With what is left of the quotas as it was last read.
    struct SeenQuota {
        engine::Quota quota;
        qint64 version = 0;
        QString state{};
    };
    QMap<QString, SeenQuota> m_quotas;
    QMap<QString, int> m_limited; // how many found no room, by dependency
    bool m_isShort = false;       // of a quota
    bool m_isCautious = false;    // uses only what it holds already
    QMap<QString, Work> m_work;   // ordered, so that a turn is the same whatever hashed where
    QVector<PendingKey> m_keys;
    QMap<QPair<QString, QString>, ports::LedgerRow> m_taken; // in this turn, by operation and key
    QMap<QString, engine::Breaker> m_breakersBefore;
    ports::TurnWrites m_writes;
    QVector<ports::CommandRow> m_lateReports;
    TurnReport m_report;
};

} // namespace holdfast::runtime
