// Goal: the frame around the pages: ways back and forward, palette, menus, what it says of engine,
// database and pauses, the session, and looks that hold in both themes.
#include "model/names.h"
#include "ui/shell/keys_dialog.h"
#include "ui/shell/main_window.h"
#include "ui/shell/page_list.h"
#include "ui/shell/palette.h"
#include "ui/style/icons.h"
#include "ui/style/status_look.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/times.h"

#include <QAction>
#include <QAtomicInt>
#include <QCheckBox>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QPushButton>
#include <QRadioButton>
#include <QSemaphore>
#include <QSettings>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

using namespace holdfast;
using namespace holdfast::shell;
using namespace Qt::StringLiterals;
using style::Token;

// What the door would answer, changed by the test from its own thread.
struct Answers {
    std::mutex mutex;
    QJsonObject marks{{u"journal"_s, 1}};
    QString problem;
    QAtomicInt pulses = 0;
    Qt::HANDLE readThread = nullptr;

    model::Result<QJsonValue> call(const QString &name)
    {
        const std::lock_guard lock(mutex);
        readThread = QThread::currentThreadId();
        if (!problem.isEmpty())
            return model::Error{model::ErrorKind::lost, problem};
        if (name == "pulse"_L1) {
            ++pulses;
            return QJsonValue(marks);
        }
        if (name == "workflows"_L1)
            return QJsonValue(QJsonObject{
                {u"workflows"_s, QJsonArray{QJsonObject{{u"workflow"_s, u"billing"_s}}}}});
        if (name == "runs"_L1)
            return QJsonValue(
                QJsonObject{{u"runs"_s, QJsonArray{QJsonObject{{u"run_id"_s, u"r-1"_s},
                                                               {u"event_id"_s, u"A-1001"_s},
                                                               {u"workflow"_s, u"billing"_s},
                                                               {u"status"_s, u"review"_s}}}}});
        return QJsonValue(QJsonObject());
    }
    void set(const QJsonObject &value)
    {
        const std::lock_guard lock(mutex);
        marks = value;
    }
    void fail(const QString &why)
    {
        const std::lock_guard lock(mutex);
        problem = why;
    }
};

namespace
{
double luminance(const QColor &colour)
{
    const auto part = [](double value) {
        return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * part(colour.redF()) + 0.7152 * part(colour.greenF()) +
           0.0722 * part(colour.blueF());
}

double contrast(const QColor &a, const QColor &b)
{
    const double high = std::max(luminance(a), luminance(b));
    const double low = std::min(luminance(a), luminance(b));
    return (high + 0.05) / (low + 0.05);
}

class PlainPage : public Page
{
public:
    PlainPage(bridge::Bridge &bridge, const QString &name, const QString &title)
        : Page(bridge, name, title)
    {
        act = addPageAction(u"Run"_s, u"Do it on "_s + title, QKeySequence(u"Ctrl+D"_s));
    }
    void refresh() override { ++refreshed; }
    void open(const QJsonObject &where) override { place = where; }
    QJsonObject where() const override { return place; }

    QAction *act = nullptr;
    int refreshed = 0;
    QJsonObject place;
};
} // namespace

class ShellWindowTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_answers = std::make_unique<Answers>();
        bridge::Sources sources;
        sources.read = [this](const QString &name, const QJsonObject &) {
            return m_answers->call(name);
        };
        sources.act = sources.read;
        m_engine = {u"running"_s, {}, 3};
        sources.engine = [this] { return m_engine; };
        sources.now = [] { return model::Instant(1'800'000'000'000); };
        sources.actor = u"ada"_s;
        sources.database = u"test.db"_s;
        m_bridge = std::make_unique<bridge::Bridge>(std::move(sources));
        m_window = std::make_unique<MainWindow>(
            *m_bridge, Environment{Environment::Kind::production, u"acme"_s});
        for (const auto &[name, title] :
             {std::pair{u"overview"_s, u"Overview"_s}, std::pair{u"runs"_s, u"Runs"_s},
              std::pair{u"review"_s, u"Review"_s}})
            m_window->addPage(new PlainPage(*m_bridge, name, title));
        m_window->addPage(new PlainPage(*m_bridge, u"run"_s, u"Run"_s), false);
        m_window->finish();
        m_window->goTo(u"overview"_s, {});
    }
    void cleanup()
    {
        m_window.reset();
        m_bridge.reset();
    }

    void backAndForwardLeadToThePlaceNotJustThePage();
    void historyForgetsTheOldForward();
    void aPageIsRefreshedWhenShownAndWhenSomethingChanged();
    void pageActionsStandInTheMenuBarAndTheKeys();
    void paletteFindsActionsWorkflowsAndRuns();
    void awayGreysTheFiguresAndComesBackByItself();
    void theDoorIsNeverCalledOnTheWindowsThread();
    void pausesAndCountsAreSaid();
    void anEngineInTroubleIsSaid();
    void aBridgeRetiresWithoutWaiting();
    void closingAndQuittingAreAskedFor();
    void sessionComesBack();
    void anEmptyBoxCanBeSeen_data();
    void anEmptyBoxCanBeSeen();
    void everyControlHasAnAccessibleName();
    void bothThemesKeepContrast_data();
    void bothThemesKeepContrast();
    void statusIsShapeWordAndColour();
    void everyPageHasAnIcon();
    void iconsFollowTheTheme();
    void hiddenCharactersAreShown();
    void durationsHaveTwoParts();

