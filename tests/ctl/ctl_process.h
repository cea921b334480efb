// Runs the real holdfastctl (its path in HOLDFASTCTL) in an environment of its own: own folder, own
// database.
#pragma once

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

namespace holdfast::tests
{

struct CtlResult {
    int code = -1;
    QByteArray out;
    QByteArray err;

    // Exactly one JSON document, or null.
    QJsonValue json() const
    {
        QJsonParseError error;
        const QJsonDocument document = QJsonDocument::fromJson(out, &error);
        if (error.error != QJsonParseError::NoError)
            return {};
        return document.isArray() ? QJsonValue(document.array()) : QJsonValue(document.object());
    }
};

class CtlBench
{
public:
    static constexpr int patienceMs = 120'000;

    QString path(const QString &name) const { return folder.filePath(name); }
    QString url() const { return QStringLiteral("sqlite:") + path(QStringLiteral("runs.db")); }

    QString write(const QString &name, const QByteArray &bytes) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write %s", qPrintable(name));
        return file.fileName();
    }

    void prepare(QProcess &process, const QStringList &arguments) const
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("HOLDFAST_DB"), url());
        for (const char *name :
             {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"})
            environment.insert(QString::fromLatin1(name), folder.path());
        process.setProcessEnvironment(environment);
        process.setProgram(qEnvironmentVariable("HOLDFASTCTL"));
        process.setArguments(arguments);
    }

    CtlResult run(const QStringList &arguments, const QByteArray &input = {}) const
    {
        QProcess process;
        prepare(process, arguments);
        process.start();
        if (!process.waitForStarted(patienceMs))
            qFatal("holdfastctl does not start; is HOLDFASTCTL set?");
        process.write(input);
        process.closeWriteChannel();
        if (!process.waitForFinished(patienceMs))
            qFatal("holdfastctl does not end: %s", qPrintable(arguments.join(u' ')));
        return {process.exitCode(), process.readAllStandardOutput(),
                process.readAllStandardError()};
    }
    CtlResult json(const QStringList &arguments, const QByteArray &input = {}) const
    {
        return run(QStringList{QStringLiteral("--json")} + arguments, input);
    }

    QTemporaryDir folder;
};

} // namespace holdfast::tests
