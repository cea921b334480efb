// The window of what is open: how it is put together, what closing it means, and what its settings
// page says of the connection.
#include "app/console/demo_panel.h"
#include "app/console/desk.h"
#include "app/console/later.h"
#include "app/console/leaving_dialogs.h"
#include "app/console/looks.h"
#include "app/console/tour_panel.h"
#include "app/console/welcome_window.h"
#include "app/console/window_builder.h"
#include "app/ctl/database.h"
#include "ui/settings/desktop_view.h"
#include "ui/settings/preferences.h"
#include "ui/settings/settings_page.h"
#include "ui/style/icons.h"
#include "ui/widgets/plain_text.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonArray>
#include <QMenu>
#include <QMessageBox>
#include <QStatusBar>
#include <QSystemTrayIcon>
#include <QUrl>

namespace holdfast::console
{

using namespace Qt::StringLiterals;
using model::Result;
using settings::ConnectionForm;
using settings::DatabaseAddress;
using shell::MainWindow;

namespace
{
constexpr qsizetype findingsMax = 50;
constexpr quint64 demoSeed = 7;

// A database of one's own is for trying; a shared one is the real thing.
shell::Environment environmentOf(const QString &url, bool isDemo)
{
    using Kind = shell::Environment::Kind;
    if (isDemo)
        return {Kind::demo, u"demo"_s};
    if (ctl::isArchive(url))
        return {Kind::archive, QFileInfo(url.mid(8)).completeBaseName()};
    const QString path = ctl::sqlitePath(url);
    if (!path.isEmpty())
        return {Kind::test, QFileInfo(path).completeBaseName()};
    return {Kind::production, QUrl(url).path().mid(1)};
}

settings::SettingsPage *settingsOf(const MainWindow &window)
{
    return qobject_cast<settings::SettingsPage *>(window.page(u"settings"_s));
}
} // namespace

void Desk::buildOpen(const Target &target)
{
    bridge::Bridge &bridge = m_open.workspace->bridge();
    settings::Preferences &preferences = m_parts.preferences;
    const shell::Environment environment = environmentOf(target.url, isDemo());
    m_open.window = buildWindow(bridge, environment, preferences,
                                [this](MainWindow &window) { addFileActions(window); });
    MainWindow *window = m_open.window.get();
    m_form = &settingsOf(*window)->connection();
    if (!isDemo() && !ctl::isArchive(target.url))
        m_form->setAddress(DatabaseAddress::fromUrl(withoutPassword(target.url)), target.remembers);
    m_form->setState(u"Connected to %1."_s.arg(bridge.database()), false);
    if (!m_sayWhenOpen.isEmpty())
        m_form->setState(std::exchange(m_sayWhenOpen, {}), true);
    wireForm(*m_form);
    showNotificationService();
    if (isDemo())
        addDemoDocks();
    window->setThemeChoice(preferences.theme());
    connect(&preferences, &settings::Preferences::changed, window, [this, window] {
        window->setThemeChoice(m_parts.preferences.theme());
        if (m_open.bell)
            m_open.bell->setOn(m_parts.preferences.notifies());
    });
    connect(window, &MainWindow::themeChosen, this,
            [this](const QString &theme) { m_parts.looks.choose(theme); });
    connect(window, &MainWindow::closeWanted, this, &Desk::closeWindow, Qt::QueuedConnection);
    connect(window, &MainWindow::quitWanted, this, &Desk::quit, Qt::QueuedConnection);
    m_open.bell = std::make_unique<desktop::Bell>(bridge, m_parts.notifier, environment.name);
    m_open.bell->setOn(preferences.notifies());
    connect(m_open.bell.get(), &desktop::Bell::pageWanted, this, &Desk::showWindow);
    // Filters and runs of the last session may mean nothing to another database.
    if (!std::exchange(m_wasOpened, true))
        window->restoreSession(m_parts.session);
    sayLeaving();
    window->QWidget::show();
    bridge.start();
}

void Desk::addFileActions(MainWindow &window)
{
    window.addMenuAction(u"File"_s, u"Open a &workflow folder…"_s, QKeySequence(u"Ctrl+O"_s),
                         [this, owner = &window] {
                             auto *dialog = new QFileDialog(owner, u"Open a workflow folder"_s);
                             dialog->setAttribute(Qt::WA_DeleteOnClose);
                             dialog->setFileMode(QFileDialog::Directory);
                             dialog->setOption(QFileDialog::ShowDirsOnly);
                             connect(dialog, &QFileDialog::fileSelected, this, &Desk::openFolder);
                             dialog->open();
                         });
    window.addMenuAction(u"File"_s, u"Open an &archive…"_s, {}, [this, owner = &window] {
        auto *dialog = new QFileDialog(owner, u"Open an archive"_s);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::ExistingFile);
        dialog->setNameFilter(u"Archives (*.hfarchive)"_s);
        connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &file) {
            open({u"archive:"_s + file, {}, false, false, false});
        });
        dialog->open();
    });
    window.addMenuAction(u"File"_s, u"&Connect to another database…"_s, {}, [this] {
        m_open.window->goTo(u"settings"_s, {{u"tab"_s, u"connection"_s}});
    });
    if (isDemo()) {
        window.addMenuAction(u"View"_s, u"&Things to try"_s, {}, [this] {
            if (auto *tour = m_open.window->findChild<TourPanel *>())
                tour->bringBack();
        });
        return;
    }
    window.addMenuAction(u"File"_s, u"Open the &demo"_s, {}, [this] { openDemo(demoSeed); });
}

