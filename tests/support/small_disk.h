// A disk of a few megabytes that can be filled: a file system in memory, mounted for one test. Only
// root may mount; where the tests run as somebody else, isThere() is false and the test says so.
#pragma once

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <fcntl.h>
#include <unistd.h>

namespace holdfast::tests
{

class SmallDisk
{
public:
    explicit SmallDisk(int megabytes)
    {
        m_isThere = run(QStringLiteral("mount"),
                        {QStringLiteral("-t"), QStringLiteral("tmpfs"), QStringLiteral("-o"),
                         QStringLiteral("size=%1m,mode=0777").arg(megabytes),
                         QStringLiteral("tmpfs"), path()});
    }
    // Lazily, because a process that was killed may not be quite gone.
    ~SmallDisk()
    {
        if (m_isThere)
            run(QStringLiteral("umount"), {QStringLiteral("-l"), path()});
    }
    Q_DISABLE_COPY_MOVE(SmallDisk)

    bool isThere() const { return m_isThere; }
    QString path() const { return m_folder.path(); }
    // To the last byte.
    void fill() const
    {
        const int descriptor = ::open(QFile::encodeName(filler()).constData(),
                                      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        for (qsizetype size = 1 << 20; size > 0; size /= 2) {
            const QByteArray block(size, 'x');
            while (::write(descriptor, block.constData(), size_t(size)) > 0) {
            }
        }
        ::close(descriptor);
    }
    void free() const { QFile::remove(filler()); }

private:
    static bool run(const QString &program, const QStringList &arguments)
    {
        QProcess process;
        process.start(program, arguments);
        return process.waitForFinished() && process.exitStatus() == QProcess::NormalExit &&
               process.exitCode() == 0;
    }
    QString filler() const { return m_folder.filePath(QStringLiteral("filler")); }

    QTemporaryDir m_folder;
    bool m_isThere = false;
};

} // namespace holdfast::tests
