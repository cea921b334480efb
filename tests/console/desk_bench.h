// A console without its main: a desk with settings, a desktop session and data folders of its own.
#pragma once

#include "app/console/approach.h"
#include "app/console/desk.h"
#include "app/console/looks.h"
#include "support/desktop_session.h"
#include "ui/canned_door.h"
#include "ui/desktop/colour_scheme.h"
#include "ui/settings/preferences.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QStatusBar>

namespace holdfast::tests
{

// Labels whose text has no room; a picture would show it, and nobody looks at every picture.
inline QStringList cutLabels(const QWidget &inside)
{
    QStringList found;
    for (const QLabel *label : inside.findChildren<QLabel *>()) {
        const int needed =
            label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().height();
        if (label->isVisible() && label->height() < needed)
            found << label->objectName();
    }
    return found;
}

struct DeskBench {
    DeskBench()
    {
        for (const char *name :
             {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"})
            qputenv(name, folder.path().toUtf8());
    }
    // As a person who quits: a desk that is dropped would wait for its engine.
    ~DeskBench()
    {
        // Not a spy: after a failure it would not wait.
        bool isEnded = desk.hasEnded();
        QObject::connect(&desk, &console::Desk::ended, &desk, [&] { isEnded = true; });
        desk.quit();
        const QDeadlineTimer deadline(30000);
        while (!isEnded && !deadline.hasExpired())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
        if (!isEnded)
            qFatal("the desk did not end");
    }
    Q_DISABLE_COPY_MOVE(DeskBench)

    QString file(const QString &name) const { return u"sqlite:"_s + folder.filePath(name); }
    void open(const QString &url)
    {
        QSignalSpy opened(&desk, &console::Desk::opened);
        desk.open({url, {}, false, false, false});
        QVERIFY(opened.wait(30000));
        QTRY_VERIFY_WITH_TIMEOUT(!desk.workspace()->bridge().marks().isEmpty(), 30000);
    }
    template <typename T>
    T *child(const QString &name)
    {
        return desk.window()->findChild<T *>(name);
    }
    // What the status bar says of the database that was left; pages have notes of their own.
    QLabel *note() { return desk.window()->statusBar()->findChild<QLabel *>(u"note"_s); }
    QString database() // as the status bar names it
    {
        return desk.window()->statusBar()->findChild<QLabel *>(u"database"_s)->text();
    }
    QString text(const QString &name) { return child<QWidget>(name)->property("text").toString(); }
    QString written()
    {
        session.sync();
        QFile ini(folder.filePath(u"console.ini"_s));
        return ini.open(QIODevice::ReadOnly) ? QString::fromUtf8(ini.readAll()) : QString();
    }

    QTemporaryDir folder;
    settings::Preferences preferences{folder.filePath(u"console.ini"_s)};
    QSettings session{folder.filePath(u"console.ini"_s), QSettings::IniFormat};
    desktop::ColourScheme scheme;
    console::Looks looks{*qApp, preferences, scheme, style::Theme::light};
    desktop::Keychain keychain;
    desktop::Notifier notifier;
    console::Desk desk{{preferences, session, keychain, notifier, looks}};
};

} // namespace holdfast::tests
