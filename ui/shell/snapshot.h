// What the window shows at one moment: read once on the feed's thread, then immutable and shared.
#pragma once

#include "model/result.h"
#include "model/time.h"

#include <QJsonValue>
#include <QMap>
#include <QString>
#include <QVector>
#include <memory>

namespace holdfast::shell
{

struct RunLine {
    QString runId;
    QString workflow;
    int version = 0;
    QString status;
    QString eventId;
    QString step;
    QString reason;
    int retryCount = 0;
    model::Instant startedAt = model::never;
    model::Instant updatedAt = model::never;

    bool operator==(const RunLine &) const = default;
};

struct PauseLine {
    QString scope; // all | workflow | dependency
    QString target;
    QString depth;
    QString reason;
    QString actor;
    model::Instant at = model::never;
    int inFlight = 0;
    int startedSince = 0;

    bool operator==(const PauseLine &) const = default;
};

// The engine as this process knows it; a word and, where something is wrong, why.
struct EngineLine {
    QString word; // running, draining, stopped, attached to another process …
    QString message;
    int inFlight = 0;
};

struct Snapshot {
    QVector<RunLine> runs; // newest first
    bool moreRuns = false; // older ones exist that are not in `runs`
    int reviewTotal = 0;
    QMap<QString, int> reviewsByKind; // of the oldest ones, where there are very many
    int pendingCommands = 0;          // decided by a person, not yet applied by an engine
    QVector<PauseLine> pauses;
    model::Instant takenAt =
        model::never;    // when the figures were read; they may be older than the error
    bool isAway = false; // the figures are the last ones known
    QString problem;     // one sentence: why they are
    EngineLine engine;

    int reviewsCounted() const;
};

using SnapshotPtr = std::shared_ptr<const Snapshot>;

// Readers of what the control door answers. What is missing stays empty; what is no list is an
// error.
model::Result<QVector<RunLine>> runLines(const QJsonValue &answer);
model::Result<void> readSummary(const QJsonValue &answer, Snapshot &snapshot);
model::Result<QMap<QString, int>> reviewCounts(const QJsonValue &answer);
model::Result<QVector<PauseLine>> pauseLines(const QJsonValue &answer);

} // namespace holdfast::shell

Q_DECLARE_METATYPE(holdfast::shell::SnapshotPtr)
