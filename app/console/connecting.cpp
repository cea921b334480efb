#include "app/console/connecting.h"

#include "store/store_url.h"
#include "ui/settings/preferences.h"
#include "ui/settings/settings_page.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThread>
#include <QUrl>

namespace holdfast::console
{

using namespace Qt::StringLiterals;

namespace
{
QString withPassword(const QString &url, const QString &password)
{
    QUrl parsed(url);
    if (password.isEmpty() || url.startsWith("sqlite:"_L1))
        return url;
    parsed.setPassword(password);
    return parsed.toString(QUrl::FullyEncoded);
}

// Reads only: nothing is created and no lock is taken.
QString tried(const QString &url, bool &isBad)
{
    auto store = store::openStore(url, store::Access::reader);
    const auto opened = store ? (*store)->open() : model::Result<void>(store.error());
    isBad = !opened;
    return opened ? u"It answers, and it is a run database."_s : opened.error().message;
}
} // namespace

void wireConnection(settings::SettingsPage &page, settings::Preferences &preferences)
{
    page.setKeychain(false, u"This build keeps no password. PostgreSQL's own password file "
                            "(~/.pgpass) or PGPASSWORD gives it."_s);
    QObject::connect(
        &page, &settings::SettingsPage::testWanted, &page,
        [&page](const QString &url, const QString &password) {
            page.setConnecting(true);
            QThread *thread = QThread::create([guard = QPointer(&page), url, password] {
                bool isBad = false;
                const QString says = tried(withPassword(url, password), isBad);
                QMetaObject::invokeMethod(qApp, [guard, says, isBad] {
                    if (!guard)
                        return;
                    guard->setConnecting(false);
                    guard->setConnectionState(says, isBad);
                });
            });
            QObject::connect(thread, &QThread::finished, thread, &QObject::deleteLater);
            thread->start();
        });
    QObject::connect(&page, &settings::SettingsPage::connectWanted, &page,
                     [&page, &preferences](const QString &url, const QString &, bool) {
                         preferences.setDatabase(url, false);
                         page.setConnectionState(
                             u"Kept. The console opens it when it starts next without --db."_s);
                     });
}

} // namespace holdfast::console
