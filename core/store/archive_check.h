// Reads a database inside an archive row by row and compares it with what the archive says of it.
#pragma once

#include "store/archive_draft.h"
#include "store/archive_hashes.h"

namespace holdfast::store
{

class ArchiveCheck
{
public:
    // `said` has the counts and hashes of all tables.
    ArchiveCheck(ArchiveDraft &draft, const QJsonObject &said) : m_draft(draft), m_said(said) {}

    Result<bool> step(); // true: everything is as it says

private:
    ArchiveDraft &m_draft;
    const QJsonObject m_said;
    ArchiveHashes m_found;
    QString m_after;
};

} // namespace holdfast::store
