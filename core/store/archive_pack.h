// The file of an archive: a line that names the format, a line of JSON that says what is in it, and
// the packed database. Both directions work in pieces of bounded size and memory, and neither
// trusts the other: what is unpacked may not grow beyond what the file says of itself.
#pragma once

#include "model/result.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonObject>
#include <memory>

namespace holdfast::store
{

using model::Result;

constexpr qint64 archiveSizeMax = 256ll << 30; // unpacked, bytes
constexpr qint64 archiveRatioMax = 250;        // unpacked to packed

// Writes and syncs; nothing has the archive's own name yet.
class Packer
{
public:
    Packer(const QString &from, const QString &to);
    ~Packer();
    Q_DISABLE_COPY_MOVE(Packer)

    Result<void> begin(const QJsonObject &manifest);
    Result<bool> step(); // true: all of it is on disk
    qint64 size() const { return m_size; }
    QString hash() const { return QString::fromLatin1(m_hash.result().toHex()); }

private:
    struct Stream;
    Result<void> write(const char *bytes, qint64 count);

    QFile m_from;
    QFile m_to;
    std::unique_ptr<Stream> m_stream;
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
    qint64 m_size = 0;
};

class Unpacker
{
public:
    // Without a file to write to it only checks.
    explicit Unpacker(const QString &from, const QString &to = {});
    ~Unpacker();
    Q_DISABLE_COPY_MOVE(Unpacker)

    // Reads what the file says of itself.
    Result<QJsonObject> begin();
    Result<bool> step(); // true: all of it is there, and as the file said
    qint64 size() const { return m_from.size(); }
    QString hash() const { return QString::fromLatin1(m_packed.result().toHex()); }

private:
    struct Stream;
    model::Error damaged(const QString &why) const;
    Result<void> take(const char *bytes, qint64 count);
    Result<bool> finish();

    QFile m_from;
    QFile m_to;
    std::unique_ptr<Stream> m_stream;
    QCryptographicHash m_packed{QCryptographicHash::Sha256};
    QCryptographicHash m_unpacked{QCryptographicHash::Sha256};
    QString m_said; // hash of what is inside
    qint64 m_sizeSaid = 0;
    qint64 m_written = 0;
    bool m_ended = false;
};

// Gives a synced file its name, which nothing else may have, and syncs the folder.
Result<void> placeFile(const QString &from, const QString &to);
// Content and name: whoever placed a file may have died before either was on the disk.
Result<void> syncFile(const QString &path);
// A new file that only this login reads; an error where something has that name.
Result<void> createPrivate(QFile &file);

} // namespace holdfast::store
