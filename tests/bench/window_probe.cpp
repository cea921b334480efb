#include "bench/window_probe.h"

#include "app/console/approach.h"
#include "app/console/window_builder.h"
#include "bench/bench_support.h"
#include "ui/runs/run_table.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QDeadlineTimer>
#include <QFile>
#include <QJsonArray>
#include <QScrollBar>
#include <ctime>
#include <random>
#include <unistd.h>

namespace holdfast::bench
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr double pageGoalMs = 150;
constexpr double frameGoalMs = 16;
constexpr int patienceMs = 120'000;
constexpr int quietRounds = 3; // so often nothing new came before a page counts as filled
constexpr int frames = 400;

double processorMillis()
{
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return double(used.tv_sec) * 1e3 + double(used.tv_nsec) / 1e6;
}
} // namespace

StopWatch::StopWatch() : m_processor(processorMillis()) { m_timer.start(); }

Took StopWatch::took() const
{
    return {double(m_timer.nsecsElapsed()) / 1e6, processorMillis() - m_processor};
}

qint64 residentMegabytes()
{
    QFile file(u"/proc/self/statm"_s);
    if (!file.open(QIODevice::ReadOnly))
        die(u"cannot read the process's memory"_s);
    return file.readAll().split(' ').value(1).toLongLong() * sysconf(_SC_PAGESIZE) / (1 << 20);
}

namespace
{
console::Approach approached(const QString &url)
{
    const auto found = console::approach(url);
    if (!found)
        die(found.error().message);
    return *found;
}
} // namespace

WindowProbe::WindowProbe(const QString &url)
    : m_preferences(m_home.filePath(u"console.ini"_s)), m_workspace(approached(url))
{
    must(m_workspace.start());
    m_window = console::buildWindow(m_workspace.bridge(),
                                    {shell::Environment::Kind::test, u"bench"_s}, m_preferences);
}

WindowProbe::~WindowProbe() { m_window.reset(); }

Took WindowProbe::show()
{
    const StopWatch watch;
    m_window->QWidget::show();
    m_workspace.bridge().start();
    waitFor(u"the database"_s, [this] { return !m_workspace.bridge().marks().isEmpty(); });
    return fill(m_window->currentPage(), watch, {});
}

void WindowProbe::waitFor(const QString &what, const std::function<bool()> &isTrue)
{
    const QDeadlineTimer deadline(patienceMs);
    while (!isTrue()) {
        if (deadline.hasExpired())
            die(u"waited too long for %1"_s.arg(what));
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    }
}

QJsonObject WindowProbe::ask(const QString &name, const QJsonObject &arguments)
{
    QJsonObject found;
    bool isAnswered = false;
    m_workspace.bridge().ask(name, arguments, m_window.get(),
                             [&](const Result<QJsonValue> &answer) {
                                 isAnswered = true;
                                 found = must(answer).toObject();
                             });
    waitFor(name, [&] { return isAnswered; });
    return found;
}

WindowProbe::Look WindowProbe::lookOf(const QString &page) const
{
    const QWidget *shown = m_window->page(page);
    Look look;
    for (const auto *view : shown->findChildren<QAbstractItemView *>()) {
        if (!view->isVisible() || !view->model())
            continue;
        look.rows += view->model()->rowCount();
        look.first += view->model()->index(0, 1).data().toString();
    }
    for (const auto *widget : shown->findChildren<QWidget *>())
        look.widgets += widget->isVisible() ? 1 : 0;
    return look;
}

// Questions are answered in order, so once an answer to a question asked later is here, the page's
// own are here too; a page may ask again because of an answer. The time that counts is that of the
// last paint that showed something new.
Took WindowProbe::fill(const QString &page, const StopWatch &watch, const Look &before)
{
    Look last = before;
    Took filled;
    for (int quiet = 0; quiet < quietRounds; ++quiet) {
        ask(u"views"_s, {});
        m_window->repaint();
        QCoreApplication::processEvents();
        const Took now = watch.took();
        const Look look = lookOf(page);
        if (look == last && filled.clock > 0)
            continue;
        quiet = 0;
        last = look;
        filled = now;
    }
    return filled;
}

Took WindowProbe::open(const QString &page, const QJsonObject &where)
{
    const Look before = lookOf(page);
    const StopWatch watch;
    m_window->goTo(page, where);
    return fill(page, watch, before);
}

