#include "store/archive_pack.h"

#include "model/json.h"

#include <QFileInfo>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <vector>
#include <zlib.h>

namespace holdfast::store
{

using namespace Qt::StringLiterals;
using model::Error;
using model::ErrorKind;

namespace
{
constexpr qint64 pieceBytes = 4 << 20;
constexpr qint64 bufferBytes = 256 << 10;
constexpr int gzipWindow = 15 + 16;
constexpr qint64 headMax = 1 << 20;
const QByteArray magic = "holdfast-archive 1\n";

Error fileError(const QString &path, const QString &what, int code)
{
    const bool isFull = code == ENOSPC || code == EDQUOT;
    return {isFull ? ErrorKind::full : ErrorKind::refused,
            u"cannot %1 %2: %3%4"_s.arg(
                what, path, QString::fromLocal8Bit(std::strerror(code)),
                isFull ? u"; no run was removed, free some space and go on"_s : QString())};
}

Result<void> syncFolderOf(const QString &path)
{
    const QString folder = QFileInfo(path).absolutePath();
    const int descriptor =
        ::open(QFile::encodeName(folder).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
    const int code = errno;
    if (descriptor >= 0)
        ::close(descriptor);
    return synced ? Result<void>() : Result<void>(fileError(folder, u"sync"_s, code));
}
} // namespace

Result<void> syncFile(const QString &path)
{
    const int descriptor = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC);
    const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
    const int code = errno;
    if (descriptor >= 0)
        ::close(descriptor);
    return synced ? syncFolderOf(path) : Result<void>(fileError(path, u"sync"_s, code));
}

Result<void> createPrivate(QFile &file)
{
    const int descriptor = ::open(QFile::encodeName(file.fileName()).constData(),
                                  O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return fileError(file.fileName(), u"create"_s, errno);
    if (file.open(descriptor, QIODevice::ReadWrite | QIODevice::Unbuffered,
                  QFileDevice::AutoCloseHandle))
        return {};
    ::close(descriptor);
    return model::refused(u"cannot write %1: %2"_s.arg(file.fileName(), file.errorString()));
}

Result<void> placeFile(const QString &from, const QString &to)
{
    const QByteArray source = QFile::encodeName(from);
    const QByteArray target = QFile::encodeName(to);
    // Not every file system can rename without replacing; a second name does the same there.
    if (::renameat2(AT_FDCWD, source.constData(), AT_FDCWD, target.constData(), RENAME_NOREPLACE) !=
        0) {
        if (errno == EEXIST)
            return model::refused(
                u"%1 is there already, and no file is ever replaced; choose another name"_s.arg(
                    to));
        if (::link(source.constData(), target.constData()) != 0)
            return fileError(to, u"name"_s, errno);
        ::unlink(source.constData());
    }
    return syncFolderOf(to);
}

struct Packer::Stream {
    z_stream zlib{};
    std::vector<char> in = std::vector<char>(bufferBytes);
    std::vector<char> out = std::vector<char>(bufferBytes);
    ~Stream() { deflateEnd(&zlib); }
};

Packer::Packer(const QString &from, const QString &to) : m_from(from), m_to(to) {}

Packer::~Packer() = default;

Result<void> Packer::write(const char *bytes, qint64 count)
{
    for (qint64 done = 0; done < count;) {
        const ssize_t written = ::write(m_to.handle(), bytes + done, size_t(count - done));
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fileError(m_to.fileName(), u"write"_s, errno);
        done += written;
    }
    m_hash.addData({bytes, qsizetype(count)});
    m_size += count;
    return {};
}

Result<void> Packer::begin(const QJsonObject &manifest)
{
    if (!m_from.open(QIODevice::ReadOnly))
        return model::refused(u"cannot read %1: %2"_s.arg(m_from.fileName(), m_from.errorString()));
    if (const Result<void> created = createPrivate(m_to); !created)
        return created;
    m_stream = std::make_unique<Stream>();
    if (deflateInit2(&m_stream->zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzipWindow, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return model::refused(u"there is no memory to pack with"_s);
    const QByteArray head = magic + model::compactJson(manifest) + '\n';
    return write(head.constData(), head.size());
}

Result<bool> Packer::step()
{
    z_stream &zlib = m_stream->zlib;
    for (qint64 taken = 0; taken < pieceBytes;) {
        const qint64 count = m_from.read(m_stream->in.data(), bufferBytes);
        if (count < 0)
            return model::refused(
                u"cannot read %1: %2"_s.arg(m_from.fileName(), m_from.errorString()));
        taken += count;
        const bool isLast = count == 0;
        zlib.next_in = reinterpret_cast<Bytef *>(m_stream->in.data());
        zlib.avail_in = uInt(count);
        int answer = Z_OK;
        do {
            zlib.next_out = reinterpret_cast<Bytef *>(m_stream->out.data());
            zlib.avail_out = uInt(bufferBytes);
            answer = deflate(&zlib, isLast ? Z_FINISH : Z_NO_FLUSH);
            const qint64 made = bufferBytes - qint64(zlib.avail_out);
            if (const Result<void> written = write(m_stream->out.data(), made); !written)
                return written.error();
        } while (zlib.avail_out == 0 || (isLast && answer != Z_STREAM_END));
        if (!isLast)
            continue;
        if (::fsync(m_to.handle()) != 0)
            return fileError(m_to.fileName(), u"sync"_s, errno);
        m_to.close();
        return true;
    }
    return false;
}

struct Unpacker::Stream {
    z_stream zlib{};
    std::vector<char> in = std::vector<char>(bufferBytes);
    std::vector<char> out = std::vector<char>(bufferBytes);
    ~Stream() { inflateEnd(&zlib); }
};

Unpacker::Unpacker(const QString &from, const QString &to) : m_from(from), m_to(to) {}

Unpacker::~Unpacker() = default;

Error Unpacker::damaged(const QString &why) const
{
    return {ErrorKind::corrupt, u"%1 is damaged: %2"_s.arg(m_from.fileName(), why)};
}

Result<QJsonObject> Unpacker::begin()
{
    if (!m_from.open(QIODevice::ReadOnly))
        return model::notFound(
            u"cannot read the archive %1: %2"_s.arg(m_from.fileName(), m_from.errorString()));
    const QByteArray first = m_from.readLine(magic.size() + 1);
    if (first != magic)
        return Error{ErrorKind::corrupt, u"%1 is not an archive of Holdfast, or of a newer "
                                         "one"_s.arg(m_from.fileName())};
    const QByteArray line = m_from.readLine(headMax);
    const auto manifest = model::parseJsonObject(line.trimmed());
    if (!line.endsWith('\n') || !manifest)
        return damaged(u"what it says of itself cannot be read"_s);
    m_sizeSaid = manifest->value("size"_L1).toInteger();
    m_said = manifest->value("sha256"_L1).toString();
    if (m_sizeSaid <= 0 || m_sizeSaid > archiveSizeMax ||
        m_sizeSaid / archiveRatioMax > m_from.size())
        return damaged(
            u"it says that it unpacks to %1 bytes from %2, which no archive does"_s.arg(m_sizeSaid)
                .arg(m_from.size()));
    m_packed.addData(first);
    m_packed.addData(line);
    if (!m_to.fileName().isEmpty()) {
        if (const Result<void> created = createPrivate(m_to); !created)
            return created.error();
    }
    m_stream = std::make_unique<Stream>();
    if (inflateInit2(&m_stream->zlib, gzipWindow) != Z_OK)
        return model::refused(u"there is no memory to unpack with"_s);
    return *manifest;
}

Result<void> Unpacker::take(const char *bytes, qint64 count)
{
    m_written += count;
    if (m_written > m_sizeSaid)
        return damaged(u"it unpacks to more than it says"_s);
    m_unpacked.addData({bytes, qsizetype(count)});
    if (!m_to.isOpen())
        return {};
    if (m_to.write(bytes, count) != count)
        return fileError(m_to.fileName(), u"write"_s, errno);
    return {};
}

Result<bool> Unpacker::finish()
{
    if (!m_ended)
        return damaged(u"its end is missing"_s);
    if (m_written != m_sizeSaid)
        return damaged(u"it unpacks to less than it says"_s);
    if (QString::fromLatin1(m_unpacked.result().toHex()) != m_said)
        return damaged(u"what is inside is not what was put in"_s);
    m_to.close();
    return true;
}

Result<bool> Unpacker::step()
{
    z_stream &zlib = m_stream->zlib;
    for (qint64 made = 0; made < pieceBytes;) {
        const qint64 count = m_from.read(m_stream->in.data(), bufferBytes);
        if (count < 0)
            return damaged(m_from.errorString());
        if (count == 0)
            return finish();
        m_packed.addData({m_stream->in.data(), qsizetype(count)});
        zlib.next_in = reinterpret_cast<Bytef *>(m_stream->in.data());
        zlib.avail_in = uInt(count);
        do {
            if (m_ended)
                return damaged(u"something follows its end"_s);
            zlib.next_out = reinterpret_cast<Bytef *>(m_stream->out.data());
            zlib.avail_out = uInt(bufferBytes);
            const int answer = inflate(&zlib, Z_NO_FLUSH);
            if (answer != Z_OK && answer != Z_STREAM_END && answer != Z_BUF_ERROR)
                return damaged(u"its bytes were changed"_s);
            m_ended = answer == Z_STREAM_END;
            const qint64 got = bufferBytes - qint64(zlib.avail_out);
            made += got;
            if (const Result<void> taken = take(m_stream->out.data(), got); !taken)
                return taken.error();
        } while (zlib.avail_in > 0 || (zlib.avail_out == 0 && !m_ended));
    }
    return false;
}

} // namespace holdfast::store
