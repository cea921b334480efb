// Failure groups as answers show them: counts of a window, what people decided, and the status that
// follows from both. What was merged into a group is counted there.
#pragma once

#include "control/context.h"

namespace holdfast::control
{

// Of a list of groups and of a report, which has such a list.
constexpr qint64 windowDaysMax = 400;

struct GroupWindow {
    model::Instant since = model::never;
    model::Instant until = model::never;

    GroupWindow before() const { return {since - (until - since), since}; }
    qsizetype days() const { return qsizetype(lastDay() - firstDay() + 1); }
    qint64 firstDay() const { return since / model::day; }
    qint64 lastDay() const { return (until - 1) / model::day; }
};

struct SeenGroup {
    ports::FailureGroupRow row;
    QVector<ports::FailureGroupRow> merged;
    qint64 runs = 0;
    qint64 occurrences = 0;
    qint64 runsBefore = 0;
    model::Instant lastAt = model::never;
    QMap<QString, qint64> outcomes;
    QVector<qint64> trend; // by the day of the window
    QVector<qint64> trendBefore;
    QString status;

    QStringList ids() const; // its own and those merged into it
};

// Seven days up to now unless the arguments say otherwise.
Result<GroupWindow> groupWindowOf(Context &context);

// Those with a failure in the window, most runs first.
Result<QVector<SeenGroup>> groupsSeen(Context &context, const GroupWindow &window);

// One group, or the one it was merged into, seen in the window or not.
Result<SeenGroup> groupSeen(Context &context, const QString &id, const GroupWindow &window);

QJsonObject groupJson(const SeenGroup &group);

} // namespace holdfast::control
