#include "ui/desktop/session_bus.h"

#include <QDeadlineTimer>
#include <QUuid>

namespace holdfast::desktop
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int endMs = 2000; // at the end of the program, for a bus that hangs

QDBusConnection connected(const QString &name)
{
    // By address where there is one: libdbus remembers the first address it was ever given.
    const QString address = qEnvironmentVariable("DBUS_SESSION_BUS_ADDRESS");
    return address.isEmpty() ? QDBusConnection::connectToBus(QDBusConnection::SessionBus, name)
                             : QDBusConnection::connectToBus(address, name);
}
} // namespace

SessionBus::SessionBus(const QString &name, std::function<void(const QDBusConnection &bus)> use)
    : m_name(name + QUuid::createUuid().toString(QUuid::WithoutBraces))
{
    m_thread.reset(QThread::create([unique = m_name] { connected(unique); }));
    connect(m_thread.get(), &QThread::finished, this,
            [this, use = std::move(use)] { use(QDBusConnection(m_name)); });
    m_thread->start();
}

SessionBus::~SessionBus()
{
    if (m_thread->wait(QDeadlineTimer(endMs)))
        QDBusConnection::disconnectFromBus(m_name);
    else
        m_thread.release(); // the process ends anyway
}

} // namespace holdfast::desktop
