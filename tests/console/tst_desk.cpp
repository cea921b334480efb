// Goal: the console goes from one run database to another without ending, says beside the form what
// went wrong and then keeps what it had, lets attempts end when it is left, and keeps a password in
// the keychain or nowhere. Method: the program's own desk on real databases and a real bus.
#include "app/console/leaving_dialogs.h"
#include "console/desk_bench.h"
#include "support/keyring.h"
#include "support/machine.h"
#include "support/postgres_server.h"
#include "ui/settings/settings_page.h"

#include <QAction>
#include <QCheckBox>

using namespace holdfast;
using namespace holdfast::tests;
using console::Desk;

class DeskTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { style::applyTheme(*qApp, style::Theme::light); }
    void cleanupTestCase();
    void anotherFileIsOpenedWithoutARestart();
    void whatFailsLeavesWhatIsOpen();
    void theSameFileIsSaidToBeOpen();
    void aSharedDatabaseIsOpened();
    void thePasswordGoesToTheKeychain();
    void withoutAKeychainItIsKeptForTheSession();
    void quittingLetsAttemptsEnd();
    void theNoticeSaysWhatIsUnderWay();
    void quittingCanBeForced();
    void leavingLetsAttemptsEndInTheBackground();
    void closingAsks();
    void settingsSayWhoShowsNotifications();
    void aNotificationLeadsToItsPage();
    void theDesktopsColoursAreFollowed();

private:
    DesktopSession m_session;
    Keyring m_keyring{m_session};
};

namespace
{
// One run whose only request takes as long as the fault says.
QString slowRun(Machine &machine, const QString &fault)
{
    StepText step;
    step.timeout = u"20s"_s;
    machine.deploy(machine.dependencyText(u"native"_s) +
                   Machine::workflowText({Machine::stepText(step)}));
    if (!machine.push(step.path, {fault}))
        qFatal("no such fault");
    return machine.start(u"one"_s);
}

// What the keychain has for an address now.
QString kept(desktop::Keychain &keychain, const QString &url)
{
    const auto found = std::make_shared<QString>(); // the answer may come after us
    keychain.read(url, qApp, [found](const auto &read) { *found = read ? *read : u"(none)"_s; });
    return QTest::qWaitFor([&] { return !found->isEmpty(); }, 20000) ? *found : QString();
}
} // namespace

void DeskTest::cleanupTestCase() { m_keyring.stop(); }

void DeskTest::anotherFileIsOpenedWithoutARestart()
{
    DeskBench bench;
    bench.open(bench.file(u"first.db"_s));
    QVERIFY(bench.database().contains(u"first.db"_s));
    const shell::MainWindow *before = bench.desk.window();
    bench.desk.window()->goTo(u"settings"_s, {{u"tab"_s, u"connection"_s}});
    QCOMPARE(bench.text(u"path"_s), bench.folder.filePath(u"first.db"_s));
    bench.child<QLineEdit>(u"path"_s)->setText(bench.folder.filePath(u"second.db"_s));
    QSignalSpy opened(&bench.desk, &Desk::opened);
    bench.child<QPushButton>(u"connect"_s)->click();
    QVERIFY(!bench.child<QPushButton>(u"connect"_s)->isEnabled());
    QVERIFY(bench.desk.window() == before); // nothing waited for it
    QVERIFY(opened.wait(30000));
    QVERIFY(bench.database().contains(u"second.db"_s));
    QVERIFY(bench.desk.window()->isVisible());
    QTRY_COMPARE(bench.desk.workspace()->bridge().engine().word, u"running"_s);
    QCOMPARE(bench.preferences.database(), bench.file(u"second.db"_s));
    // The first one was let go of: anyone may own it now.
    QTRY_VERIFY(console::approach(bench.file(u"first.db"_s)).ok());
}

