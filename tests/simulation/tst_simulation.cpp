// Goal: the promises hold on bad days. Method: fixed seeds and all that once failed play the real
// engine, runtime and door against simulated workers, database, services and people; every promise
// has a checker of its own. `simulate` plays as many more as there is time for.
#include "simulation/simulation.h"

#include <QElapsedTimer>
#include <QFile>
#include <QtTest>

namespace holdfast::simulation
{

class SimulationTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void theSameSeedGivesTheSameHistory()
    {
        for (const quint64 seed : {3, 17, 1716}) {
            const quint64 first = Simulation(m_stage, seed, false).run().hash;
            const quint64 other = Simulation(m_stage, seed + 1, false).run().hash;
            QCOMPARE(Simulation(m_stage, seed, true).run().hash, first);
            QVERIFY(other != first);
        }
    }

    void whatOnceFailedHolds()
    {
        QFile file(QStringLiteral(":/simulation/seeds.txt"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto lines = QString::fromUtf8(file.readAll()).split(u'\n');
        for (const QString &line : lines) {
            const QString seed = line.section(u' ', 0, 0);
            if (!seed.isEmpty() && !seed.startsWith(u'#'))
                play(seed.toULongLong());
        }
    }

    // Bounded by time, because a machine may be busy; a quick one plays them all.
    void everyPromiseHolds()
    {
        QElapsedTimer timer;
        timer.start();
        quint64 seed = 1;
        for (; seed <= 1500 && timer.elapsed() < 45'000; ++seed)
            play(seed);
        qInfo("%llu seeds", seed - 1);
        QVERIFY(seed > 20);
    }

private:
    void play(quint64 seed)
    {
        const Verdict verdict = Simulation(m_stage, seed, false).run();
        if (verdict.good())
            return;
        const Verdict again = Simulation(m_stage, seed, true).run();
        for (const QString &line : again.trace)
            qWarning("%s", qPrintable(line));
        QFAIL(qPrintable(QStringLiteral("%1\nsimulate --replay %2")
                             .arg(verdict.violations.join(u'\n'))
                             .arg(seed)));
    }

    Stage m_stage;
};

} // namespace holdfast::simulation

QTEST_GUILESS_MAIN(holdfast::simulation::SimulationTest)
#include "tst_simulation.moc"
