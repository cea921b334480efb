// The window over the list of runs. Goal: whatever pages come in whatever order, what is held is a
// contiguous piece of the list as it is, at most so long, and rows that did not change are not
// touched.
#include "ui/runs/runs_model.h"

#include <QAbstractItemModelTester>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast::runs;

namespace
{
RunLine line(int number, const QString &status = u"running"_s)
{
    RunLine made;
    made.runId = u"%1"_s.arg(number, 8, 10, QLatin1Char('0'));
    made.status = status;
    made.workflow = u"order"_s;
    made.eventId = u"order/"_s + made.runId;
    made.startedAt = 1'800'000'000'000 + number;
    return made;
}

// From `first` down to `last`.
RunLines lines(int first, int last, int step = 1)
{
    RunLines made;
    for (int number = first; number >= last; number -= step)
        made << line(number);
    return made;
}

QString idOf(int number) { return line(number).runId; }

RunLines heldBy(const RunsModel &model)
{
    RunLines held;
    for (int row = 0; row < model.rowCount(); ++row)
        held << model.line(row);
    return held;
}
} // namespace

class RunsModelTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void pagesMakeOneList();
    void changedRowsChangeInPlaceAndOthersAreNotTouched();
    void newRowsWaitUntilTheyAreLetIn();
    void rowsThatNoLongerMatchLeave();
    void shortPagesCoverWhatTheyLookedAt();
    void memoryIsBoundedInBothDirections();
    void anyOrderOfPagesGivesTheList();
    void cellsAreShapeWordAndPlainText();
};

void RunsModelTest::pagesMakeOneList()
{
    RunsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.restart(lines(300, 201), idOf(201));
    QVERIFY(model.hasMore());
    model.append(lines(200, 101), idOf(101));
    model.append(lines(105, 50), {}); // an overlap does no harm
    QVERIFY(!model.hasMore());
    QCOMPARE(heldBy(model), lines(300, 50));
    QCOMPARE(model.rowOf(idOf(120)), 180);
    QCOMPARE(model.rowOf(idOf(7)), -1);
    QCOMPARE(model.idBefore(1), idOf(300));
    QVERIFY(model.idBefore(0).isEmpty());
    model.restart({}, {});
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.merge({}, {}, {}), 0);
}

void RunsModelTest::changedRowsChangeInPlaceAndOthersAreNotTouched()
{
    RunsModel model;
    model.restart(lines(10, 1), {});
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    QCOMPARE(model.merge({}, lines(10, 1), {}), 0);
    QCOMPARE(changed.size(), 0);
    RunLines next = lines(12, 1);
    next[5] = line(7, u"failed"_s);
    QCOMPARE(model.merge({}, next, {}), 2);
    QCOMPARE(inserted.size(), 1);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed.first().first().toModelIndex().row(), 5);
    QCOMPARE(removed.size() + reset.size(), 0);
    QCOMPARE(heldBy(model), next);
}

void RunsModelTest::newRowsWaitUntilTheyAreLetIn()
{
    RunsModel model;
    model.restart(lines(10, 1), {});
    RunLines next = lines(13, 1);
    next[4] = line(9, u"failed"_s);
    QCOMPARE(model.merge({}, next, {}, false), 3);
    QCOMPARE(model.rowCount(), 10);
    QCOMPARE(model.line(1).status, u"failed"_s);
    QCOMPARE(model.merge({}, next, {}, true), 3);
    QCOMPARE(heldBy(model), next);
}

void RunsModelTest::rowsThatNoLongerMatchLeave()
{
    RunsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.restart(lines(100, 1), {});
    RunLines page = lines(90, 80);
    page.remove(3, 2); // 87 and 86 are gone
    model.merge(idOf(91), page, idOf(80));
    RunLines expected = lines(100, 1);
    expected.removeIf(
        [](const RunLine &held) { return held.runId == idOf(87) || held.runId == idOf(86); });
    QCOMPARE(heldBy(model), expected);
    model.merge(idOf(51), {}, {}); // nothing is left below 51
    QCOMPARE(model.line(model.rowCount() - 1).runId, idOf(51));
}

