// The list of the review page offscreen, with a door that answers from a table. Goal: order, tabs,
// links and empty states are what a person expects, the selection never moves by itself, and
// nothing from outside is interpreted.
#include "ui/review/json_diff_view.h"
#include "ui/review_samples.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTextEdit>

using namespace holdfast;
using namespace holdfast::tests;
using namespace holdfast::review;
using model::hour;
using model::minute;

class ReviewPageTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void worstComesFirst();
    void modelKeepsItsPromises();
    void tabsCountAndFilter();
    void mineAndSnoozed();
    void selectionStaysWhenItemsArrive();
    void linksLeadToDecidedItemsToo();
    void emptySaysWhenItWasChecked();
    void conflictMarksDifferences();
    void hostileTextIsShownAndNeverInterpreted();
    void everyControlHasANameAndAPlaceInTabOrder();
    void screenshots();
};

void ReviewPageTest::worstComesFirst()
{
    CannedDoor door;
    serve(door);
    ShownReview shown(door);
    QSignalSpy counts(&shown.page, &shell::Page::countChanged);
    QTRY_COMPARE(shown.list->model()->rowCount(), 8);
    shown.page.refresh();
    QStringList ids;
    for (int row = 0; row < 8; ++row)
        ids << shown.list->model()->index(row, 0).data(ReviewModel::idRole).toString();
    QCOMPARE(ids, QStringList({u"comp"_s, u"amb1"_s, u"amb2"_s, u"app1"_s, u"app2"_s, u"conf"_s,
                               u"dead"_s, u"trip"_s}));
    QTRY_VERIFY(!counts.isEmpty());
    QCOMPARE(counts.last().first().toInt(), 8);
    QVERIFY(shown.list->model()->index(1, 0).data().toString().contains(u"Ambiguous"_s));
    QCOMPARE(shown.list->model()->index(3, 0).data(ReviewModel::stateRole).toString(),
             u"due in 50 min"_s);
}

void ReviewPageTest::modelKeepsItsPromises()
{
    ReviewModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto items = [](const QStringList &ids) {
        QVector<Item> list;
        for (const QString &id : ids) {
            Item item;
            item.id = id;
            list << item;
        }
        return list;
    };
    const QVector<QStringList> story{{},
                                     {u"b"_s},
                                     {u"a"_s, u"b"_s, u"d"_s},
                                     {u"a"_s, u"c"_s, u"d"_s, u"e"_s},
                                     {u"e"_s, u"a"_s},
                                     {u"a"_s, u"a"_s},
                                     {},
                                     {u"x"_s, u"y"_s}};
    for (const QStringList &ids : story) {
        model.setRows(items(ids));
        QCOMPARE(model.rowCount(), ids.size());
    }
    model.setPending({{u"x"_s, u"sending"_s}});
    QCOMPARE(model.index(0, 0).data(ReviewModel::stateRole).toString(), u"sending"_s);
    JsonDiffModel diff;
    QAbstractItemModelTester diffTester(&diff,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
    diff.setRows(jsonDiff(QJsonObject{{u"a"_s, 1}, {u"b"_s, 2}}, QJsonObject{{u"b"_s, 3}}));
    QCOMPARE(diff.rowCount(), 2);
    diff.setRows({});
}

void ReviewPageTest::tabsCountAndFilter()
{
    CannedDoor door;
    serve(door);
    ShownReview shown(door);
    auto *tabs = shown.find<QTabBar>(u"kinds"_s);
    QTRY_COMPARE(tabs->tabText(0), u"All 8"_s);
    QCOMPARE(tabs->tabText(2), u"◆ Ambiguous 2"_s);
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(3).center());
    QCOMPARE(shown.list->model()->rowCount(), 2);
    QCOMPARE(shown.page.where().value(u"kind"_s).toString(), u"approval"_s);
    shown.page.open({{u"kind"_s, u"conflict"_s}});
    QCOMPARE(shown.list->model()->rowCount(), 1);
}

