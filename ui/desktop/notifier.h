// Speaks to org.freedesktop.Notifications: shows, replaces and withdraws one notification per slot.
// Everything is asked and nothing waited for; with no such service, or no bus, nothing is shown and
// problem() says why. Texts are data: where the service reads markup they are escaped.
#pragma once

#include "ui/desktop/session_bus.h"

#include <QMap>
#include <QObject>
#include <optional>

class QDBusServiceWatcher;

namespace holdfast::desktop
{

struct Note {
    QString title;
    QString body;
    QString button; // also what a click on the notification does
    bool isUrgent = false;
    bool isPassing = false;
};

class Notifier : public QObject
{
    Q_OBJECT
public:
    explicit Notifier(QObject *parent = nullptr);
    // Withdraws what is shown: nobody would keep it true.
    ~Notifier() override;

    bool isThere() const { return m_isThere; }
    const QString &problem() const { return m_problem; } // one sentence while it is not there

    void show(const QString &slot, const Note &note);
    void withdraw(const QString &slot);
    void withdrawAll();

Q_SIGNALS:
    void stateChanged();
    void activated(const QString &slot); // the person chose it

private Q_SLOTS:
    void onAction(uint id, const QString &action);
    void onClosed(uint id, uint reason);

private:
    struct Slot {
        uint id = 0; // 0: not shown
        bool isAsking = false;
        std::optional<Note> next; // came while the last one was being asked for
        bool isUnwanted = false;  // withdrawn while it was being asked for
    };
    void use(const QDBusConnection &bus);
    void ask();
    void setState(bool isThere, const QString &problem);
    void send(const QString &slot, const Note &note);
    void shown(const QString &slot, uint id);
    QString slotOf(uint id) const;

    std::optional<QDBusConnection> m_bus;
    QDBusServiceWatcher *m_watcher = nullptr;
    bool m_isThere = false;
    QString m_problem;
    QStringList m_can; // its capabilities
    QMap<QString, Slot> m_slots;
    SessionBus m_session;
};

} // namespace holdfast::desktop
