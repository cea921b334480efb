// A run as it is told: steps in their order, attempts, and what was waited for in between. Read
// once from the door's "show", immutable afterwards.
#pragma once

#include "model/time.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QString>
#include <QVector>

namespace holdfast::inspector
{

struct AttemptStory {
    QString step;
    int row = 0; // of its step
    int number = 0;
    QString direction; // forward, verify, compensate or snapshot
    model::Instant startedAt = model::never;
    model::Instant endedAt = model::never;
    QString failureClass; // empty: none
    QString reason;
    int status = 0;
    QString why;
    QString error;
    QString response;
    bool hasResponse = false;
    QJsonObject request;

    bool operator==(const AttemptStory &) const = default;
    bool isOpen() const { return endedAt == model::never; }
    QString rowId() const; // the same as long as the run lives
    model::Millis took(model::Instant now) const;
    QString tookText(model::Instant now) const; // finer than a duration usually is
    QString directionWord() const;              // Attempt, Verify, Compensation, Snapshot
};

struct WaitStory {
    int row = 0;
    model::Instant from = model::never;
    model::Instant until = model::never; // never: still
    QString text;                        // "waits to retry"
    bool isForPerson = false;
};

struct StepStory {
    QString step;
    QString status;
    QString effect;
    QString kind;
    QString dependency;
    QString key;
    QString reason;
    QJsonObject whole;
};

struct RunStory {
    QJsonObject whole; // as the door gave it
    QString runId;
    QString eventId;
    QString workflow;
    int version = 0;
    QString status;
    QString verdict;
    qint64 seq = 0;
    model::Instant createdAt = model::never;
    model::Instant startedAt = model::never;
    model::Instant finishedAt = model::never;
    QVector<StepStory> steps;
    QVector<AttemptStory> attempts; // in the order they began
    QVector<WaitStory> waits;

    static RunStory fromJson(const QJsonObject &show);
    bool isEmpty() const { return runId.isEmpty(); }
    const StepStory *step(const QString &name) const;
    int indexOf(const QString &rowId) const; // of an attempt; -1: none
    // The attempt a person most likely came for: open, else ambiguous, else the last that did not
    // work, else the last.
    int mostTelling() const;
    QJsonArray notes() const;
    QString link() const;
};

} // namespace holdfast::inspector
