#include "store/archive_check.h"

namespace holdfast::store
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int runsAtOnce = 200;
}

Result<bool> ArchiveCheck::step()
{
    const auto page = m_draft.runsAfter(m_after, runsAtOnce);
    if (!page)
        return page.error();
    for (const ports::RunVersion &run : *page) {
        const auto whole = m_draft.whole(run.runId);
        if (!whole)
            return whole.error();
        m_found.add(*whole);
    }
    if (!page->isEmpty()) {
        m_after = page->last().runId;
        return false;
    }
    const auto definitions = m_draft.definitions();
    if (!definitions)
        return definitions.error();
    m_found.add(*definitions);
    const QJsonObject counts = m_found.counts(), hashes = m_found.hashes();
    for (auto each = counts.begin(); each != counts.end(); ++each) {
        const QString table = each.key();
        if (m_said["counts"_L1][table] != each.value() ||
            m_said["hashes"_L1][table] != hashes.value(table))
            return Error{ErrorKind::corrupt,
                         u"the table %1 of the archive is not what was put in"_s.arg(table)};
    }
    return true;
}

} // namespace holdfast::store