Took WindowProbe::openFilled(const QString &page, const QJsonObject &where)
{
    const Took took = open(page, where);
    if (lookOf(page).rows == 0)
        die(u"the page %1 shows no row"_s.arg(page));
    return took;
}

void WindowProbe::measureShow(Figures &figures)
{
    const Took took = show();
    figures.add(u"first paint of "_s + m_window->currentPage(), took.clock, pageGoalMs, u"ms"_s,
                took.processor);
    if (lookOf(m_window->currentPage()).rows == 0)
        die(u"the first page shows no row"_s);
}

void WindowProbe::measurePages(Figures &figures)
{
    const auto add = [&figures](const QString &what, const Took &took) {
        figures.add(u"first paint of "_s + what, took.clock, pageGoalMs, u"ms"_s, took.processor);
    };
    const QString run = ask(u"runs"_s, {{u"filter"_s, u"status:compensated"_s}, {u"limit"_s, 1}})
                            .value("runs"_L1)[0]["run_id"_L1]
                            .toString();
    for (const QString &page : m_window->listedPages()) {
        if (page == "settings"_L1)
            add(page, open(page, {}));
        else if (page != m_window->currentPage())
            add(page, openFilled(page, m_window->page(page)->where()));
    }
    add(u"one run"_s, openFilled(u"run"_s, {{u"run"_s, run}}));
    for (const QString &range : {u"1h"_s, u"7d"_s, u"30d"_s})
        add(u"overview, "_s + range, open(u"overview"_s, {{u"range"_s, range}}));
    for (const QString &page : m_window->listedPages())
        add(page + u", again"_s, open(page, m_window->page(page)->where()));
}

void WindowProbe::measureFilters(Figures &figures)
{
    const QStringList filters{u"status:failed"_s,
                              u"status:review"_s,
                              u"workflow:order-eu"_s,
                              u"dependency:payments"_s,
                              u"status:failed since:7d"_s,
                              u"step:charge status:failed"_s,
                              u"A-1500000"_s,
                              QString()};
    for (const QString &filter : filters) {
        const Took took = open(u"runs"_s, {{u"filter"_s, filter}});
        figures.add(u"runs where "_s + (filter.isEmpty() ? u"nothing is asked"_s : filter),
                    took.clock, pageGoalMs, u"ms"_s, took.processor);
    }
}

// A frame is: the bar moves, what it sets off is handled, all of the table is painted.
void WindowProbe::measureScrolling(Figures &figures)
{
    openFilled(u"runs"_s, {{u"filter"_s, QString()}});
    auto *table = m_window->page(u"runs"_s)->findChild<runs::RunTable *>();
    QScrollBar *bar = table->verticalScrollBar();
    const int row = table->rowHeight(0);
    std::mt19937 random(7);
    QVector<double> waits;
    const auto measure = [&](const QString &what, const std::function<int()> &place) {
        QVector<double> took, processor;
        for (int frame = 0; frame < frames; ++frame) {
            const int to = place();
            StopWatch watch;
            // At the end of what is there, a person waits for the next rows.
            if (to > bar->maximum()) {
                const int before = table->model()->rowCount();
                const QString last = table->model()->index(before - 1, 1).data().toString();
                waitFor(u"more rows"_s, [&] {
                    const int count = table->model()->rowCount();
                    return count != before ||
                           table->model()->index(count - 1, 1).data().toString() != last;
                });
                waits << watch.took().clock;
                watch = StopWatch();
            }
            bar->setValue(std::min(to, bar->maximum()));
            QCoreApplication::processEvents();
            table->viewport()->repaint();
            took << watch.took().clock;
            processor << watch.took().processor;
        }
        figures.add(u"scrolling %1, p50 of a frame"_s.arg(what), quantile(took, 0.5), 0, u"ms"_s,
                    quantile(processor, 0.5));
        figures.add(u"scrolling %1, p95 of a frame"_s.arg(what), quantile(took, 0.95), frameGoalMs,
                    u"ms"_s, quantile(processor, 0.95));
    };
    measure(u"row by row"_s, [&] { return bar->value() + row; });
    measure(u"page by page"_s, [&] { return bar->value() + table->viewport()->height(); });
    measure(u"by jumps"_s, [&] { return int(random() % quint32(bar->maximum() + 1)); });
    figures.add(u"waiting for the next rows, p95"_s, quantile(waits, 0.95), pageGoalMs, u"ms"_s);
}

} // namespace holdfast::bench
