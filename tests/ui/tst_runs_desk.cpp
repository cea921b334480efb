// What a person does to runs of the list, on a made-up door: choosing, copying, exporting, and acts
// with a reason, one run or many.
#include "runs_window.h"
#include "ui/style/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::runs;
using tests::RunsDoor;
using tests::RunsWindow;

class RunsDeskTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { style::applyTheme(*qApp, style::Theme::light); }
    void everythingThatMatches();
    void spacePeeksAtTheCurrentRun();
    void copies();
    void exportsCsvAndJson();
    void anExportIsStopped();
    void anActAsksForAReason();
    void aRefusedActSaysWhy();
    void severalRunsBecomeABatch();
    void everythingThatMatchesBecomesABatch();
    void pictures();

private:
    static void startBatch(RunsWindow &window, const QString &act, const QString &button);
};

void RunsDeskTest::everythingThatMatches()
{
    RunsWindow window(1'204);
    QVERIFY(window.load());
    QTRY_COMPARE(window.text(u"count"_s), u"1,204 runs"_s);
    window.page.table()->setFocus();
    QTest::keyClick(window.page.table(), Qt::Key_A, Qt::ControlModifier);
    auto *all = window.page.findChild<QPushButton *>(u"selectAllThatMatch"_s);
    QTRY_VERIFY(all->isVisible());
    QCOMPARE(all->text(), u"Select all 1,204 that match"_s);
    QTest::mouseClick(all, Qt::LeftButton);
    QCOMPARE(window.text(u"selected"_s), u"Selected: all 1,204 that match"_s);
    QVERIFY(window.page.choice().isAllThatMatch);
    QCOMPARE(window.page.choice().text(), u"all 1,204 that match"_s);
    window.page.table()->selectRow(3);
    QVERIFY(!window.page.choice().isAllThatMatch);
    QCOMPARE(window.text(u"selected"_s), u"1 selected"_s);
}

// The list keeps the focus; the glance follows the current row and shows text from outside as it
// is.
void RunsDeskTest::spacePeeksAtTheCurrentRun()
{
    RunsWindow window(500);
    const QString hostile = u"<b>pay</b>"_s;
    window.door.setShow(
        {{u"verdict"_s, u"the payment was made once"_s},
         {u"steps"_s,
          QJsonArray{QJsonObject{{u"step"_s, hostile}, {u"status"_s, u"succeeded"_s}},
                     QJsonObject{{u"step"_s, u"ship"_s}, {u"status"_s, u"review"_s}}}}});
    QVERIFY(window.load());
    auto *peek = window.page.findChild<QWidget *>(u"peek"_s);
    QVERIFY(!peek->isVisible());
    window.page.table()->selectRow(1);
    window.page.table()->setFocus();
    QVERIFY2(window.door.asked(u"show"_s).isEmpty(), "a glance nobody wants is not read");
    QTest::keyClick(window.page.table(), Qt::Key_Space);
    QVERIFY(peek->isVisible());
    QTRY_COMPARE(window.text(u"peekVerdict"_s), u"The payment was made once"_s);
    QVERIFY(window.page.table()->hasFocus() || !window.page.isActiveWindow());
    QStringList steps;
    for (const QLabel *label : peek->findChildren<QLabel *>())
        steps << label->text();
    QVERIFY(steps.contains(u"✔ "_s + hostile));
    QVERIFY(steps.contains(u"◆ ship"_s));
    QTest::keyClick(window.page.table(), Qt::Key_Down);
    QTRY_VERIFY(window.door.asked(u"show"_s).last().contains(RunsDoor::idOf(497)));
    QTest::keyClick(window.page.table(), Qt::Key_Space);
    QVERIFY(!peek->isVisible());
}

void RunsDeskTest::copies()
{
    RunsWindow window(500);
    QVERIFY(window.load());
    window.page.table()->selectRow(1);
    window.page.table()->setFocus();
    QTest::keyClick(window.page.table(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), RunsDoor::idOf(498));
    QTest::keyClick(window.page.table(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(QApplication::clipboard()->text(), u"holdfast://run/"_s + RunsDoor::idOf(498));
    window.action(u"copyJson"_s)->trigger();
    const QByteArray json = QApplication::clipboard()->text().toUtf8();
    QCOMPARE(QJsonDocument::fromJson(json)["run_id"_L1].toString(), RunsDoor::idOf(498));
    window.page.table()->selectAll();
    window.action(u"copyJson"_s)->trigger();
    QVERIFY(QJsonDocument::fromJson(QApplication::clipboard()->text().toUtf8()).array().size() >=
            100);
}

void RunsDeskTest::exportsCsvAndJson()
{
    RunsWindow window(1'050);
    window.door.change(1'049, {{u"event_id"_s, u"=cmd|' /C calc'!A0"_s}});
    QVERIFY(window.load());
    QTRY_COMPARE(window.text(u"count"_s), u"1,050 runs"_s);
    QTemporaryDir folder;
    const auto textOf = [](const QString &path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    // Through the dialog, as a person does it.
    window.page.table()->setFocus();
    QTest::keyClick(window.page.table(), Qt::Key_E, Qt::ControlModifier);
    auto *dialog = window.page.findChild<QFileDialog *>(u"exportDialog"_s);
    QTRY_VERIFY(dialog && dialog->isVisible());
    QCOMPARE(dialog->windowTitle(), u"Export all 1,050 that match"_s);
    const QString csv = folder.filePath(u"runs.csv"_s);
    dialog->findChild<QLineEdit *>()->setText(csv);
    QMetaObject::invokeMethod(dialog, "accept");
    QTRY_VERIFY(QFile::exists(csv));
    QTRY_VERIFY(window.text(u"exportText"_s).startsWith(u"✔ 1,050 runs were written"_s));
    QCOMPARE(textOf(csv).count("\r\n"), 1'051);
    QVERIFY(textOf(csv).contains(",'=cmd|' /C calc'!A0,"));
    const QString json = folder.filePath(u"runs.json"_s);
    window.page.table()->selectRow(0);
    window.page.table()->selectionModel()->select(
        window.model()->index(4, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    window.page.work()->exportTo(json, ExportFormat::json, window.page.choice());
    QTRY_VERIFY(QFile::exists(json));
    const QJsonArray written = QJsonDocument::fromJson(textOf(json)).array();
    QCOMPARE(written.size(), 2);
    QCOMPARE(written.at(1)["run_id"_L1].toString(), RunsDoor::idOf(1'045));
}

void RunsDeskTest::anExportIsStopped()
{
    RunsWindow window(1'000'000);
    QVERIFY(window.load());
    QTemporaryDir folder;
    const QString path = folder.filePath(u"runs.csv"_s);
    Choice all = window.page.choice();
    all.isAllThatMatch = true;
    window.page.work()->exportTo(path, ExportFormat::csv, all);
    auto *stop = window.page.findChild<QPushButton *>(u"exportStop"_s);
    QTRY_VERIFY(stop->isVisible());
    QTRY_VERIFY(window.text(u"exportText"_s).contains("runs written"_L1));
    QTest::mouseClick(stop, Qt::LeftButton);
    QTRY_VERIFY(window.text(u"exportText"_s).contains("no file was written"_L1));
    QVERIFY(!window.page.work()->isExporting());
    QVERIFY(QDir(folder.path()).isEmpty());
    window.page.work()->exportTo(folder.filePath(u"none/runs.csv"_s), ExportFormat::csv, all);
    QTRY_VERIFY(window.text(u"exportText"_s).contains("did not work"_L1));
}

void RunsDeskTest::anActAsksForAReason()
{
    RunsWindow window(500);
    const QJsonObject allowed{{u"allowed"_s, true}, {u"why"_s, u"Sends charge to payments."_s}};
    window.door.setShow({{u"actions"_s, QJsonObject{{u"retry"_s, allowed}}}});
    QVERIFY(window.load());
    window.page.table()->selectRow(0);
    window.page.table()->setFocus();
    QTest::keyClick(window.page.table(), Qt::Key_R, Qt::ControlModifier);
    QDialog *dialog = nullptr;
    QTRY_VERIFY((dialog = window.page.findChild<QDialog *>(u"actDialog"_s)));
    auto *button = dialog->findChild<QPushButton *>(u"actButton"_s);
    QCOMPARE(button->text(), u"Retry now"_s);
    QVERIFY(!button->isEnabled());
    QVERIFY(dialog->findChild<QWidget *>(u"actThen"_s)
                ->property("text")
                .toString()
                .contains("Sends charge to payments."_L1));
    QTest::keyClicks(dialog->findChild<QLineEdit *>(u"actReason"_s), u"gateway is back"_s);
    QVERIFY(button->isEnabled());
    QTest::keyClick(dialog, Qt::Key_Return);
    QTRY_COMPARE(window.door.asked(u"retry"_s).size(), 1);
    const QJsonObject sent =
        QJsonDocument::fromJson(window.door.asked(u"retry"_s).first().toUtf8()).object();
    QCOMPARE(sent["run"_L1].toString(), RunsDoor::idOf(499));
    QCOMPARE(sent["reason"_L1].toString(), u"gateway is back"_s);
    QCOMPARE(sent["version"_L1].toInt(), 7);
    QTRY_VERIFY(!window.page.findChild<QDialog *>(u"actDialog"_s));
}

void RunsDeskTest::aRefusedActSaysWhy()
{
    RunsWindow window(500);
    const QJsonObject refused{{u"allowed"_s, false}, {u"why"_s, u"the run succeeded already"_s}};
    window.door.setShow({{u"actions"_s, QJsonObject{{u"cancel"_s, refused}}}});
    QVERIFY(window.load());
    window.page.table()->selectRow(0);
    window.page.table()->setFocus();
    QTest::keyClick(window.page.table(), Qt::Key_Delete);
    QDialog *dialog = nullptr;
    QTRY_VERIFY((dialog = window.page.findChild<QDialog *>(u"actDialog"_s)));
    QVERIFY(dialog->findChild<QWidget *>(u"actProblem"_s)
                ->property("text")
                .toString()
                .contains("The run succeeded already"_L1));
    QVERIFY(!dialog->findChild<QPushButton *>(u"actButton"_s)->isVisible());
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(window.door.asked(u"cancel"_s).isEmpty());
}

void RunsDeskTest::severalRunsBecomeABatch()
{
    RunsWindow window(500);
    QVERIFY(window.load());
    window.page.table()->selectRow(0);
    for (const int row : {1, 2})
        window.page.table()->selectionModel()->select(
            window.model()->index(row, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    // A new run for each of many is no act for a batch.
    QVERIFY(!window.action(u"rerun"_s)->isEnabled());
    QVERIFY(window.action(u"compensate"_s)->isEnabled());
    startBatch(window, u"cancel"_s, u"Cancel: start with 3"_s);
    QVERIFY(window.door.asked(u"cancel"_s).isEmpty());
}

void RunsDeskTest::everythingThatMatchesBecomesABatch()
{
    RunsWindow window(360);
    QVERIFY(window.load());
    QVERIFY(window.filter(u"status:failed"_s));
    QTRY_COMPARE(window.text(u"count"_s), u"20 runs match"_s);
    for (QAction *action : window.page.actions()) {
        if (action->text() == u"Select everything that &matches"_s)
            action->trigger();
    }
    startBatch(window, u"retry"_s, u"Retry: start with 20"_s);
    QVERIFY(window.door.asked(u"batch_plan"_s).first().contains("status:failed"_L1));
}

// Counts, gives a reason, starts, and is led to the page of the batch.
void RunsDeskTest::startBatch(RunsWindow &window, const QString &act, const QString &button)
{
    QSignalSpy went(&window.page, &shell::Page::goTo);
    window.action(act)->trigger();
    QDialog *dialog = nullptr;
    QTRY_VERIFY((dialog = window.page.findChild<QDialog *>(u"batchDialog"_s)));
    auto *start = dialog->findChild<QPushButton *>(u"batchStart"_s);
    QTRY_COMPARE(start->text(), button);
    QTest::keyClicks(dialog->findChild<QLineEdit *>(u"batchReason"_s), u"the gateway is back"_s);
    QTest::mouseClick(start, Qt::LeftButton);
    QTRY_COMPARE(went.size(), 1);
    QCOMPARE(went.first().first().toString(), u"batches"_s);
    QCOMPARE(window.door.asked(u"batch_start"_s).size(), 1);
}

// Into the folder that HOLDFAST_SHOTS names, to be looked at by a person.
void RunsDeskTest::pictures()
{
    const QString folder = qEnvironmentVariable("HOLDFAST_SHOTS");
    if (folder.isEmpty())
        QSKIP("HOLDFAST_SHOTS is not set");
    for (const auto theme : {style::Theme::light, style::Theme::dark}) {
        style::applyTheme(*qApp, theme);
        const QString suffix = theme == style::Theme::light ? u"-light.png"_s : u"-dark.png"_s;
        const auto save = [&](QWidget &widget, const QString &name) {
            QCoreApplication::processEvents(); // layouts settle
            QVERIFY(widget.grab().save(QDir(folder).filePath(name + suffix)));
        };
        RunsWindow window(1'204);
        QVERIFY(window.load());
        QTRY_COMPARE(window.text(u"count"_s), u"1,204 runs"_s);
        window.page.table()->selectRow(4);
        window.door.setRuns(1'216);
        QVERIFY(window.refresh());
        save(window.page, u"runs"_s);
        window.door.setShow(
            {{u"verdict"_s, u"the charge may have happened; nobody knows yet"_s},
             {u"steps"_s,
              QJsonArray{QJsonObject{{u"step"_s, u"reserve"_s}, {u"status"_s, u"succeeded"_s}},
                         QJsonObject{{u"step"_s, u"charge"_s}, {u"status"_s, u"review"_s}},
                         QJsonObject{{u"step"_s, u"announce"_s}, {u"status"_s, u"pending"_s}}}}});
        window.action(u"peekRun"_s)->setChecked(true);
        QTRY_VERIFY(!window.text(u"peekVerdict"_s).isEmpty());
        save(window.page, u"runs-peek"_s);
        window.action(u"peekRun"_s)->setChecked(false);
        QVERIFY(window.filter(u"status:review,failed workflow:billing-assistant since:7d"_s));
        QTRY_VERIFY(window.text(u"count"_s).contains("match"_L1));
        QVERIFY(window.filter(u"colour:red"_s));
        window.page.table()->selectAll();
        save(window.page, u"runs-filtered"_s);
        window.page.findChild<QLineEdit *>(u"filter"_s)->clear();
        QVERIFY(window.filter(u"workflow:none"_s));
        QTRY_VERIFY(window.page.findChild<QPushButton *>(u"offer"_s));
        QVERIFY(window.settle() && window.settle());
        save(window.page, u"runs-nomatch"_s);
        RunsWindow none(0);
        none.page.refresh();
        QTRY_COMPARE(none.text(u"emptyHeadline"_s), u"No runs yet."_s);
        save(none.page, u"runs-none"_s);
        window.page.open({{u"filter"_s, QString()}});
        QTRY_VERIFY(window.page.table()->isVisible());
        window.page.table()->selectRow(1);
        const QJsonObject allowed{{u"allowed"_s, true},
                                  {u"why"_s, u"Sends step charge to payments."_s}};
        window.door.setShow({{u"actions"_s, QJsonObject{{u"retry"_s, allowed}}}});
        window.action(u"retry"_s)->trigger();
        QDialog *dialog = nullptr;
        QTRY_VERIFY((dialog = window.page.findChild<QDialog *>(u"actDialog"_s)));
        save(*dialog, u"runs-act"_s);
    }
    style::applyTheme(*qApp, style::Theme::light);
}

QTEST_MAIN(RunsDeskTest)
#include "tst_runs_desk.moc"
