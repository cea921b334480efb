// How long the weekly review takes over a window that a million runs are in.
//
// Method: the past of bench_window, twelve weeks, written once into the build folder and kept there
// for half a day, and once into a throwaway PostgreSQL. The report is asked for
// as the page asks for it, on its last week and on all of it, several times; the middle counts.
// Then the page itself is shown the window of a million runs in place of its week, until it is
// painted, and that report is drawn as PDF, once.
//
// bench_report [sqlite|postgres]… [RUNS]; exits with 1 when a goal is missed.
#include "app/console/door_calls.h"
#include "bench/bench_support.h"
#include "bench/figures.h"
#include "bench/large_past.h"
#include "ports/clock.h"
#include "support/postgres_server.h"
#include "ui/style/theme.h"
#include "ui/weekly/report_pdf.h"
#include "ui/weekly/weekly_page.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QBuffer>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::bench;

namespace
{
constexpr double pageGoalMs = 300;
constexpr double pdfGoalMs = 5000;
constexpr int timesAsked = 9;
constexpr int daysOfPast = 84;
constexpr qint64 pastKeptSeconds = 12 * 60 * 60;

QJsonObject windowOf(int days)
{
    const model::Instant now = ports::SystemClock().now();
    const model::Instant midnight = now - now % model::day + model::day;
    return {{u"since"_s, model::instantText(midnight - days * model::day)},
            {u"until"_s, model::instantText(midnight)}};
}

double millisOf(const QElapsedTimer &timer) { return double(timer.nsecsElapsed()) / 1e6; }

// The last report, and the middle of how long each took.
double askReport(const bridge::Call &call, const QJsonObject &window, QJsonObject &report)
{
    QVector<double> took;
    for (int i = 0; i < timesAsked; ++i) {
        QElapsedTimer timer;
        timer.start();
        report = must(call(u"report"_s, window)).toObject();
        took << millisOf(timer);
    }
    return quantile(took, 0.5);
}

// From the click on its name until its groups are painted.
double openPage(const QString &url, const QJsonObject &window)
{
    bridge::Sources sources;
    sources.read = [call = console::readerCall(url), window](const QString &name,
                                                             const QJsonObject &arguments) {
        return call(name, name == "report"_L1 ? window : arguments);
    };
    sources.act = console::readerCall(url);
    sources.engine = [] { return bridge::EngineState{u"running"_s, {}, 0}; };
    sources.now = [] { return ports::SystemClock().now(); };
    sources.actor = u"bench"_s;
    bridge::Bridge bridge(std::move(sources));
    weekly::WeeklyPage page(bridge);
    page.resize(1120, 760);
    bool isThere = false; // a connection is there before anybody clicks
    bridge.ask(u"pulse"_s, {}, &page, [&](const auto &) { isThere = true; });
    while (!isThere)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    QElapsedTimer timer;
    timer.start();
    page.show();
    page.open({{u"section"_s, u"groups"_s}});
    page.refresh();
    const auto *groups = page.findChild<QAbstractItemView *>(u"groups"_s);
    while (groups->model()->rowCount() == 0)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    page.repaint();
    return millisOf(timer);
}

bool measure(const QString &url, const QString &title)
{
    Figures figures(title);
    QJsonObject report;
    {
        const bridge::Call call = console::readerCall(url);
        for (const int days : {7, daysOfPast})
            figures.add(u"report on %1 days"_s.arg(days), askReport(call, windowOf(days), report),
                        pageGoalMs, u"ms"_s);
    }
    const qsizetype groups = report["groups"_L1].toArray().size();
    if (groups == 0)
        die(u"there is no failure group in this past"_s);
    figures.add(u"weekly page with %1 groups"_s.arg(groups), openPage(url, windowOf(daysOfPast)),
                pageGoalMs, u"ms"_s);
    QElapsedTimer timer;
    timer.start();
    QBuffer paper;
    paper.open(QIODevice::WriteOnly);
    const int pages = must(weekly::drawReportPdf(report, paper, {}));
    figures.add(u"PDF of %1 pages"_s.arg(pages), millisOf(timer), pdfGoalMs, u"ms"_s);
    return figures.allMet();
}

void makePast(const QString &url, int runs)
{
    const QTemporaryDir scratch(QCoreApplication::applicationDirPath() + u"/past-XXXXXX"_s);
    writeLargePast({url, scratch.path(), runs, daysOfPast});
}

bool measureSqlite(int runs)
{
    const QString path = QCoreApplication::applicationDirPath() + u"/report-past-%1.db"_s.arg(runs);
    const QFileInfo kept(path);
    if (!kept.exists() || kept.birthTime().secsTo(QDateTime::currentDateTime()) > pastKeptSeconds) {
        for (const QString &old : {path, path + u"-wal"_s, path + u"-shm"_s})
            QFile::remove(old);
        makePast(u"sqlite:"_s + path, runs);
    }
    return measure(u"sqlite:"_s + path, u"SQLite, %1 runs"_s.arg(runs));
}

bool measurePostgres(int runs)
{
    tests::PostgresServer *server = tests::PostgresServer::shared();
    if (!server)
        die(u"PostgreSQL is not installed"_s);
    const QString url = server->createDatabase();
    makePast(url, runs);
    const bool areMet = measure(url, u"PostgreSQL, %1 runs"_s.arg(runs));
    server->dropDatabase(url);
    return areMet;
}
} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    style::applyTheme(application, style::Theme::light);
    QStringList words = QCoreApplication::arguments().mid(1);
    int runs = 1'000'000;
    if (!words.isEmpty() && words.last().toInt() > 0)
        runs = words.takeLast().toInt();
    if (words.isEmpty())
        words = {u"sqlite"_s, u"postgres"_s};
    bool areMet = true;
    for (const QString &word : std::as_const(words)) {
        if (word != "sqlite"_L1 && word != "postgres"_L1)
            die(u"usage: bench_report [sqlite|postgres]… [RUNS]"_s);
        areMet = (word == "sqlite"_L1 ? measureSqlite(runs) : measurePostgres(runs)) && areMet;
    }
    return areMet ? 0 : 1;
}
