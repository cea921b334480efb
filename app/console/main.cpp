// holdfast: the console. Puts database, engine and window together; everything else is elsewhere.
#include "app/console/desk.h"
#include "app/console/looks.h"
#include "app/console/options.h"
#include "app/console/report_file.h"
#include "app/console/tour.h"
#include "app/ctl/database.h"
#include "app/ctl/signals.h"
#include "ui/desktop/colour_scheme.h"
#include "ui/settings/preferences.h"

#include <QApplication>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>
#include <csignal>
#include <cstdio>
#include <unistd.h>

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

void goWhereAsked(shell::MainWindow &window, const console::Options &options)
{
    if (!options.link.isEmpty())
        window.goTo(u"run"_s, {{u"run"_s, options.link.section(u'/', -1)}});
    else if (!options.page.isEmpty())
        window.goTo(options.page, {});
    if (options.isPauseWanted)
        window.askForPause();
}

// A database that is named, or the one used last, is waited for when it is away; only a first start
// has nothing to open and asks.
void begin(console::Desk &desk, const console::Options &options,
           const settings::Preferences &preferences)
{
    if (options.workspace == "demo"_L1) {
        desk.openDemo(options.seed);
        return;
    }
    console::Desk::Target target;
    target.isChoice = false;
    target.mayWait = true;
    if (!options.database.isEmpty() || qEnvironmentVariableIsSet("HOLDFAST_DB")) {
        target.url = ctl::databaseUrl(options.database);
    } else if (!preferences.database().isEmpty()) {
        target.url = preferences.database();
        target.remembers = preferences.remembersPassword();
    } else {
        target.url = ctl::databaseUrl({});
        if (!QFileInfo::exists(ctl::sqlitePath(target.url))) {
            desk.welcome();
            return;
        }
    }
    desk.open(target);
}

int drawReport(const QString &path)
{
    QFile input;
    if (!input.open(stdin, QIODevice::ReadOnly))
        return fail(u"standard input cannot be read: "_s + input.errorString(), exitFailed);
    const auto drawn = console::drawReportFile(input, path);
    return drawn ? 0 : fail(drawn.error().message, exitFailed);
}

int openWindow(QApplication &application, const console::Options &options)
{
    settings::Preferences preferences(settingsFile());
    QSettings session(settingsFile(), QSettings::IniFormat);
    desktop::ColourScheme scheme;
    console::Looks looks(application, preferences, scheme, options.theme);
    desktop::Keychain keychain;
    desktop::Notifier notifier;
    console::Desk desk({preferences, session, keychain, notifier, looks});
    const bool isNamed = !options.database.isEmpty() || qEnvironmentVariableIsSet("HOLDFAST_DB");
    bool isFirst = true;
    QObject::connect(&desk, &console::Desk::opened, &application, [&] {
        if (std::exchange(isFirst, false))
            goWhereAsked(*desk.window(), options);
    });
    QObject::connect(&desk, &console::Desk::refused, &application, [&](const QString &why) {
        if (desk.window() || desk.isWelcoming())
            return; // said there
        if (isNamed)
            QCoreApplication::exit(fail(why, exitFailed));
        else
            desk.welcome(why);
    });
    QObject::connect(&desk, &console::Desk::ended, &application, [&](bool isForced) {
        session.sync();
        // What is under way cannot be waited for twice; its intents are committed.
        if (isForced)
            ::_exit(0);
        // Not quit(): it asks every window first, and one that refuses would keep us here.
        QCoreApplication::exit(0);
    });
    QApplication::setQuitOnLastWindowClosed(false);
    ctl::onEndSignal([&desk] { desk.quit(); });
    begin(desk, options, preferences);
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
    if (!options->reportFile.isEmpty()) {
        // Paper needs no screen, and must come out the same with and without one.
        qputenv("QT_QPA_PLATFORM", "offscreen");
    } else if (!hasScreen()) {
        if (options->tourFolder.isEmpty())
            return fail(u"there is no display to open a window on; --tour DIR needs none"_s,
                        exitFailed);
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    std::signal(SIGPIPE, SIG_IGN);
    int ownArguments = 1; // the others are ours, not Qt's
    QApplication application(ownArguments, argv);
    QCoreApplication::setApplicationName(u"holdfast"_s);
    QGuiApplication::setDesktopFileName(u"org.holdfast.Console"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(HOLDFAST_VERSION));
    if (!style::hasFonts())
        fail(u"no font is installed, so every letter will be a box; install fonts-dejavu-core"_s,
             0);
    if (!options->reportFile.isEmpty())
        return drawReport(options->reportFile);
    if (!options->tourFolder.isEmpty())
        return console::Tour(application, options->tourFolder, options->seed).run();
    return openWindow(application, *options);
}