void DeskTest::whatFailsLeavesWhatIsOpen()
{
    DeskBench bench;
    bench.open(bench.file(u"first.db"_s));
    QFile notOurs(bench.folder.filePath(u"letter.db"_s));
    QVERIFY(notOurs.open(QIODevice::WriteOnly));
    notOurs.write(QByteArray("Dear Ada, ").repeated(200));
    notOurs.close();
    const shell::MainWindow *before = bench.desk.window();
    for (const QString &path : {notOurs.fileName(), u"/proc/no/such/folder/x.db"_s}) {
        bench.child<QLineEdit>(u"path"_s)->setText(path);
        QSignalSpy refused(&bench.desk, &Desk::refused);
        bench.child<QPushButton>(u"connect"_s)->click();
        QVERIFY(refused.wait(30000));
        QVERIFY2(bench.text(u"connectionState"_s).startsWith(u"▲ "_s),
                 qPrintable(bench.text(u"connectionState"_s)));
        QVERIFY(bench.desk.window() == before);
        QVERIFY(bench.child<QPushButton>(u"connect"_s)->isEnabled());
    }
    bench.desk.workspace()->bridge().pulse();
    QCOMPARE(bench.desk.workspace()->bridge().engine().word, u"running"_s);
    QCOMPARE(bench.preferences.database(), QString());
    bench.desk.window()->goTo(u"settings"_s, {{u"tab"_s, u"connection"_s}});
    shoot(*bench.desk.window(), u"desk-refused"_s);
}

void DeskTest::theSameFileIsSaidToBeOpen()
{
    DeskBench bench;
    bench.open(bench.file(u"first.db"_s));
    QSignalSpy refused(&bench.desk, &Desk::refused);
    QTRY_VERIFY(!console::approach(bench.file(u"first.db"_s)).ok()); // its socket is named
    bench.child<QPushButton>(u"connect"_s)->click();
    QVERIFY(refused.wait(30000));
    QVERIFY2(refused.first().first().toString().contains(u"open already"_s),
             qPrintable(refused.first().first().toString()));
}

void DeskTest::aSharedDatabaseIsOpened()
{
    PostgresServer *server = PostgresServer::shared();
    QVERIFY(server);
    const QString url = server->createDatabase();
    {
        DeskBench bench;
        bench.open(bench.file(u"first.db"_s));
        const auto address = settings::DatabaseAddress::fromUrl(url);
        bench.child<QRadioButton>(u"isServer"_s)->setChecked(true);
        bench.child<settings::ConnectionForm>({})->setAddress(address, false);
        QSignalSpy opened(&bench.desk, &Desk::opened);
        bench.child<QPushButton>(u"connect"_s)->click();
        QVERIFY(opened.wait(30000));
        QVERIFY(bench.database().contains(u"PRODUCTION"_s));
        QTRY_COMPARE_WITH_TIMEOUT(bench.desk.workspace()->bridge().engine().word, u"running"_s,
                                  20000);
        // A server that is not there: said, and this one stays.
        auto wrong = address;
        wrong.port = 1;
        bench.child<settings::ConnectionForm>({})->setAddress(wrong, false);
        QSignalSpy refused(&bench.desk, &Desk::refused);
        bench.child<QPushButton>(u"connect"_s)->click();
        QVERIFY(refused.wait(30000));
        QVERIFY(bench.text(u"connectionState"_s).startsWith(u"▲ "_s));
        QCOMPARE(bench.desk.workspace()->bridge().engine().word, u"running"_s);
    }
    server->dropDatabase(url);
}

