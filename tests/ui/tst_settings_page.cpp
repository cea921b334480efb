// The settings page offscreen. Goal: what is typed becomes an address without a password, what is
// chosen is kept and heard of, a missing keychain is said plainly, and workers and the doctor's
// words are shown as they are.
#include "ui/canned_door.h"
#include "ui/settings/connection_form.h"
#include "ui/settings/database_address.h"
#include "ui/settings/engine_view.h"
#include "ui/settings/preferences.h"
#include "ui/settings/settings_page.h"
#include "ui/widgets/json_table_model.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>

using namespace holdfast;
using namespace holdfast::tests;
using namespace holdfast::settings;
using namespace Qt::StringLiterals;

namespace
{
void fill(CannedDoor &door)
{
    const auto worker = [](const QString &id, const QString &state, bool alive) {
        return QJsonObject{{u"id"_s, id},
                           {u"host"_s, u"ops-1.example"_s},
                           {u"pid"_s, 4711},
                           {u"program_version"_s, u"0.1.0"_s},
                           {u"started_at"_s, u"2027-01-15T05:00:00.000Z"_s},
                           {u"lease_until"_s, u"2027-01-15T08:00:10.000Z"_s},
                           {u"state"_s, state},
                           {u"alive"_s, alive}};
    };
    door.answer(u"workers"_s,
                QJsonObject{{u"workers"_s, QJsonArray{worker(u"w1"_s, u"running"_s, true),
                                                      worker(u"w2"_s, u"running"_s, false),
                                                      worker(u"w3"_s, u"gone"_s, false)}}});
    door.answer(
        u"doctor"_s,
        QJsonObject{
            {u"database"_s, u"sqlite:holdfast.db"_s},
            {u"schema"_s, 7},
            {u"workers_alive"_s, 1},
            {u"problems"_s,
             QJsonArray{QJsonObject{{u"severity"_s, u"warning"_s},
                                    {u"what"_s, u"the breaker of payments is open (timeout)"_s},
                                    {u"safe"_s, u"it tries again by itself; look at the "
                                                "dependency first"_s}},
                        QJsonObject{{u"severity"_s, u"notice"_s},
                                    {u"what"_s, u"4 items wait for a person"_s},
                                    {u"safe"_s, u"nothing is sent again until somebody "
                                                "decides"_s}}}}});
}

struct Bench {
    Bench() : preferences(folder.filePath(u"settings.ini"_s)), page(door.bridge(), preferences)
    {
        fill(door);
        page.resize(1120, 760);
        page.show();
    }
    QTemporaryDir folder;
    CannedDoor door;
    Preferences preferences;
    SettingsPage page;

    template <typename T>
    T *child(const QString &name)
    {
        return page.findChild<T *>(name);
    }
};
} // namespace

class SettingsPageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { style::applyTheme(*qApp, style::Theme::light); }
    void addressesGoThereAndBack_data();
    void addressesGoThereAndBack();
    void anotherMachineMustProveItself();
    void connectingIsAskedFor();
    void missingKeychainIsSaidPlainly();
    void appearanceIsKeptAndHeardOf();
    void passwordIsNeverKept();
    void engineShowsWorkersAndDoctor();
    void keysComeFromTheActions();
    void aboutNamesVersionAndLicence();
    void placesAreRemembered();
    void hostileTextBreaksNothing();
    void everyControlHasAName();
    void pictures();
};

void SettingsPageTest::addressesGoThereAndBack_data()
{
    QTest::addColumn<QString>("url");
    QTest::newRow("file") << u"sqlite:/var/lib/holdfast/runs.db"_s;
    QTest::newRow("file with spaces") << u"sqlite:my runs #1.db"_s;
    QTest::newRow("local") << u"postgresql://ada@localhost/runs"_s;
    QTest::newRow("port") << u"postgresql://ada@127.0.0.1:5433/runs"_s;
    QTest::newRow("socket") << u"postgresql://ada@/runs?host=/run/postgresql"_s;
    QTest::newRow("remote") << u"postgresql://ada@db.example:6000/runs?sslmode=verify-full"_s;
    QTest::newRow("odd names") << u"postgresql://a%40b@localhost/my%20runs"_s;
}

