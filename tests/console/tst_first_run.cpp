// Goal: whoever starts the console for the first time is led in: three ways to begin, a demo that
// shows its preparation and can be stopped, and a list of things to try that only what really
// happened can tick. Method: the program's own desk, with real databases and the real demo.
#include "app/console/progress_window.h"
#include "app/console/tour_panel.h"
#include "app/console/welcome_window.h"
#include "console/desk_bench.h"

#include <QMessageBox>
#include <QProgressBar>

using namespace holdfast;
using namespace holdfast::tests;
using console::Desk;
using console::ProgressWindow;
using console::TourPanel;
using console::WelcomeWindow;

class FirstRunTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { style::applyTheme(*qApp, style::Theme::light); }
    void welcomeOffersThreeWays();
    void aFolderIsDeployed();
    void aFolderWithMistakesIsRefused();
    void connectingFromTheWelcomeSaysWhatIsWrong();
    void theDemoCanBeStopped();
    void theProgramEndsWhenAsked_data();
    void theProgramEndsWhenAsked();
    void theDemoOpensAndItsListIsTickedByWhatHappened();

private:
    template <typename T>
    static T *topLevel()
    {
        for (QWidget *widget : QApplication::topLevelWidgets()) {
            if (auto *found = qobject_cast<T *>(widget); found && found->isVisible())
                return found;
        }
        return nullptr;
    }
    DesktopSession m_session;
};

namespace
{
bool writeFile(const QString &path, const QByteArray &text)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

const QByteArray goodFile = "holdfast: 1\ndependency: world\nowner: a@example.com\n"
                            "url: http://127.0.0.1:8460\nidempotency:\n  protection: none\n---\n"
                            "holdfast: 1\nworkflow: hello\nversion: 1\nowner: a@example.com\n"
                            "deadline: 5m\nevent_id: ${ input.id }\n"
                            "input: {type: object, required: [id]}\nsteps:\n"
                            "  - step: look\n    dependency: world\n    effect: read\n"
                            "    http: {method: GET, path: /inventory/v1/items}\n"
                            "    receipt: {id: \"${ response.body.id }\"}\n";
} // namespace

void FirstRunTest::welcomeOffersThreeWays()
{
    DeskBench bench;
    bench.desk.welcome();
    auto *welcome = topLevel<WelcomeWindow>();
    QVERIFY(welcome);
    for (const char *name : {"welcomeDemo", "welcomeFolder", "welcomeConnect"})
        QVERIFY(welcome->findChild<QPushButton *>(QLatin1String(name))->isVisible());
    QCOMPARE(nameless(*welcome).join(u' '), QString());
    for (const auto theme : {style::Theme::dark, style::Theme::light}) {
        style::applyTheme(*qApp, theme);
        shoot(*welcome, u"welcome"_s);
    }
    QTest::mouseClick(welcome->findChild<QPushButton *>(u"welcomeConnect"_s), Qt::LeftButton);
    QVERIFY(welcome->connection().isVisible());
    QCOMPARE(nameless(*welcome).join(u' '), QString());
    shoot(*welcome, u"welcome-connect"_s);
    QTest::mouseClick(welcome->findChild<QPushButton *>(u"welcomeBack"_s), Qt::LeftButton);
    QVERIFY(!welcome->connection().isVisible());
    // Closing it is all there is to end.
    QSignalSpy ended(&bench.desk, &Desk::ended);
    welcome->close();
    QVERIFY(ended.wait(10000));
}

void FirstRunTest::aFolderIsDeployed()
{
    DeskBench bench;
    QTemporaryDir folder;
    QVERIFY(writeFile(folder.filePath(u"hello.yaml"_s), goodFile));
    bench.desk.welcome();
    QSignalSpy opened(&bench.desk, &Desk::opened);
    Q_EMIT topLevel<WelcomeWindow>()->folderWanted(folder.path());
    QVERIFY(opened.wait(30000));
    QVERIFY(!bench.desk.isWelcoming());
    QVERIFY2(bench.database().contains(u"holdfast.db"_s), qPrintable(bench.database()));
    QTRY_COMPARE_WITH_TIMEOUT(bench.desk.window()->currentPage(), u"workflows"_s, 20000);
    QVERIFY(bench.desk.window()->statusBar()->currentMessage().contains(u"1 workflows"_s));
    QJsonArray workflows;
    bench.desk.workspace()->bridge().ask(u"workflows"_s, {}, this, [&](const auto &answer) {
        workflows = answer ? (*answer)[u"workflows"_s].toArray() : QJsonArray();
    });
    QTRY_COMPARE(workflows.size(), 1);
    // From now on this is what a start without arguments opens.
    QVERIFY(bench.preferences.database().endsWith(u"holdfast.db"_s));
}