void Desk::addDemoDocks()
{
    MainWindow *window = m_open.window.get();
    m_open.demo->setBridge(&m_open.workspace->bridge());
    auto *panel = new DemoPanel(*m_open.demo, window);
    window->addDockWidget(Qt::RightDockWidgetArea, panel);
    auto *tour = new TourPanel(m_open.workspace->bridge(), m_parts.preferences, window);
    window->addDockWidget(Qt::RightDockWidgetArea, tour);
    connect(tour, &TourPanel::goTo, window, &MainWindow::goTo);
    connect(window, &MainWindow::placeShown, tour,
            [tour](const QString &page, const QJsonObject &where) {
                if (page == "run"_L1)
                    tour->setSeenRun(where.value("run"_L1).toString());
            });
}

void Desk::wireForm(ConnectionForm &form)
{
    form.setKeychain(false, u"It is not known yet whether there is a keychain."_s);
    m_parts.keychain.probe(&form, [&form](const Result<void> &there) {
        form.setKeychain(there.ok(), there ? QString() : there.error().message);
    });
    connect(&form, &ConnectionForm::connectWanted, this,
            [this](const QString &url, const QString &password, bool remembers) {
                open({url, password, remembers, true, false});
            });
    connect(&form, &ConnectionForm::testWanted, this,
            [this, form = &form](const QString &url, const QString &password, bool remembers) {
                form->setBusy(true);
                form->setState(u"Asking…"_s, false);
                const auto test = [form](const QString &whole) {
                    later<QString>([whole] { return tried(whole); }, form,
                                   [form](const Result<QString> &answer) {
                                       form->setBusy(false);
                                       form->setState(answer ? *answer : answer.error().message,
                                                      !answer);
                                   });
                };
                if (!remembers || !password.isEmpty()) {
                    test(withPassword(url, password));
                    return;
                }
                m_parts.keychain.read(url, form, [test, url](const Result<QString> &kept) {
                    test(withPassword(url, kept ? *kept : QString()));
                });
            });
}

void Desk::showNotificationService()
{
    if (m_open.window)
        settingsOf(*m_open.window)
            ->desktop()
            .setNotificationService(m_parts.notifier.isThere(), m_parts.notifier.problem());
}

void Desk::welcome(const QString &problem)
{
    m_welcome = std::make_unique<WelcomeWindow>();
    m_form = &m_welcome->connection();
    wireForm(*m_form);
    const settings::Preferences &preferences = m_parts.preferences;
    if (!preferences.database().isEmpty())
        m_form->setAddress(DatabaseAddress::fromUrl(preferences.database()),
                           preferences.remembersPassword());
    m_welcome->setProblem(problem);
    connect(m_welcome.get(), &WelcomeWindow::demoWanted, this, [this] { openDemo(demoSeed); });
    connect(m_welcome.get(), &WelcomeWindow::folderWanted, this, &Desk::openFolder);
    connect(m_welcome.get(), &WelcomeWindow::closed, this, &Desk::quit, Qt::QueuedConnection);
    m_welcome->show();
}