void SettingsPageTest::addressesGoThereAndBack()
{
    QFETCH(QString, url);
    const DatabaseAddress address = DatabaseAddress::fromUrl(url);
    QCOMPARE(DatabaseAddress::fromUrl(address.url()), address);
    QCOMPARE(address.problem(), QString());
    if (!url.contains(u"host="_s))
        QCOMPARE(address.url(), url);
}

void SettingsPageTest::anotherMachineMustProveItself()
{
    DatabaseAddress address;
    address.kind = DatabaseAddress::Kind::postgresql;
    QVERIFY(!address.problem().isEmpty());
    address.user = u"ada"_s;
    address.database = u"runs"_s;
    QVERIFY(!address.url().contains(u"sslmode"_s));
    address.host = u"db.example"_s;
    QVERIFY(address.url().contains(u"sslmode=verify-full"_s));
    QCOMPARE(DatabaseAddress::fromUrl(u"http://evil"_s), DatabaseAddress());
}

void SettingsPageTest::connectingIsAskedFor()
{
    Bench bench;
    bench.page.setKeychain(true);
    QSignalSpy wanted(&bench.page, &SettingsPage::connectWanted);
    QSignalSpy tested(&bench.page, &SettingsPage::testWanted);
    auto *connectButton = bench.child<QPushButton>(u"connect"_s);
    QTest::mouseClick(bench.child<QRadioButton>(u"isServer"_s), Qt::LeftButton, {}, {8, 8});
    QVERIFY(!connectButton->isEnabled()); // no user, no database yet
    QTest::keyClicks(bench.child<QLineEdit>(u"host"_s), u"db.example"_s);
    QTest::keyClicks(bench.child<QLineEdit>(u"database"_s), u"runs"_s);
    QTest::keyClicks(bench.child<QLineEdit>(u"user"_s), u"ada"_s);
    QTest::keyClicks(bench.child<QLineEdit>(u"password"_s), u"s3cret:/@"_s);
    bench.child<QSpinBox>(u"port"_s)->setValue(6000);
    bench.child<QCheckBox>(u"remember"_s)->setChecked(true);
    QTest::mouseClick(bench.child<QPushButton>(u"test"_s), Qt::LeftButton);
    QTest::mouseClick(connectButton, Qt::LeftButton);
    const QString url = u"postgresql://ada@db.example:6000/runs?sslmode=verify-full"_s;
    QCOMPARE(tested.takeFirst(), (QVariantList{url, u"s3cret:/@"_s, true}));
    QCOMPARE(wanted.takeFirst(), (QVariantList{url, u"s3cret:/@"_s, true}));
    bench.page.setConnecting(true);
    QVERIFY(!connectButton->isEnabled());
    bench.page.setConnecting(false);
    bench.page.setConnectionState(u"The server refused the login."_s, true);
    QCOMPARE(bench.child<QWidget>(u"connectionState"_s)->property("text").toString(),
             u"▲ The server refused the login."_s);
    QVERIFY(connectButton->isEnabled());
}

void SettingsPageTest::missingKeychainIsSaidPlainly()
{
    Bench bench;
    bench.child<QRadioButton>(u"isServer"_s)->setChecked(true);
    bench.child<QCheckBox>(u"remember"_s)->setChecked(true);
    bench.page.setKeychain(false, u"No keychain answers on this desktop."_s);
    auto *note = bench.child<QWidget>(u"keychain"_s);
    QCOMPARE(note->property("text").toString(),
             u"No keychain answers on this desktop. The password is kept until this console ends, "
             "and nowhere else; PGPASSWORD or PostgreSQL's password file can give it at the next "
             "start."_s);
    QVERIFY(!bench.child<QCheckBox>(u"remember"_s)->isEnabled());
    bench.child<QLineEdit>(u"database"_s)->setText(u"runs"_s);
    bench.child<QLineEdit>(u"user"_s)->setText(u"ada"_s);
    QSignalSpy wanted(&bench.page, &SettingsPage::connectWanted);
    QTest::mouseClick(bench.child<QPushButton>(u"connect"_s), Qt::LeftButton);
    QCOMPARE(wanted.first().at(2).toBool(), false); // ticked, but nothing can keep it
    shoot(bench.page, u"settings-no-keychain"_s);
}