void FirstRunTest::aFolderWithMistakesIsRefused()
{
    DeskBench bench;
    QTemporaryDir folder;
    bench.desk.welcome();
    auto *welcome = topLevel<WelcomeWindow>();
    QSignalSpy refused(&bench.desk, &Desk::refused);
    Q_EMIT welcome->folderWanted(folder.path()); // nothing in it
    QVERIFY(refused.wait(10000));
    QVERIFY(welcome->findChild<QWidget *>(u"welcomeProblem"_s)
                ->property("text")
                .toString()
                .contains(u"holds no *.yaml"_s));
    QVERIFY(writeFile(folder.filePath(u"bad.yaml"_s), "holdfast: 1\nworkflow: x\ncolour: red\n"));
    QSignalSpy opened(&bench.desk, &Desk::opened);
    Q_EMIT welcome->folderWanted(folder.path());
    QVERIFY(opened.wait(30000));
    QTRY_VERIFY_WITH_TIMEOUT(bench.child<QMessageBox>(u"deployRefused"_s), 20000);
    const auto *box = bench.child<QMessageBox>(u"deployRefused"_s);
    QVERIFY2(box->informativeText().contains(u"bad.yaml:"_s), qPrintable(box->informativeText()));
    QCOMPARE(box->textFormat(), Qt::PlainText);
}

void FirstRunTest::connectingFromTheWelcomeSaysWhatIsWrong()
{
    DeskBench bench;
    bench.desk.welcome(u"The database used last cannot be opened."_s);
    auto *welcome = topLevel<WelcomeWindow>();
    welcome->showConnection();
    welcome->findChild<QLineEdit *>(u"path"_s)->setText(u"/proc/no/such/folder/x.db"_s);
    QSignalSpy refused(&bench.desk, &Desk::refused);
    welcome->findChild<QPushButton *>(u"connect"_s)->click();
    QVERIFY(refused.wait(30000));
    QVERIFY(welcome->findChild<QWidget *>(u"connectionState"_s)
                ->property("text")
                .toString()
                .startsWith(u"▲ "_s));
    welcome->findChild<QLineEdit *>(u"path"_s)->setText(bench.folder.filePath(u"mine.db"_s));
    QSignalSpy opened(&bench.desk, &Desk::opened);
    welcome->findChild<QPushButton *>(u"connect"_s)->click();
    QVERIFY(opened.wait(30000));
    QVERIFY(!bench.desk.isWelcoming());
}

void FirstRunTest::theDemoCanBeStopped()
{
    DeskBench bench;
    QSignalSpy refused(&bench.desk, &Desk::refused);
    bench.desk.openDemo(7);
    QPointer<ProgressWindow> progress = topLevel<ProgressWindow>();
    QVERIFY(progress); // and this test's thread goes on while it is written
    QTRY_VERIFY_WITH_TIMEOUT(progress->findChild<QProgressBar *>()->value() > 2, 60000);
    QCOMPARE(nameless(*progress).join(u' '), QString());
    QCOMPARE(cutLabels(*progress).join(u' '), QString());
    for (const auto theme : {style::Theme::dark, style::Theme::light}) {
        style::applyTheme(*qApp, theme);
        shoot(*progress, u"demo-progress"_s);
    }
    QTest::mouseClick(progress->findChild<QPushButton *>(u"progressCancel"_s), Qt::LeftButton);
    QVERIFY(refused.wait(60000));
    QVERIFY(!bench.desk.window());
    QTRY_VERIFY(!progress);
}

// The program itself, as a session manager ends it: whatever it is at, it ends in order.
void FirstRunTest::theProgramEndsWhenAsked_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("at the welcome") << QStringList();
    QTest::newRow("preparing the demo") << QStringList{u"--workspace"_s, u"demo"_s};
    QTest::newRow("with a database") << QStringList{u"--db"_s, u"sqlite:$/runs.db"_s};
}

void FirstRunTest::theProgramEndsWhenAsked()
{
    QFETCH(QStringList, arguments);
    QTemporaryDir folder;
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const char *name :
         {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"})
        environment.insert(QLatin1String(name), folder.path());
    QProcess program;
    program.setProcessEnvironment(environment);
    program.start(QFileInfo(qEnvironmentVariable("HOLDFASTCTL")).path() + u"/holdfast"_s,
                  arguments.replaceInStrings(u"$"_s, folder.path()));
    QVERIFY(program.waitForStarted());
    // It listens for the signal once it is up.
    const auto hears = [&] {
        QFile status(u"/proc/%1/status"_s.arg(program.processId()));
        const QString text =
            status.open(QIODevice::ReadOnly) ? QString::fromLatin1(status.readAll()) : QString();
        const QString caught = text.section(u"SigCgt:"_s, 1).section(u'\n', 0, 0).trimmed();
        return (caught.toULongLong(nullptr, 16) >> 14 & 1) == 1;
    };
    QTRY_VERIFY_WITH_TIMEOUT(hears(), 30000);
    program.terminate();
    QVERIFY(program.waitForFinished(60000));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 0);
}

