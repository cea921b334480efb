#include "actions/secrets.h"

#include <QFile>
#include <QStandardPaths>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace holdfast::actions
{

namespace
{
const QByteArray variablePrefix = "HOLDFAST_SECRET_";
}

Secrets::Secrets(const QString &file, Places places, Keychain keychain)
    : m_file(file.isEmpty() ? defaultFile() : file), m_places(places),
      m_keychain(std::move(keychain))
{
}

QString Secrets::defaultFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/holdfast/secrets");
}

model::Result<QByteArray> Secrets::resolve(const QString &name)
{
    auto here = resolveHere(name);
    if (here || here.error().kind != model::ErrorKind::notFound || !m_keychain)
        return here;
    return resolveInKeychain(name);
}

model::Result<QByteArray> Secrets::resolveHere(const QString &name)
{
    const std::lock_guard lock(m_mutex);
    const QByteArray variable = variablePrefix + name.toUtf8();
    const QByteArray fromEnvironment = qgetenv(variable.constData());
    if (m_places == Places::environmentAndFile && !fromEnvironment.isEmpty()) {
        remember(name, fromEnvironment);
        return fromEnvironment;
    }
    if (const auto read = refreshFile(); !read)
        return read.error();
    const auto found = m_inFile.find(name);
    if (found == m_inFile.end() || found->second.isEmpty()) {
        return model::notFound(
            QStringLiteral("The secret %1 is not set: put it into the environment as "
                           "HOLDFAST_SECRET_%1 or into %2.")
                .arg(name, m_file));
    }
    return found->second;
}

// The lock is not held meanwhile: others mask what comes back while the keychain takes its time.
model::Result<QByteArray> Secrets::resolveInKeychain(const QString &name)
{
    const auto found = m_keychain(name);
    if (found && !found->isEmpty()) {
        const std::lock_guard lock(m_mutex);
        remember(name, *found);
        return found;
    }
    if (!found && found.error().kind != model::ErrorKind::notFound) {
        return model::Error{
            found.error().kind,
            QStringLiteral("The secret %1 is neither in the environment nor in %2, and %3.")
                .arg(name, m_file, found.error().message)};
    }
    return model::notFound(
        QStringLiteral("The secret %1 is not set: put it into the environment as "
                       "HOLDFAST_SECRET_%1, into %2, or into the keychain with "
                       "holdfastctl secret set %1.")
            .arg(name, m_file));
}

QStringList Secrets::namesInEnvironment()
{
    QStringList names;
    for (char **variable = environ; variable && *variable; ++variable) {
        const QByteArray text(*variable);
        const qsizetype equals = text.indexOf('=');
        if (text.startsWith(variablePrefix) && equals > variablePrefix.size())
            names << QString::fromUtf8(
                text.mid(variablePrefix.size(), equals - variablePrefix.size()));
    }
    names.sort();
    return names;
}

model::Result<QStringList> Secrets::namesInFile()
{
    const std::lock_guard lock(m_mutex);
    if (const auto read = refreshFile(); !read)
        return read.error();
    QStringList names;
    for (const auto &[name, value] : m_inFile)
        names << name;
    return names;
}

std::shared_ptr<const Redactor> Secrets::redactor() const
{
    const std::lock_guard lock(m_mutex);
    return m_redactor;
}

// The rights are checked on the open descriptor: between a check by name and an open, a file can
// change.
model::Result<void> Secrets::refreshFile()
{
    const int descriptor =
        ::open(QFile::encodeName(m_file).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        m_inFile.clear();
        m_state = {};
        return {};
    }
    const auto result = readFile(descriptor);
    ::close(descriptor);
    if (!result) {
        m_inFile.clear();
        m_state = {};
    }
    return result;
}

model::Result<void> Secrets::readFile(int descriptor)
{
    struct stat info {
    };
    if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode))
        return model::refused(
            QStringLiteral("The secrets file %1 is not a plain file.").arg(m_file));
    if ((info.st_mode & 077) != 0) {
        return model::refused(
            QStringLiteral("The secrets file %1 can be read by others and is not used: "
                           "run chmod 600 on it.")
                .arg(m_file));
    }
    if (info.st_size > fileSizeMax)
        return model::refused(
            QStringLiteral("The secrets file %1 is larger than 1 MiB.").arg(m_file));
    const FileState state{info.st_mtim.tv_sec * 1'000'000'000LL + info.st_mtim.tv_nsec,
                          info.st_size, info.st_ino};
    if (state == m_state)
        return {};
    QFile file;
    if (!file.open(descriptor, QIODevice::ReadOnly))
        return model::refused(QStringLiteral("The secrets file %1 cannot be read.").arg(m_file));
    m_inFile.clear();
    const QByteArrayList lines = file.read(fileSizeMax).split('\n');
    for (QByteArray line : lines) {
        if (line.endsWith('\r'))
            line.chop(1);
        const qsizetype equals = line.indexOf('=');
        if (equals <= 0 || line.startsWith('#'))
            continue;
        const QString name = QString::fromUtf8(line.left(equals).trimmed());
        m_inFile[name] = line.mid(equals + 1);
        remember(name, line.mid(equals + 1));
    }
    m_state = state;
    return {};
}

void Secrets::remember(const QString &name, const QByteArray &value)
{
    const QPair<QString, QByteArray> entry(name, value);
    if (value.isEmpty() || m_known.contains(entry))
        return;
    m_known.append(entry);
    m_redactor = std::make_shared<Redactor>(m_known);
}

} // namespace holdfast::actions
