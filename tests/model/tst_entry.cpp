// Goal: what was read of a journal once is the same whenever it is read again, whoever changed
// their copy of it in between. Method: texts are read, the results spoiled, and the texts read
// again; more of them than are kept, and one that is larger than all that is kept.
#include "model/entry.h"

#include <QTest>

using namespace holdfast::model;
using namespace Qt::StringLiterals;

class EntryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aTextReadsTheSameEveryTime_data()
    {
        QTest::addColumn<int>("size");
        QTest::newRow("small") << 10;
        QTest::newRow("half of what is kept") << 600'000;
        QTest::newRow("more than is kept") << 2'000'000;
    }
    void aTextReadsTheSameEveryTime()
    {
        QFETCH(int, size);
        for (int round = 0; round < 3; ++round) {
            for (int i = 0; i < 3; ++i) {
                const Entries written = noted(i, size);
                const QByteArray text = entriesToJson(written);
                Entries read = entriesFromJson(text);
                QCOMPARE(entriesToJson(read), text);
                read.first().reason = u"spoiled"_s;
                read.first().detail.insert(u"spoiled"_s, true);
                read.append(Entry());
                QCOMPARE(entriesToJson(entriesFromJson(text)), text);
            }
        }
    }

private:
    static Entries noted(int number, int size)
    {
        Entry entry;
        entry.kind = EntryKind::noted;
        entry.at = 1'000 + number;
        entry.reason = QString(size, u'x');
        entry.detail = {{u"number"_s, number}};
        return {entry};
    }
};

QTEST_GUILESS_MAIN(EntryTest)
#include "tst_entry.moc"