void DeskTest::thePasswordGoesToTheKeychain()
{
    PostgresServer *server = PostgresServer::shared();
    QVERIFY(server);
    QVERIFY(m_keyring.start());
    const QString url = server->createDatabase();
    const auto address = settings::DatabaseAddress::fromUrl(url);
    {
        DeskBench bench;
        bench.open(bench.file(u"first.db"_s));
        QTRY_VERIFY(bench.child<QCheckBox>(u"remember"_s)->isEnabled());
        bench.child<settings::ConnectionForm>({})->setAddress(address, false);
        bench.child<QLineEdit>(u"password"_s)->setText(u"s3cret"_s);
        bench.child<QCheckBox>(u"remember"_s)->setChecked(true);
        QSignalSpy opened(&bench.desk, &Desk::opened);
        bench.child<QPushButton>(u"connect"_s)->click();
        QVERIFY(opened.wait(30000));
        QTRY_COMPARE(kept(bench.keychain, address.url()), u"s3cret"_s);
        QVERIFY(bench.preferences.remembersPassword());
        QVERIFY(bench.written().contains(address.database));
        QVERIFY(!bench.written().contains(u"s3cret"_s));
        QVERIFY(!bench.database().contains(u"s3cret"_s));
        QCOMPARE(bench.text(u"password"_s), QString());
        QTRY_COMPARE(bench.child<QLineEdit>(u"password"_s)->placeholderText(),
                     u"The one in the keychain"_s);
    }
    {
        // The next start: the address from the settings, the password from the keychain.
        DeskBench bench;
        QSignalSpy opened(&bench.desk, &Desk::opened);
        bench.desk.open({address.url(), {}, true, false, true});
        QVERIFY(opened.wait(30000));
        QVERIFY(bench.desk.workspace()->url().contains(u"s3cret"_s));
        QVERIFY(!bench.desk.workspace()->bridge().database().contains(u"s3cret"_s));
        // Unticked: the keychain forgets it.
        QTRY_VERIFY(bench.child<QCheckBox>(u"remember"_s)->isEnabled());
        bench.child<QCheckBox>(u"remember"_s)->setChecked(false);
        bench.child<QPushButton>(u"connect"_s)->click();
        QVERIFY(opened.wait(30000));
        QTRY_COMPARE(kept(bench.keychain, address.url()), u"(none)"_s);
        QVERIFY(!bench.preferences.remembersPassword());
    }
    server->dropDatabase(url);
}

void DeskTest::withoutAKeychainItIsKeptForTheSession()
{
    m_keyring.stop();
    QTRY_VERIFY(!m_session.has(u"org.freedesktop.secrets"_s));
    PostgresServer *server = PostgresServer::shared();
    QVERIFY(server);
    const QString url = server->createDatabase();
    {
        DeskBench bench;
        bench.open(bench.file(u"first.db"_s));
        QTRY_VERIFY2(bench.text(u"keychain"_s).startsWith(u"No keychain answers here"_s),
                     qPrintable(bench.text(u"keychain"_s)));
        QVERIFY(bench.text(u"keychain"_s).contains(u"kept until this console ends"_s));
        QVERIFY(!bench.child<QCheckBox>(u"remember"_s)->isEnabled());
        bench.child<settings::ConnectionForm>({})->setAddress(
            settings::DatabaseAddress::fromUrl(url), true);
        bench.child<QLineEdit>(u"password"_s)->setText(u"s3cret"_s);
        QSignalSpy opened(&bench.desk, &Desk::opened);
        bench.child<QPushButton>(u"connect"_s)->click();
        QVERIFY(opened.wait(30000));
        QVERIFY(bench.desk.workspace()->url().contains(u"s3cret"_s));
        QVERIFY(!bench.preferences.remembersPassword());
        QVERIFY(!bench.written().contains(u"s3cret"_s));
        bench.desk.window()->goTo(u"settings"_s, {{u"tab"_s, u"connection"_s}});
        QTRY_VERIFY(bench.text(u"keychain"_s).startsWith(u"No keychain answers here"_s));
        shoot(*bench.desk.window(), u"desk-no-keychain"_s);
    }
    server->dropDatabase(url);
}

void DeskTest::quittingLetsAttemptsEnd()
{
    QTemporaryDir folder;
    Machine machine(u"sqlite:"_s + folder.filePath(u"runs.db"_s));
    const QString run = slowRun(machine, u"delay:5000"_s);
    {
        DeskBench bench;
        bench.open(machine.url());
        QTRY_COMPARE(bench.desk.workspace()->inFlight(), 1);
        QSignalSpy ended(&bench.desk, &Desk::ended);
        for (QAction *action : bench.desk.window()->allActions()) {
            if (action->shortcut() == QKeySequence(u"Ctrl+Q"_s))
                action->trigger();
        }
        QPointer<console::DrainNotice> notice;
        QTRY_VERIFY((notice = bench.desk.window()->findChild<console::DrainNotice *>()));
        QVERIFY(notice->isVisible());
        // A second wish to leave changes nothing.
        bench.desk.window()->close();
        bench.desk.quit();
        QCoreApplication::processEvents();
        QVERIFY(!bench.child<console::CloseQuestion>({}));
        QCOMPARE(notice->findChild<QWidget *>(u"drainState"_s)->property("text").toString(),
                 u"1 attempt is under way. Nothing new starts."_s);
        QVERIFY(ended.isEmpty());
        QVERIFY(ended.wait(20000));
        QCOMPARE(ended.first().first().toBool(), false);
    }
    QCOMPARE(machine.statusOf(run), u"succeeded"_s);
    QCOMPARE(machine.world.books().effectCount(), 1);
}

