// Retention: rows about archives, what a run is made of when it is archived, and the file it goes
// into.
#pragma once

#include "model/result.h"
#include "ports/rows.h"

namespace holdfast::ports
{

// The names of states are persisted: writing written removing done dropped.
struct ArchiveRow {
    QString id;
    QString file; // absolute
    QString host; // where that file is
    Instant before = model::never;
    QString reason;
    QString actor;
    QString state;
    QString note;         // why it is in that state, where there is more to say
    qint64 runs = 0;      // in the file
    qint64 size = 0;      // bytes of the file
    QString hash;         // SHA-256 of the file
    QJsonObject manifest; // as in the file
    Instant startedAt = model::never;
    Instant writtenAt = model::never;
    Instant endedAt = model::never;
    qint64 removed = 0; // read only
};

// What stays of a run that was removed.
struct ArchivedRunRow {
    QString runId;
    QString archive;
    QString workflow;
    int version = 0;
    QString eventId;
    int generation = 1;
    QString inputHash;
    model::RunStatus status = model::RunStatus::succeeded;
    int seq = 0;
    Instant createdAt = model::never;
    Instant startedAt = model::never;
    Instant finishedAt = model::never;
};

// The run as far as that tells.
RunRow runOf(const ArchivedRunRow &archived);

// Whether a run may be archived. Kept for: open later newest review command batch; empty: it may.
struct ArchiveVerdict {
    QString runId;
    int seq = 0;
    QString keptFor;
};

struct RunVersion {
    QString runId;
    int seq = 0;
};

struct WholeRun {
    RunRow run;
    QVector<JournalRow> journal;
    QVector<ReviewRow> reviews;
    QVector<CommandRow> commands;
    QVector<LedgerRow> ledger;
    QVector<AuditRow> audit;
};

// What those runs were executed by.
struct ArchiveDefinitions {
    QVector<WorkflowRow> workflows; // by name and version
    QVector<DependencyRow> dependencies;
};

// How far an archive has come after a piece of work.
struct ArchiveStep {
    ArchiveRow archive;
    QString doing;   // writing checking packing reading removing; empty: it has ended
    qint64 done = 0; // runs, of that
};

// One archive's file, while it is made or read back. Every call does a bounded piece of work.
class ArchiveFile
{
public:
    virtual ~ArchiveFile() = default;

    virtual bool stands() const = 0; // something has its name
    // An empty draft beside it; what an earlier try left there is removed.
    virtual model::Result<void> begin() = 0;
    virtual model::Result<void> add(const QVector<WholeRun> &runs) = 0; // by id
    // No more runs are added. The manifest gets counts, hashes and size.
    virtual model::Result<void> close(const QJsonObject &manifest,
                                      const ArchiveDefinitions &definitions) = 0;
    // Reads the draft back; true: all of it is as it was added.
    virtual model::Result<bool> check() = 0;
    // True: the file is on disk and has its name.
    virtual model::Result<bool> pack() = 0;
    // Reads the file that stands into a draft; true: it is whole.
    virtual model::Result<bool> unpack() = 0;
    virtual QJsonObject manifest() const = 0;
    virtual qint64 size() const = 0;
    virtual QString hash() const = 0;
    // What is in the draft, by id.
    virtual model::Result<QVector<RunVersion>> runsAfter(const QString &runId, int limit) = 0;
    // Removes the draft.
    virtual void clean() = 0;
};

} // namespace holdfast::ports
