#include "store/packed_archive.h"

#include <QFileInfo>

namespace holdfast::store
{

using namespace Qt::StringLiterals;
using namespace ports;

namespace
{
constexpr qint64 hashedAtOnce = 16 << 20;

// Drafts of two archives never meet.
QString besideOf(const ArchiveRow &archive, const QString &ending)
{
    return u"%1.%2.%3"_s.arg(archive.file, archive.id.right(12), ending);
}
} // namespace

PackedArchive::PackedArchive(const ArchiveRow &archive)
    : m_archive(archive), m_draftPath(besideOf(archive, u"draft"_s)),
      m_packedPath(besideOf(archive, u"packing"_s))
{
}

PackedArchive::~PackedArchive() = default;

bool PackedArchive::stands() const
{
    const QFileInfo file(m_archive.file);
    return file.exists() || file.isSymLink();
}

// The lock says whether another process is at it just now.
Result<void> PackedArchive::begin()
{
    {
        FileOwnership ownership;
        const auto held = ownership.tryAcquire(m_draftPath);
        if (!held)
            return held.error();
        if (held->outcome == FileOwnership::Outcome::heldByOther)
            return Error{ErrorKind::busy,
                         u"process %1 is writing this archive"_s.arg(held->other.pid)};
        for (const char *ending : {"", "-wal", "-shm", "-journal"})
            QFile::remove(m_draftPath + QLatin1String(ending));
        QFile::remove(m_packedPath);
    }
    m_put = std::make_unique<ArchiveHashes>();
    return openDraft(SqliteStore::Mode::writer);
}

Result<void> PackedArchive::openDraft(SqliteStore::Mode mode)
{
    m_draft = std::make_unique<ArchiveDraft>(m_draftPath, mode);
    return m_draft->open();
}

Result<void> PackedArchive::add(const QVector<WholeRun> &runs)
{
    if (const Result<void> copied = m_draft->copy(runs); !copied)
        return copied;
    for (const WholeRun &run : runs)
        m_put->add(run);
    return {};
}

Result<void> PackedArchive::close(const QJsonObject &manifest,
                                  const ArchiveDefinitions &definitions)
{
    if (const Result<void> copied = m_draft->copy(definitions); !copied)
        return copied;
    m_put->add(definitions);
    if (const Result<void> finished = m_draft->finish(); !finished)
        return finished;
    m_manifest = manifest;
    m_manifest.insert(u"schema"_s, ArchiveDraft::newestSchema());
    m_manifest.insert(u"counts"_s, m_put->counts());
    m_manifest.insert(u"hashes"_s, m_put->hashes());
    return openDraft(SqliteStore::Mode::archived);
}

Result<bool> PackedArchive::compareRows()
{
    if (!m_check)
        m_check = std::make_unique<ArchiveCheck>(*m_draft, m_manifest);
    const Result<bool> done = m_check->step();
    if (done && *done)
        m_areRowsCompared = true;
    return done;
}

Result<bool> PackedArchive::hashDraft()
{
    if (!m_read) {
        m_read = std::make_unique<QFile>(m_draftPath);
        if (!m_read->open(QIODevice::ReadOnly))
            return model::refused(u"cannot read %1: %2"_s.arg(m_draftPath, m_read->errorString()));
    }
    const QByteArray bytes = m_read->read(hashedAtOnce);
    m_draftHash.addData(bytes);
    if (!m_read->atEnd())
        return false;
    m_manifest.insert(u"size"_s, m_read->size());
    m_manifest.insert(u"sha256"_s, QString::fromLatin1(m_draftHash.result().toHex()));
    m_read.reset();
    return true;
}

Result<bool> PackedArchive::check()
{
    if (m_areRowsCompared)
        return hashDraft();
    const Result<bool> compared = compareRows();
    return compared ? Result<bool>(false) : compared;
}

// Packed, read again as whoever opens it will, and only then named.
Result<bool> PackedArchive::pack()
{
    if (m_unpacker) {
        const Result<bool> whole = m_unpacker->step();
        return whole && *whole ? place() : whole;
    }
    if (!m_packer) {
        m_packer = std::make_unique<Packer>(m_draftPath, m_packedPath);
        if (const Result<void> begun = m_packer->begin(m_manifest); !begun)
            return begun.error();
    }
    const Result<bool> packed = m_packer->step();
    if (!packed || !*packed)
        return packed;
    m_unpacker = std::make_unique<Unpacker>(m_packedPath);
    const auto said = m_unpacker->begin();
    return said ? Result<bool>(false) : Result<bool>(said.error());
}

Result<bool> PackedArchive::place()
{
    if (m_unpacker->hash() != m_packer->hash())
        return Error{ErrorKind::corrupt,
                     u"%1 does not read as it was written; no run was removed"_s.arg(m_packedPath)};
    if (const Result<void> placed = placeFile(m_packedPath, m_archive.file); !placed)
        return placed.error();
    m_size = m_packer->size();
    m_hash = m_packer->hash();
    m_packer.reset();
    m_unpacker.reset();
    return true;
}

Result<bool> PackedArchive::unpack()
{
    if (!m_unpacker) {
        QFile::remove(m_draftPath);
        m_unpacker = std::make_unique<Unpacker>(m_archive.file, m_draftPath);
        const auto said = m_unpacker->begin();
        if (!said)
            return said.error();
        m_manifest = *said;
        if (said->value("archive"_L1).toString() != m_archive.id)
            return model::refused(
                u"%1 is in the way: it is another archive; it was not touched"_s.arg(
                    m_archive.file));
        return false;
    }
    if (m_draft) {
        const Result<bool> same = compareRows();
        return same;
    }
    const Result<bool> whole = m_unpacker->step();
    if (!whole || !*whole)
        return whole;
    m_size = m_unpacker->size();
    m_hash = m_unpacker->hash();
    if (!m_archive.hash.isEmpty() && m_hash != m_archive.hash)
        return Error{ErrorKind::corrupt, u"%1 is not the file that was written; put that back, "
                                         "then go on"_s.arg(m_archive.file)};
    if (const Result<void> synced = syncFile(m_archive.file); !synced)
        return synced.error();
    const bool isOlder = m_manifest.value("schema"_L1).toInt() < ArchiveDraft::newestSchema();
    if (isOlder) {
        if (const Result<void> done = ArchiveDraft::bringUpToDate(m_draftPath); !done)
            return done.error();
    }
    const Result<void> opened = openDraft(SqliteStore::Mode::archived);
    return opened ? Result<bool>(isOlder) : Result<bool>(opened.error());
}

Result<QVector<RunVersion>> PackedArchive::runsAfter(const QString &runId, int limit)
{
    return m_draft->runsAfter(runId, limit);
}

void PackedArchive::clean()
{
    m_check.reset();
    m_draft.reset();
    for (const char *ending : {"", "-wal", "-shm", "-journal", ".lock"})
        QFile::remove(m_draftPath + QLatin1String(ending));
    QFile::remove(m_packedPath);
}

} // namespace holdfast::store