void DeskTest::theNoticeSaysWhatIsUnderWay()
{
    int count = 3;
    console::DrainNotice notice([&] { return count; }, nullptr);
    notice.show();
    const auto *state = notice.findChild<QWidget *>(u"drainState"_s);
    QCOMPARE(state->property("text").toString(),
             u"3 attempts are under way. Nothing new starts."_s);
    QCOMPARE(nameless(notice).join(u' '), QString());
    QCOMPARE(cutLabels(notice).join(u' '), QString());
    for (const auto theme : {style::Theme::dark, style::Theme::light}) {
        style::applyTheme(*qApp, theme);
        shoot(notice, u"desk-draining"_s);
    }
    count = 0;
    QTRY_COMPARE(state->property("text").toString(), u"The database is being closed."_s);
    QTest::keyClick(&notice, Qt::Key_Escape);
    QVERIFY(notice.isVisible()); // Escape is not a decision
}

void DeskTest::quittingCanBeForced()
{
    QTemporaryDir folder;
    Machine machine(u"sqlite:"_s + folder.filePath(u"runs.db"_s));
    slowRun(machine, u"delay:3000"_s);
    DeskBench bench;
    bench.open(machine.url());
    QTRY_COMPARE(bench.desk.workspace()->inFlight(), 1);
    QSignalSpy ended(&bench.desk, &Desk::ended);
    bench.desk.quit();
    QTRY_VERIFY(bench.desk.window()->findChild<QPushButton *>(u"drainForce"_s));
    QTest::mouseClick(bench.child<QPushButton>(u"drainForce"_s), Qt::LeftButton);
    QCOMPARE(ended.size(), 1);
    QCOMPARE(ended.first().first().toBool(), true); // main ends the process here
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 2, 20000);
}

void DeskTest::leavingLetsAttemptsEndInTheBackground()
{
    QTemporaryDir folder;
    Machine machine(u"sqlite:"_s + folder.filePath(u"runs.db"_s));
    const QString run = slowRun(machine, u"delay:12000"_s);
    DeskBench bench;
    bench.open(machine.url());
    QTRY_COMPARE(bench.desk.workspace()->inFlight(), 1);
    bench.open(bench.file(u"other.db"_s));
    QVERIFY(bench.note()->text().contains(u"attempts have ended"_s));
    QVERIFY(bench.note()->isVisible());
    // Until then nobody else may own the file.
    QVERIFY(!console::approach(machine.url()).ok());
    QTRY_COMPARE_WITH_TIMEOUT(bench.note()->text(), QString(), 40000);
    QCOMPARE(machine.statusOf(run), u"succeeded"_s);
}

