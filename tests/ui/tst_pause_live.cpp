// Pausing and resuming from the dialogs, on both databases, judged by the sandbox's own books:
// nothing is sent while paused, everything is sent once afterwards, and what was on the wire
// finishes.
#include "support/window.h"
#include "ui/pause/audit_model.h"
#include "ui/pause/pause_banner.h"
#include "ui/pause/pause_dialog.h"
#include "ui/pause/pause_page.h"
#include "ui/pause/resume_dialog.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/wrap_label.h"

#include <QApplication>
#include <QComboBox>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;
using namespace holdfast::pause;

namespace
{
const QString messages = u"/mail/v1/messages"_s;
const QString reservations = u"/inventory/v1/reservations"_s;
constexpr int patience = 20'000;

void deploy(WindowMachine &window)
{
    StepText mail;
    mail.name = u"send"_s;
    mail.path = messages;
    mail.dependency = u"mail"_s;
    mail.timeout = u"10s"_s;
    StepText stock;
    stock.name = u"reserve"_s;
    stock.path = reservations;
    stock.dependency = u"stock"_s;
    stock.timeout = u"10s"_s;
    const QString text = window.machine.dependencyText(u"none"_s, {}, u"mail"_s) +
                         window.machine.dependencyText(u"none"_s, {}, u"stock"_s) +
                         Machine::workflowText({Machine::stepText(stock), Machine::stepText(mail)});
    window.call(
        u"deploy"_s,
        {{u"files"_s, QJsonArray{QJsonObject{{u"file"_s, u"test.yaml"_s}, {u"text"_s, text}}}}});
}

// The banner as it stands in the window.
struct Frame {
    explicit Frame(bridge::Bridge &bridge) : banner(new PauseBanner(bridge))
    {
        auto *column = new QVBoxLayout(&window);
        column->addWidget(banner);
        column->addStretch(1);
        window.resize(1000, 300);
        window.show();
        QApplication::setActiveWindow(&window);
    }
    QString counts() const
    {
        const auto *label = banner->findChild<QLabel *>(u"pauseCounts"_s);
        return label ? label->text() : QString();
    }
    bool says(const QString &text) const
    {
        return QTest::qWaitFor([&] { return counts().contains(text); }, patience);
    }

    QWidget window;
    PauseBanner *banner;
};

// Ctrl+Alt+P has opened it; Enter on the first preset does the rest.
void pauseBy(bridge::Bridge &bridge, const PauseScope &scope = {})
{
    PauseDialog dialog(bridge, scope);
    dialog.show();
    QApplication::setActiveWindow(&dialog);
    QTest::keyClick(dialog.findChild<QPushButton *>(u"preset1"_s), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(!dialog.isVisible(), patience);
    QCOMPARE(dialog.result(), int(QDialog::Accepted));
}

void resumeBy(Frame &frame, const QString &word, const QString &pace = u"atOnce"_s)
{
    QTest::mouseClick(frame.banner->findChild<QPushButton *>(u"pauseResume"_s), Qt::LeftButton);
    auto *dialog = frame.banner->findChild<ResumeDialog *>();
    QVERIFY(dialog);
    QApplication::setActiveWindow(dialog);
    dialog->findChild<QRadioButton *>(pace)->click();
    QTest::keyClicks(dialog->findChild<QLineEdit *>(u"resumeConfirm"_s), word);
    auto *note = dialog->findChild<QLineEdit *>(u"resumeNote"_s);
    QTest::keyClicks(note, u"mended"_s);
    QTest::keyClick(note, Qt::Key_Return);
}
} // namespace

class PauseLiveTest : public QObject
{
    Q_OBJECT
    static void databases()
    {
        QTest::addColumn<int>("database");
        for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres})
            QTest::newRow(qPrintable(Machine::nameOf(database))) << int(database);
    }