void SettingsPageTest::appearanceIsKeptAndHeardOf()
{
    Bench bench;
    bench.page.open({{u"tab"_s, u"appearance"_s}});
    QSignalSpy changed(&bench.preferences, &Preferences::changed);
    QCOMPARE(bench.preferences.theme(), u"system"_s);
    auto *theme = bench.child<QComboBox>(u"theme"_s);
    theme->setFocus();
    QTest::keyClick(theme, Qt::Key_End);
    QCOMPARE(bench.preferences.theme(), u"dark"_s);
    auto *scale = bench.child<QComboBox>(u"scale"_s);
    scale->setFocus();
    QTest::keyClick(scale, Qt::Key_Down);
    QCOMPARE(bench.preferences.scale(), 125);
    QTest::mouseClick(bench.child<QCheckBox>(u"letters"_s), Qt::LeftButton, {},
                      {5, bench.child<QCheckBox>(u"letters"_s)->height() / 2});
    QCOMPARE(bench.preferences.singleLetterKeys(), false);
    QCOMPARE(changed.size(), 3);
    bench.preferences.setScale(1000);
    QCOMPARE(bench.preferences.scale(), 200);
    bench.preferences.setDatabase(u"sqlite:x.db"_s, true);
    const Preferences again(bench.folder.filePath(u"settings.ini"_s));
    QCOMPARE(again.theme(), u"dark"_s);
    QCOMPARE(again.scale(), 200);
    QCOMPARE(again.database(), u"sqlite:x.db"_s);
    QVERIFY(again.remembersPassword());
}

void SettingsPageTest::passwordIsNeverKept()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"settings.ini"_s);
    {
        CannedDoor door;
        Preferences preferences(path);
        SettingsPage page(door.bridge(), preferences);
        page.findChild<QRadioButton *>(u"isServer"_s)->setChecked(true);
        page.findChild<QLineEdit *>(u"user"_s)->setText(u"ada"_s);
        page.findChild<QLineEdit *>(u"database"_s)->setText(u"runs"_s);
        page.findChild<QLineEdit *>(u"password"_s)->setText(u"s3cret"_s);
        connect(&page, &SettingsPage::connectWanted, &preferences,
                [&](const QString &url, const QString &, bool remember) {
                    preferences.setDatabase(url, remember);
                });
        page.findChild<QPushButton *>(u"connect"_s)->click();
    }
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray written = file.readAll();
    QVERIFY(written.contains("localhost/runs"));
    QVERIFY(!written.contains("s3cret"));
}

void SettingsPageTest::engineShowsWorkersAndDoctor()
{
    Bench bench;
    QCOMPARE(bench.door.asked(u"doctor"_s).size(), 0); // not before somebody looks
    bench.page.open({{u"tab"_s, u"engine"_s}});
    auto *view = bench.page.findChild<EngineView *>();
    QAbstractItemModelTester workers(view->workers(),
                                     QAbstractItemModelTester::FailureReportingMode::QtTest);
    QAbstractItemModelTester problems(view->problems(),
                                      QAbstractItemModelTester::FailureReportingMode::QtTest);
    QTRY_COMPARE(view->problems()->rowCount(), 2);
    QCOMPARE(view->workers()->rowCount(), 3);
    QCOMPARE(view->workers()->index(0, 0).data().toString(), u"▶ running"_s);
    QCOMPARE(view->workers()->index(1, 0).data().toString(), u"✖ lost, lease ran out"_s);
    QCOMPARE(view->workers()->index(2, 0).data().toString(), u"○ gone"_s);
    QCOMPARE(view->problems()->index(0, 0).data().toString(), u"▲ warning"_s);
    QCOMPARE(bench.child<QLabel>(u"engineState"_s)->text(), u"Engine of this console: running."_s);
    bench.door.lose(u"doctor"_s);
    bench.page.refresh();
    QTRY_VERIFY(bench.child<QWidget>(u"problem"_s)->isVisible());
    QCOMPARE(view->problems()->rowCount(), 2);
}

