// A real keychain of a test's own: gnome-keyring's secret service on the test's bus, unlocked, with
// its files in a temporary folder.
#pragma once

#include "support/desktop_session.h"

#include <QDBusObjectPath>
#include <QProcessEnvironment>

namespace holdfast::tests
{

class Keyring
{
public:
    explicit Keyring(DesktopSession &session) : m_session(session) {}
    ~Keyring() { stop(); }
    Q_DISABLE_COPY_MOVE(Keyring)

    bool start()
    {
        auto environment = QProcessEnvironment::systemEnvironment();
        for (const char *name : {"XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME"})
            environment.insert(QLatin1String(name), m_folder.path());
        environment.remove(u"DISPLAY"_s); // nobody is here to answer a prompt
        m_daemon.setProcessEnvironment(environment);
        m_daemon.start(u"gnome-keyring-daemon"_s,
                       {u"--foreground"_s, u"--unlock"_s, u"--components=secrets"_s});
        m_daemon.write("password of the keychain");
        m_daemon.closeWriteChannel();
        return QTest::qWaitFor([this] { return m_session.has(service); }, 20'000);
    }
    // As when a person locks it; nothing can be read until somebody types its password.
    bool lock()
    {
        QDBusMessage call = QDBusMessage::createMethodCall(
            service, u"/org/freedesktop/secrets"_s, u"org.freedesktop.Secret.Service"_s, u"Lock"_s);
        const QList<QDBusObjectPath> collections{
            QDBusObjectPath(u"/org/freedesktop/secrets/collection/login"_s)};
        call.setArguments({QVariant::fromValue(collections)});
        return m_session.connection().call(call).type() == QDBusMessage::ReplyMessage;
    }
    void stop()
    {
        m_daemon.kill();
        m_daemon.waitForFinished();
    }

private:
    const QString service = u"org.freedesktop.secrets"_s;
    DesktopSession &m_session;
    QTemporaryDir m_folder;
    QProcess m_daemon;
};

} // namespace holdfast::tests
