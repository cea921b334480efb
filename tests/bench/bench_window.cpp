// How fast the console is over a run database with a million runs: pages, scrolling, memory, start.
//
// Method: the past is written once into the build folder and kept there for half a day; PostgreSQL
// is measured too where HOLDFAST_TEST_POSTGRES names a server, or "postgres" is asked for. The real
// window is put together as the program does it, in a process of its own, and each page counts as
// painted when everything it asked for is in it. For the start, a process that does the same says
// when its first page was painted, and the program itself is asked through its socket: it is the
// window's own event loop that answers there.
//
// bench_window [sqlite|postgres]… [RUNS]; exits with 1 when a goal is missed.
#include "api/remote_door.h"
#include "bench/bench_support.h"
#include "bench/large_past.h"
#include "bench/window_probe.h"
#include "store/file_ownership.h"
#include "support/postgres_server.h"

#include <QApplication>
#include <QDateTime>
#include <QDir>
#include <QEventLoop>
#include <QFileInfo>
#include <QProcess>
#include <QThread>
#include <QTimer>
#include <cstdio>
#include <cstdlib>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::bench;

namespace
{
constexpr int runsTotal = 1'000'000;
constexpr int startsTotal = 5;
constexpr qint64 pastKeptSeconds = 12 * 60 * 60;
constexpr double startGoalMs = 500;
constexpr double memoryGoalMb = 250;

// The same clock in every process of this machine.
qint64 monotonicMillis()
{
    QElapsedTimer timer;
    timer.start();
    return timer.msecsSinceReference();
}

// What others do with the machine meanwhile is in every figure.
void sayWhere(const QString &what)
{
    double load = 0;
    getloadavg(&load, 1);
    std::printf("%s, load %.1f on %d cores\n", qPrintable(what), load, QThread::idealThreadCount());
    std::fflush(stdout);
}

void makePast(const QString &url, int runs)
{
    const QTemporaryDir scratch(QCoreApplication::applicationDirPath() + u"/past-XXXXXX"_s);
    writeLargePast({url, scratch.path(), runs});
}

// A process of this program, so that what it leaves in memory is not the window's.
int inChild(const QStringList &arguments, QByteArray *output = nullptr)
{
    QProcess process;
    process.setProcessChannelMode(output ? QProcess::ForwardedErrorChannel
                                         : QProcess::ForwardedChannels);
    process.start(QCoreApplication::applicationFilePath(), arguments);
    if (!process.waitForFinished(-1) || process.exitStatus() != QProcess::NormalExit)
        die(u"a part of the benchmark crashed: "_s + arguments.join(u' '));
    if (output)
        *output = process.readAllStandardOutput();
    return process.exitCode();
}

int measureWindow(const QString &url, const QString &title)
{
    Figures figures(title);
    {
        WindowProbe probe(url);
        probe.measureShow(figures);
        probe.measurePages(figures);
        probe.measureFilters(figures);
        probe.measureScrolling(figures);
        figures.add(u"memory with every page opened"_s, double(residentMegabytes()), memoryGoalMb,
                    u"MB"_s);
    }
    return figures.allMet() ? 0 : 1;
}

int startWindow(const QString &url, qint64 startedMillis)
{
    WindowProbe probe(url);
    probe.show();
    std::printf("%lld\n", static_cast<long long>(monotonicMillis() - startedMillis));
    std::fflush(stdout);
    return 0;
}

void measureComposedStart(const QString &url, Figures &figures)
{
    QVector<double> took;
    for (int i = 0; i < startsTotal; ++i) {
        QByteArray said;
        if (inChild({u"--start"_s, url, QString::number(monotonicMillis())}, &said) != 0)
            die(u"the window did not start"_s);
        took << double(said.trimmed().toLongLong());
    }
    figures.add(u"start until the first page is painted"_s, quantile(took, 0.5), startGoalMs,
                u"ms"_s);
}

// Until the program's own window answers what it is asked through its socket.
double startProgram(const QString &path, const QString &home)
{
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"XDG_CONFIG_HOME"_s, home);
    program.setProcessEnvironment(environment);
    program.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    QElapsedTimer timer;
    timer.start();
    program.start(QCoreApplication::applicationDirPath() + u"/../app/holdfast"_s,
                  {u"--db"_s, u"sqlite:"_s + path, u"--page"_s, u"runs"_s});
    if (!program.waitForStarted())
        die(u"holdfast is not built"_s);
    QEventLoop loop;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        const store::FileHolder holder = store::FileOwnership::holderOf(path);
        if (program.state() != QProcess::Running)
            die(u"holdfast ended by itself"_s);
        if (holder.pid == program.processId() && !holder.socket.isEmpty())
            loop.quit();
    });
    look.start(1);
    loop.exec();
    api::RemoteDoor door(store::FileOwnership::holderOf(path).socket);
    must(door.call({model::newId(1), u"pulse"_s, {}, u"bench"_s}));
    const double took = double(timer.nsecsElapsed()) / 1e6;
    program.terminate();
    program.waitForFinished(60'000);
    return took;
}

