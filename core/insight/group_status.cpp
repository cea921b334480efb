#include "insight/group_status.h"

#include "model/names.h"

#include <algorithm>

namespace holdfast::insight
{

namespace
{
constexpr std::array<model::Name<GroupStatus>, 6> names{{{GroupStatus::new_, u"new"},
                                                         {GroupStatus::ongoing, u"ongoing"},
                                                         {GroupStatus::escalating, u"escalating"},
                                                         {GroupStatus::regressed, u"regressed"},
                                                         {GroupStatus::archived, u"archived"},
                                                         {GroupStatus::resolved, u"resolved"}}};

qint64 highest(const QVector<qint64> &days)
{
    return days.isEmpty() ? 0 : *std::max_element(days.cbegin(), days.cend());
}
} // namespace

QString groupStatusName(GroupStatus status) { return model::nameOf(names, status); }

// A group that was never seen before has nothing it could have grown from: that it is new says
// more.
bool isEscalating(const GroupFacts &facts)
{
    const qint64 now = highest(facts.trend);
    return now >= escalatingLeast && now >= escalatingTimes * highest(facts.trendBefore);
}

GroupStatus groupStatus(const GroupFacts &facts)
{
    if (facts.disposition == QLatin1String("resolved"))
        return facts.seenSinceResolved ? GroupStatus::regressed : GroupStatus::resolved;
    if (facts.disposition == QLatin1String("archived"))
        return isEscalating(facts) ? GroupStatus::escalating : GroupStatus::archived;
    if (facts.firstSeenInWindow)
        return GroupStatus::new_;
    return isEscalating(facts) ? GroupStatus::escalating : GroupStatus::ongoing;
}

} // namespace holdfast::insight
