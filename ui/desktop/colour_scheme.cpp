#include "ui/desktop/colour_scheme.h"

#include "ui/desktop/session_bus.h"

#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusServiceWatcher>
#include <QDBusVariant>

namespace holdfast::desktop
{

using namespace Qt::StringLiterals;

namespace
{
const QString portalService = u"org.freedesktop.portal.Desktop"_s;
const QString portalPath = u"/org/freedesktop/portal/desktop"_s;
const QString portalSettings = u"org.freedesktop.portal.Settings"_s;
const QString appearance = u"org.freedesktop.appearance"_s;
const QString colourScheme = u"color-scheme"_s;
constexpr uint wishesDark = 1;
constexpr uint wishesLight = 2;

// "Read" wraps its answer in one variant more than the signal does.
QVariant unwrapped(QVariant value)
{
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value;
}
} // namespace

ColourScheme::ColourScheme(QObject *parent)
    : QObject(parent), m_session(u"holdfast-colour"_s, [this](const auto &bus) { use(bus); })
{
}

ColourScheme::~ColourScheme() = default;

void ColourScheme::use(const QDBusConnection &bus)
{
    if (!bus.isConnected())
        return;
    m_bus = bus;
    // Without naming the sender: Qt would ask the bus who that is now, and wait for the answer.
    m_bus->connect({}, portalPath, portalSettings, u"SettingChanged"_s, this,
                   SLOT(onChanged(QDBusMessage)));
    auto *watcher = new QDBusServiceWatcher(portalService, bus,
                                            QDBusServiceWatcher::WatchForRegistration, this);
    connect(watcher, &QDBusServiceWatcher::serviceRegistered, this, &ColourScheme::ask);
    ask();
}

void ColourScheme::ask()
{
    QDBusMessage message =
        QDBusMessage::createMethodCall(portalService, portalPath, portalSettings, u"Read"_s);
    message << appearance << colourScheme;
    auto *watcher = new QDBusPendingCallWatcher(m_bus->asyncCall(message), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        watcher->deleteLater();
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (!reply.isError())
            take(QVariant::fromValue(reply.value()));
    });
}

// The message whole: a slot with a QDBusVariant is not found before Qt has come across that type.
void ColourScheme::onChanged(const QDBusMessage &message)
{
    const QVariantList said = message.arguments();
    if (said.size() == 3 && said.at(0) == appearance && said.at(1) == colourScheme)
        take(said.at(2));
}

void ColourScheme::take(const QVariant &value)
{
    const uint number = unwrapped(value).toUInt();
    const auto wish = number == wishesDark    ? std::optional(style::Theme::dark)
                      : number == wishesLight ? std::optional(style::Theme::light)
                                              : std::nullopt;
    if (m_wish == wish)
        return;
    m_wish = wish;
    Q_EMIT changed();
}

} // namespace holdfast::desktop