private Q_SLOTS:
    void nothingIsSentWhilePausedAndEverythingOnceAfterwards_data() { databases(); }
    void nothingIsSentWhilePausedAndEverythingOnceAfterwards()
    {
        QFETCH(int, database);
        WindowMachine window{Machine::Database(database)};
        deploy(window);
        Frame frame(window.bridge());
        QVERIFY(!frame.banner->isVisible());
        pauseBy(window.bridge());
        QTRY_VERIFY_WITH_TIMEOUT(frame.banner->isVisible(), patience);
        QVERIFY(frame.banner->findChild<QLabel *>(u"pauseWhat"_s)
                    ->text()
                    .startsWith(u"‖ PAUSED: all writes · by you, "_s));
        QStringList runs;
        for (int i = 0; i < 5; ++i)
            runs << window.start(u"a%1"_s.arg(i));
        QVERIFY(frame.says(u"5 runs held · nothing left on the wire"_s));
        QCOMPARE(window.machine.world.books().requestCount(), 0);
        resumeBy(frame, u"everything"_s);
        for (const QString &run : std::as_const(runs))
            QVERIFY(window.waitFor(run, u"succeeded"_s));
        QCOMPARE(window.machine.world.books().writes(messages).size(), 5);
        QCOMPARE(window.machine.world.books().writes(reservations).size(), 5);
        QCOMPARE(window.machine.world.books().duplicates().size(), 0);
        QTRY_VERIFY_WITH_TIMEOUT(!frame.banner->isVisible(), patience);
    }

    void aRampLetsThemThroughOldestFirstAndEndsThePause_data() { databases(); }
    void aRampLetsThemThroughOldestFirstAndEndsThePause()
    {
        QFETCH(int, database);
        WindowMachine window{Machine::Database(database)};
        deploy(window);
        Frame frame(window.bridge());
        pauseBy(window.bridge());
        QStringList runs;
        for (int i = 0; i < 12; ++i)
            runs << window.start(u"a%1"_s.arg(i));
        QVERIFY(frame.says(u"12 runs held"_s));
        resumeBy(frame, u"everything"_s, u"byRamp"_s);
        auto *ramp = frame.banner->findChild<QLabel *>(u"pauseRamp"_s);
        QTRY_VERIFY_WITH_TIMEOUT(ramp->isVisible(), patience);
        QVERIFY(ramp->text().contains(u"1 run let through"_s));
        for (const QString &run : std::as_const(runs))
            QVERIFY(window.waitFor(run, u"succeeded"_s));
        QTRY_VERIFY_WITH_TIMEOUT(!frame.banner->isVisible(), patience);
        const auto writes = window.machine.world.books().writes(reservations);
        QCOMPARE(writes.size(), 12);
        QVERIFY(writes.first().key.endsWith(u"a0"_s));
        QCOMPARE(window.machine.world.books().duplicates().size(), 0);
    }

    void aRampStopsWhenTheOutsideIsStillIll_data() { databases(); }
    void aRampStopsWhenTheOutsideIsStillIll()
    {
        QFETCH(int, database);
        WindowMachine window{Machine::Database(database)};
        deploy(window);
        Frame frame(window.bridge());
        pauseBy(window.bridge());
        for (int i = 0; i < 6; ++i)
            window.start(u"a%1"_s.arg(i));
        QVERIFY(frame.says(u"6 runs held"_s));
        QVERIFY(window.machine.world.faults().always(reservations, u"work_then_drop"_s).ok());
        resumeBy(frame, u"everything"_s, u"byRamp"_s);
        auto *ramp = frame.banner->findChild<QLabel *>(u"pauseRamp"_s);
        QTRY_VERIFY_WITH_TIMEOUT(ramp->text().contains(u"paused again: 1 of 1 attempts failed"_s),
                                 patience);
        QCOMPARE(window.machine.world.books().writes(reservations).size(), 1);
        QVERIFY(frame.says(u"5 runs held"_s));
    }

    void oneDependencyIsPausedAndOthersGoOn_data() { databases(); }
    void oneDependencyIsPausedAndOthersGoOn()
    {
        QFETCH(int, database);
        WindowMachine window{Machine::Database(database)};
        deploy(window);
        Frame frame(window.bridge());
        pauseBy(window.bridge(), {u"dependency"_s, u"mail"_s});
        QTRY_VERIFY_WITH_TIMEOUT(frame.banner->isVisible(), patience);
        const QString run = window.start(u"a1"_s);
        QVERIFY(window.waitFor(run, u"held"_s));
        QCOMPARE(window.machine.world.books().writes(reservations).size(), 1);
        QCOMPARE(window.machine.world.books().writes(messages).size(), 0);
        QVERIFY(frame.says(u"1 run held"_s));
        resumeBy(frame, u"mail"_s);
        QVERIFY(window.waitFor(run, u"succeeded"_s));
        QCOMPARE(window.machine.world.books().writes(messages).size(), 1);
    }

    // What has left cannot be recalled: the banner counts it until it is back.
    void whatIsOnTheWireIsCountedUntilItIsBack_data() { databases(); }
    void whatIsOnTheWireIsCountedUntilItIsBack()
    {
        QFETCH(int, database);
        WindowMachine window{Machine::Database(database)};
        deploy(window);
        Frame frame(window.bridge());
        QVERIFY(window.machine.push(reservations, {u"delay:2500"_s}));
        const QString run = window.start(u"a1"_s);
        QTRY_COMPARE_WITH_TIMEOUT(window.machine.world.books().requestCount(), 1, patience);
        pauseBy(window.bridge());
        QVERIFY(frame.says(u"1 attempt on the wire (will finish)"_s));
        QVERIFY(frame.says(u"nothing left on the wire"_s));
        QVERIFY(window.waitFor(run, u"held"_s));
        QCOMPARE(window.machine.world.books().effectCount(), 1);
        QCOMPARE(window.machine.world.books().writes(messages).size(), 0);
    }

    void pageShowsWhoPausedAndTheChainIsWhole_data() { databases(); }
    void pageShowsWhoPausedAndTheChainIsWhole()
    {
        QFETCH(int, database);
        WindowMachine window{Machine::Database(database)};
        deploy(window);
        pauseBy(window.bridge());
        PausePage page(window.bridge());
        connect(&window.bridge(), &bridge::Bridge::changed, &page, &PausePage::refresh);
        page.resize(1100, 700);
        page.show();
        page.refresh();
        auto *state = page.findChild<widgets::WrapLabel *>(u"pauseState"_s);
        QTRY_COMPARE_WITH_TIMEOUT(state->text(), u"‖ 1 in force"_s, patience);
        auto *audit = page.findChild<widgets::SteadyTable *>(u"audit"_s);
        const auto top = [&](int column) {
            return audit->model()->index(0, column).data().toString();
        };
        QTRY_COMPARE_WITH_TIMEOUT(top(AuditModel::action), u"pause"_s, patience);
        QCOMPARE(top(AuditModel::actor), u"ada"_s);
        QCOMPARE(top(AuditModel::reason), u"Provider incident"_s);
        page.findChild<QPushButton *>(u"verifyChain"_s)->click();
        auto *verdict = page.findChild<widgets::WrapLabel *>(u"verdict"_s);
        QTRY_VERIFY_WITH_TIMEOUT(verdict->text().startsWith(u"✔ The chain is whole"_s), patience);
        auto *action = page.findChild<QComboBox *>(u"auditAction"_s);
        action->setCurrentIndex(action->findData(u"deploy"_s));
        QTRY_COMPARE_WITH_TIMEOUT(top(AuditModel::action), u"deploy"_s, patience);
    }
};

QTEST_MAIN(PauseLiveTest)
#include "tst_pause_live.moc"
