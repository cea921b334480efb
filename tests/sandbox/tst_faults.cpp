// The script of misbehaviour by itself: which entry applies, which names exist, and that a seed
// repeats.
#include "app/sandbox/faults.h"

#include <QTest>
#include <algorithm>

using namespace holdfast::sandbox;

namespace
{

const QString invoices = QStringLiteral("/payments/v1/invoices");

} // namespace

class TestFaults : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void theMostParticularPathWins();
    void unknownFaultsAreRefused();
    void aSeedRepeats();
};

void TestFaults::theMostParticularPathWins()
{
    FaultPlan plan;
    QVERIFY(plan.always(QStringLiteral("/payments"), QStringLiteral("500")).ok());
    QVERIFY(
        plan.always(QStringLiteral("/payments/v1/invoices/*/void"), QStringLiteral("501")).ok());
    QVERIFY(plan.always(QStringLiteral("GET /payments"), QStringLiteral("502")).ok());
    const auto statusOf = [&plan](const char *method, const char *path) {
        return plan.take(QLatin1String(method), QLatin1String(path), {}).number;
    };
    QCOMPARE(statusOf("POST", "/payments/v1/invoices"), 500);
    QCOMPARE(statusOf("POST", "/payments/v1/invoices/inv_1/void"), 501);
    QCOMPARE(statusOf("GET", "/payments/v1/invoices"), 502);
    QCOMPARE(statusOf("POST", "/paymentsX"), 0);
}

void TestFaults::unknownFaultsAreRefused()
{
    FaultPlan plan;
    for (const char *name : {"explode", "delay", "delay:x", "delay:-1", "drop:1", "99", "600",
                             "redirect:a\r\nb", "work_then_"})
        QVERIFY2(!plan.push(invoices, {QString::fromLatin1(name)}).ok(), name);
}

void TestFaults::aSeedRepeats()
{
    const auto story = [](quint64 seed, bool isReversed) {
        FaultPlan plan;
        plan.chaos(seed, 50);
        QStringList faults;
        for (int i = 0; i < 200; ++i) {
            const int key = isReversed ? 199 - i : i;
            const Fault fault = plan.take(QStringLiteral("POST"), invoices, QString::number(key));
            const QString line =
                QStringLiteral("%1 %2 %3").arg(key).arg(int(fault.kind)).arg(fault.number);
            isReversed ? faults.prepend(line) : faults.append(line);
        }
        return faults;
    };
    QCOMPARE(story(7, false), story(7, true));
    QVERIFY(story(7, false) != story(8, false));
    const QStringList seven = story(7, false);
    const auto calm = std::count_if(seven.begin(), seven.end(), [](const QString &line) {
        return line.section(u' ', 1, 1) == QString::number(int(Fault::Kind::ok));
    });
    QVERIFY(calm > 60 && calm < 140);
}

QTEST_GUILESS_MAIN(TestFaults)
#include "tst_faults.moc"
