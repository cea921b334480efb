// The plain window offscreen, fed by a door that answers from a list of JSON objects. Goal: what a
// person sees is true in each state (loading, empty, live, away), nothing from outside is
// interpreted, and a live update never takes the selection away.
#include "ui/shell/main_window.h"
#include "ui/shell/plain_text.h"
#include "ui/shell/run_feed.h"
#include "ui/shell/run_filter_model.h"
#include "ui/shell/run_table.h"
#include "ui/shell/run_table_model.h"
#include "ui/shell/status_look.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QtTest>
#include <cmath>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::shell;

namespace
{
RunLine line(const QString &id, const QString &status = u"running"_s)
{
    RunLine run;
    run.runId = id;
    run.workflow = u"order"_s;
    run.version = 1;
    run.status = status;
    run.eventId = u"event-"_s + id;
    run.startedAt = 1'800'000'000'000;
    run.updatedAt = run.startedAt;
    return run;
}

SnapshotPtr snapshotOf(const QVector<RunLine> &runs)
{
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->runs = runs;
    snapshot->takenAt = 1'800'000'000'000;
    return snapshot;
}

SnapshotPtr numbered(int count, int newest)
{
    QVector<RunLine> runs;
    for (int i = 0; i < count; ++i)
        runs << line(u"%1"_s.arg(newest - i, 6, 10, QLatin1Char('0')));
    return snapshotOf(runs);
}

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
} // namespace

class MainWindowTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void modelKeepsItsPromises();
    void unchangedRowsAreNotTouched();
    void updateKeepsSelectionAndPlace();
    void emptyStateSaysHowToStart();
    void loadingStateClaimsNothing();
    void awayStateKeepsTheFiguresGreyWithTheirTime();
    void hostileTextIsShownAndNeverInterpreted();
    void filterNarrowsByStatusAndText();
    void everyControlHasAnAccessibleName();
    void bothThemesKeepContrast_data();
    void bothThemesKeepContrast();
    void statusIsShapeWordAndColour();
    void pausesAreSaid();
    void feedTurnsAnswersIntoSnapshots();
    void feedReadsOnAThreadOfItsOwn();
    void screenshots();

private:
    static QString textOf(const MainWindow &window, const QString &name)
    {
        return window.findChild<QLabel *>(name)->text();
    }
    static RunTable *tableOf(const MainWindow &window)
    {
        return window.findChild<RunTable *>(u"runs"_s);
    }
};

void MainWindowTest::modelKeepsItsPromises()
{
    RunTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QVector<QVector<RunLine>> story{
        {},
        {line(u"b"_s)},
        {line(u"e"_s), line(u"d"_s), line(u"b"_s)},
        {line(u"e"_s, u"failed"_s), line(u"d"_s), line(u"b"_s), line(u"a"_s)},
        {line(u"f"_s), line(u"d"_s), line(u"c"_s), line(u"a"_s)},
        {line(u"a"_s), line(u"f"_s)}, // another order: starts over
        {line(u"a"_s), line(u"a"_s)}, // an impossible answer does no harm
        {line(u""_s)},
        {},
        {line(u"z"_s), line(u"y"_s)},
    };
    for (const QVector<RunLine> &runs : story) {
        model.setSnapshot(snapshotOf(runs));
        QCOMPARE(model.rowCount(), runs.size());
        for (int row = 0; row < runs.size(); ++row)
            QVERIFY(model.line(row) == runs.at(row));
    }
}

void MainWindowTest::unchangedRowsAreNotTouched()
{
    RunTableModel model;
    model.setSnapshot(snapshotOf({line(u"c"_s), line(u"b"_s), line(u"a"_s)}));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.setSnapshot(snapshotOf({line(u"c"_s), line(u"b"_s), line(u"a"_s)}));
    QCOMPARE(changed.size(), 0);
    model.setSnapshot(
        snapshotOf({line(u"d"_s), line(u"c"_s), line(u"b"_s, u"failed"_s), line(u"a"_s)}));
    QCOMPARE(inserted.size(), 1);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed.at(0).at(0).toModelIndex().row(), 2);
    QCOMPARE(reset.size(), 0);
}

