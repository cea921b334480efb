#include "app/console/tour.h"

#include "app/console/window_builder.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QEventLoop>
#include <QJsonArray>
#include <QPixmap>
#include <QTimer>
#include <cstdio>

namespace holdfast::console
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr int patienceMs = 90'000;
constexpr int stepMs = 20;
constexpr int ordersTotal = 14;
constexpr int invoicesTotal = 8;
constexpr int retriedMax = 12;
} // namespace

Tour::Tour(QApplication &application, const QString &folder, quint64 seed)
    : m_application(application), m_folder(folder), m_demo(seed),
      m_preferences(m_home.filePath(u"console.ini"_s))
{
}

Tour::~Tour()
{
    m_window.reset();
    m_demo.setBridge(nullptr);
    m_workspace.reset();
}

// Within exec(), as the program itself runs.
int Tour::run()
{
    QTimer::singleShot(0, &m_application, [this] {
        auto done = prepare();
        if (done)
            done = takePictures();
        if (!done)
            std::fprintf(stderr, "holdfast: %s\n", qPrintable(done.error().message));
        QCoreApplication::exit(done ? 0 : 1);
    });
    return QApplication::exec();
}

Result<void> Tour::prepare()
{
    if (!QDir().mkpath(m_folder))
        return model::invalid(u"cannot write to %1"_s.arg(m_folder));
    if (const auto written = m_demo.prepare([](int) { return true; }); !written)
        return written;
    const auto found = approachUntried(m_demo.url());
    if (!found)
        return found.error();
    m_workspace = std::make_unique<Workspace>(
        *found, Workspace::Options{u"the demo's own database"_s, m_demo.secretsFile()});
    if (const auto started = m_workspace->start(); !started)
        return started;
    style::applyTheme(m_application, style::Theme::light);
    m_window = buildWindow(m_workspace->bridge(), {shell::Environment::Kind::demo, u"demo"_s},
                           m_preferences);
    m_window->QWidget::show();
    m_demo.setBridge(&m_workspace->bridge());
    m_workspace->bridge().start();
    return misbehave();
}

// Each fault strikes one of the next requests: the world of an ordinary bad day.
Result<void> Tour::misbehave()
{
    const std::pair<QString, QStringList> script[] = {
        {u"/inventory/v1/reservations"_s, {u"ok"_s, u"503"_s, u"ok"_s, u"422"_s}},
        {u"/payments/v1/charges"_s,
         {u"ok"_s, u"work_then_drop"_s, u"402"_s, u"503"_s, u"ok"_s, u"429:1"_s}},
        {u"/inventory/v1/shipments"_s, {u"ok"_s, u"ok"_s, u"422"_s}},
        {u"/mail/v1/messages"_s, {u"ok"_s, u"work_then_drop"_s, u"drop"_s, u"503"_s}}};
    for (const auto &[path, faults] : script) {
        if (const auto pushed = m_demo.world().faults().push(path, faults); !pushed)
            return pushed;
    }
    m_demo.start(ordersTotal, invoicesTotal);
    const auto begun = waitFor(u"the runs to begin"_s, [this] {
        return m_demo.world().books().requestCount() >= ordersTotal + invoicesTotal;
    });
    if (!begun)
        return begun;
    const auto rested = waitFor(u"the engine to come to rest"_s, [this] { return settled(); });
    return rested ? retrySome() : rested;
}

