// Goal: the desktop's wish for dark or light is learnt and followed over a real bus, and its
// absence harms nothing.
#include "support/desktop_session.h"
#include "ui/desktop/colour_scheme.h"

#include <QSignalSpy>

using namespace holdfast;
using namespace holdfast::tests;
using desktop::ColourScheme;
using style::Theme;

class DesktopColoursTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void theWishIsLearntAndFollowed();
    void aPortalMayComeLater();
    void withoutABusThereIsNoWish();
};

void DesktopColoursTest::theWishIsLearntAndFollowed()
{
    DesktopSession session;
    PortalService portal(session, 1);
    ColourScheme scheme;
    QVERIFY(!scheme.wish()); // nothing waited for it
    QTRY_COMPARE(scheme.wish(), std::optional(Theme::dark));
    QSignalSpy changed(&scheme, &ColourScheme::changed);
    portal.say(u"org.freedesktop.appearance"_s, u"contrast"_s, 1u);
    portal.say(u"org.gnome.desktop.interface"_s, u"color-scheme"_s, u"prefer-light"_s);
    portal.choose(1);
    portal.choose(2);
    QTRY_COMPARE(scheme.wish(), std::optional(Theme::light));
    QCOMPARE(changed.size(), 1);
    portal.choose(0);
    QTRY_VERIFY(!scheme.wish());
    QCOMPARE(changed.size(), 2);
}

void DesktopColoursTest::aPortalMayComeLater()
{
    DesktopSession session;
    ColourScheme scheme;
    QSignalSpy changed(&scheme, &ColourScheme::changed);
    // Asked and refused by the bus by the time another of its questions is answered.
    QTRY_VERIFY(session.connection().interface()->registeredServiceNames().value().size() > 2);
    PortalService portal(session, 1);
    QTRY_COMPARE(scheme.wish(), std::optional(Theme::dark));
    QCOMPARE(changed.size(), 1);
}

void DesktopColoursTest::withoutABusThereIsNoWish()
{
    qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus");
    ColourScheme scheme;
    desktop::ColourScheme other;
    QVERIFY(!scheme.wish());
    QVERIFY(!other.wish());
}

QTEST_GUILESS_MAIN(DesktopColoursTest)
#include "tst_desktop_colours.moc"