private:
    bridge::EngineState m_engine;
    PlainPage *page(const QString &name) { return static_cast<PlainPage *>(m_window->page(name)); }
    QString text(const QString &name) { return m_window->findChild<QLabel *>(name)->text(); }

    std::unique_ptr<Answers> m_answers;
    std::unique_ptr<bridge::Bridge> m_bridge;
    std::unique_ptr<MainWindow> m_window;
};

void ShellWindowTest::backAndForwardLeadToThePlaceNotJustThePage()
{
    m_window->QWidget::show();
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    m_window->goTo(u"runs"_s, {{u"filter"_s, u"status:review"_s}});
    m_window->goTo(u"run"_s, {{u"run"_s, u"r-1"_s}});
    QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(m_window->currentPage(), u"runs"_s);
    QCOMPARE(page(u"runs"_s)->place.value(u"filter"_s).toString(), u"status:review"_s);
    QTest::keyClick(m_window.get(), Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(m_window->currentPage(), u"run"_s);
    QCOMPARE(page(u"run"_s)->place.value(u"run"_s).toString(), u"r-1"_s);
}

void ShellWindowTest::historyForgetsTheOldForward()
{
    History history;
    history.visit({u"a"_s, {}});
    history.visit({u"b"_s, {}});
    history.visit({u"b"_s, {}});
    QCOMPARE(history.back().page, u"a"_s);
    history.visit({u"c"_s, {}});
    QVERIFY(!history.canGoForward());
    QCOMPARE(history.back().page, u"a"_s);
    QVERIFY(!history.canGoBack());
}

void ShellWindowTest::aPageIsRefreshedWhenShownAndWhenSomethingChanged()
{
    m_bridge->start();
    QTRY_VERIFY(m_answers->pulses >= 2);
    const int before = page(u"overview"_s)->refreshed;
    m_answers->set({{u"journal"_s, 2}});
    QTRY_COMPARE(page(u"overview"_s)->refreshed, before + 1);
    QCOMPARE(page(u"runs"_s)->refreshed, 0);
    m_window->goTo(u"runs"_s, {});
    QCOMPARE(page(u"runs"_s)->refreshed, 1);
}

void ShellWindowTest::pageActionsStandInTheMenuBarAndTheKeys()
{
    QVERIFY(m_window->allActions().contains(page(u"runs"_s)->act));
    QVERIFY(!page(u"runs"_s)->act->isVisible());
    m_window->goTo(u"runs"_s, {});
    QVERIFY(page(u"runs"_s)->act->isVisible());
    QVERIFY(!page(u"overview"_s)->act->isVisible());
    const KeysDialog keys(m_window->allActions(), nullptr);
    const auto *table = keys.findChild<QTableWidget *>();
    QVERIFY(!table->findItems(u"Do it on Runs"_s, Qt::MatchExactly).isEmpty());
    QStringList titles;
    for (const QAction *menu : m_window->menuBar()->actions())
        titles << QString(menu->text()).remove(u'&');
    QCOMPARE(titles.join(u' '), u"File Edit View Run Review Tools Settings Help"_s);
}

void ShellWindowTest::paletteFindsActionsWorkflowsAndRuns()
{
    Palette palette(*m_bridge, m_window->allActions(), nullptr);
    connect(&palette, &Palette::goTo, m_window.get(), &MainWindow::goTo);
    auto *field = palette.findChild<QLineEdit *>(u"paletteText"_s);
    auto *list = palette.findChild<QListWidget *>(u"paletteFound"_s);
    QTest::keyClicks(field, u"refr"_s);
    QVERIFY(list->item(0)->text().startsWith(u"Refresh"_s));
    field->clear();
    QTest::keyClicks(field, u"billing"_s);
    QTRY_VERIFY(list->count() > 0 && list->item(0)->text().startsWith(u"billing"_s));
    field->clear();
    QTest::keyClicks(field, u"A-1001"_s);
    QTRY_COMPARE(list->count(), 1);
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(m_window->currentPage(), u"run"_s);
    QCOMPARE(page(u"run"_s)->place.value(u"run"_s).toString(), u"r-1"_s);
}

void ShellWindowTest::awayGreysTheFiguresAndComesBackByItself()
{
    m_bridge->start();
    m_window->QWidget::show();
    QTRY_VERIFY(m_answers->pulses >= 1);
    QLabel *away = m_window->findChild<QLabel *>(u"away"_s);
    QVERIFY(!away->isVisible());
    m_answers->fail(u"the connection to PostgreSQL was lost"_s);
    QTRY_VERIFY(away->isVisible());
    QVERIFY2(away->text().contains(u"was lost"_s), qPrintable(away->text()));
    QVERIFY2(away->text().contains(u"figures are from"_s), qPrintable(away->text()));
    QVERIFY(page(u"overview"_s)->property("stale").toBool());
    QCOMPARE(page(u"overview"_s)->palette().color(QPalette::WindowText),
             style::colour(Token::muted));
    m_answers->fail({});
    QTRY_VERIFY(!away->isVisible());
    QVERIFY(!page(u"overview"_s)->property("stale").toBool());
}

void ShellWindowTest::theDoorIsNeverCalledOnTheWindowsThread()
{
    m_bridge->start();
    QTRY_VERIFY(m_answers->pulses >= 1);
    QVERIFY(m_answers->readThread != QThread::currentThreadId());
}

void ShellWindowTest::pausesAndCountsAreSaid()
{
    m_bridge->start();
    m_answers->set({{u"journal"_s, 5},
                    {u"reviews"_s, QJsonObject{{u"ambiguous"_s, 4}, {u"approval"_s, 2}}},
                    {u"pauses"_s, QJsonArray{QJsonObject{{u"id"_s, u"p"_s}}}}});
    QTRY_COMPARE(text(u"pauseState"_s), u"1 active pause"_s);
    QVERIFY(m_window->windowTitle().contains(u"PAUSED"_s));
    const auto *list = m_window->findChild<PageList *>(u"pages"_s);
    QVERIFY(list->item(2)->text().contains(u"6"_s));
    QVERIFY(text(u"database"_s).contains(u"PRODUCTION"_s));
    QVERIFY(text(u"engine"_s).contains(u"3 in flight"_s));
}

void ShellWindowTest::anEngineInTroubleIsSaid()
{
    const auto *banner = m_window->findChild<QLabel *>(u"away"_s);
    m_bridge->start();
    m_engine = {u"disk_full"_s, u"the disk of the run database is full"_s, 0};
    QTRY_VERIFY(!banner->isHidden());
    QVERIFY(banner->text().contains(m_engine.message));
    QVERIFY(text(u"engine"_s).contains(u"disk full"_s));
    m_engine = {u"running"_s, {}, 0};
    QTRY_VERIFY(banner->isHidden());
}

// A database that hangs holds up nobody who leaves it.
void ShellWindowTest::aBridgeRetiresWithoutWaiting()
{
    QSemaphore database;
    QSemaphore asked;
    bridge::Sources sources;
    sources.read = [&](const QString &, const QJsonObject &) {
        asked.release();
        database.acquire();
        return QJsonValue();
    };
    sources.act = [](const QString &, const QJsonObject &) { return QJsonValue(); };
    sources.engine = [] { return bridge::EngineState{}; };
    sources.now = [] { return model::Instant(1); };
    bridge::Bridge bridge(std::move(sources));
    QSignalSpy retired(&bridge, &bridge::Bridge::retired);
    bridge.ask(u"runs"_s, {}, this, {});
    asked.acquire();
    bridge.ask(u"never carried out"_s, {}, this, {});
    bridge.retire();
    QVERIFY(retired.isEmpty()); // and we are here while the call is under way
    database.release();
    QVERIFY(retired.wait(10000));
    QVERIFY(!asked.tryAcquire());
}

void ShellWindowTest::closingAndQuittingAreAskedFor()
{
    QSignalSpy closing(m_window.get(), &MainWindow::closeWanted);
    QSignalSpy quitting(m_window.get(), &MainWindow::quitWanted);
    m_window->QWidget::show();
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    QVERIFY(!m_window->close());
    QVERIFY(m_window->isVisible());
    QCOMPARE(closing.size(), 1);
    QTest::keyClick(m_window.get(), Qt::Key_Q, Qt::ControlModifier);
    QCOMPARE(quitting.size(), 1);
    QTest::keyClick(m_window.get(), Qt::Key_W, Qt::ControlModifier);
    QCOMPARE(closing.size(), 2);
    m_window->setNote(u"finishing"_s);
    QCOMPARE(text(u"note"_s), u"finishing"_s);
}

void ShellWindowTest::sessionComesBack()
{
    QTemporaryDir folder;
    QSettings settings(folder.filePath(u"s.ini"_s), QSettings::IniFormat);
    auto *table = new QTableWidget(1, 2, page(u"runs"_s));
    table->setObjectName(u"somewhere"_s);
    table->setColumnWidth(0, 77);
    m_window->goTo(u"runs"_s, {{u"filter"_s, u"status:failed"_s}});
    m_window->saveSession(settings);
    m_window->goTo(u"review"_s, {});
    page(u"runs"_s)->place = {};
    table->setColumnWidth(0, 200);
    m_window->restoreSession(settings);
    QCOMPARE(m_window->currentPage(), u"runs"_s);
    QCOMPARE(page(u"runs"_s)->place.value(u"filter"_s).toString(), u"status:failed"_s);
    QCOMPARE(table->columnWidth(0), 77);
}

// Against the window around it, as WCAG asks of what is no text.
void ShellWindowTest::anEmptyBoxCanBeSeen_data() { bothThemesKeepContrast_data(); }

void ShellWindowTest::anEmptyBoxCanBeSeen()
{
    QFETCH(style::Theme, theme);
    style::applyTheme(*qApp, theme);
    for (QAbstractButton *box : {static_cast<QAbstractButton *>(new QCheckBox),
                                 static_cast<QAbstractButton *>(new QRadioButton)}) {
        const std::unique_ptr<QAbstractButton> kept(box);
        box->resize(box->sizeHint());
        const QImage picture = box->grab().toImage();
        const QColor around = picture.pixelColor(0, 0);
        double best = 1;
        for (int x = 0; x < picture.width(); ++x)
            best = std::max(best, contrast(picture.pixelColor(x, picture.height() / 2), around));
        QVERIFY2(best >= 3, qPrintable(QString::number(best)));
    }
}

void ShellWindowTest::everyControlHasAnAccessibleName()
{
    m_window->QWidget::show();
    for (QWidget *widget : m_window->findChildren<QWidget *>()) {
        const bool isPart = qobject_cast<Page *>(widget) || !widget->isVisibleTo(m_window.get());
        if (widget->focusPolicy() == Qt::NoFocus || isPart || widget->inherits("QToolButton") ||
            widget->inherits("QMenuBar") || widget->inherits("QScrollBar"))
            continue;
        QVERIFY2(!widget->accessibleName().isEmpty(),
                 qPrintable(widget->objectName() + widget->metaObject()->className()));
    }
}

void ShellWindowTest::bothThemesKeepContrast_data()
{
    QTest::addColumn<style::Theme>("theme");
    QTest::newRow("light") << style::Theme::light;
    QTest::newRow("dark") << style::Theme::dark;
}

void ShellWindowTest::bothThemesKeepContrast()
{
    QFETCH(style::Theme, theme);
    using style::colour;
    for (const Token ink : {Token::text, Token::muted, Token::good, Token::bad, Token::attention,
                            Token::busy, Token::undoing}) {
        for (const Token ground : {Token::window, Token::base, Token::alternate, Token::raised})
            QVERIFY2(contrast(colour(theme, ink), colour(theme, ground)) >= 4.5,
                     qPrintable(u"%1 on %2"_s.arg(int(ink)).arg(int(ground))));
    }
    QVERIFY(contrast(colour(theme, Token::onAccent), colour(theme, Token::accent)) >= 4.5);
    for (const auto kind :
         {Environment::Kind::demo, Environment::Kind::test, Environment::Kind::production})
        QVERIFY(contrast(Environment{kind, {}}.ground(), Qt::white) >= 4.5);
}

void ShellWindowTest::statusIsShapeWordAndColour()
{
    QSet<QString> shapes;
    QSet<QString> words;
    for (const QString &name : style::statusNames()) {
        shapes.insert(style::statusLook(name).shape);
        words.insert(style::statusLook(name).word);
    }
    QCOMPARE(style::statusNames().size(), 12);
    QCOMPARE(shapes.size(), style::statusNames().size());
    QCOMPARE(words.size(), style::statusNames().size());
}

void ShellWindowTest::everyPageHasAnIcon()
{
    for (const char *name : {"overview", "runs", "review", "workflows", "dependencies", "ledger",
                             "pause", "batches", "settings"}) {
        const QImage image = style::icon(QLatin1String(name))
                                 .pixmap(32, 32)
                                 .toImage()
                                 .convertToFormat(QImage::Format_ARGB32);
        int inked = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x)
                inked += qAlpha(image.pixel(x, y)) > 128 ? 1 : 0;
        }
        QVERIFY2(inked > 20, name);
    }
    QVERIFY(style::icon(u"no such icon"_s).isNull());
}