void FirstRunTest::theDemoOpensAndItsListIsTickedByWhatHappened()
{
    DeskBench bench;
    QSignalSpy opened(&bench.desk, &Desk::opened);
    bench.desk.openDemo(7);
    QVERIFY(opened.wait(200000));
    QVERIFY(bench.desk.isDemo());
    QCOMPARE(bench.preferences.database(), QString()); // the demo is nobody's choice for tomorrow
    auto *tour = bench.child<TourPanel>({});
    QVERIFY(tour && tour->isVisible());
    for (int task = 0; task < TourPanel::taskCount; ++task)
        QVERIFY(!tour->isDone(TourPanel::Task(task)));
    bridge::Bridge &bridge = bench.desk.workspace()->bridge();
    // A pause alone is not enough.
    bridge.act(u"pause"_s, {{u"reason"_s, u"a try"_s}}, this, {});
    QTRY_COMPARE(bridge.marks().value(u"pauses"_s).toArray().size(), 1);
    bool isResumed = false;
    bridge.act(u"resume"_s, {{u"reason"_s, u"enough"_s}}, this,
               [&](const auto &answer) { isResumed = answer.ok(); });
    QTRY_VERIFY(isResumed);
    QTRY_VERIFY(tour->isDone(TourPanel::pauseAndResume));
    // The last whole week is over, whatever day the demo is opened on.
    const model::Instant now = bridge.now();
    const model::Instant monday = now - (now - 4 * model::day) % (7 * model::day);
    bridge.act(u"report_sign"_s,
               {{u"since"_s, model::instantText(monday - 7 * model::day)},
                {u"until"_s, model::instantText(monday)}},
               this, {});
    QTRY_VERIFY_WITH_TIMEOUT(tour->isDone(TourPanel::signWeek), 20000);
    // An ambiguous outcome: the demo begins on a bad afternoon, with runs coming in.
    QTRY_VERIFY_WITH_TIMEOUT(bridge.marks().value(u"reviews"_s)[u"ambiguous"_s].toInt() > 0,
                             120000);
    QString item;
    bridge.ask(u"reviews"_s, {}, this, [&](const auto &answer) {
        const QJsonArray items = answer ? (*answer)[u"reviews"_s].toArray() : QJsonArray();
        for (const QJsonValue &row : items)
            item = row[u"kind"_s] == u"ambiguous"_s ? row[u"id"_s].toString() : item;
    });
    QTRY_VERIFY(!item.isEmpty());
    QString refusal = u"not answered"_s;
    bridge.act(u"resolve"_s,
               {{u"review"_s, item},
                {u"verdict"_s, u"happened"_s},
                {u"receipt"_s, QJsonObject{{u"id"_s, u"seen"_s}}},
                {u"reason"_s, u"it is in the books"_s}},
               this,
               [&](const auto &answer) { refusal = answer ? QString() : answer.error().message; });
    QTRY_COMPARE(refusal, QString());
    QTRY_VERIFY_WITH_TIMEOUT(tour->isDone(TourPanel::settle), 20000);
    // A run that did not make an effect twice, once somebody looks at it.
    tour->findChild<QPushButton *>(u"tourTask1Show"_s)->click();
    QTRY_COMPARE_WITH_TIMEOUT(bench.desk.window()->currentPage(), u"run"_s, 20000);
    QTRY_VERIFY_WITH_TIMEOUT(tour->isDone(TourPanel::seeReplay), 20000);
    QVERIFY(!tour->isDone(TourPanel::compensate));
    QCOMPARE(nameless(*tour).join(u' '), QString());
    QCOMPARE(cutLabels(*tour).join(u' '), QString());
    for (const auto theme : {style::Theme::dark, style::Theme::light}) {
        style::applyTheme(*qApp, theme);
        shoot(*bench.desk.window(), u"demo-tour"_s);
    }
    QTest::mouseClick(tour->findChild<QPushButton *>(u"tourSkip"_s), Qt::LeftButton);
    QVERIFY(!tour->isVisible());
    QVERIFY(bench.preferences.isTourSkipped());
    tour->bringBack();
    QVERIFY(tour->isVisible());
}

QTEST_MAIN(FirstRunTest)
#include "tst_first_run.moc"
