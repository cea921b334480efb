// The way to the desktop's other services. Connecting happens on a thread of its own, because a bus
// that hangs must not hang the window.
#pragma once

#include <QDBusConnection>
#include <QObject>
#include <QThread>
#include <functional>
#include <memory>

namespace holdfast::desktop
{

class SessionBus : public QObject
{
    Q_OBJECT
public:
    // Each object has a connection of its own, which may turn out not to be a connected one; `use`
    // is called with it once, on this object's thread.
    SessionBus(const QString &name, std::function<void(const QDBusConnection &bus)> use);
    ~SessionBus() override;

private:
    const QString m_name;
    std::unique_ptr<QThread> m_thread;
};

} // namespace holdfast::desktop
