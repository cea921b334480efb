// holdfast: the console. Puts engine, feed and window together; everything else is elsewhere.
#include "app/console/engine_host.h"
#include "app/console/feed_calls.h"
#include "app/console/options.h"
#include "app/console/tour.h"
#include "app/ctl/database.h"
#include "app/ctl/signals.h"
#include "ui/shell/main_window.h"

#include <QApplication>
#include <csignal>
#include <cstdio>

using namespace Qt::StringLiterals;
using namespace holdfast;

namespace
{
constexpr int exitFailed = 1;
constexpr int exitUsage = 2;

// Qt would abort without a word that helps.
bool hasScreen()
{
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
           qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

int fail(const QString &message, int code)
{
    std::fprintf(stderr, "holdfast: %s\n", qPrintable(message));
    return code;
}

int openWindow(QApplication &application, const console::Options &options)
{
    const QString url = ctl::databaseUrl(options.database);
    const qint64 owner = console::answeringOwner(url);
    std::unique_ptr<console::EngineHost> engine;
    shell::FeedSources sources;
    sources.now = [] { return ports::SystemClock().now(); };
    if (owner != 0) {
        sources.call = console::ownerCall(url);
        sources.engine = [owner] {
            return shell::EngineLine{u"of process %1, attached"_s.arg(owner), {}, 0};
        };
    } else {
        engine = std::make_unique<console::EngineHost>(url);
        if (const auto started = engine->start(); !started)
            return fail(started.error().message, exitFailed);
        sources.call = console::readerCall(url);
        sources.engine = [host = engine.get()] {
            const runtime::WorkerStatus status = host->status();
            return shell::EngineLine{runtime::workerStateName(status.state), status.message,
                                     status.inFlight};
        };
    }
    shell::MainWindow window(url, options.theme);
    shell::FeedThread feed(std::move(sources));
    QObject::connect(&feed, &shell::FeedThread::arrived, &window, &shell::MainWindow::showSnapshot);
    QObject::connect(&window, &shell::MainWindow::refreshWanted, &feed,
                     &shell::FeedThread::refreshWanted);
    QObject::connect(&window, &shell::MainWindow::themeChosen, &application,
                     [&](shell::Theme theme) { shell::applyTheme(application, theme); });
    // Closing lets attempts under way end first; their receipts are worth the wait.
    QApplication::setQuitOnLastWindowClosed(engine == nullptr);
    if (engine) {
        QObject::connect(&application, &QGuiApplication::lastWindowClosed, engine.get(),
                         &console::EngineHost::drain);
        QObject::connect(engine.get(), &console::EngineHost::stopped, &application,
                         &QCoreApplication::quit);
    }
    ctl::onEndSignal([&window] { window.close(); });
    window.show();
    feed.start();
    const int code = QApplication::exec();
    feed.stop();
    return code;
}
} // namespace

int main(int argc, char **argv)
{
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    const auto options = console::parseOptions(arguments);
    if (!options)
        return fail(options.error().message + u"\n"_s + console::helpText(), exitUsage);
    if (options->isHelpWanted) {
        std::fputs(qPrintable(console::helpText()), stdout);
        return 0;
    }
    if (!hasScreen()) {
        if (options->tourFolder.isEmpty())
            return fail(u"there is no display to open a window on; --tour DIR needs none"_s,
                        exitFailed);
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    std::signal(SIGPIPE, SIG_IGN);
    int ownArguments = 1; // the others are ours, not Qt's
    QApplication application(ownArguments, argv);
    QCoreApplication::setApplicationName(u"holdfast"_s);
    QCoreApplication::setApplicationVersion(u"0.1.0"_s);
    if (!shell::hasFonts())
        fail(u"no font is installed, so every letter will be a box; install fonts-dejavu-core"_s,
             0);
    shell::applyTheme(application, options->theme);
    if (!options->tourFolder.isEmpty()) {
        // The sandbox takes any token; the engine refuses to send without one.
        qputenv("HOLDFAST_SECRET_PAYMENTS_TOKEN", "tour");
        return console::Tour(application, options->tourFolder).run();
    }
    return openWindow(application, *options);
}
