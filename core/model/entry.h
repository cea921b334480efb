// A journal entry: one fact about a run. `decide` produces entries, `fold` applies them, the store
// keeps them. The kinds' names are persisted; never rename one, and never change what an old kind
// means.
#pragma once

#include "model/run.h"

#include <QJsonObject>
#include <QVector>

namespace holdfast::model
{

enum class EntryKind {
    accepted,           // the run exists: input, event id, deadline
    stepStarted,        // step reached, its snapshot comes first
    stepSkipped,        // `when` was false, shadow, or waived by a person
    prepared,           // key, hash, operation, request bytes
    gated,              // a gate is closed: reason and when to look again
    intent,             // attempt n, fence f, is about to be sent
    attemptEnded,       // class, reason, status, evidence; `due` carries a later base for settling
    snapshotKept,       // previous values
    retryScheduled,     // due
    verifyScheduled,    // due
    clearedAbsent,      // proven not to have happened
    confirmed,          // effect confirmed, receipt; ends the attempt it names
    replayed,           // the ledger answered
    stepFailed,         // no effect, or given up
    reviewOpened,       // waits for a person; a standalone one leaves the operation as it is
    reviewClosed,       // decided or overtaken
    approved,           // this operation, with these bytes
    waiting,            // a wait step waits for its instant or event
    compensationBegan,  // reason; chosen steps
    compensationWaived, // of one step, by a person
    cancelAsked,        // by a person
    reopened,           // a person took it out of a final status
    lateReport,         // a fenced worker's result arrived
    noted,              // a person's note
    finished,           // final status, outputs
};

QString entryKindName(EntryKind kind);
std::optional<EntryKind> entryKindFromName(const QString &name);

struct Entry {
    EntryKind kind = EntryKind::accepted;
    Instant at = never;
    QString step;
    Direction direction = Direction::forward;
    int attempt = 0;
    qint64 fence = 0;
    int dependencyRevision = 0;
    FailureClass failureClass = FailureClass::none;
    QString reason;
    int status = 0;
    Instant due = never;
    QString key;
    QString hash;
    QString operation;
    QString reviewId;
    std::optional<ReviewKind> reviewKind;
    std::optional<RunStatus> runStatus;
    QString actor;                  // of a person's command
    QJsonObject detail;             // receipt, evidence, input: by kind
    std::optional<Request> request; // prepared: the exact bytes
    bool counts = false;            // attemptEnded: counts against the retry policy

    void appendTo(QByteArray &out) const; // as JSON; empty fields are left out
    QJsonObject toJson() const;           // the same, for views
    static Entry fromJson(const QJsonObject &object);

private:
    void take(const QString &name, const QJsonValue &value);
};

using Entries = QVector<Entry>;

QByteArray entriesToJson(const Entries &entries);
Entries entriesFromJson(const QByteArray &text);

} // namespace holdfast::model
