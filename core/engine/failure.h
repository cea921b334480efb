// Failures as the journal tells of them, and what makes two of them alike. Pure, so that rebuilding
// gives equal rows: a failure is read from the entries of one change and the run after it.
#pragma once

#include "model/entry.h"
#include "model/policy.h"

#include <QVector>

namespace holdfast::engine
{

constexpr qsizetype failureMessageMax = 120; // characters

// What an attempt or a step came to that was not success.
struct Failure {
    QString group; // the same for all that are alike
    QString step;
    model::Direction direction = model::Direction::forward;
    model::FailureClass failureClass = model::FailureClass::none;
    QString reason;
    QString message; // normalised
    QString dependency;
    model::Instant at = model::never;
};

// Whether this entry may tell of a failure, be it that another explains it.
bool mayTellOfFailure(const model::Entry &entry);

// A step's end that follows from what a person did, and tells of no trouble by itself.
bool isDecided(const model::Entry &entry);

// In the order of the entries. What a person decided is no failure of its own, nor is what follows
// from an attempt of the same change.
QVector<Failure> failuresOf(const model::Run &after, const model::Entries &entries,
                            const model::Policy &policy);

// Ids, amounts, addresses and the like become placeholders, and secrets by name are masked, so that
// the same trouble of two runs reads the same.
QString normalisedMessage(const QString &message);

// The first 16 digits of SHA-256 over the canonical JSON of what makes failures alike.
QString failureGroupId(const QString &workflow, const Failure &failure);

} // namespace holdfast::engine