void MainWindowTest::updateKeepsSelectionAndPlace()
{
    MainWindow window(u"sqlite:test.db"_s, Theme::light);
    window.show();
    window.showSnapshot(numbered(200, 200));
    RunTable *table = tableOf(window);
    table->selectRow(50);
    table->scrollTo(table->currentIndex(), QAbstractItemView::PositionAtCenter);
    const QString selected = table->currentIndex().data(RunTableModel::runIdRole).toString();
    const int top = table->visualRect(table->currentIndex()).top();
    window.showSnapshot(numbered(230, 230));
    QCOMPARE(table->currentIndex().data(RunTableModel::runIdRole).toString(), selected);
    QCOMPARE(table->selectionModel()->selectedRows().size(), 1);
    QCOMPARE(table->currentIndex().row(), 80);
    QCOMPARE(table->visualRect(table->currentIndex()).top(), top);

    // Even when the list comes in an order that makes the model start over.
    auto turned = std::make_shared<Snapshot>(*numbered(230, 230));
    std::reverse(turned->runs.begin(), turned->runs.end());
    window.showSnapshot(turned);
    QCOMPARE(table->selectionModel()->selectedRows().size(), 1);
    const QModelIndex kept = table->selectionModel()->selectedRows().at(0);
    QCOMPARE(kept.data(RunTableModel::runIdRole).toString(), selected);

    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), selected);
}

void MainWindowTest::emptyStateSaysHowToStart()
{
    MainWindow window(u"sqlite:test.db"_s, Theme::light);
    window.showSnapshot(snapshotOf({}));
    QVERIFY(textOf(window, u"empty"_s).startsWith(u"No runs yet. Start one with:"_s));
    QVERIFY(textOf(window, u"empty"_s).contains(u"holdfastctl start"_s));
    QCOMPARE(textOf(window, u"needHeading"_s), u"Nothing waits for a person."_s);
    window.showSnapshot(numbered(2, 2));
    window.findChild<QLineEdit *>(u"textFilter"_s)->setText(u"no such thing"_s);
    QCOMPARE(textOf(window, u"empty"_s), u"No run matches the filter."_s);
}

void MainWindowTest::loadingStateClaimsNothing()
{
    MainWindow window(u"sqlite:test.db"_s, Theme::light);
    QCOMPARE(textOf(window, u"empty"_s), u"Reading the runs…"_s);
    QCOMPARE(textOf(window, u"count_ambiguous"_s), u"–"_s);
    QVERIFY(!textOf(window, u"needHeading"_s).contains(u"Nothing waits"_s));
    QVERIFY(!textOf(window, u"pauses"_s).contains(u"No pause"_s));
}

void MainWindowTest::awayStateKeepsTheFiguresGreyWithTheirTime()
{
    MainWindow window(u"postgresql://ops@db/runs"_s, Theme::dark);
    window.show();
    auto live = std::make_shared<Snapshot>(*numbered(3, 3));
    live->reviewsByKind = {{u"ambiguous"_s, 2}};
    live->reviewTotal = 2;
    window.showSnapshot(live);
    const QModelIndex cell = tableOf(window)->model()->index(0, RunTableModel::status);
    QCOMPARE(cell.data(Qt::ForegroundRole).value<QColor>(), colour(Theme::dark, Token::busy));
    QVERIFY(!window.findChild<QLabel *>(u"away"_s)->isVisible());

    auto away = std::make_shared<Snapshot>(*live);
    away->isAway = true;
    away->problem = u"The server refused the connection."_s;
    window.showSnapshot(away);
    QVERIFY(window.findChild<QLabel *>(u"away"_s)->isVisible());
    QVERIFY(textOf(window, u"away"_s).contains(shortTime(live->takenAt)));
    QVERIFY(textOf(window, u"away"_s).contains(away->problem));
    QCOMPARE(textOf(window, u"count_ambiguous"_s), u"2"_s);
    QCOMPARE(tableOf(window)->model()->rowCount(), 3);
    const QColor muted = colour(Theme::dark, Token::muted);
    QCOMPARE(cell.data(Qt::ForegroundRole).value<QColor>(), muted);
    const auto *count = window.findChild<QLabel *>(u"count_ambiguous"_s);
    QCOMPARE(count->palette().color(QPalette::WindowText), muted);
    QVERIFY(textOf(window, u"connection"_s).contains(u"Away"_s));

    window.showSnapshot(live);
    QVERIFY(!window.findChild<QLabel *>(u"away"_s)->isVisible());
    QCOMPARE(cell.data(Qt::ForegroundRole).value<QColor>(), colour(Theme::dark, Token::busy));
}

