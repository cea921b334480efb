// simulate --seeds FROM..TO [--jobs N]: plays every seed of the range and prints what was broken
// and how fast it went. simulate --replay SEED: one seed with its trace.
#include "simulation/simulation.h"

#include <QCoreApplication>

#include <chrono>
#include <cstdio>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace holdfast;
using namespace Qt::StringLiterals;
using simulation::Simulation;
using simulation::Stage;
using simulation::Verdict;

namespace
{
// Expressions need an application; each process has its own.
struct Program {
    int count = 1;
    char name[9] = "simulate";
    char *arguments[2] = {name, nullptr};
    QCoreApplication application{count, arguments};
    Stage stage;
};

struct Sums {
    qint64 seeds = 0;
    qint64 faults = 0;
    qint64 turns = 0;
    qint64 commits = 0;
    qint64 crashes = 0;
    qint64 freezes = 0;
    qint64 takeovers = 0;
    qint64 inBulk = 0;
    qint64 simulated = 0;
    qint64 bad = 0;
    qint64 fewFaults = 0; // seeds with less than ten
};

int usage()
{
    std::fputs("usage: simulate --seeds FROM..TO [--jobs N] | --replay SEED\n", stderr);
    return 2;
}

int replay(quint64 seed)
{
    Program program;
    const Verdict verdict = Simulation(program.stage, seed, true).run();
    for (const QString &line : verdict.trace)
        std::printf("%s\n", qPrintable(line));
    for (const QString &violation : verdict.violations)
        std::printf("BROKEN %s\n", qPrintable(violation));
    std::printf("seed %llu, history %016llx, %d faults\n", seed, verdict.hash,
                verdict.figures.faults);
    return verdict.good() ? 0 : 1;
}

void add(Sums &sums, const Verdict &verdict)
{
    const simulation::Figures &figures = verdict.figures;
    ++sums.seeds;
    sums.faults += figures.faults;
    sums.turns += figures.turns;
    sums.commits += figures.commits;
    sums.crashes += figures.crashes;
    sums.freezes += figures.freezes;
    sums.takeovers += figures.takeovers;
    sums.inBulk += figures.inBulk;
    sums.simulated += figures.simulated;
    sums.bad += verdict.good() ? 0 : 1;
    sums.fewFaults += figures.faults < 10 ? 1 : 0;
}

Sums play(quint64 from, quint64 to, quint64 step)
{
    Program program;
    Sums sums;
    for (quint64 seed = from; seed <= to; seed += step) {
        const Verdict verdict = Simulation(program.stage, seed, false).run();
        add(sums, verdict);
        if (verdict.good())
            continue;
        std::printf("seed %llu: %s\n  simulate --replay %llu\n", seed,
                    qPrintable(verdict.violations.mid(0, 4).join(u"\n  "_s)), seed);
        std::fflush(stdout);
    }
    return sums;
}

int playAll(quint64 from, quint64 to, int jobs)
{
    const auto began = std::chrono::steady_clock::now();
    QVector<int> ends;
    for (int job = 0; job < jobs; ++job) {
        int pipeEnds[2];
        if (pipe(pipeEnds) != 0)
            return 1;
        if (fork() == 0) {
            const Sums sums = play(from + quint64(job), to, quint64(jobs));
            const bool written = write(pipeEnds[1], &sums, sizeof sums) == sizeof sums;
            std::fflush(stdout);
            _exit(written ? 0 : 1);
        }
        close(pipeEnds[1]);
        ends.append(pipeEnds[0]);
    }
    Sums total;
    bool complete = true;
    for (const int end : ends) {
        Sums sums;
        complete = read(end, &sums, sizeof sums) == sizeof sums && complete;
        close(end);
        total.seeds += sums.seeds;
        total.faults += sums.faults;
        total.turns += sums.turns;
        total.commits += sums.commits;
        total.crashes += sums.crashes;
        total.freezes += sums.freezes;
        total.takeovers += sums.takeovers;
        total.inBulk += sums.inBulk;
        total.simulated += sums.simulated;
        total.bad += sums.bad;
        total.fewFaults += sums.fewFaults;
    }
    while (wait(nullptr) > 0) {
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    const double working = double(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                           double(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
    const double seeds = double(std::max<qint64>(1, total.seeds));
    std::printf(
        "%lld seeds in %.1f s: %.0f a minute, %.0f a minute of one core; a seed has %.1f "
        "faults (%lld have fewer than "
        "ten), %.0f commits, %.1f crashes, %.1f freezes, %.1f takeovers, %.2f acts in bulk, %.1f "
        "simulated "
        "hours; %lld broken\n",
        total.seeds, seconds, 60 * seeds / seconds, 60 * seeds / working,
        double(total.faults) / seeds, total.fewFaults, double(total.commits) / seeds,
        double(total.crashes) / seeds, double(total.freezes) / seeds,
        double(total.takeovers) / seeds, double(total.inBulk) / seeds,
        double(total.simulated) / seeds / double(model::hour), total.bad);
    if (!complete)
        std::printf("a process ended before its time\n");
    return total.bad == 0 && complete ? 0 : 1;
}
} // namespace

int main(int argc, char **argv)
{
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments.append(QString::fromLocal8Bit(argv[i]));
    int jobs = 1;
    QString seeds;
    for (qsizetype i = 0; i + 1 < arguments.size(); i += 2) {
        if (arguments.at(i) == "--replay"_L1)
            return replay(arguments.at(i + 1).toULongLong());
        if (arguments.at(i) == "--seeds"_L1)
            seeds = arguments.at(i + 1);
        else if (arguments.at(i) == "--jobs"_L1)
            jobs = std::max(1, arguments.at(i + 1).toInt());
        else
            return usage();
    }
    const QStringList range = seeds.split(u".."_s);
    if (range.size() != 2 || arguments.size() % 2 != 0)
        return usage();
    return playAll(range.first().toULongLong(), range.last().toULongLong(), jobs);
}
