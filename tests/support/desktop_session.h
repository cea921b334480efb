// A desktop session of a test's own: a real bus in a temporary folder that starts nothing by
// itself, and small services written here that answer on it as a desktop's would.
#pragma once

#include <QDBusConnection>
#include <QDBusConnectionInterface>
#include <QDBusMessage>
#include <QDBusVariant>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

namespace holdfast::tests
{

using namespace Qt::StringLiterals;

class DesktopSession
{
public:
    DesktopSession()
    {
        const QString path = folder.filePath(u"bus"_s);
        QFile file(folder.filePath(u"bus.conf"_s));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("cannot write the bus's configuration");
        file.write("<busconfig><type>session</type><listen>unix:path=" + path.toUtf8() +
                   "</listen><policy context=\"default\"><allow send_destination=\"*\"/>"
                   "<allow receive_sender=\"*\"/><allow own=\"*\"/></policy></busconfig>");
        file.close();
        m_daemon.start(u"dbus-daemon"_s, {u"--nofork"_s, u"--nosyslog"_s, u"--print-address=1"_s,
                                          u"--config-file"_s, file.fileName()});
        if (!m_daemon.waitForReadyRead(20000))
            qFatal("dbus-daemon did not start: %s", m_daemon.readAllStandardError().constData());
        m_address = QString::fromUtf8(m_daemon.readAllStandardOutput()).trimmed();
        qputenv("DBUS_SESSION_BUS_ADDRESS", m_address.toUtf8());
    }
    ~DesktopSession()
    {
        for (const QString &name : std::as_const(m_connections))
            QDBusConnection::disconnectFromBus(name);
        m_daemon.kill();
        m_daemon.waitForFinished();
    }
    Q_DISABLE_COPY_MOVE(DesktopSession)

    // As another program on the same bus.
    QDBusConnection connection()
    {
        const QString name = u"test-%1-%2"_s.arg(quintptr(this)).arg(m_connections.size());
        m_connections << name;
        return QDBusConnection::connectToBus(m_address, name);
    }
    bool has(const QString &service)
    {
        return connection().interface()->isServiceRegistered(service);
    }

    QTemporaryDir folder;

private:
    QProcess m_daemon;
    QString m_address;
    QStringList m_connections;
};

// org.freedesktop.Notifications, which keeps what it is told.
class NotificationService : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")
public:
    struct Shown {
        uint id = 0;
        uint replaces = 0;
        QString title;
        QString body;
        QStringList actions;
        QVariantMap hints;
    };

    explicit NotificationService(DesktopSession &session, const QStringList &can)
        : m_bus(session.connection()), m_can(can)
    {
        if (!m_bus.registerObject(u"/org/freedesktop/Notifications"_s, this,
                                  QDBusConnection::ExportAllSlots |
                                      QDBusConnection::ExportAllSignals) ||
            !m_bus.registerService(u"org.freedesktop.Notifications"_s))
            qFatal("cannot be a notification service");
    }
    ~NotificationService() override
    {
        m_bus.unregisterService(u"org.freedesktop.Notifications"_s);
        m_bus.unregisterObject(u"/org/freedesktop/Notifications"_s);
    }

    QVector<Shown> all;    // in the order they came
    QVector<uint> closed;  // by CloseNotification
    QMap<uint, Shown> now; // what a person would see

public Q_SLOTS:
    QStringList GetCapabilities() { return m_can; }
    uint Notify(const QString &, uint replaces, const QString &, const QString &title,
                const QString &body, const QStringList &actions, const QVariantMap &hints, int)
    {
        const uint id = replaces != 0 ? replaces : ++m_last;
        all << Shown{id, replaces, title, body, actions, hints};
        now.insert(id, all.last());
        return id;
    }
    void CloseNotification(uint id)
    {
        closed << id;
        now.remove(id);
        Q_EMIT NotificationClosed(id, 3);
    }

Q_SIGNALS:
    void ActionInvoked(uint id, const QString &action);
    void NotificationClosed(uint id, uint reason);

private:
    QDBusConnection m_bus;
    const QStringList m_can;
    uint m_last = 0;
};

// org.freedesktop.portal.Settings, with one setting.
class PortalService : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")
public:
    PortalService(DesktopSession &session, uint scheme)
        : m_bus(session.connection()), m_value(scheme)
    {
        if (!m_bus.registerObject(u"/org/freedesktop/portal/desktop"_s, this,
                                  QDBusConnection::ExportAllSlots |
                                      QDBusConnection::ExportAllSignals) ||
            !m_bus.registerService(u"org.freedesktop.portal.Desktop"_s))
            qFatal("cannot be a portal");
    }
    void choose(uint scheme)
    {
        m_value = scheme;
        Q_EMIT SettingChanged(u"org.freedesktop.appearance"_s, u"color-scheme"_s,
                              QDBusVariant(scheme));
    }
    void say(const QString &group, const QString &name, const QVariant &value)
    {
        Q_EMIT SettingChanged(group, name, QDBusVariant(value));
    }

public Q_SLOTS:
    QDBusVariant Read(const QString &, const QString &)
    {
        return QDBusVariant(QVariant::fromValue(QDBusVariant(m_value)));
    }

Q_SIGNALS:
    void SettingChanged(const QString &group, const QString &name, const QDBusVariant &value);

private:
    QDBusConnection m_bus;
    uint m_value;
};

} // namespace holdfast::tests
