#include "api/socket_path.h"

#include "model/json.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <sys/stat.h>
#include <unistd.h>

namespace holdfast::api
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
bool isOurs(const QString &folder)
{
    struct stat facts {
    };
    return ::lstat(QFile::encodeName(folder).constData(), &facts) == 0 && S_ISDIR(facts.st_mode) &&
           facts.st_uid == ::geteuid() && (facts.st_mode & 0077) == 0;
}

// 0700 from the start: between making and changing it, somebody else could step in.
Result<void> makeFolder(const QString &folder)
{
    ::mkdir(QFile::encodeName(folder).constData(), 0700);
    if (isOurs(folder))
        return {};
    return model::refused(
        u"%1 does not belong to this login alone, so no socket is opened there"_s.arg(folder));
}

QString suffix() { return u"-%1.sock"_s.arg(::getpid()); }

QString hashedName(const QString &databasePath)
{
    return model::sha256Hex(QFile::encodeName(databasePath)).left(16) + suffix();
}

bool fits(const QString &path) { return QFile::encodeName(path).size() <= socketPathMax; }
} // namespace

Result<QString> socketPathFor(const QString &databasePath)
{
    const QFileInfo file(databasePath);
    const QString whole =
        (file.canonicalPath().isEmpty() ? file.absolutePath() : file.canonicalPath()) + u'/' +
        file.fileName();
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    if (QDir::isAbsolutePath(runtime) && QDir(runtime).exists()) {
        const QString folder = runtime + u"/holdfast"_s;
        const QString path = folder + u'/' + hashedName(whole);
        if (fits(path) && makeFolder(folder))
            return path;
    } else if (fits(whole + suffix())) {
        return whole + suffix();
    }
    const QString folder = u"%1/holdfast-%2"_s.arg(QDir::tempPath(), QString::number(::geteuid()));
    if (const auto made = makeFolder(folder); !made)
        return made.error();
    const QString path = folder + u'/' + hashedName(whole);
    if (!fits(path))
        return model::invalid(u"%1 is too long for a socket"_s.arg(path));
    return path;
}

void removeOldSockets(const QString &socketPath)
{
    const QFileInfo own(socketPath);
    const QString stem = own.fileName().chopped(suffix().size());
    const QStringList names = own.dir().entryList(QDir::System | QDir::Files);
    for (const QString &name : names) {
        const bool isOld =
            name.startsWith(stem + u'-') && name.endsWith(u".sock"_s) && name != own.fileName();
        if (isOld)
            QFile::remove(own.dir().filePath(name));
    }
}

} // namespace holdfast::api