void DeskTest::closingAsks()
{
    DeskBench bench;
    bench.open(bench.file(u"first.db"_s));
    const auto ask = [&]() -> console::CloseQuestion * {
        bench.desk.window()->close();
        return QTest::qWaitFor([&] { return bench.child<console::CloseQuestion>({}) != nullptr; })
                   ? bench.child<console::CloseQuestion>({})
                   : nullptr;
    };
    QPointer<console::CloseQuestion> question = ask();
    QVERIFY(question);
    QVERIFY(bench.desk.window()->isVisible());
    QCOMPARE(nameless(*question).join(u' '), QString());
    QCOMPARE(cutLabels(*question).join(u' '), QString());
    for (const auto theme : {style::Theme::dark, style::Theme::light}) {
        style::applyTheme(*qApp, theme);
        shoot(*question, u"desk-closing"_s);
    }
    QTest::mouseClick(question->findChild<QPushButton *>(u"closeStay"_s), Qt::LeftButton);
    QTRY_VERIFY(!question);
    QVERIFY(bench.desk.window()->isVisible());
    question = ask();
    question->findChild<QCheckBox *>(u"closeAlways"_s)->setChecked(true);
    QTest::mouseClick(question->findChild<QPushButton *>(u"closeKeep"_s), Qt::LeftButton);
    // There is no tray here, so the window must stay where it can be found.
    QTRY_VERIFY(bench.desk.window()->isMinimized());
    QCOMPARE(bench.preferences.closing(), u"keep"_s);
    bench.desk.workspace()->bridge().pulse();
    QCOMPARE(bench.desk.workspace()->bridge().engine().word, u"running"_s);
    bench.preferences.setClosing(u"quit"_s);
    QSignalSpy ended(&bench.desk, &Desk::ended);
    bench.desk.window()->close();
    QVERIFY(ended.wait(20000));
}

void DeskTest::settingsSayWhoShowsNotifications()
{
    DeskBench bench;
    bench.open(bench.file(u"first.db"_s));
    QTRY_VERIFY(bench.text(u"notifyService"_s)
                    .startsWith(u"▲ No notification service answers on this desktop."_s));
    bench.desk.window()->goTo(u"settings"_s, {{u"tab"_s, u"desktop"_s}});
    for (const auto theme : {style::Theme::dark, style::Theme::light}) {
        style::applyTheme(*qApp, theme);
        shoot(*bench.desk.window(), u"desk-settings"_s);
    }
    NotificationService service(m_session, {u"actions"_s});
    QTRY_COMPARE(bench.text(u"notifyService"_s), u"This desktop shows notifications."_s);
}

void DeskTest::aNotificationLeadsToItsPage()
{
    NotificationService service(m_session, {u"actions"_s});
    QTemporaryDir folder;
    Machine machine(u"sqlite:"_s + folder.filePath(u"runs.db"_s));
    machine.call(u"pause"_s, {{u"reason"_s, u"duplicates reported"_s}});
    DeskBench bench;
    bench.open(machine.url());
    QTRY_VERIFY(bench.notifier.isThere());
    bridge::Bridge &bridge = bench.desk.workspace()->bridge();
    QCOMPARE(bridge.marks().value(u"pauses"_s).toArray().size(), 1); // there before, so no news
    bridge.act(u"resume"_s, {{u"reason"_s, u"cause found"_s}}, this, {});
    QTRY_COMPARE_WITH_TIMEOUT(service.now.size(), 1, 20000);
    QVERIFY(service.all.last().title.startsWith(u"Resumed"_s));
    bench.desk.window()->showMinimized();
    Q_EMIT service.ActionInvoked(service.all.last().id, u"default"_s);
    QTRY_COMPARE(bench.desk.window()->currentPage(), u"pause"_s);
    QVERIFY(!bench.desk.window()->isMinimized());
}

void DeskTest::theDesktopsColoursAreFollowed()
{
    PortalService portal(m_session, 1);
    DeskBench bench;
    bench.open(bench.file(u"first.db"_s));
    QCOMPARE(style::currentTheme(), style::Theme::light); // the command line's word
    const auto choose = [&](const QString &text) {
        for (QAction *action : bench.desk.window()->allActions()) {
            if (QString(action->text()).remove(u'&') == text)
                action->trigger();
        }
    };
    choose(u"As the desktop"_s);
    QTRY_COMPARE(style::currentTheme(), style::Theme::dark);
    portal.choose(2);
    QTRY_COMPARE(style::currentTheme(), style::Theme::light);
    choose(u"Dark"_s);
    QCOMPARE(style::currentTheme(), style::Theme::dark);
    portal.choose(1);
    portal.choose(2);
    QTRY_COMPARE(bench.scheme.wish(), std::optional(style::Theme::light));
    QCOMPARE(style::currentTheme(), style::Theme::dark); // a person's choice stands
    choose(u"Light"_s);
}

QTEST_MAIN(DeskTest)
#include "tst_desk.moc"
