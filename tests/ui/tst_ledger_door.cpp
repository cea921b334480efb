// The ledger page on the real door, on both databases: a key that the sandbox's books know is found
// with its request and its result.
#include "support/window.h"
#include "ui/ledger/key_detail.h"
#include "ui/ledger/ledger_page.h"
#include "ui/widgets/code_view.h"

#include <QLabel>
#include <QLineEdit>
#include <QTableView>

using namespace holdfast;
using namespace holdfast::tests;
using namespace Qt::StringLiterals;

class LedgerDoorTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void keysAreTheDoors_data();
    void keysAreTheDoors();
};

void LedgerDoorTest::keysAreTheDoors_data()
{
    QTest::addColumn<int>("database");
    for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres})
        QTest::newRow(qPrintable(Machine::nameOf(database))) << int(database);
}

void LedgerDoorTest::keysAreTheDoors()
{
    QFETCH(int, database);
    WindowMachine window{Machine::Database(database)};
    Machine &machine = window.machine;
    const QString text = machine.dependencyText(u"native"_s) +
                         Machine::workflowText({Machine::stepText(StepText())});
    window.call(
        u"deploy"_s,
        {{u"files"_s, QJsonArray{QJsonObject{{u"file"_s, u"a.yaml"_s}, {u"text"_s, text}}}}});
    QStringList runs;
    for (int i = 0; i < 120; ++i)
        runs << window.start(QString::number(i));
    for (const QString &run : runs)
        QVERIFY(window.waitFor(run, u"succeeded"_s));
    ledger::LedgerPage page(window.bridge());
    page.resize(1120, 760);
    page.show();
    page.refresh();
    auto *table = page.findChild<QTableView *>(u"keys"_s);
    QTRY_COMPARE(table->model()->rowCount(), 100);
    table->scrollToBottom();
    QTRY_COMPARE(table->model()->rowCount(), 120);
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        const QString key = table->model()->index(row, 0).data().toString();
        QVERIFY(machine.world.books().hasEffect(key));
    }
    auto *search = page.findChild<QLineEdit *>(u"search"_s);
    QTest::keyClicks(search, u"make:7"_s);
    QTest::keyClick(search, Qt::Key_Return);
    QTRY_COMPARE(table->model()->rowCount(), 1);
    auto *detail = page.findChild<ledger::KeyDetail *>();
    QCOMPARE(detail->findChild<QLabel *>(u"keyStatus"_s)->text(), u"✔ Succeeded"_s);
    QVERIFY(
        detail->findChild<widgets::CodeView *>(u"request"_s)->toPlainText().contains(u"make:7"_s));
    QString id;
    for (const auto &effect : machine.world.books().effects())
        id = effect.key == "make:7"_L1 ? effect.id : id;
    QVERIFY(!id.isEmpty());
    QVERIFY(detail->findChild<widgets::CodeView *>(u"result"_s)->toPlainText().contains(id));
    page.open({{u"status"_s, u"failed"_s}});
    QTRY_VERIFY(page.findChild<QLabel *>(u"keysEmpty"_s)->text().startsWith(u"No key has"_s));
}

QTEST_MAIN(LedgerDoorTest)
#include "tst_ledger_door.moc"