void SettingsPageTest::keysComeFromTheActions()
{
    Bench bench;
    QAction pause(u"&Pause…"_s);
    pause.setShortcut(QKeySequence(u"Ctrl+Alt+P"_s));
    pause.setProperty("menu", u"Run"_s);
    QAction without(u"Nothing"_s);
    bench.page.setShortcuts({&pause, &without});
    const auto *model = bench.child<QTableView>(u"keys"_s)->model();
    QCOMPARE(model->rowCount(), 1);
    QCOMPARE(model->index(0, 0).data().toString(), u"Ctrl+Alt+P"_s);
    QCOMPARE(model->index(0, 1).data().toString(), u"Pause…"_s);
}

void SettingsPageTest::aboutNamesVersionAndLicence()
{
    Bench bench;
    bench.page.open({{u"tab"_s, u"about"_s}});
    QVERIFY(bench.child<QLabel>(u"version"_s)->text().startsWith(u"Holdfast "_s));
    shoot(bench.page, u"settings-about"_s);
}

void SettingsPageTest::placesAreRemembered()
{
    Bench bench;
    QSignalSpy placed(&bench.page, &shell::Page::placeChanged);
    bench.page.open({{u"tab"_s, u"keys"_s}});
    QCOMPARE(placed.size(), 1);
    QCOMPARE(bench.page.where(), (QJsonObject{{u"tab"_s, u"keys"_s}}));
    bench.page.open({{u"tab"_s, u"no such tab"_s}});
    QCOMPARE(bench.page.where(), (QJsonObject{{u"tab"_s, u"keys"_s}}));
}

void SettingsPageTest::hostileTextBreaksNothing()
{
    Bench bench;
    bench.page.setConnectionState(hostileText(), true);
    bench.page.setKeychain(false, hostileText());
    for (const QLabel *label : bench.page.findChildren<QLabel *>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
    QVERIFY(bench.page.minimumSizeHint().width() <= 1120);
}

void SettingsPageTest::everyControlHasAName()
{
    Bench bench;
    bench.child<QRadioButton>(u"isServer"_s)->setChecked(true);
    for (const char *tab : {"connection", "appearance", "desktop", "engine", "keys", "about"}) {
        bench.page.open({{u"tab"_s, QLatin1String(tab)}});
        QCOMPARE(nameless(bench.page).join(u' '), QString());
    }
}

void SettingsPageTest::pictures()
{
    for (const style::Theme theme : {style::Theme::light, style::Theme::dark}) {
        Bench bench;
        style::applyTheme(*qApp, theme);
        bench.page.setKeychain(true);
        bench.child<QRadioButton>(u"isServer"_s)->setChecked(true);
        bench.child<QLineEdit>(u"host"_s)->setText(u"db.example"_s);
        bench.child<QLineEdit>(u"database"_s)->setText(u"holdfast"_s);
        bench.child<QLineEdit>(u"user"_s)->setText(u"ada"_s);
        bench.child<QLineEdit>(u"password"_s)->setText(u"secret"_s);
        shoot(bench.page, u"settings-connection"_s);
        bench.page.open({{u"tab"_s, u"engine"_s}});
        QTRY_COMPARE(bench.page.findChild<EngineView *>()->problems()->rowCount(), 2);
        shoot(bench.page, u"settings-engine"_s);
        bench.page.open({{u"tab"_s, u"appearance"_s}});
        shoot(bench.page, u"settings-appearance"_s);
    }
    style::applyTheme(*qApp, style::Theme::light);
}

QTEST_MAIN(SettingsPageTest)
#include "tst_settings_page.moc"
