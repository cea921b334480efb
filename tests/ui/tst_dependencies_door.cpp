// A person overrules a breaker from the page, on both databases, judged by the sandbox's books:
// what is forced open sends nothing, what is closed sends each thing once.
#include "engine/classify.h"
#include "support/window.h"
#include "ui/dependencies/dependencies_page.h"
#include "ui/widgets/act_dialog.h"
#include "ui/widgets/json_table_model.h"

#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

using namespace holdfast;
using namespace holdfast::tests;
using namespace Qt::StringLiterals;

class DependenciesDoorTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void breakerIsForcedFromThePage_data();
    void breakerIsForcedFromThePage();

private:
    static void overrule(dependencies::DependenciesPage &page, const QString &button)
    {
        QSignalSpy said(&page, &shell::Page::said);
        QTRY_VERIFY(page.findChild<QPushButton *>(button)->isEnabled());
        QTest::mouseClick(page.findChild<QPushButton *>(button), Qt::LeftButton);
        auto *dialog = page.findChild<widgets::ActDialog *>();
        QVERIFY(dialog);
        QTest::keyClicks(dialog->findChild<QLineEdit *>(u"actReason"_s), u"maintenance tonight"_s);
        QTest::mouseClick(dialog->findChild<QPushButton *>(u"actButton"_s), Qt::LeftButton);
        QTRY_COMPARE(said.size(), 1);
        QTRY_VERIFY(!page.findChild<widgets::ActDialog *>());
    }
};

void DependenciesDoorTest::breakerIsForcedFromThePage_data()
{
    QTest::addColumn<int>("database");
    for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres})
        QTest::newRow(qPrintable(Machine::nameOf(database))) << int(database);
}

void DependenciesDoorTest::breakerIsForcedFromThePage()
{
    QFETCH(int, database);
    WindowMachine window{Machine::Database(database)};
    Machine &machine = window.machine;
    const QString text = machine.dependencyText(u"native"_s) +
                         Machine::workflowText({Machine::stepText(StepText())});
    window.call(
        u"deploy"_s,
        {{u"files"_s, QJsonArray{QJsonObject{{u"file"_s, u"a.yaml"_s}, {u"text"_s, text}}}}});
    dependencies::DependenciesPage page(window.bridge());
    connect(&window.bridge(), &bridge::Bridge::changed, &page, &shell::Page::refresh);
    page.resize(1120, 760);
    page.show();
    page.refresh();
    const auto *model = page.findChild<QTableView *>(u"dependencyList"_s)->model();
    QTRY_COMPARE(model->rowCount(), 1);
    QCOMPARE(model->index(0, 2).data().toString(), u"? unknown, no calls"_s);
    const auto *map = page.findChild<QTableView *>(u"failureMap"_s)->model();
    QTRY_COMPARE(map->rowCount(), engine::builtInRules().size()); // it has none of its own

    overrule(page, u"forceOpen"_s);
    QTRY_VERIFY(model->index(0, 1).data().toString().startsWith(u"✖ Open, tries in"_s));
    const QString held = window.start(u"one"_s);
    QVERIFY(window.waitFor(held, u"waiting"_s));
    QCOMPARE(machine.world.books().requestCount(), 0);

    overrule(page, u"closeBreaker"_s);
    QTRY_VERIFY(model->index(0, 1).data().toString().startsWith(u"● Closed"_s));
    QVERIFY(window.waitFor(held, u"succeeded"_s)); // at once, not when it would have opened
    const QString run = window.start(u"two"_s);
    QVERIFY(window.waitFor(run, u"succeeded"_s));
    QVERIFY(machine.world.books().hasEffect(u"make:two"_s));
    QVERIFY(machine.world.books().duplicates().isEmpty());
    QTRY_COMPARE(model->index(0, 2).data().toString(), u"100 %"_s); // measured now

    // A trial: forced open again, the next call alone is let through and closes it.
    overrule(page, u"forceOpen"_s);
    QTRY_VERIFY(model->index(0, 1).data().toString().startsWith(u"✖ Open"_s));
    overrule(page, u"allowTrial"_s);
    const QString trial = window.start(u"three"_s);
    QVERIFY(window.waitFor(trial, u"succeeded"_s));
    QTRY_VERIFY(model->index(0, 1).data().toString().startsWith(u"● Closed"_s));
    QVERIFY(machine.world.books().hasEffect(u"make:three"_s));

    // What was done stands in the audit, with who and why.
    const QJsonArray audit =
        window.call(u"audit"_s, {{u"action"_s, u"breaker"_s}}).value("audit"_L1).toArray();
    int seen = 0;
    for (const QJsonValue &row : audit)
        seen += row["actor"_L1] == u"ada"_s && row["action"_L1] == u"breaker"_s ? 1 : 0;
    QCOMPARE(seen, 4);
}

QTEST_MAIN(DependenciesDoorTest)
#include "tst_dependencies_door.moc"