void ReviewPageTest::mineAndSnoozed()
{
    CannedDoor door;
    QJsonObject mine = itemJson(samples().at(6), door.now);
    mine.insert(u"claimed_by"_s, u"ada"_s);
    mine.insert(u"claimed_until"_s, ago(door.now, -20 * minute));
    QJsonObject asleep = itemJson(samples().at(5), door.now);
    asleep.insert(u"snoozed_until"_s, ago(door.now, -hour));
    serve(door);
    door.answer(u"reviews"_s, QJsonObject{{u"reviews"_s, QJsonArray{mine, asleep}}});
    ShownReview shown(door);
    QTRY_COMPARE(shown.list->model()->rowCount(), 1);
    QCOMPARE(shown.list->model()->index(0, 0).data(ReviewModel::stateRole).toString(), u"yours"_s);
    QCOMPARE(shown.find<QCheckBox>(u"snoozed"_s)->text(), u"Snoozed (1)"_s);
    shown.find<QCheckBox>(u"snoozed"_s)->click();
    QCOMPARE(shown.list->model()->rowCount(), 2);
    shown.find<QCheckBox>(u"mine"_s)->click();
    QCOMPARE(shown.list->model()->rowCount(), 1);
}

void ReviewPageTest::selectionStaysWhenItemsArrive()
{
    CannedDoor door;
    QVector<Sample> some = samples();
    const Sample worst = some.takeLast();
    const Sample mild = some.at(1);
    for (int i = 0; i < 40; ++i) {
        some << mild;
        some.last().id = u"mild%1"_s.arg(i);
    }
    serve(door, some);
    ShownReview shown(door);
    shown.go(u"amb2"_s);
    const int y = shown.list->visualRect(shown.list->currentIndex()).top();
    for (int i = 0; i < 40; ++i) {
        some << worst;
        some.last().id = u"worst%1"_s.arg(i);
    }
    serve(door, some);
    shown.page.refresh();
    QTRY_COMPARE(shown.list->model()->rowCount(), 87);
    QCOMPARE(shown.list->currentId(), u"amb2"_s);
    QCOMPARE(shown.list->visualRect(shown.list->currentIndex()).top(), y);
}

void ReviewPageTest::linksLeadToDecidedItemsToo()
{
    CannedDoor door;
    serve(door, {});
    QJsonObject decided = detailJson(samples().at(6), door.now);
    decided.insert(u"decided_by"_s, u"bob"_s);
    decided.insert(u"decision"_s, u"happened"_s);
    decided.insert(u"decided_at"_s, ago(door.now, minute));
    door.answer(u"review"_s, decided);
    ShownReview shown(door);
    QTRY_VERIFY(shown.find<widgets::WrapLabel>(u"empty"_s)->isVisible());
    shown.page.open({{u"review"_s, u"amb1"_s}});
    QTRY_VERIFY(shown.find<QTextEdit>(u"evidence"_s)->isVisible());
    QTRY_VERIFY(shown.find<QTextEdit>(u"evidence"_s)->toPlainText().contains(u"Decided by bob"_s));
    QVERIFY(!shown.find<QWidget>(u"answers"_s)->isVisible());
}

void ReviewPageTest::emptySaysWhenItWasChecked()
{
    CannedDoor door;
    serve(door, {});
    door.pulse();
    ShownReview shown(door);
    auto *empty = shown.find<widgets::WrapLabel>(u"empty"_s);
    QTRY_COMPARE(empty->text(), u"✔ All settled."_s);
    QVERIFY(shown.find<widgets::WrapLabel>(u"emptyHint"_s)->text().contains(u"Last checked "_s));
}

void ReviewPageTest::conflictMarksDifferences()
{
    CannedDoor door;
    serve(door);
    ShownReview shown(door);
    shown.go(u"conf"_s);
    auto *diff = shown.page.findChild<JsonDiffModel *>();
    QTRY_COMPARE(diff->rowCount(), 6);
    QStringList marks;
    for (int row = 0; row < diff->rowCount(); ++row)
        marks << diff->index(row, JsonDiffModel::field).data().toString() + u' ' +
                     diff->index(row, JsonDiffModel::mark).data().toString();
    QCOMPARE(marks, QStringList({u"body.amount ≠ differs"_s, u"body.currency = same"_s,
                                 u"body.customer = same"_s, u"body.note ← only here"_s,
                                 u"method = same"_s, u"path = same"_s}));
    shown.find<QCheckBox>(u"onlyDifferences"_s)->click();
    QCOMPARE(diff->rowCount(), 2);
}

