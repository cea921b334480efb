// holdfast: the console. Puts database, engine and window together; everything else is elsewhere.
#include "app/console/demo_panel.h"
#include "app/console/options.h"
#include "app/console/tour.h"
#include "app/console/window_builder.h"
#include "app/console/workspace.h"
#include "app/ctl/database.h"
#include "app/ctl/signals.h"
#include "ui/settings/preferences.h"

#include <QApplication>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>
#include <QUrl>
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

QString settingsFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           u"/holdfast/console.ini"_s;
}

// A database of one's own is for trying; a shared one is the real thing.
shell::Environment environmentOf(const QString &url, bool isDemo)
{
    using Kind = shell::Environment::Kind;
    if (isDemo)
        return {Kind::demo, u"demo"_s};
    const QString path = ctl::sqlitePath(url);
    if (!path.isEmpty())
        return {Kind::test, QFileInfo(path).completeBaseName()};
    return {Kind::production, QUrl(url).path().mid(1)};
}

void goWhereAsked(shell::MainWindow &window, const console::Options &options)
{
    if (!options.link.isEmpty())
        window.goTo(u"run"_s, {{u"run"_s, options.link.section(u'/', -1)}});
    else if (!options.page.isEmpty())
        window.goTo(options.page, {});
}

style::Theme themeOf(const QString &name, bool isSystemDark)
{
    return style::themeNamed(name).value_or(isSystemDark ? style::Theme::dark
                                                         : style::Theme::light);
}

int openWindow(QApplication &application, const console::Options &options)
{
    settings::Preferences preferences(settingsFile());
    // Before our own palette hides what the desktop wants.
    const bool isSystemDark = application.palette().color(QPalette::Window).lightness() < 128;
    style::applyTheme(application,
                      options.theme.value_or(themeOf(preferences.theme(), isSystemDark)));
    std::unique_ptr<console::Demo> demo;
    if (options.workspace == "demo"_L1) {
        demo = std::make_unique<console::Demo>(options.seed);
        if (const auto written = demo->prepare([](int) { return true; }); !written)
            return fail(written.error().message, exitFailed);
    }
    const bool isNamed = !options.database.isEmpty() || qEnvironmentVariableIsSet("HOLDFAST_DB");
    const QString url =
        demo ? demo->url() : ctl::databaseUrl(isNamed ? options.database : preferences.database());
    console::Workspace workspace(url, demo ? u"the demo's own database"_s : QString());
    if (const auto started = workspace.start(); !started)
        return fail(started.error().message, exitFailed);
    QSettings settings(settingsFile(), QSettings::IniFormat);
    const auto window =
        console::buildWindow(workspace.bridge(), environmentOf(url, !!demo), preferences);
    if (demo) {
        demo->setBridge(&workspace.bridge());
        window->addDockWidget(Qt::RightDockWidgetArea, new console::DemoPanel(*demo, window.get()));
    }
    QObject::connect(window.get(), &shell::MainWindow::themeChosen, &preferences,
                     [&](style::Theme theme) {
                         preferences.setTheme(theme == style::Theme::dark ? u"dark"_s : u"light"_s);
                     });
    QObject::connect(&preferences, &settings::Preferences::changed, &application, [&] {
        style::applyTheme(application, themeOf(preferences.theme(), isSystemDark));
    });
    QObject::connect(window.get(), &shell::MainWindow::closing, &workspace, [&] {
        window->saveSession(settings);
        workspace.drain();
    });
    QApplication::setQuitOnLastWindowClosed(false);
    QObject::connect(&workspace, &console::Workspace::stopped, &application,
                     &QCoreApplication::quit);
    ctl::onEndSignal([&window] { window->close(); });
    window->restoreSession(settings);
    goWhereAsked(*window, options);
    window->QWidget::show();
    workspace.bridge().start();
    return QApplication::exec();
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
    QCoreApplication::setApplicationVersion(QStringLiteral(HOLDFAST_VERSION));
    if (!style::hasFonts())
        fail(u"no font is installed, so every letter will be a box; install fonts-dejavu-core"_s,
             0);
    const bool isDemo = !options->tourFolder.isEmpty() || options->workspace == "demo"_L1;
    // The sandbox takes any token; the engine refuses to send without one.
    if (isDemo)
        qputenv("HOLDFAST_SECRET_PAYMENTS_TOKEN", "demo");
    if (!options->tourFolder.isEmpty())
        return console::Tour(application, options->tourFolder, options->seed).run();
    return openWindow(application, *options);
}
