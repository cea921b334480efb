// The tour: the samples played by a real engine against the sandbox, in a database of its own,
// until nothing happens by itself any more; then pictures of the window in both themes.
#pragma once

#include "app/console/engine_host.h"
#include "app/sandbox/sandbox.h"
#include "ui/shell/main_window.h"
#include "ui/shell/run_feed.h"

#include <QTemporaryDir>
#include <QTimer>

class QApplication;

namespace holdfast::console
{

class Tour : public QObject
{
    Q_OBJECT
public:
    static constexpr int patienceMs = 180'000;

    Tour(QApplication &application, const QString &folder);
    ~Tour() override;

    int run(); // exit code

private:
    model::Result<void> prepare();
    model::Result<void> deploySamples();
    void misbehave();
    void onSnapshot(const shell::SnapshotPtr &snapshot);
    bool isSettled(const shell::Snapshot &snapshot) const;
    bool takePictures();
    // Waits in a local event loop; the engine answers on its own thread.
    model::Result<QJsonValue> call(const QString &name, const QJsonObject &arguments);
    void finish(int code, const QString &message = {});

    QApplication &m_application;
    const QString m_folder;
    QTemporaryDir m_home;
    sandbox::SandboxThread m_sandbox;
    std::unique_ptr<EngineHost> m_engine;
    std::unique_ptr<shell::FeedThread> m_feed;
    std::unique_ptr<shell::MainWindow> m_window;
    QTimer m_deadline;
    int m_started = 0;
    bool m_isDone = false;
};

// Beside the program when installed, or above it in a build folder; empty: not found.
QString samplesFolder();

} // namespace holdfast::console
