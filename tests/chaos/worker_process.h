// A worker in a process of its own, so that it can be killed or frozen like a real one.
#pragma once

#include "support/machine.h"

#include <QProcess>
#include <QProcessEnvironment>
#include <QTest>

namespace holdfast::tests
{

class WorkerProcess
{
public:
    static constexpr int patienceMs = 120'000;
    using Variables = QMap<QString, QString>;

    // A short lease unless the test says otherwise, so that it need not wait ten seconds for a
    // takeover.
    WorkerProcess(const Machine &machine, const QStringList &arguments,
                  const Variables &variables = {},
                  QProcess::ProcessChannelMode channels = QProcess::ForwardedErrorChannel)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("HOLDFAST_DB"), machine.url());
        for (const char *name : {"XDG_RUNTIME_DIR", "XDG_STATE_HOME"})
            environment.insert(QString::fromLatin1(name), m_folder.path());
        for (auto variable = variables.cbegin(); variable != variables.cend(); ++variable)
            environment.insert(variable.key(), variable.value());
        m_process.setProcessEnvironment(environment);
        m_process.setProcessChannelMode(channels);
        QStringList line{QStringLiteral("worker")};
        if (!arguments.contains(QStringLiteral("--lease")))
            line << QStringLiteral("--lease") << QStringLiteral("1s");
        m_process.start(qEnvironmentVariable("HOLDFASTCTL"), line + arguments);
        if (!m_process.waitForStarted(patienceMs))
            qFatal("holdfastctl does not start; is HOLDFASTCTL set?");
    }
    ~WorkerProcess()
    {
        m_process.kill();
        m_process.waitForFinished(patienceMs);
    }
    Q_DISABLE_COPY_MOVE(WorkerProcess)

    // True when it was killed by a signal.
    bool waitUntilKilled()
    {
        return m_process.waitForFinished(patienceMs) &&
               m_process.exitStatus() == QProcess::CrashExit;
    }
    int waitForExit(int mostMs = patienceMs)
    {
        if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(mostMs))
            qFatal("the worker does not end");
        return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }
    qint64 pid() const { return m_process.processId(); }
    QProcess &process() { return m_process; }

private:
    QTemporaryDir m_folder;
    QProcess m_process;
};

} // namespace holdfast::tests