void Desk::deploy(const QJsonObject &files)
{
    MainWindow *window = m_open.window.get();
    m_open.workspace->bridge().act(
        u"deploy"_s, files, window, [window](const Result<QJsonValue> &answer) {
            const QJsonObject said = answer ? answer->toObject() : QJsonObject();
            if (answer && !said.contains("refused"_L1)) {
                window->goTo(u"workflows"_s, {});
                window->statusBar()->showMessage(
                    u"Deployed: %1 workflows, %2 dependencies."_s
                        .arg(said.value("workflows"_L1).toArray().size())
                        .arg(said.value("dependencies"_L1).toArray().size()));
                return;
            }
            QStringList lines;
            const QJsonArray findings = said.value("findings"_L1).toArray();
            for (const QJsonValue &finding : findings)
                lines << finding["text"_L1].toString();
            auto *box = new QMessageBox(window);
            box->setObjectName(u"deployRefused"_s);
            box->setAttribute(Qt::WA_DeleteOnClose);
            box->setIcon(QMessageBox::Warning);
            box->setTextFormat(Qt::PlainText);
            box->setWindowTitle(u"Nothing was deployed"_s);
            box->setText(u"Nothing was deployed, and what was deployed before still is."_s);
            box->setInformativeText(answer ? lines.mid(0, findingsMax).join(u'\n')
                                           : answer.error().message);
            box->open();
        });
}

// What the menu asked for is refused in front of the person; the form says it on a page that may
// not be shown.
void Desk::sayRefusal(const QString &why)
{
    auto *box = m_open.window->findChild<QMessageBox *>(u"openRefused"_s);
    if (!box) {
        box = new QMessageBox(m_open.window.get());
        box->setObjectName(u"openRefused"_s);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->setIcon(QMessageBox::Warning);
        box->setTextFormat(Qt::PlainText);
        box->setWindowTitle(u"Nothing was opened"_s);
        box->setText(u"Nothing was opened, and what was open still is."_s);
    }
    box->setInformativeText(widgets::plainText(why));
    box->open();
}

void Desk::showWindow(const QString &page)
{
    MainWindow *window = m_open.window.get();
    if (!window)
        return;
    window->setWindowState(window->windowState() & ~Qt::WindowMinimized);
    window->QWidget::show();
    window->raise();
    window->activateWindow();
    if (!page.isEmpty())
        window->goTo(page, {});
}

// Where the engine runs elsewhere, the window is all there is to close.
void Desk::closeWindow()
{
    if (m_isQuitting)
        return; // the notice says what it waits for
    const QString choice =
        m_open.workspace->isAttached() ? u"quit"_s : m_parts.preferences.closing();
    if (choice == "quit"_L1) {
        quit();
        return;
    }
    if (choice == "keep"_L1) {
        keepRunning();
        return;
    }
    if (window()->findChild<CloseQuestion *>())
        return;
    auto *question =
        new CloseQuestion(inFlight(), QSystemTrayIcon::isSystemTrayAvailable(), window());
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(question, &CloseQuestion::answered, this, [this](const QString &answer, bool always) {
        if (always)
            m_parts.preferences.setClosing(answer);
        if (answer == "quit"_L1)
            quit();
        else
            keepRunning();
    });
    question->open();
}

// Without a tray there is no way back to a hidden window.
void Desk::keepRunning()
{
    if (!QSystemTrayIcon::isSystemTrayAvailable()) {
        window()->showMinimized();
        return;
    }
    if (!m_tray) {
        m_tray = std::make_unique<QSystemTrayIcon>(style::icon(u"holdfast"_s));
        m_tray->setToolTip(u"Holdfast: the engine runs"_s);
        auto *menu = new QMenu(window());
        menu->addAction(u"Open Holdfast"_s, this, [this] { showWindow({}); });
        menu->addAction(u"Quit"_s, this, &Desk::quit);
        m_tray->setContextMenu(menu);
        connect(m_tray.get(), &QSystemTrayIcon::activated, this, [this] { showWindow({}); });
    }
    m_tray->show();
    window()->hide();
}

} // namespace holdfast::console
