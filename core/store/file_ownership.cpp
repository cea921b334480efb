#include "store/file_ownership.h"

#include "model/json.h"

#include <QFile>
#include <QJsonDocument>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace holdfast::store
{

using model::Error;
using model::ErrorKind;
using model::Result;

namespace
{
QString lockPathOf(const QString &path) { return path + QStringLiteral(".lock"); }

QJsonObject contentOf(const QString &lockPath)
{
    QFile file(lockPath);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.read(4096)).object();
}

Error failure(const QString &lockPath)
{
    const ErrorKind kind = errno == ENOSPC   ? ErrorKind::full
                           : errno == EACCES ? ErrorKind::refused
                                             : ErrorKind::invalid;
    return {kind, QStringLiteral("cannot use the lock file %1: %2")
                      .arg(lockPath, QString::fromLocal8Bit(std::strerror(errno)))};
}
} // namespace

FileOwnership::~FileOwnership() { release(); }

void FileOwnership::release()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
    m_descriptor = -1;
}

FileHolder FileOwnership::holderOf(const QString &path)
{
    const QJsonObject content = contentOf(lockPathOf(path));
    return {qint64(content.value(QLatin1String("pid")).toDouble()),
            content.value(QLatin1String("socket")).toString()};
}

Result<FileOwnership::Answer> FileOwnership::tryAcquire(const QString &path, const QString &socket)
{
    if (m_descriptor >= 0)
        return Answer{};
    m_lockPath = lockPathOf(path);
    const int descriptor =
        ::open(QFile::encodeName(m_lockPath).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return failure(m_lockPath);
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        const int reason = errno;
        ::close(descriptor);
        errno = reason;
        if (reason != EWOULDBLOCK)
            return failure(m_lockPath);
        return Answer{Outcome::heldByOther, holderOf(path)};
    }
    m_descriptor = descriptor;
    m_wasUnclean = !contentOf(m_lockPath).value(QLatin1String("clean")).toBool();
    m_socket = socket;
    if (const Result<void> described = describe(false); !described) {
        ::close(m_descriptor);
        m_descriptor = -1;
        return described.error();
    }
    return Answer{};
}

Result<void> FileOwnership::setSocket(const QString &socket)
{
    m_socket = socket;
    return describe(false);
}

void FileOwnership::releaseCleanly()
{
    if (m_descriptor < 0)
        return;
    // If the disk is full the mark is missing, and the next opening checks the file: the safe side.
    const Result<void> described = describe(true);
    Q_UNUSED(described);
    ::close(m_descriptor);
    m_descriptor = -1;
}

Result<void> FileOwnership::describe(bool clean)
{
    if (m_descriptor < 0)
        return model::refused(QStringLiteral("the lock file is not held"));
    const QJsonObject content = clean ? QJsonObject{{QStringLiteral("clean"), true}}
                                      : QJsonObject{{QStringLiteral("pid"), double(::getpid())},
                                                    {QStringLiteral("socket"), m_socket}};
    const QByteArray text = model::compactJson(content) + '\n';
    // A reader that meets the moment between the two sees no JSON and so no holder: it asks again.
    if (::pwrite(m_descriptor, text.constData(), size_t(text.size()), 0) != text.size() ||
        ::ftruncate(m_descriptor, text.size()) != 0)
        return failure(m_lockPath);
    return {};
}

} // namespace holdfast::store
