#include "app/console/desk.h"

#include "app/console/demo_opening.h"
#include "app/console/later.h"
#include "app/console/leaving_dialogs.h"
#include "app/console/welcome_window.h"
#include "app/ctl/database.h"
#include "app/ctl/definition_files.h"
#include "ui/settings/preferences.h"

#include <QCoreApplication>
#include <QSystemTrayIcon>
#include <QTimer>

namespace holdfast::console
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr int noticeAfterMs = 400; // what ends sooner needs no words
}

Desk::Desk(const Parts &parts) : m_parts(parts)
{
    connect(&m_parts.notifier, &desktop::Notifier::stateChanged, this,
            &Desk::showNotificationService);
}

Desk::~Desk()
{
    m_welcome.reset();
    m_demoOpening.reset();
    m_open.bell.reset();
    m_open.window.reset();
    if (m_open.demo)
        m_open.demo->setBridge(nullptr);
    m_open.workspace.reset();
}

void Desk::open(const Target &target)
{
    if (m_isBusy || m_isQuitting)
        return;
    setBusy(true);
    if (!target.remembers || !target.password.isEmpty()) {
        approachTarget(target);
        return;
    }
    m_parts.keychain.read(target.url, this, [this, target](const Result<QString> &password) {
        Target complete = target;
        if (password)
            complete.password = *password;
        else
            m_sayWhenOpen = password.error().message;
        approachTarget(complete);
    });
}

void Desk::approachTarget(const Target &target)
{
    const QString url = withPassword(target.url, target.password);
    later<Approach>(
        [url, mayWait = target.mayWait] { return mayWait ? approachUntried(url) : approach(url); },
        this, [this, target](const Result<Approach> &found) { arrived(target, found); });
}

void Desk::arrived(const Target &target, const Result<Approach> &found)
{
    setBusy(false);
    auto demo = std::move(m_nextDemo);
    if (m_isQuitting)
        return;
    if (!found) {
        fail(found.error().message);
        return;
    }
    Workspace::Options options;
    if (demo)
        options = {u"the demo's own database"_s, demo->secretsFile()};
    auto next = std::make_unique<Workspace>(*found, options);
    if (const auto started = next->start(); !started) {
        fail(started.error().message);
        return;
    }
    leaveOpen();
    m_open.demo = std::move(demo);
    m_open.workspace = std::move(next);
    buildOpen(target);
    keepChoice(target);
    Q_EMIT opened();
    if (!m_filesToDeploy.isEmpty())
        deploy(std::exchange(m_filesToDeploy, {}));
}

void Desk::fail(const QString &why)
{
    if (m_isQuitting)
        return;
    m_filesToDeploy = {};
    m_sayWhenOpen.clear();
    if (m_form)
        m_form->setState(why, true);
    if (m_welcome)
        m_welcome->setProblem(why);
    else if (m_open.window && !(m_form && m_form->isVisible()))
        sayRefusal(why);
    Q_EMIT refused(why);
}

void Desk::setBusy(bool busy)
{
    m_isBusy = busy;
    if (m_form) {
        m_form->setBusy(busy);
        if (busy)
            m_form->setState(u"Connecting…"_s, false);
    }
    if (m_welcome)
        m_welcome->setBusy(busy);
}

// The engine lets its attempts end while the next window is there already; it keeps its lock on the
// file until then, so nothing can be sent twice.
void Desk::leaveOpen()
{
    m_welcome.reset();
    if (!m_open.workspace)
        return;
    m_open.window->saveSession(m_parts.session);
    m_tray.reset();
    m_open.bell.reset();
    m_open.window.reset();
    if (m_open.demo)
        m_open.demo->setBridge(nullptr);
    Workspace *workspace = m_open.workspace.get();
    m_leaving.push_back({std::move(m_open.demo), std::move(m_open.workspace)});
    connect(
        workspace, &Workspace::left, this, [this, workspace] { left(workspace); },
        Qt::QueuedConnection); // it is deleted there
    workspace->leave();
}

