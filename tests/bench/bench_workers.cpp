// How the steps a second grow with the workers that share a PostgreSQL.
//
// Method: 1, 2, 4, 8 and 16 workers, each a process of its own with eight attempts open at once,
// carry out runs of four writes at an outside that takes a tenth of a second to answer, so that one
// worker spends its time waiting, as a real one does. Each count has a database of its own; what
// counts is the middle four fifths of the effects, when all workers are there and none is idle.
// Beside it stands how busy the machine was: where it is busy all the time, more workers cannot
// help.
#include "bench/bench_support.h"
#include "chaos/worker_process.h"
#include "store/store_url.h"
#include "support/postgres_server.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>
#include <QTextStream>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::bench;

namespace
{
constexpr int stepsOfRun = 4;
constexpr int attemptsOfWorker = 8;
constexpr int answerMs = 100;

QString definitions(const tests::Machine &machine)
{
    QStringList steps;
    for (int i = 0; i < stepsOfRun; ++i)
        steps.append(tests::Machine::stepText(
            {.name = u"s%1"_s.arg(i), .path = u"/payments/v1/invoices"_s, .timeout = u"30s"_s}));
    return machine.dependencyText(u"native"_s) + tests::Machine::workflowText(steps, u"24h"_s);
}

// All processors together, since the machine started.
struct Processors {
    double busy = 0;
    double all = 0;

    static Processors now()
    {
        QFile file(u"/proc/stat"_s);
        if (!file.open(QIODevice::ReadOnly))
            die(u"/proc/stat cannot be read"_s);
        const QList<QByteArray> fields = file.readLine().simplified().split(' ');
        Processors processors;
        for (qsizetype i = 1; i < fields.size(); ++i) {
            const bool waits = i == 4 || i == 5; // idle, and idle for want of a disk
            processors.all += fields.at(i).toDouble();
            processors.busy += waits ? 0 : fields.at(i).toDouble();
        }
        return processors;
    }
};

struct Round {
    double stepsPerSecond = 0;
    double busy = 0; // share of the machine
};

Round measure(tests::PostgresServer &server, int workers, int runsOfWorker)
{
    const QString url = server.createDatabase();
    Round round;
    {
        tests::Machine machine(url);
        machine.deploy(definitions(machine));
        const int runs = workers * runsOfWorker;
        for (int i = 0; i < runs; ++i)
            machine.start(QString::number(i));
        must(machine.world.faults().always(u"/payments"_s, u"delay:%1"_s.arg(answerMs)));
        std::vector<std::unique_ptr<tests::WorkerProcess>> crew;
        for (int i = 0; i < workers; ++i)
            crew.push_back(std::make_unique<tests::WorkerProcess>(
                machine, QStringList{u"--until-idle"_s, u"--concurrency"_s,
                                     QString::number(attemptsOfWorker), u"--lease"_s, u"30s"_s}));
        const int steps = runs * stepsOfRun;
        const auto waitFor = [&machine](int count) {
            if (!QTest::qWaitFor([&] { return machine.world.books().effectCount() >= count; },
                                 600'000))
                die(u"the runs do not end"_s);
        };
        waitFor(steps / 10);
        const int first = machine.world.books().effectCount();
        const Processors before = Processors::now();
        QElapsedTimer timer;
        timer.start();
        waitFor(steps * 9 / 10);
        const double seconds = double(timer.elapsed()) / 1000;
        const Processors after = Processors::now();
        round.stepsPerSecond = (machine.world.books().effectCount() - first) / seconds;
        round.busy = (after.busy - before.busy) / std::max(1.0, after.all - before.all);
        for (const auto &worker : crew)
            worker->waitForExit();
        if (machine.world.books().effectCount() != steps)
            die(u"%1 effects of %2 steps"_s.arg(machine.world.books().effectCount()).arg(steps));
    }
    server.dropDatabase(url);
    return round;
}
} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const int runsOfWorker = argc > 1 ? QString::fromLocal8Bit(argv[1]).toInt() : 150;
    tests::PostgresServer *server = tests::PostgresServer::shared();
    if (!server)
        die(u"PostgreSQL is not installed"_s);
    QTextStream out(stdout);
    double ofOne = 0;
    for (const int workers : {1, 2, 4, 8, 16}) {
        const Round round = measure(*server, workers, runsOfWorker);
        if (workers == 1)
            ofOne = round.stepsPerSecond;
        out << u"PostgreSQL, %1 workers: %2 steps/s, %3 times as many as one; the machine was %4 % "
               "busy"_s.arg(workers, 2)
                   .arg(round.stepsPerSecond, 0, 'f', 0)
                   .arg(round.stepsPerSecond / ofOne, 0, 'f', 1)
                   .arg(100 * round.busy, 0, 'f', 0)
            << Qt::endl;
    }
    return 0;
}
