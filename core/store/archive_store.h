// An archive, opened read only: the file is unpacked into a private copy, checked, and the copy
// loses its name as soon as it is open, so that nothing of it is left behind by any end.
#pragma once

#include "store/archive_draft.h"

#include <QTemporaryDir>

namespace holdfast::store
{

// Before the store, which has to know its path.
struct ArchivePlace {
    QTemporaryDir folder; // only this login may enter it
    const QString unpackedPath = folder.filePath(QStringLiteral("archive.db"));
};

class ArchiveStore : private ArchivePlace, public ArchiveDraft
{
public:
    explicit ArchiveStore(const QString &file)
        : ArchiveDraft(unpackedPath, Mode::archived), m_file(file)
    {
    }

    QString describe() const override { return QStringLiteral("archive:") + m_file; }
    Result<void> open() override;
    ports::Rights rights() const override;
    const QJsonObject &manifest() const { return m_manifest; }

private:
    Result<void> unpack();

    const QString m_file;
    QJsonObject m_manifest;
};

} // namespace holdfast::store