void Desk::left(Workspace *workspace)
{
    if (m_isQuitting)
        m_open.window.reset(); // it shows what goes now
    std::erase_if(m_leaving, [workspace](Leaving &leaving) {
        if (leaving.workspace.get() != workspace)
            return false;
        leaving.workspace.reset(); // before the world it works against
        return true;
    });
    sayLeaving();
    if (m_isQuitting && m_leaving.empty())
        Q_EMIT ended(false);
}

void Desk::sayLeaving()
{
    if (!m_open.window)
        return;
    m_open.window->setNote(m_leaving.empty()
                               ? QString()
                               : u"○ the last database is left when its attempts have ended"_s);
}

void Desk::keepChoice(const Target &target)
{
    if (!target.isChoice || isDemo() || ctl::isArchive(target.url))
        return;
    const bool isNew = !target.password.isEmpty();
    m_parts.preferences.setDatabase(target.url, target.remembers);
    if (!target.remembers) {
        if (!ctl::sqlitePath(target.url).isEmpty())
            return;
        m_parts.keychain.forget(target.url, this);
        return;
    }
    if (!isNew)
        return;
    m_parts.keychain.keep(
        target.url, target.password, this, [this, url = target.url](const Result<void> &kept) {
            if (kept)
                return;
            m_parts.preferences.setDatabase(url, false);
            if (m_form)
                m_form->setState(u"Connected. The password is kept until this console ends, and "
                                 "nowhere else: %1"_s.arg(kept.error().message),
                                 true);
        });
}

void Desk::openDemo(quint64 seed)
{
    if (m_isBusy || m_isQuitting)
        return;
    setBusy(true);
    QWidget *above = window();
    m_demoOpening = std::make_unique<DemoOpening>(seed, above ? above : m_welcome.get());
    connect(m_demoOpening.get(), &DemoOpening::done, this, [this] {
        const Result<void> written = m_demoOpening->result();
        demoReady(m_demoOpening->takeDemo(), written);
    });
    m_demoOpening->start();
}

void Desk::demoReady(std::unique_ptr<Demo> demo, const Result<void> &written)
{
    m_demoOpening.release()->deleteLater(); // its signal brought us here
    setBusy(false);
    if (!written) {
        fail(written.error().message);
        return;
    }
    m_nextDemo = std::move(demo);
    open({m_nextDemo->url(), {}, false, false, false});
}

void Desk::openFolder(const QString &folder)
{
    if (m_isBusy || m_isQuitting)
        return;
    setBusy(true);
    const auto read = [folder] { return ctl::readDefinitionFiles({folder}); };
    later<QJsonObject>(read, this, [this](const Result<QJsonObject> &files) {
        setBusy(false);
        if (!files) {
            fail(files.error().message);
        } else if (m_open.workspace) {
            deploy(*files);
        } else {
            m_filesToDeploy = *files;
            open({ctl::databaseUrl({}), {}, false, true, false});
        }
    });
}

int Desk::inFlight() const
{
    int count = m_open.workspace ? m_open.workspace->inFlight() : 0;
    for (const Leaving &leaving : m_leaving)
        count += leaving.workspace->inFlight();
    return count;
}

void Desk::quit()
{
    if (std::exchange(m_isQuitting, true))
        return;
    if (m_demoOpening)
        m_demoOpening->cancel();
    m_welcome.reset();
    if (m_open.workspace) {
        m_open.window->saveSession(m_parts.session);
        m_open.bell.reset();
        m_open.window->setEnabled(false);
        Workspace *workspace = m_open.workspace.get();
        connect(
            workspace, &Workspace::left, this, [this, workspace] { left(workspace); },
            Qt::QueuedConnection);
        if (m_open.demo)
            m_open.demo->setBridge(nullptr);
        m_leaving.push_back({std::move(m_open.demo), std::move(m_open.workspace)});
        workspace->leave();
    }
    if (m_leaving.empty()) {
        QTimer::singleShot(0, this, [this] { Q_EMIT ended(false); });
        return;
    }
    QTimer::singleShot(noticeAfterMs, this, [this] {
        if (m_leaving.empty())
            return;
        m_notice = new DrainNotice([this] { return inFlight(); }, window());
        m_notice->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_notice, &DrainNotice::forced, this, [this] { Q_EMIT ended(true); });
        m_notice->show();
    });
}

} // namespace holdfast::console