Result<void> Tour::retrySome()
{
    const QString filter = u"status:failed since:7d"_s;
    const auto planned = ask(u"batch_plan"_s, {{u"act"_s, u"retry"_s}, {u"filter"_s, filter}});
    if (!planned)
        return planned.error();
    QJsonArray items = (*planned)["items"_L1].toArray();
    while (items.size() > retriedMax)
        items.removeLast();
    const auto started = ask(u"batch_start"_s, {{u"act"_s, u"retry"_s},
                                                {u"filter"_s, filter},
                                                {u"items"_s, items},
                                                {u"reason"_s, u"the warehouse answers again"_s}});
    if (!started)
        return started.error();
    const QString batch = (*started)["id"_L1].toString();
    QString state;
    const auto ended = waitFor(u"the batch to end"_s, [&] {
        const auto answer = ask(u"batch"_s, {{u"batch"_s, batch}});
        state = answer ? (*answer)["state"_L1].toString() : QString();
        return state == "done"_L1 || state == "held"_L1;
    });
    return ended ? waitFor(u"what was tried again"_s, [this] { return settled(); }) : ended;
}

bool Tour::settled() const
{
    const QJsonObject runs = m_workspace->bridge().marks().value("runs"_L1).toObject();
    int open = 0;
    for (const QString &status : {u"queued"_s, u"running"_s, u"waiting"_s, u"compensating"_s})
        open += runs.value(status).toInt();
    return !runs.isEmpty() && open == 0;
}

Result<void> Tour::waitFor(const QString &what, const std::function<bool()> &isTrue)
{
    const QDeadlineTimer deadline(patienceMs);
    while (!isTrue()) {
        if (deadline.hasExpired())
            return model::refused(u"waited %1 s for %2"_s.arg(patienceMs / 1000).arg(what));
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, stepMs);
    }
    return {};
}

// Acts go the way of a person's; in here nobody else asks for anything meanwhile.
Result<QJsonValue> Tour::ask(const QString &name, const QJsonObject &arguments)
{
    // The answer may come after we gave up waiting for it.
    const auto kept = std::make_shared<std::optional<Result<QJsonValue>>>();
    m_workspace->bridge().act(name, arguments, &m_application,
                              [kept](const Result<QJsonValue> &answer) { *kept = answer; });
    const auto waited = waitFor(u"an answer to %1"_s.arg(name), [&] { return kept->has_value(); });
    return waited ? **kept : Result<QJsonValue>(waited.error());
}

// The run that went through the most.
QString Tour::runToShow()
{
    const auto found = ask(u"runs"_s, {{u"filter"_s, u"status:compensated"_s}, {u"limit"_s, 1}});
    return found ? (*found)["runs"_L1][0]["run_id"_L1].toString() : QString();
}

Result<void> Tour::takePictures()
{
    const QString run = runToShow();
    for (const auto &[theme, suffix] :
         {std::pair{style::Theme::light, u"light"_s}, std::pair{style::Theme::dark, u"dark"_s}}) {
        style::applyTheme(m_application, theme);
        for (const QString &page : m_window->listedPages()) {
            m_window->goTo(page, m_window->page(page)->where());
            if (const auto taken = picture(u"%1-%2.png"_s.arg(page, suffix)); !taken)
                return taken;
        }
        m_window->goTo(u"run"_s, {{u"run"_s, run}});
        if (const auto taken = picture(u"run-%1.png"_s.arg(suffix)); !taken)
            return taken;
    }
    return {};
}

// A page asks when it is shown. Questions are answered in order, so once an answer to a question
// asked later is here, the page's own are here too; a page may ask again because of an answer.
Result<void> Tour::picture(const QString &name)
{
    for (int round = 0; round < 4; ++round) {
        const auto isAnswered = std::make_shared<bool>(false);
        m_workspace->bridge().ask(u"pulse"_s, {}, &m_application,
                                  [isAnswered](const Result<QJsonValue> &) { *isAnswered = true; });
        if (const auto waited = waitFor(u"the page"_s, [&] { return *isAnswered; }); !waited)
            return waited;
        QCoreApplication::processEvents();
    }
    const QString path = QDir(m_folder).filePath(name);
    if (!m_window->grab().save(path))
        return model::invalid(u"cannot write %1"_s.arg(path));
    std::printf("%s\n", qPrintable(path));
    return {};
}

} // namespace holdfast::console