void measureProgramStart(const QString &path, Figures &figures)
{
    const QTemporaryDir home;
    QVector<double> took;
    for (int i = 0; i < startsTotal; ++i)
        took << startProgram(path, home.path());
    figures.add(u"start of holdfast until its window answers"_s, quantile(took, 0.5), startGoalMs,
                u"ms"_s);
}

bool measureSqlite(int runs)
{
    const QString path =
        QCoreApplication::applicationDirPath() + u"/bench_window_%1.db"_s.arg(runs);
    const QFileInfo kept(path);
    if (!kept.exists() || kept.birthTime().secsTo(QDateTime::currentDateTime()) > pastKeptSeconds) {
        const QString making = path + u".making"_s;
        for (const QString &old : {path, path + u"-wal"_s, path + u"-shm"_s, making})
            QFile::remove(old);
        if (inChild({u"--make"_s, u"sqlite:"_s + making, QString::number(runs)}) != 0 ||
            !QFile::rename(making, path))
            die(u"the past could not be written"_s);
    }
    sayWhere(u"SQLite, %1 runs, %2 MB"_s.arg(runs).arg(QFileInfo(path).size() >> 20));
    Figures figures(u"SQLite"_s);
    const bool areMet = inChild({u"--window"_s, u"sqlite:"_s + path, u"SQLite"_s}) == 0;
    measureComposedStart(u"sqlite:"_s + path, figures);
    measureProgramStart(path, figures);
    return areMet && figures.allMet();
}

bool measurePostgres(int runs)
{
    tests::PostgresServer *server = tests::PostgresServer::shared();
    if (!server)
        die(u"PostgreSQL is not installed"_s);
    const QString url = server->createDatabase();
    if (inChild({u"--make"_s, url, QString::number(runs)}) != 0)
        die(u"the past could not be written"_s);
    sayWhere(u"PostgreSQL, %1 runs"_s.arg(runs));
    Figures figures(u"PostgreSQL"_s);
    const bool areMet = inChild({u"--window"_s, url, u"PostgreSQL"_s}) == 0;
    measureComposedStart(url, figures);
    server->dropDatabase(url);
    return areMet && figures.allMet();
}
} // namespace

int main(int argc, char **argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    QStringList words = QCoreApplication::arguments().mid(1);
    if (words.value(0) == "--make"_L1) {
        makePast(words.value(1), words.value(2).toInt());
        return 0;
    }
    style::applyTheme(application, style::Theme::light);
    if (words.value(0) == "--window"_L1)
        return measureWindow(words.value(1), words.value(2));
    if (words.value(0) == "--start"_L1)
        return startWindow(words.value(1), words.value(2).toLongLong());
    int runs = runsTotal;
    if (!words.isEmpty() && words.last().toInt() > 0)
        runs = words.takeLast().toInt();
    if (words.isEmpty()) {
        words << u"sqlite"_s;
        if (qEnvironmentVariableIsSet("HOLDFAST_TEST_POSTGRES"))
            words << u"postgres"_s;
    }
    bool areMet = true;
    for (const QString &word : std::as_const(words)) {
        if (word != "sqlite"_L1 && word != "postgres"_L1)
            die(u"usage: bench_window [sqlite|postgres]… [RUNS]"_s);
        areMet = (word == "sqlite"_L1 ? measureSqlite(runs) : measurePostgres(runs)) && areMet;
    }
    return areMet ? 0 : 1;
}
