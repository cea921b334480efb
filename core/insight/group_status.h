// What a failure group is to whoever looks through a window: one status, from counts and from what
// people decided.
#pragma once

#include "model/time.h"

#include <QString>
#include <QVector>

namespace holdfast::insight
{

// These names are shown and asked for; never rename one.
enum class GroupStatus { new_, ongoing, escalating, regressed, archived, resolved };

constexpr GroupStatus allGroupStatuses[] = {GroupStatus::new_,       GroupStatus::ongoing,
                                            GroupStatus::escalating, GroupStatus::regressed,
                                            GroupStatus::archived,   GroupStatus::resolved};

QString groupStatusName(GroupStatus status);

struct GroupFacts {
    QString disposition;            // empty, resolved or archived
    bool seenSinceResolved = false; // in the version that was to be free of it, or a later one
    bool firstSeenInWindow = false;
    QVector<qint64> trend;       // runs by the day of the window
    QVector<qint64> trendBefore; // and of the window before
};

// A day with so many times the runs of the highest day before, and at least so many.
constexpr qint64 escalatingTimes = 3;
constexpr qint64 escalatingLeast = 3;

bool isEscalating(const GroupFacts &facts);

GroupStatus groupStatus(const GroupFacts &facts);

} // namespace holdfast::insight
