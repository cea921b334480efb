// What a failure group is called, for every status there is.
#include "insight/group_status.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast::insight;

class TestGroupStatus : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void each_status_has_its_facts_data()
    {
        using Days = QVector<qint64>;
        QTest::addColumn<QString>("disposition");
        QTest::addColumn<bool>("seenSince");
        QTest::addColumn<bool>("first");
        QTest::addColumn<Days>("trend");
        QTest::addColumn<Days>("before");
        QTest::addColumn<QString>("status");
        const Days quiet{0, 1, 0}, busy{0, 9, 0}, three{3, 0, 0}, none{0, 0, 0};
        QTest::newRow("new") << u""_s << false << true << quiet << none << u"new"_s;
        QTest::newRow("new and many") << u""_s << false << true << busy << none << u"new"_s;
        QTest::newRow("ongoing") << u""_s << false << false << quiet << quiet << u"ongoing"_s;
        QTest::newRow("ongoing below three times")
            << u""_s << false << false << Days{8, 8, 8} << three << u"ongoing"_s;
        QTest::newRow("ongoing below the least")
            << u""_s << false << false << Days{2} << none << u"ongoing"_s;
        QTest::newRow("escalating") << u""_s << false << false << busy << three << u"escalating"_s;
        QTest::newRow("escalating from nothing")
            << u""_s << false << false << three << none << u"escalating"_s;
        QTest::newRow("resolved") << u"resolved"_s << false << false << busy << none
                                  << u"resolved"_s;
        QTest::newRow("regressed")
            << u"resolved"_s << true << false << quiet << quiet << u"regressed"_s;
        QTest::newRow("archived") << u"archived"_s << false << false << quiet << quiet
                                  << u"archived"_s;
        QTest::newRow("archived in its first week")
            << u"archived"_s << false << true << quiet << none << u"archived"_s;
        QTest::newRow("archived until escalating")
            << u"archived"_s << false << false << busy << three << u"escalating"_s;
        QTest::newRow("no days") << u""_s << false << false << Days() << Days() << u"ongoing"_s;
    }
    void each_status_has_its_facts()
    {
        QFETCH(QString, disposition);
        QFETCH(bool, seenSince);
        QFETCH(bool, first);
        QFETCH(QVector<qint64>, trend);
        QFETCH(QVector<qint64>, before);
        QFETCH(QString, status);
        QCOMPARE(groupStatusName(groupStatus({disposition, seenSince, first, trend, before})),
                 status);
    }
};

QTEST_GUILESS_MAIN(TestGroupStatus)
#include "tst_group_status.moc"