void ReviewPageTest::hostileTextIsShownAndNeverInterpreted()
{
    CannedDoor door;
    const QString evil = hostileText();
    Sample sample{u"evil"_s, u"conflict"_s, evil, evil, evil, hour};
    serve(door, {sample});
    QJsonObject detail = detailJson(sample, door.now);
    detail.insert(u"question"_s, evil);
    detail.insert(u"known"_s, QJsonArray{QJsonObject{{u"text"_s, evil}}});
    detail.insert(u"check"_s, QJsonArray{evil});
    detail.insert(u"answers"_s, QJsonArray{answerJson(u"retry"_s, evil, evil)});
    detail.insert(u"payloads"_s, QJsonObject{{u"this"_s, QJsonObject{{evil, evil}}},
                                             {u"other"_s, QJsonObject{{evil, 1}}}});
    door.answer(u"review"_s, detail);
    ShownReview shown(door);
    shown.go(u"evil"_s);
    const QString text = shown.find<QTextEdit>(u"evidence"_s)->toPlainText();
    QVERIFY(text.contains(u"<b>x</b>"_s));
    QVERIFY(text.contains(u"[U+202E]"_s));
    QVERIFY(!text.contains(QChar(0x202E)));
    QCOMPARE(shown.page.size(), QSize(1100, 700));
    QVERIFY(shown.page.minimumSizeHint().width() < 1100);
    for (const QLabel *label : shown.page.findChildren<QLabel *>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
    shoot(shown.page, u"review-hostile"_s);
}

void ReviewPageTest::everyControlHasANameAndAPlaceInTabOrder()
{
    CannedDoor door;
    serve(door);
    ShownReview shown(door);
    for (const QString &id : {u"amb1"_s, u"app1"_s, u"conf"_s, u"trip"_s}) {
        shown.go(id);
        QCOMPARE(nameless(shown.page), QStringList());
    }
    shown.go(u"amb1"_s);
    shown.list->setFocus();
    QSet<QWidget *> reached;
    for (int i = 0; i < 40; ++i) {
        reached.insert(QApplication::focusWidget());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    for (const QString &name : {u"items"_s, u"answer_happened"_s, u"answer_absent"_s, u"receipt"_s,
                                u"reason"_s, u"claimButton"_s, u"openButton"_s, u"mine"_s})
        QVERIFY2(reached.contains(shown.find<QWidget>(name)), qPrintable(name));
}

void ReviewPageTest::screenshots()
{
    for (const auto theme : {style::Theme::light, style::Theme::dark}) {
        style::applyTheme(*qApp, theme);
        CannedDoor door;
        serve(door);
        ShownReview shown(door);
        shown.page.setGrace(60'000);
        shown.go(u"amb1"_s);
        shoot(shown.page, u"review-ambiguous"_s);
        shown.go(u"app1"_s);
        shown.find<QLineEdit>(u"reason"_s)->setText(u"Checked against the quote"_s);
        shoot(shown.page, u"review-approval"_s);
        QTest::keyClick(shown.list, Qt::Key_A);
        shown.go(u"conf"_s);
        shoot(shown.page, u"review-conflict"_s);
        shown.page.resize(800, 560);
        shoot(shown.page, u"review-small"_s);
        CannedDoor quiet;
        serve(quiet, {});
        quiet.pulse();
        ShownReview empty(quiet);
        QTRY_VERIFY(empty.find<widgets::WrapLabel>(u"empty"_s)->text().contains(u"settled"_s));
        shoot(empty.page, u"review-empty"_s);
    }
    style::applyTheme(*qApp, style::Theme::light);
}

QTEST_MAIN(ReviewPageTest)
#include "tst_review_page.moc"
