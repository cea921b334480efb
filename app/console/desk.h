// What is open now: at most one workspace with its window, and the workspaces that were left and
// still let their attempts end. Opens another one only when it is known to work; whatever fails
// leaves what is open as it was. Lives on the window's thread and waits for nothing.
#pragma once

#include "app/console/demo.h"
#include "app/console/workspace.h"
#include "ui/desktop/bell.h"
#include "ui/desktop/keychain.h"
#include "ui/desktop/notifier.h"
#include "ui/settings/connection_form.h"
#include "ui/shell/main_window.h"

#include <QPointer>
#include <QSettings>
#include <atomic>
#include <vector>

class QSystemTrayIcon;

namespace holdfast::settings
{
class Preferences;
}

namespace holdfast::console
{

class DemoOpening;
class DrainNotice;
class Looks;
class WelcomeWindow;

class Desk : public QObject
{
    Q_OBJECT
public:
    // They outlive the desk.
    struct Parts {
        settings::Preferences &preferences;
        QSettings &session;
        desktop::Keychain &keychain;
        desktop::Notifier &notifier;
        Looks &looks;
    };
    explicit Desk(const Parts &parts);
    ~Desk() override;

    struct Target {
        QString url;      // without a password, unless the person wrote one on the command line
        QString password; // empty and remembered: the keychain's
        bool remembers = false; // in the keychain
        bool isChoice = true;   // opens at the next start too
        bool mayWait = false;   // for a database that is away; else it has to answer now
    };
    void open(const Target &target);
    void openDemo(quint64 seed);
    // Deploys the files of a folder into what is open, or into the console's own file.
    void openFolder(const QString &folder);
    void welcome(const QString &problem = {});
    // Attempts under way end first; ended() follows.
    void quit();

    shell::MainWindow *window() const { return m_open.window.get(); }
    Workspace *workspace() const { return m_open.workspace.get(); }
    bool hasEnded() const { return m_isQuitting && m_leaving.empty(); }
    bool isWelcoming() const { return m_welcome != nullptr; }
    bool isDemo() const { return m_open.demo != nullptr; }

Q_SIGNALS:
    void opened();                    // another workspace than before
    void refused(const QString &why); // nothing was opened, and what was open still is
    // Nothing is left that would wait; forced: attempts are still under way.
    void ended(bool isForced);

private:
    // Everything of one workspace, in the order it is built.
    struct Open {
        std::unique_ptr<Demo> demo;
        std::unique_ptr<Workspace> workspace;
        std::unique_ptr<shell::MainWindow> window;
        std::unique_ptr<desktop::Bell> bell;
    };
    struct Leaving {
        std::unique_ptr<Demo> demo;
        std::unique_ptr<Workspace> workspace;
    };
    void approachTarget(const Target &target);
    void arrived(const Target &target, const model::Result<Approach> &found);
    void fail(const QString &why);
    void setBusy(bool busy);
    void leaveOpen();
    void left(Workspace *workspace);
    void keepChoice(const Target &target);
    void sayLeaving();
    int inFlight() const;
    void demoReady(std::unique_ptr<Demo> demo, const model::Result<void> &written);
    void deploy(const QJsonObject &files);

    // desk_window.cpp
    void buildOpen(const Target &target);
    void wireForm(settings::ConnectionForm &form);
    void showNotificationService();
    void addFileActions(shell::MainWindow &window);
    void addDemoDocks();
    void showWindow(const QString &page);
    void sayRefusal(const QString &why);
    void closeWindow();
    void keepRunning();

    const Parts m_parts;
    Open m_open;
    std::vector<Leaving> m_leaving;
    std::unique_ptr<Demo> m_nextDemo; // opened once it is written
    std::unique_ptr<DemoOpening> m_demoOpening;
    std::unique_ptr<WelcomeWindow> m_welcome;
    std::unique_ptr<QSystemTrayIcon> m_tray;
    QPointer<settings::ConnectionForm> m_form; // where it is said what came of connecting
    QPointer<DrainNotice> m_notice;
    QJsonObject m_filesToDeploy;
    QString m_sayWhenOpen; // beside the form of the window to come
    bool m_isBusy = false;
    bool m_isQuitting = false;
    bool m_wasOpened = false;
};

} // namespace holdfast::console
