// Whether the desktop prefers dark or light, asked of org.freedesktop.portal.Settings and followed
// while it changes. Qt 6.4 does not tell. Nothing waits for the answer, and without a portal there
// is none.
#pragma once

#include "ui/desktop/session_bus.h"
#include "ui/style/theme.h"

#include <QDBusMessage>
#include <QObject>

namespace holdfast::desktop
{

class ColourScheme : public QObject
{
    Q_OBJECT
public:
    explicit ColourScheme(QObject *parent = nullptr);
    ~ColourScheme() override;

    // Empty: the desktop has no wish, or cannot be asked.
    std::optional<style::Theme> wish() const { return m_wish; }

Q_SIGNALS:
    void changed();

private Q_SLOTS:
    void onChanged(const QDBusMessage &message);

private:
    void use(const QDBusConnection &bus);
    void ask();
    void take(const QVariant &value);

    std::optional<QDBusConnection> m_bus;
    std::optional<style::Theme> m_wish;
    SessionBus m_session;
};

} // namespace holdfast::desktop
