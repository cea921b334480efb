#include "control/pause_watch.h"

#include "control/pause_scope.h"

#include <algorithm>

namespace holdfast::control
{

namespace
{
constexpr int watchPageSize = 1000;
constexpr qint64 unsettledMax = 1000; // rows that may yet get a neighbour before them
} // namespace

Result<std::optional<int>> PauseWatch::startedSince(Context &context, const ports::PauseRow &pause,
                                                    qint64 journal)
{
    using Answer = std::optional<int>;
    Counted before = m_counted.value(pause.id);
    // Nothing counted yet, or its ramp was stopped since and it is in force anew.
    if (before.upTo < pause.journalMark)
        before = {pause.journalMark, 0};
    if (journal - before.upTo > rowsMax)
        return Answer();
    Counted kept{std::max(before.upTo, journal - unsettledMax), before.count};
    StartedSince counter(context, pause);
    qint64 after = before.upTo;
    while (true) {
        const auto page = context.store.journalAfter(after, watchPageSize);
        if (!page)
            return page.error();
        for (const ports::JournalRow &row : *page) {
            if (const auto added = counter.add(row); !added)
                return added.error();
            after = row.id;
            if (row.id <= kept.upTo)
                kept.count = before.count + counter.count();
        }
        if (page->size() < watchPageSize)
            break;
    }
    m_counted.insert(pause.id, kept);
    return Answer(before.count + counter.count());
}

void PauseWatch::keep(const QVector<ports::PauseRow> &active)
{
    for (auto counted = m_counted.begin(); counted != m_counted.end();) {
        const bool isActive =
            std::any_of(active.cbegin(), active.cend(),
                        [&counted](const ports::PauseRow &row) { return row.id == counted.key(); });
        counted = isActive ? std::next(counted) : m_counted.erase(counted);
    }
}

} // namespace holdfast::control
