// The demo played without a person: every page in both themes, as pictures. With a database of its
// own and a fixed seed, so that the pictures of two builds can be compared.
#pragma once

#include "app/console/demo.h"
#include "app/console/workspace.h"
#include "ui/settings/preferences.h"
#include "ui/shell/main_window.h"

#include <QApplication>
#include <memory>

namespace holdfast::console
{

class Tour
{
public:
    Tour(QApplication &application, const QString &folder, quint64 seed);
    ~Tour();

    // The exit code.
    int run();

private:
    model::Result<void> prepare();
    model::Result<void> misbehave();
    // A batch of the few that failed last, so that its page has one to show.
    model::Result<void> retrySome();
    bool settled() const;
    // Waits for a cause, with a limit.
    model::Result<void> waitFor(const QString &what, const std::function<bool()> &isTrue);
    model::Result<QJsonValue> ask(const QString &name, const QJsonObject &arguments);
    model::Result<void> takePictures();
    model::Result<void> picture(const QString &name);
    QString runToShow();

    QApplication &m_application;
    const QString m_folder;
    Demo m_demo;
    QTemporaryDir m_home;
    settings::Preferences m_preferences;
    std::unique_ptr<Workspace> m_workspace;
    std::unique_ptr<shell::MainWindow> m_window;
};

} // namespace holdfast::console