void RunsModelTest::shortPagesCoverWhatTheyLookedAt()
{
    RunsModel model;
    model.restart({}, idOf(900)); // looked at everything down to 900 and found nothing
    QVERIFY(model.hasMore());
    QCOMPARE(model.nextCursor(), idOf(900));
    model.append({line(850)}, idOf(800));
    model.append(lines(799, 790), idOf(700));
    QCOMPARE(model.rowCount(), 11);
    model.merge({}, {line(905)}, idOf(840)); // 850 is gone by now
    QCOMPARE(model.line(0).runId, idOf(905));
    QCOMPARE(model.line(1).runId, idOf(799));
    QCOMPARE(model.nextCursor(), idOf(700));
}

void RunsModelTest::memoryIsBoundedInBothDirections()
{
    constexpr int total = 60'000;
    constexpr int page = 100;
    RunsModel model;
    model.restart(lines(total, total - page + 1), idOf(total - page + 1));
    while (model.hasMore()) {
        const int from = model.nextCursor().toInt() - 1;
        const int to = std::max(from - page + 1, 1);
        model.append(lines(from, to), to == 1 ? QString() : idOf(to));
        QVERIFY(model.rowCount() <= RunsModel::rowsMax);
    }
    QCOMPARE(model.line(model.rowCount() - 1).runId, idOf(1));
    QVERIFY(model.hasEarlier());
    while (model.hasEarlier()) {
        const QString cursor = model.earlierCursor();
        const int from = cursor.isEmpty() ? total : cursor.toInt() - 1;
        model.prepend(lines(from, from - page + 1));
        QVERIFY(model.rowCount() <= RunsModel::rowsMax);
    }
    QCOMPARE(model.line(0).runId, idOf(total));
    for (int row = 1; row < model.rowCount(); ++row)
        QCOMPARE(model.line(row).runId.toInt(), model.line(row - 1).runId.toInt() - 1);
    QVERIFY(model.hasMore());
    QCOMPARE(model.nextCursor(), model.line(model.rowCount() - 1).runId);
}

// A list that grows at the top and loses rows anywhere, read in pages of random size: after a full
// pass the model holds exactly the list.
void RunsModelTest::anyOrderOfPagesGivesTheList()
{
    QRandomGenerator random(7);
    for (int round = 0; round < 200; ++round) {
        RunsModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        RunLines truth = lines(60, 1);
        model.restart(truth, {});
        for (int change = 0; change < 6; ++change) {
            if (random.bounded(2) == 0)
                truth.prepend(
                    line(truth.isEmpty() ? 100 + round : truth.first().runId.toInt() + 1));
            else if (!truth.isEmpty())
                truth.remove(random.bounded(int(truth.size())));
        }
        QString after;
        qsizetype at = 0;
        while (true) {
            const qsizetype size = std::min<qsizetype>(random.bounded(1, 20), truth.size() - at);
            const RunLines page = truth.mid(at, size);
            at += size;
            const bool isLast = at >= truth.size();
            model.merge(after, page, isLast ? QString() : page.last().runId);
            if (isLast)
                break;
            after = page.last().runId;
        }
        QCOMPARE(heldBy(model), truth);
    }
}

void RunsModelTest::cellsAreShapeWordAndPlainText()
{
    RunsModel model;
    RunLine odd = line(1, u"review"_s);
    odd.eventId = u"<b>x</b>\u202eevil\u001b[31m"_s;
    odd.startedAt = 1'000'000;
    model.restart({odd}, {});
    model.setNow(1'000'000 + 130 * 60'000);
    QCOMPARE(model.index(0, RunsModel::status).data().toString(), u"◆ Review"_s);
    const QString event = model.index(0, RunsModel::eventId).data().toString();
    QVERIFY(event.contains("<b>"_L1));
    QVERIFY(!event.contains(QChar(0x202e)));
    QVERIFY(!event.contains(QChar(0x1b)));
    QVERIFY(
        !model.index(0, RunsModel::eventId).data(Qt::ToolTipRole).toString().contains("<b>"_L1));
    QCOMPARE(model.index(0, RunsModel::age).data().toString(), u"2 h 10 min"_s);
    QCOMPARE(model.index(0, RunsModel::workflow).data().toString(), u"order@0"_s);
}

QTEST_GUILESS_MAIN(RunsModelTest)
#include "tst_runs_model.moc"
