#include "app/ctl/report_file.h"

#include "model/json.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr int drawingMs = 120'000;

model::Error stands(const QString &path)
{
    return model::refused(
        u"%1 exists already and was left as it is; --force replaces it"_s.arg(path));
}

model::Error cannotWrite(const QString &path, const QString &why)
{
    return model::invalid(u"cannot write %1: %2"_s.arg(path, why));
}
// The name is taken first, which is refused where somebody was quicker; then what is behind it is
// replaced in one step.
Result<void> renamedInto(const QString &path, const QByteArray &from, QTemporaryFile &file)
{
    const QByteArray to = QFile::encodeName(path);
    const int taken = ::open(to.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (taken < 0)
        return errno == EEXIST ? stands(path)
                               : cannotWrite(path, QString::fromLocal8Bit(std::strerror(errno)));
    ::close(taken);
    if (std::rename(from.constData(), to.constData()) != 0) {
        const QString why = QString::fromLocal8Bit(std::strerror(errno));
        ::unlink(to.constData());
        return cannotWrite(path, why);
    }
    file.setAutoRemove(false);
    return {};
}
} // namespace

Result<void> mayWrite(const QString &path, bool mayReplace)
{
    const QFileInfo file(path);
    const QFileInfo folder(file.absolutePath());
    if (file.isDir())
        return cannotWrite(path, u"it is a folder"_s);
    if (file.exists() && !mayReplace)
        return stands(path);
    if (!folder.isDir())
        return cannotWrite(path, u"there is no folder %1"_s.arg(folder.filePath()));
    if (!folder.isWritable())
        return cannotWrite(path, u"the folder %1 cannot be written to"_s.arg(folder.filePath()));
    return {};
}

Result<void> writeFile(const QString &path, const QByteArray &bytes, bool mayReplace)
{
    if (const auto may = mayWrite(path, mayReplace); !may)
        return may;
    // Beside its place, so that it gets there in one step.
    QTemporaryFile file(QFileInfo(path).absolutePath() + u"/.holdfast-report-XXXXXX"_s);
    if (!file.open() || file.write(bytes) != bytes.size() || !file.flush() ||
        ::fsync(file.handle()) != 0)
        return cannotWrite(path, file.errorString());
    const QByteArray from = QFile::encodeName(file.fileName());
    const QByteArray to = QFile::encodeName(path);
    if (mayReplace) {
        if (std::rename(from.constData(), to.constData()) != 0)
            return cannotWrite(path, QString::fromLocal8Bit(std::strerror(errno)));
        file.setAutoRemove(false);
        return {};
    }
    // A second name for it, which is refused where somebody was quicker; the first one goes.
    if (::link(from.constData(), to.constData()) == 0)
        return {};
    if (errno == EEXIST)
        return stands(path);
    // Some file systems know no second names.
    return renamedInto(path, from, file);
}

Result<QString> consoleProgram()
{
    QString program = QCoreApplication::applicationDirPath() + u"/holdfast"_s;
    if (!QFileInfo(program).isExecutable())
        program = QStandardPaths::findExecutable(u"holdfast"_s);
    if (program.isEmpty())
        return model::Error{model::ErrorKind::unsupported,
                            u"a PDF is drawn by the console program, and no holdfast is installed "
                            "beside holdfastctl or on the path; html and markdown need none"_s};
    return program;
}

Result<QByteArray> drawnPdf(const QString &program, const QJsonObject &report)
{
    const QTemporaryDir folder;
    const QString drawn = folder.filePath(u"report.pdf"_s);
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
    process.setProcessEnvironment(environment);
    process.start(program, {u"--report-pdf"_s, drawn});
    process.write(model::compactJson(report));
    process.closeWriteChannel();
    const bool isDone = process.waitForFinished(drawingMs) &&
                        process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
    QFile file(drawn);
    if (!isDone || !file.open(QIODevice::ReadOnly)) {
        const QString said = QString::fromUtf8(process.readAllStandardError()).trimmed();
        if (process.state() != QProcess::NotRunning) {
            process.kill();
            process.waitForFinished();
        }
        return model::Error{model::ErrorKind::unsupported,
                            u"%1 did not draw the PDF%2"_s.arg(
                                program, said.isEmpty() ? QString() : u": "_s + said.right(500))};
    }
    return file.readAll();
}

} // namespace holdfast::ctl
