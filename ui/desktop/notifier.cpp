#include "ui/desktop/notifier.h"

#include <QCoreApplication>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusServiceWatcher>
#include <QPointer>

namespace holdfast::desktop
{

using namespace Qt::StringLiterals;

namespace
{
const QString notifyService = u"org.freedesktop.Notifications"_s;
const QString notifyPath = u"/org/freedesktop/Notifications"_s;
const QString defaultAction = u"default"_s;
constexpr int untilClosed = 0; // the person or we take it away
constexpr int asTheServiceLikes = -1;
constexpr qsizetype noteTextMax = 400;

QDBusMessage notifyCall(const QString &method)
{
    return QDBusMessage::createMethodCall(notifyService, notifyPath, notifyService, method);
}

void closeNote(const QDBusConnection &bus, uint id)
{
    if (id == 0)
        return;
    QDBusMessage message = notifyCall(u"CloseNotification"_s);
    message << id;
    bus.send(message);
}
} // namespace

Notifier::Notifier(QObject *parent)
    : QObject(parent), m_problem(u"The desktop has not been asked yet."_s),
      m_session(u"holdfast-notifier"_s, [this](const auto &bus) { use(bus); })
{
}

Notifier::~Notifier() { withdrawAll(); }

void Notifier::use(const QDBusConnection &bus)
{
    if (!bus.isConnected()) {
        setState(false, u"There is no desktop session to notify (no session bus)."_s);
        return;
    }
    m_bus = bus;
    m_watcher = new QDBusServiceWatcher(notifyService, bus,
                                        QDBusServiceWatcher::WatchForRegistration |
                                            QDBusServiceWatcher::WatchForUnregistration,
                                        this);
    connect(m_watcher, &QDBusServiceWatcher::serviceRegistered, this, &Notifier::ask);
    connect(m_watcher, &QDBusServiceWatcher::serviceUnregistered, this, [this] {
        m_slots.clear();
        setState(false, u"The notification service of this desktop has ended."_s);
    });
    // Without naming the sender: Qt would ask the bus who that is now, and wait for the answer.
    m_bus->connect({}, notifyPath, notifyService, u"ActionInvoked"_s, this,
                   SLOT(onAction(uint, QString)));
    m_bus->connect({}, notifyPath, notifyService, u"NotificationClosed"_s, this,
                   SLOT(onClosed(uint, uint)));
    ask();
}

// The question also starts a service that the bus knows how to start.
void Notifier::ask()
{
    auto *watcher =
        new QDBusPendingCallWatcher(m_bus->asyncCall(notifyCall(u"GetCapabilities"_s)), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        watcher->deleteLater();
        const QDBusPendingReply<QStringList> reply = *watcher;
        if (reply.isError()) {
            setState(false, u"No notification service answers on this desktop."_s);
            return;
        }
        m_can = reply.value();
        setState(true, {});
    });
}

void Notifier::setState(bool isThere, const QString &problem)
{
    m_isThere = isThere;
    m_problem = problem;
    Q_EMIT stateChanged();
}

void Notifier::show(const QString &slot, const Note &note)
{
    if (!m_isThere)
        return;
    Slot &its = m_slots[slot];
    its.isUnwanted = false;
    if (its.isAsking)
        its.next = note;
    else
        send(slot, note);
}

void Notifier::send(const QString &slot, const Note &note)
{
    Slot &its = m_slots[slot];
    its.isAsking = true;
    its.next.reset();
    QString body = note.body.left(noteTextMax);
    if (m_can.contains("body-markup"_L1))
        body = body.toHtmlEscaped();
    QStringList actions;
    if (m_can.contains("actions"_L1) && !note.button.isEmpty())
        actions = {defaultAction, note.button};
    QVariantMap hints{{u"urgency"_s, QVariant::fromValue(uchar(note.isUrgent ? 2 : 1))},
                      {u"desktop-entry"_s, u"org.holdfast.Console"_s}};
    if (note.isPassing)
        hints.insert(u"transient"_s, true);
    QDBusMessage message = notifyCall(u"Notify"_s);
    message << u"Holdfast"_s << its.id << u"org.holdfast.Console"_s << note.title.left(noteTextMax)
            << body << actions << hints << (note.isPassing ? asTheServiceLikes : untilClosed);
    // Not our child: an answer that comes after we are gone has the id of a notification that
    // nobody else would ever close.
    auto *watcher = new QDBusPendingCallWatcher(m_bus->asyncCall(message), qApp);
    connect(watcher, &QDBusPendingCallWatcher::finished, watcher,
            [watcher, slot, bus = *m_bus, guard = QPointer<Notifier>(this)] {
                watcher->deleteLater();
                const QDBusPendingReply<uint> reply = *watcher;
                const uint id = reply.isError() ? 0 : reply.value();
                if (guard)
                    guard->shown(slot, id);
                else
                    closeNote(bus, id);
            });
}

void Notifier::shown(const QString &slot, uint id)
{
    const auto found = m_slots.find(slot);
    if (found == m_slots.end())
        return; // the service went away in between
    found->isAsking = false;
    found->id = id;
    if (found->isUnwanted)
        withdraw(slot);
    else if (found->next)
        send(slot, *found->next);
}

void Notifier::withdraw(const QString &slot)
{
    const auto found = m_slots.find(slot);
    if (found == m_slots.end())
        return;
    if (found->isAsking) {
        found->isUnwanted = true;
        found->next.reset();
        return;
    }
    closeNote(*m_bus, found->id);
    m_slots.erase(found);
}

void Notifier::withdrawAll()
{
    const QStringList names = m_slots.keys();
    for (const QString &slot : names)
        withdraw(slot);
}

QString Notifier::slotOf(uint id) const
{
    for (auto slot = m_slots.cbegin(); slot != m_slots.cend(); ++slot) {
        if (id != 0 && slot->id == id)
            return slot.key();
    }
    return {};
}

// Every program hears of every notification.
void Notifier::onAction(uint id, const QString &action)
{
    const QString slot = slotOf(id);
    if (!slot.isEmpty() && action == defaultAction)
        Q_EMIT activated(slot);
}

void Notifier::onClosed(uint id, uint)
{
    const QString slot = slotOf(id);
    if (!slot.isEmpty() && !m_slots.value(slot).isAsking)
        m_slots.remove(slot);
}

} // namespace holdfast::desktop
