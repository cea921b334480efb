// Goal: the console of somebody with few rights offers only what their login may do, says why not,
// and executes nothing. Method: the program's own desk on a shared database with one login per
// role; the pages of a viewer are looked at, light and dark, in the folder that HOLDFAST_SHOTS
// names.
#include "console/desk_bench.h"
#include "support/machine.h"
#include "support/shared_database.h"

using namespace holdfast;
using namespace holdfast::tests;

class RolesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void aViewerIsOfferedNothing();
    void anOperatorPausesAndExecutesNothing();
    void anOwnerMayDoAnything();

private:
    QString urlOf(const QString &login) const { return m_team.urlOf(login); }
    static void picture(DeskBench &bench, const QString &page);

    DesktopSession m_session;
    SharedDatabase m_team;
    QString m_item;
};

void RolesTest::initTestCase()
{
    style::applyTheme(*qApp, style::Theme::light);
    if (!PostgresServer::shared())
        QSKIP("PostgreSQL is not installed");
    QVERIFY(m_team.start());
    Machine adam(urlOf(u"adam"_s)), omar(urlOf(u"omar"_s)), wendy(urlOf(u"wendy"_s));
    StepText step;
    step.extra = u"    approval: {four_eyes: true}\n"_s;
    adam.deploy(adam.dependencyText(u"native"_s) +
                Machine::workflowText({Machine::stepText(step)}));
    omar.start(u"one"_s);
    wendy.runUntilIdle();
    m_item = omar.reviews().first()["id"_L1].toString();
}

void RolesTest::picture(DeskBench &bench, const QString &page)
{
    const QString folder = qEnvironmentVariable("HOLDFAST_SHOTS");
    if (folder.isEmpty())
        return;
    bench.desk.window()->resize(1280, 800);
    bench.desk.window()->setVisible(true);
    for (const style::Theme theme : {style::Theme::light, style::Theme::dark}) {
        style::applyTheme(*qApp, theme);
        QTest::qWait(200); // for the eye alone: what it shows is checked elsewhere
        bench.desk.window()->grab().save(u"%1/roles-%2-%3.png"_s.arg(
            folder, page, theme == style::Theme::light ? u"light"_s : u"dark"_s));
    }
    style::applyTheme(*qApp, style::Theme::light);
}

void RolesTest::aViewerIsOfferedNothing()
{
    DeskBench bench;
    bench.open(urlOf(u"vera"_s));
    shell::MainWindow &window = *bench.desk.window();
    auto *pause = bench.child<QPushButton>(u"pauseButton"_s);
    QTRY_VERIFY(!pause->isEnabled());
    QVERIFY2(pause->toolTip().contains(u"role operator"), qPrintable(pause->toolTip()));
    // A page that thinks otherwise is overruled.
    pause->setEnabled(true);
    pause->setToolTip(u"Stop what Holdfast sends."_s);
    QVERIFY(!pause->isEnabled());
    QVERIFY(pause->toolTip().contains(u"role operator"));
    QTRY_COMPARE(bench.desk.workspace()->bridge().engine().word, u"watching"_s);
    window.goTo(u"review"_s, {{u"item"_s, m_item}});
    auto *claim = bench.child<QPushButton>(u"claimButton"_s);
    QTRY_VERIFY(claim && claim->isVisibleTo(&window));
    QTRY_VERIFY(!claim->isEnabled());
    QTRY_VERIFY(bench.child<QPushButton>(u"answer_approve"_s));
    QTRY_VERIFY(!bench.child<QPushButton>(u"answer_approve"_s)->isEnabled());
    picture(bench, u"review"_s);
    window.goTo(u"pause"_s, {});
    QTRY_VERIFY(!bench.child<QPushButton>(u"pagePause"_s)->isEnabled());
    picture(bench, u"pause"_s);
    window.goTo(u"workflows"_s, {});
    QTRY_VERIFY(!bench.child<QPushButton>(u"startRun"_s)->isEnabled());
    picture(bench, u"workflows"_s);
}

void RolesTest::anOperatorPausesAndExecutesNothing()
{
    DeskBench bench;
    bench.open(urlOf(u"omar"_s));
    bridge::Bridge &bridge = bench.desk.workspace()->bridge();
    QVERIFY(bench.child<QPushButton>(u"pauseButton"_s)->isEnabled());
    QTRY_COMPARE(bridge.engine().word, u"watching"_s);
    std::optional<model::Result<QJsonValue>> said;
    bridge.act(u"pause"_s, {{u"reason"_s, u"an incident"_s}}, this,
               [&](const auto &answer) { said = answer; });
    QTRY_VERIFY(said.has_value());
    QVERIFY2(said->ok(), said->ok() ? "" : qPrintable(said->error().message));
    said.reset();
    bridge.act(u"approve"_s, {{u"review"_s, m_item}, {u"reason"_s, u"why not"_s}}, this,
               [&](const auto &answer) { said = answer; });
    QTRY_VERIFY(said.has_value());
    QVERIFY(!said->ok());
    QVERIFY2(said->error().message.contains(u"role approver"), qPrintable(said->error().message));
    Machine wendy(urlOf(u"wendy"_s));
    const QJsonArray workers = wendy.call(u"workers"_s, {})["workers"_L1].toArray();
    for (const QJsonValue &worker : workers)
        QVERIFY(!worker["alive"_L1].toBool());
}

void RolesTest::anOwnerMayDoAnything()
{
    DeskBench bench;
    bench.open(urlOf({}));
    QTRY_COMPARE(bench.desk.workspace()->bridge().engine().word, u"running"_s);
    QVERIFY(bench.child<QPushButton>(u"pauseButton"_s)->isEnabled());
}

QTEST_MAIN(RolesTest)
#include "tst_roles.moc"
