// Failure groups: what a store keeps of failures that are alike, and what people decided about
// them. The rows of runs are a projection of the journal; what people decided is not, and stays.
#pragma once

#include "model/result.h"
#include "ports/rows.h"

#include <QStringList>

namespace holdfast::ports
{

using model::Result;

struct FailureGroupRow {
    QString id; // engine::Failure
    QString workflow;
    QString step;
    QString direction;
    QString failureClass;
    QString reason;
    QString message; // normalised
    QString dependency{};
    Instant firstAt = model::never;
    // What people decided.
    QString disposition{};   // empty, resolved or archived
    int resolvedVersion = 0; // of the workflow
    QString decidedBy{};
    Instant decidedAt = model::never;
    QString owner{};
    QStringList tags{};
    QString note{};       // the latest
    QString mergedInto{}; // never the id of one that is merged itself
};

// What one run has in one group.
struct FailureRow {
    QString groupId;
    QString runId;
    int version = 0; // of the workflow
    Instant firstAt = model::never;
    Instant lastAt = model::never;
    qint64 occurrences = 0;
    QString outcome{}; // the run's final status; empty while it is open
    QString eventId{}; // of the run; read only

    bool operator==(const FailureRow &) const = default;
};

// What a run's new entries add to one group.
struct FailureSeen {
    FailureGroupRow group;
    FailureRow failure;
};

// The final status of a run that has failures, or nothing where it was taken out of one.
struct RunOutcome {
    QString runId;
    QString outcome;
};

// Failures of a window that stand alike, by the day on which they were first seen.
struct FailureCount {
    Instant day = model::never;
    QString groupId; // empty where several groups were counted as one
    QString outcome;
    qint64 runs = 0;
    qint64 occurrences = 0;
    Instant lastAt = model::never;
};

// One act of a person on one group. Each changes one thing, so that two people at once keep both
// what they did; of two who change the same thing the later one is right.
struct GroupDecision {
    QString group;
    QString act; // resolve archive reopen assign tag note merge unmerge
    int version = 0;
    QString owner{};
    QStringList tags{};
    QString text{};
    QString into{};
    QString by{};
    Instant at = model::never;
};

struct GroupNoteRow {
    Instant at = model::never;
    QString by;
    QString text;
};

class FailureBook
{
public:
    virtual ~FailureBook() = default;

    // False: there is no such group, or what it was to be merged into is none or merged itself.
    virtual Result<bool> decideGroup(const GroupDecision &decision) = 0;

    // By the instant a run was first seen in a group, from `since` to before `until`.
    virtual Result<QVector<FailureCount>> failureCounts(Instant since, Instant until) = 0;
    // The same for these groups as if they were one: a run counts once.
    virtual Result<QVector<FailureCount>> failureCountsOf(const QStringList &groups, Instant since,
                                                          Instant until) = 0;
    virtual Result<qint64> failingRuns(Instant since, Instant until) = 0;
    // These, and what is merged into them.
    virtual Result<QVector<FailureGroupRow>> failureGroups(const QStringList &ids) = 0;
    virtual Result<QVector<FailureGroupRow>> newestFailureGroups(int limit) = 0;
    // Which of these are resolved and were seen since, themselves or what is merged into them, in
    // the version that was to be free of them or a later one.
    virtual Result<QStringList> regressedGroups(const QStringList &ids) = 0;
    virtual Result<QVector<FailureRow>> failuresOfGroup(const QString &group,
                                                        int limit) = 0;          // newest first
    virtual Result<QVector<FailureRow>> failuresOfRun(const QString &runId) = 0; // by group
    virtual Result<QVector<int>> failureVersions(const QString &group) = 0;
    virtual Result<QVector<GroupNoteRow>> groupNotes(const QString &group) = 0; // oldest first

    // Rebuilding: these are all failures of the run. Groups are added where they are missing, get
    // back what the journal says about them, and keep what people decided.
    virtual Result<void> replaceFailures(const QString &runId,
                                         const QVector<FailureSeen> &failures) = 0;
};

} // namespace holdfast::ports
