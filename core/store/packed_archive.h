// The file of one archive while it is made or taken up again: a draft beside it, then the packed
// file under its name. See ports::ArchiveFile.
#pragma once

#include "store/archive_check.h"
#include "store/archive_pack.h"

namespace holdfast::store
{

class PackedArchive : public ports::ArchiveFile
{
public:
    explicit PackedArchive(const ports::ArchiveRow &archive);
    ~PackedArchive() override;

    bool stands() const override;
    Result<void> begin() override;
    Result<void> add(const QVector<ports::WholeRun> &runs) override;
    Result<void> close(const QJsonObject &manifest,
                       const ports::ArchiveDefinitions &definitions) override;
    Result<bool> check() override;
    Result<bool> pack() override;
    Result<bool> unpack() override;
    QJsonObject manifest() const override { return m_manifest; }
    qint64 size() const override { return m_size; }
    QString hash() const override { return m_hash; }
    Result<QVector<ports::RunVersion>> runsAfter(const QString &runId, int limit) override;
    void clean() override;

private:
    Result<void> openDraft(SqliteStore::Mode mode);
    Result<bool> hashDraft();
    Result<bool> compareRows();
    Result<bool> place();

    const ports::ArchiveRow m_archive;
    const QString m_draftPath;
    const QString m_packedPath;
    std::unique_ptr<ArchiveDraft> m_draft;
    std::unique_ptr<ArchiveHashes> m_put;
    std::unique_ptr<ArchiveCheck> m_check;
    std::unique_ptr<QFile> m_read; // the draft, while it is hashed
    QCryptographicHash m_draftHash{QCryptographicHash::Sha256};
    std::unique_ptr<Packer> m_packer;
    std::unique_ptr<Unpacker> m_unpacker;
    bool m_areRowsCompared = false;
    QJsonObject m_manifest;
    qint64 m_size = 0;
    QString m_hash;
};

} // namespace holdfast::store