void ShellWindowTest::iconsFollowTheTheme()
{
    const auto *list = m_window->findChild<PageList *>(u"pages"_s);
    const auto ink = [list] {
        const QImage image = list->item(0)->icon().pixmap(32, 32).toImage();
        double light = 0;
        int inked = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const QColor pixel = image.pixelColor(x, y);
                if (pixel.alpha() > 200) {
                    light += luminance(pixel);
                    ++inked;
                }
            }
        }
        return inked ? light / inked : -1;
    };
    style::applyTheme(*qApp, style::Theme::dark);
    QTRY_VERIFY(ink() > 0.5);
    style::applyTheme(*qApp, style::Theme::light);
    QTRY_VERIFY(ink() < 0.2);
}

void ShellWindowTest::hiddenCharactersAreShown()
{
    using widgets::plainText;
    QCOMPARE(plainText(u"a\u202Eb"_s), u"a[U+202E]b"_s);
    QCOMPARE(plainText(u"<b>\x1b[31m"_s), u"<b>[U+001B][31m"_s);
    QVERIFY(plainText(QString(10'000, u'x')).size() <= widgets::plainTextMax + 1);
}

void ShellWindowTest::durationsHaveTwoParts()
{
    using widgets::durationText;
    QCOMPARE(durationText(0), u"0 ms"_s);
    QCOMPARE(durationText(42 * model::second), u"42 s"_s);
    QCOMPARE(durationText(2 * model::hour + 10 * model::minute + 5 * model::second),
             u"2 h 10 min"_s);
    QCOMPARE(durationText(72 * model::hour), u"3 d"_s);
    QCOMPARE(widgets::ageText(1000, 61'000), u"1 min"_s);
    QCOMPARE(widgets::ageText(61'000, 1000), u"in 1 min"_s);
}

QTEST_MAIN(ShellWindowTest)
#include "tst_shell_window.moc"
