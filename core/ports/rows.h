// Rows as the store keeps them: values that cross the store's border, one struct per table.
#pragma once

#include "model/run.h"
#include "model/time.h"

#include <QByteArray>
#include <QJsonObject>
#include <QMap>
#include <QString>
#include <QStringList>
#include <QVector>

namespace holdfast::ports
{

using model::Instant;
using model::Millis;

// An attempt that is on the wire as far as the database knows; what a pause shows as in flight.
struct OpenAttempt {
    QString step;
    model::Direction direction = model::Direction::forward;
    int attempt = 0;
    QString dependency;
    model::Effect effect = model::Effect::read;
    Instant since = model::never;

    bool operator==(const OpenAttempt &) const = default;
    QJsonObject toJson() const;
};

QByteArray openToJson(const QVector<OpenAttempt> &open);
QVector<OpenAttempt> openFromJson(const QByteArray &text);

// The folded columns lists filter by. `seq` is the run's version: it counts journal rows.
struct RunRow {
    QString runId;
    QString workflow;
    int version = 0;
    QString eventId;
    int generation = 1;
    QString inputHash; // of the canonical input: the same event with other input is a conflict
    model::RunStatus status = model::RunStatus::queued;
    int seq = 0;
    qint64 fence = 0;
    QString worker; // empty: nobody; set exactly while an attempt is open
    Instant due = model::never;
    Instant createdAt = model::never;
    Instant startedAt = model::never;
    Instant finishedAt = model::never;
    Instant updatedAt = model::never;
    QString step;   // where it stands, or failed
    QString reason; // of the last failure or gate
    int retryCount = 0;
    int compensationCount = 0;
    int duplicatesPrevented = 0;
    QJsonObject outputs;
    QVector<OpenAttempt> open;
};

struct JournalRow {
    qint64 id = 0; // order of insertion; given by the store
    QString runId;
    int seq = 0;
    Instant at = model::never;
    QString worker;
    qint64 fence = 0;
    QByteArray entries; // model::entriesToJson
};

// These names are persisted: processing succeeded failed compensated expired.
struct LedgerRow {
    QString operation;
    QString key;
    QString hash;
    QString status;
    QString runId;
    QString step;
    QString direction; // forward | compensate
    QJsonObject request;
    QJsonObject result;
    Instant createdAt = model::never;
    Instant expiresAt = model::never; // never while an open run needs it
};

struct ReviewRow {
    QString id;
    QString kind;
    QString runId; // empty for a tripwire that concerns no single run
    QString step;
    QString direction;
    QString workflow;
    QString dependency;
    int version = 0; // of the run when it was opened
    Instant openedAt = model::never;
    Instant decidedAt = model::never;
    QString decidedBy;
    QString decision;
    QString reason;
    Instant expiresAt = model::never;
    QJsonObject evidence;
    QString claimedBy; // who is looking at it; empty: nobody
    Instant claimedUntil = model::never;
    Instant snoozedUntil = model::never;
};

struct PauseRow {
    QString id;
    QString scope;  // all | workflow | dependency
    QString target; // empty for all
    QString depth;  // intake | writes | all
    QString reason;
    QString actor;
    Instant at = model::never;
    qint64 journalMark = 0; // highest journal id when it committed, or when its ramp was stopped
    Instant liftedAt = model::never;
    QString liftedBy;
    QString liftedReason;
    QString ramp{}; // engine::Ramp as text; empty: there is none
};

struct BreakerRow {
    QString dependency;
    QString state;             // closed | open | half_open
    QVector<Instant> failures; // those within the window, oldest first
    Instant openUntil = model::never;
    Instant trialUntil = model::never; // half_open: the one trial under way
    QString reason;
};

// engine::Quota of one dependency as text, kept as it is.
struct QuotaRow {
    QString dependency;
    qint64 version = 0; // counts the changes; 0: there is none yet
    QString state;
};

// A worker that held no lease for longer than this, because its machine slept or its connection was
// gone, begins a new life in a row of its own. A restart fits into less.
constexpr Millis lapseOverlooked = model::minute;

struct WorkerRow {
    QString id;
    QString host;
    qint64 pid = 0;
    QString programVersion;
    Instant startedAt = model::never;
    Instant leaseUntil = model::never;
    QString state; // running | draining | gone
    // Until when a lease ran that was voided since; a lease not voided says so itself.
    Instant livedUntil = model::never;
};

struct CommandRow {
    QString id;   // given by the sender: sent twice, it acts once
    QString name; // cancel retry compensate resolve approve reject signal late_report note verify
    QString runId;
    QString actor;
    QJsonObject arguments;
    Instant at = model::never;
    Instant appliedAt = model::never;
    QString result; // applied | rejected
    QString message;
};

struct AuditRow {
    qint64 seq = 0;
    QString chain;       // a run id, or "system"
    qint64 chainSeq = 0; // 1, 2, 3 … within the chain
    Instant at = model::never;
    QString actor;
    QString action;
    QString subject;
    QString body; // canonical JSON, hashed as stored
    QString previous;
    QString hash;
};

// A run that needed so many retries by its end is counted as a storm.
inline constexpr int stormRetries = 5;

struct RollupRow {
    Instant minute = model::never;
    QString workflow;
    QString step;
    QString dependency;
    QString worker;
    // Counters by name: attempts retries ok transient permanent ambiguous verified confirmed failed
    // compensated compensation_failed duplicates_prevented reviews runs_started runs_succeeded
    // runs_failed runs_compensated runs_cancelled duration_ms; for the measures of a report also
    // effects late_effects reviews_closed reviews_needed runs_reopened runs_stormy.
    QMap<QString, qint64> counts;
};

// What people set for all: saved views and the like. Names have a prefix that says what they are.
struct SettingRow {
    QString name;
    QString value;
};

// An alert: what owners should hear of, committed with what it tells.
struct OutboxRow {
    QString id;
    Instant at = model::never;
    QString kind;
    QString runId;
    QJsonObject payload;
    Instant deliveredAt = model::never; // since then its deliveries stand, one for each target
};

// Whom alerts are sent to. Secrets stand here by name only.
struct AlertTargetRow {
    QString name;
    QString url;
    QStringList secrets;     // several while one takes the place of another
    QStringList kinds{};     // empty: all
    QStringList workflows{}; // empty: all
    bool allowPrivate = false;
    QString state{};  // enabled | disabled
    QString reason{}; // why it is disabled
    QString madeBy{};
    Instant madeAt = model::never;
};

// One alert for one target. Taking it counts the try and puts off the next, so that whoever dies
// with it is followed by another; whoever has it is named by the number of the try.
struct DeliveryRow {
    QString outboxId;
    QString target;
    QString kind;
    QString runId;
    Instant at = model::never; // of the alert
    QString state{};           // waiting | delivered | given_up
    int attempts = 0;
    Instant nextAt = model::never;
    Instant endedAt = model::never;
    int status = 0; // of the last try; 0: there was no answer
    QString error{};
};

// A rule that pauses by itself. The names of measures and states are persisted.
struct TripwireRow {
    QString name;
    QString measure;    // engine::TripMeasure
    QString workflow{}; // what is counted; empty: all
    QString step{};
    QString failure{}; // reason code; only of failures
    QString scope{};   // what is paused: all | workflow | dependency
    QString target{};
    QString depth{};
    Millis window = 0;
    qint64 threshold = 0; // per cent, or how many failures
    qint64 least = 0;     // of what a share is taken
    QString state{};      // enabled | disabled
    QString madeBy{};
    Instant madeAt = model::never;
    // What a watch keeps: it counts what came after `armedAt`, less what its minute had before.
    Instant armedAt = model::never;
    qint64 baseCount = 0;
    qint64 baseOf = 0;
    QString pause{}; // its own, while it stands
    Instant firedAt = model::never;
};

struct WorkflowRow {
    QString name;
    int version = 0;
    QString owner;
    QString source; // the YAML document as deployed
    QString hash;
    Instant deployedAt = model::never;
    QString deployedBy;
};

struct DependencyRow {
    QString name;
    int revision = 0;
    QString owner;
    QString source;
    QString hash;
    Instant deployedAt = model::never;
    QString deployedBy;
};

// One act on many runs, as a person started it. The names of acts and states are persisted.
struct BatchRow {
    QString id;
    QString act;           // retry cancel compensate resolve
    QJsonObject arguments; // of each command: reason, verdict, steps
    QString reason;
    QString actor;
    QString filter; // how the items were found; empty: they were named
    int rate = 1;   // items a second
    bool includesUnsafe = false;
    QString state; // running held done stopped
    QString note;  // why it is in that state, where there is more to say
    int items = 0;
    int chosen = 0; // of those, the ones to be taken: places 1 to here
    int taken = 0;  // up to this place
    int base = 0;   // taken when it began, or was let go on
    Instant takenAt = model::never;
    Instant startedAt = model::never;
    Instant endedAt = model::never;
};

struct BatchItemRow {
    int place = 0;
    QString runId;   // empty for an item that concerns no single run; such a one is never taken
    QString review;  // the item of a resolve
    int version = 0; // of the run when it was planned
    QString verdict; // engine::Safety
    QString state;   // pending apart recorded applied refused skipped
    QString command{};
    QString message{};
    QString runStatus{}; // as the run stands now; read only
};

} // namespace holdfast::ports