void MainWindowTest::hostileTextIsShownAndNeverInterpreted()
{
    QCOMPARE(plainText(u"a\u202Eb\u200Bc\u0007d\ne"_s), u"a[U+202E]b[U+200B]c[U+0007]d⏎e"_s);
    QCOMPARE(plainText(u"<b>x</b> & 名前 é"_s), u"<b>x</b> & 名前 é"_s);
    QCOMPARE(plainText(QString(10'000, u'x')).size(), plainTextMax + 1);

    MainWindow window(u"sqlite:<img src=x>"_s, Theme::light);
    RunLine run = line(u"1"_s, u"<i>odd</i>\u202E"_s);
    run.workflow = u"<b>pay</b>"_s;
    run.reason = u"line\nbreak\u2028<a href='x'>y</a>"_s;
    auto snapshot = std::make_shared<Snapshot>(*snapshotOf({run}));
    PauseLine pause{u"workflow"_s, u"<h1>x</h1>"_s, u"writes"_s, u"<script>"_s, u"ann"_s, 1, 0, 0};
    snapshot->pauses = {pause};
    snapshot->isAway = true;
    snapshot->problem = u"<h1>gone</h1>"_s;
    window.showSnapshot(snapshot);
    const auto *model = tableOf(window)->model();
    QCOMPARE(model->index(0, RunTableModel::status).data().toString(), u"? <i>odd</i>[U+202E]"_s);
    QCOMPARE(model->index(0, RunTableModel::workflow).data().toString(), u"<b>pay</b> v1"_s);
    QCOMPARE(model->index(0, RunTableModel::reason).data().toString(),
             u"line⏎break[U+2028]<a href='x'>y</a>"_s);
    for (const QLabel *label : window.findChildren<QLabel *>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
    for (int column = 0; column < model->columnCount(); ++column)
        QVERIFY(!model->index(0, column).data(Qt::ToolTipRole).isValid()); // would interpret markup
}

void MainWindowTest::filterNarrowsByStatusAndText()
{
    MainWindow window(u"sqlite:test.db"_s, Theme::light);
    RunLine review = line(u"2"_s, u"review"_s);
    review.reason = u"timeout (a.b)*"_s;
    window.showSnapshot(snapshotOf({line(u"3"_s), review, line(u"1"_s, u"compensation_failed"_s)}));
    auto *status = window.findChild<QComboBox *>(u"statusFilter"_s);
    auto *text = window.findChild<QLineEdit *>(u"textFilter"_s);
    const auto *model = tableOf(window)->model();
    status->setCurrentIndex(status->findText(u"Needs a person"_s));
    QCOMPARE(model->rowCount(), 2);
    QCOMPARE(textOf(window, u"shown"_s), u"2 of 3 runs"_s);
    status->setCurrentIndex(status->findText(u"Not final"_s));
    QCOMPARE(model->rowCount(), 2);
    status->setCurrentIndex(0);
    text->setText(u"ORDER (a.b)*"_s); // words, not a pattern
    QCOMPARE(model->rowCount(), 1);
    text->setText(u"event-3"_s);
    QCOMPARE(model->rowCount(), 1);
    text->clear();
    QCOMPARE(model->rowCount(), 3);
    QCOMPARE(status->count(), 4 + statusNames().size());
}

void MainWindowTest::everyControlHasAnAccessibleName()
{
    MainWindow window(u"sqlite:test.db"_s, Theme::light);
    window.show();
    window.showSnapshot(numbered(3, 3));
    for (QWidget *widget : window.findChildren<QWidget *>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisibleTo(&window) ||
            !widget->accessibleName().isEmpty())
            continue;
        // Parts of a control speak through the control.
        bool isPart = false;
        for (QWidget *up = widget->parentWidget(); up != nullptr && up != &window;
             up = up->parentWidget())
            isPart = isPart || !up->accessibleName().isEmpty();
        QAccessibleInterface *accessible = QAccessible::queryAccessibleInterface(widget);
        const bool isNamed =
            accessible != nullptr && !accessible->text(QAccessible::Name).isEmpty();
        QVERIFY2(isPart || isNamed || qobject_cast<QStackedWidget *>(widget) != nullptr,
                 widget->metaObject()->className());
    }
    for (const QString &name : {u"runs"_s, u"statusFilter"_s, u"textFilter"_s, u"needStrip"_s})
        QVERIFY(!window.findChild<QWidget *>(name)->accessibleName().isEmpty());
    QAccessibleInterface *table = QAccessible::queryAccessibleInterface(tableOf(window));
    QCOMPARE(table->role(), QAccessible::Table);
    QCOMPARE(tableOf(window)->model()->index(0, 0).data(Qt::AccessibleTextRole).toString(),
             u"Running"_s);
}

void MainWindowTest::bothThemesKeepContrast_data()
{
    QTest::addColumn<Theme>("theme");
    QTest::newRow("light") << Theme::light;
    QTest::newRow("dark") << Theme::dark;
}

void MainWindowTest::bothThemesKeepContrast()
{
    QFETCH(Theme, theme);
    for (const Token text : {Token::text, Token::muted, Token::good, Token::bad, Token::attention,
                             Token::busy, Token::undoing}) {
        for (const Token ground : {Token::window, Token::base, Token::alternate, Token::raised})
            QVERIFY2(contrast(colour(theme, text), colour(theme, ground)) >= 4.5,
                     qPrintable(u"%1 on %2"_s.arg(int(text)).arg(int(ground))));
    }
    QVERIFY(contrast(colour(theme, Token::onAccent), colour(theme, Token::accent)) >= 4.5);
}

void MainWindowTest::statusIsShapeWordAndColour()
{
    QSet<QString> shapes;
    QSet<QString> words;
    for (const QString &name : statusNames()) {
        shapes.insert(statusLook(name).shape);
        words.insert(statusLook(name).word);
    }
    QCOMPARE(statusNames().size(), 12);
    QCOMPARE(shapes.size(), statusNames().size());
    QCOMPARE(words.size(), statusNames().size());
}

void MainWindowTest::pausesAreSaid()
{
    MainWindow window(u"sqlite:test.db"_s, Theme::light);
    window.showSnapshot(snapshotOf({}));
    QCOMPARE(textOf(window, u"pauses"_s), u"No pause is in force."_s);
    auto paused = std::make_shared<Snapshot>(*snapshotOf({}));
    paused->pauses = {
        {u"all"_s, {}, u"writes"_s, u"refund storm"_s, u"ann"_s, 1'800'000'000'000, 3, 0}};
    window.showSnapshot(paused);
    const QString text = textOf(window, u"pauses"_s);
    for (const QString &part :
         {u"everything"_s, u"writes"_s, u"refund storm"_s, u"ann"_s, u"3 still"_s})
        QVERIFY2(text.contains(part), qPrintable(text));
}

void MainWindowTest::feedTurnsAnswersIntoSnapshots()
{
    bool isAway = false;
    model::Instant now = 1000;
    FeedSources sources;
    sources.now = [&] { return now; };
    sources.engine = [] { return EngineLine{u"running"_s, {}, 2}; };
    sources.call = [&](const QString &name,
                       const QJsonObject &arguments) -> model::Result<QJsonValue> {
        if (isAway)
            return model::Error{model::ErrorKind::lost, u"gone"_s};
        if (name == "runs"_L1 && !arguments.contains("cursor"_L1))
            return QJsonValue(QJsonObject{
                {u"runs"_s,
                 QJsonArray{QJsonObject{{u"run_id"_s, u"2"_s},
                                        {u"status"_s, u"waiting"_s},
                                        {u"retry_count"_s, 3},
                                        {u"started_at"_s, u"2026-11-16T02:36:33.120Z"_s}}}},
                {u"cursor"_s, u"2"_s}});
        if (name == "runs"_L1)
            return QJsonValue(
                QJsonObject{{u"runs"_s, QJsonArray{QJsonObject{{u"run_id"_s, u"1"_s}}}}});
        if (name == "summary"_L1)
            return QJsonValue(QJsonObject{{u"reviews"_s, 7}, {u"pending_commands"_s, 1}});
        if (name == "reviews"_L1)
            return QJsonValue(
                QJsonObject{{u"reviews"_s, QJsonArray{QJsonObject{{u"kind"_s, u"ambiguous"_s}}}}});
        return QJsonValue(
            QJsonObject{{u"pauses"_s, QJsonArray{QJsonObject{{u"scope"_s, u"all"_s}}}}});
    };
    RunFeed feed(sources);
    SnapshotPtr last;
    connect(&feed, &RunFeed::arrived, this, [&](const SnapshotPtr &snapshot) { last = snapshot; });
    feed.refresh();
    QCOMPARE(last->runs.size(), 2);
    QCOMPARE(last->runs.at(0).retryCount, 3);
    QCOMPARE(last->runs.at(0).startedAt, *model::parseInstant(u"2026-11-16T02:36:33.120Z"_s));
    QCOMPARE(last->reviewTotal, 7);
    QCOMPARE(last->reviewsCounted(), 1);
    QCOMPARE(last->pendingCommands, 1);
    QCOMPARE(last->pauses.size(), 1);
    QCOMPARE(last->takenAt, 1000);
    QCOMPARE(last->engine.inFlight, 2);

    isAway = true;
    now = 2000;
    feed.refresh();
    QVERIFY(last->isAway);
    QCOMPARE(last->problem, u"gone"_s);
    QCOMPARE(last->runs.size(), 2); // never zeros
    QCOMPARE(last->takenAt, 1000);
    isAway = false;
    feed.refresh();
    QVERIFY(!last->isAway);
    QCOMPARE(last->takenAt, 2000);
}

void MainWindowTest::feedReadsOnAThreadOfItsOwn()
{
    std::atomic<QThread *> reader = nullptr;
    std::atomic<QThread *> deleter = nullptr;
    struct Connection { // stands for one that belongs to its thread
        std::atomic<QThread *> &deleter;
        ~Connection() { deleter = QThread::currentThread(); }
    };
    FeedSources sources;
    sources.now = [] { return model::Instant(1); };
    sources.call = [&reader, connection = std::make_shared<Connection>(Connection{deleter})](
                       const QString &, const QJsonObject &) -> model::Result<QJsonValue> {
        reader = QThread::currentThread();
        return model::Error{model::ErrorKind::lost, u"away"_s};
    };
    deleter = nullptr; // a temporary went here
    FeedThread thread(std::exchange(sources, {}));
    MainWindow window(u"sqlite:test.db"_s, Theme::light);
    QThread *shownOn = nullptr;
    connect(&thread, &FeedThread::arrived, &window, &MainWindow::showSnapshot);
    connect(&thread, &FeedThread::arrived, &window, [&] { shownOn = QThread::currentThread(); });
    connect(&window, &MainWindow::refreshWanted, &thread, &FeedThread::refreshWanted);
    QSignalSpy arrived(&thread, &FeedThread::arrived);
    thread.start();
    QVERIFY(arrived.wait());
    QCOMPARE(shownOn, QThread::currentThread());
    QCOMPARE(reader.load(), static_cast<QThread *>(&thread));
    Q_EMIT window.refreshWanted();
    QTRY_VERIFY(arrived.size() >= 2);
    thread.stop();
    QCOMPARE(deleter.load(), static_cast<QThread *>(&thread));
}

// With HOLDFAST_SCREENSHOTS set to a folder, leaves pictures of each state there to be looked at.
void MainWindowTest::screenshots()
{
    const QString folder = qEnvironmentVariable("HOLDFAST_SCREENSHOTS");
    for (const Theme theme : {Theme::light, Theme::dark}) {
        applyTheme(*qApp, theme);
        MainWindow window(u"sqlite:holdfast.db"_s, theme);
        window.show();
        QVector<RunLine> runs;
        for (const QString &status : statusNames())
            runs << line(QString::number(100 - runs.size()), status);
        auto snapshot = std::make_shared<Snapshot>(*snapshotOf(runs));
        snapshot->reviewsByKind = {{u"ambiguous"_s, 4}, {u"dead_letter"_s, 12}};
        snapshot->reviewTotal = 16;
        snapshot->engine = {u"running"_s, {}, 3};
        const QString name = theme == Theme::light ? u"light"_s : u"dark"_s;
        const auto save = [&](const QString &what) {
            QCoreApplication::processEvents(); // lets layouts settle
            const QPixmap picture = window.grab();
            QVERIFY(!picture.isNull());
            QVERIFY(folder.isEmpty() ||
                    picture.save(folder + u'/' + what + u'-' + name + u".png"_s));
        };
        save(u"loading"_s);
        window.showSnapshot(snapshotOf({}));
        save(u"empty"_s);
        window.showSnapshot(snapshot);
        tableOf(window)->selectRow(2);
        save(u"runs"_s);
        auto away = std::make_shared<Snapshot>(*snapshot);
        away->pauses = {
            {u"all"_s, {}, u"writes"_s, u"refund storm"_s, u"ann"_s, 1'800'000'000'000, 3, 0}};
        away->isAway = true;
        away->problem = u"The server refused the connection; it is tried again by itself."_s;
        window.showSnapshot(away);
        save(u"away"_s);
    }
}

QTEST_MAIN(MainWindowTest)
#include "tst_main_window.moc"
