// The state × event table of the engine against its golden copy, so that a change of behaviour is
// seen in a review. Run with HOLDFAST_UPDATE_GOLDEN=1 to accept a change.
#include "engine/state_table.h"
#include "model/run.h"

#include <QFile>
#include <QtTest>

namespace holdfast::tests
{

class TestStateTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theTableIsTheGoldenOne();
    void everyStateReachedKeepsTheInvariants();
    void everyReachableStatusAnswersEveryEvent();
    void finalIsFinalForTheEngine();

private:
    QMap<QString, QMap<QString, QString>> cells() const;
    const engine::StateTable m_explored = engine::stateTable();
    const QString m_table = m_explored.text;
};

namespace
{
const QString goldenPath =
    qEnvironmentVariable("HOLDFAST_SOURCE_DIR") + QStringLiteral("/tests/data/state_table.md");
} // namespace

void TestStateTable::theTableIsTheGoldenOne()
{
    if (qEnvironmentVariableIntValue("HOLDFAST_UPDATE_GOLDEN") == 1) {
        QFile file(goldenPath);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(m_table.toUtf8());
        return;
    }
    QFile file(goldenPath);
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(goldenPath));
    const QStringList golden = QString::fromUtf8(file.readAll()).split(u'\n');
    const QStringList printed = m_table.split(u'\n');
    for (qsizetype i = 0; i < std::min(golden.size(), printed.size()); ++i)
        QCOMPARE(printed.at(i), golden.at(i));
    QCOMPARE(printed.size(), golden.size());
}

void TestStateTable::everyStateReachedKeepsTheInvariants()
{
    QVERIFY2(m_explored.violations.isEmpty(), qPrintable(m_explored.violations.join(u'\n')));
}

QMap<QString, QMap<QString, QString>> TestStateTable::cells() const
{
    QMap<QString, QMap<QString, QString>> table;
    const QStringList lines = m_table.trimmed().split(u'\n');
    const QStringList statuses = lines.first().split(u'|');
    for (const QString &line : lines.mid(2)) {
        const QStringList row = line.split(u'|');
        for (qsizetype i = 2; i + 1 < row.size(); ++i)
            table[row.at(1).trimmed()][statuses.at(i).trimmed()] = row.at(i).trimmed();
    }
    return table;
}

void TestStateTable::everyReachableStatusAnswersEveryEvent()
{
    const auto table = cells();
    QCOMPARE(table.size(), 15);
    for (auto event = table.cbegin(); event != table.cend(); ++event) {
        QCOMPARE(event->size(), int(std::size(model::allRunStatuses)));
        for (auto cell = event->cbegin(); cell != event->cend(); ++cell)
            QVERIFY2(!cell->isEmpty(), qPrintable(event.key() + u' ' + cell.key()));
    }
}

// I21: reports and ticks never move a final run; only a person's command does, and only where §11
// says so.
void TestStateTable::finalIsFinalForTheEngine()
{
    const auto table = cells();
    for (const model::RunStatus status : model::allRunStatuses) {
        if (!model::isFinal(status))
            continue;
        const QString name = model::runStatusName(status);
        for (const char *event :
             {"prepared", "ledger_answered", "attempt_ended", "taken_over", "collected", "tick"})
            QCOMPARE(table[QString::fromLatin1(event)][name], QStringLiteral("replayed"));
        for (const char *event : {"cancel", "signal"})
            QCOMPARE(table[QString::fromLatin1(event)][name], QStringLiteral("rejected"));
    }
    const QString rejected = QStringLiteral("rejected");
    QCOMPARE(table[QStringLiteral("retry")][QStringLiteral("succeeded")], rejected);
    QCOMPARE(table[QStringLiteral("retry")][QStringLiteral("compensated")], rejected);
    QCOMPARE(table[QStringLiteral("compensate")][QStringLiteral("compensated")], rejected);
    QCOMPARE(table[QStringLiteral("compensate")][QStringLiteral("cancelled")], rejected);
}

} // namespace holdfast::tests

QTEST_APPLESS_MAIN(holdfast::tests::TestStateTable)
#include "tst_state_table.moc"
