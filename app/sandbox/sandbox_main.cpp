#include "app/sandbox/sandbox_main.h"

#include "app/sandbox/sandbox.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QJsonDocument>
#include <QSaveFile>
#include <QSocketNotifier>
#include <QTimer>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <sys/eventfd.h>
#include <unistd.h>

namespace holdfast::sandbox
{

namespace
{

constexpr int booksEveryMs = 1000;

struct Settings {
    quint64 seed = 1;
    quint16 port = 8460;
    int chaosPercent = 0;
    QString booksFile;
};

model::Result<Settings> parse(const QStringList &args)
{
    QCommandLineParser parser;
    const QCommandLineOption seed(QStringLiteral("seed"), {}, QStringLiteral("N"),
                                  QStringLiteral("1"));
    const QCommandLineOption port(QStringLiteral("port"), {}, QStringLiteral("PORT"),
                                  QStringLiteral("8460"));
    const QCommandLineOption chaos(QStringLiteral("chaos"), {}, QStringLiteral("PERCENT"),
                                   QStringLiteral("0"));
    const QCommandLineOption books(QStringLiteral("books"), {}, QStringLiteral("FILE"));
    parser.addOptions({seed, port, chaos, books});
    if (!parser.parse(QStringList(QStringLiteral("sandbox")) + args))
        return model::invalid(parser.errorText());
    if (!parser.positionalArguments().isEmpty())
        return model::invalid(QStringLiteral("sandbox takes no arguments."));
    Settings settings;
    bool isSeed = false;
    bool isPort = false;
    bool isPercent = false;
    settings.seed = parser.value(seed).toULongLong(&isSeed);
    settings.port = parser.value(port).toUShort(&isPort);
    settings.chaosPercent = parser.value(chaos).toInt(&isPercent);
    settings.booksFile = parser.value(books);
    if (!isSeed || !isPort || !isPercent || settings.chaosPercent < 0 ||
        settings.chaosPercent > 100)
        return model::invalid(QStringLiteral("--seed, --port and --chaos take a number in range."));
    return settings;
}

bool writeBooks(const World &world, const QString &path)
{
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) &&
           file.write(QJsonDocument(world.books.toJson()).toJson()) >= 0 && file.commit();
}

std::atomic_int stopDescriptor = -1;

// Writing to a descriptor is all that a handler may safely do, and it works on whatever thread it
// runs.
void askToStop(int)
{
    const quint64 one = 1;
    [[maybe_unused]] const ssize_t written = ::write(stopDescriptor, &one, sizeof one);
}

// While it lives, SIGTERM and SIGINT make its descriptor readable.
class StopSignals
{
public:
    StopSignals()
    {
        stopDescriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        struct sigaction action {
        };
        action.sa_handler = &askToStop;
        ::sigaction(SIGTERM, &action, &m_oldTerminate);
        ::sigaction(SIGINT, &action, &m_oldInterrupt);
    }
    ~StopSignals()
    {
        ::sigaction(SIGTERM, &m_oldTerminate, nullptr);
        ::sigaction(SIGINT, &m_oldInterrupt, nullptr);
        ::close(stopDescriptor.exchange(-1));
    }
    StopSignals(const StopSignals &) = delete;
    StopSignals &operator=(const StopSignals &) = delete;

private:
    struct sigaction m_oldTerminate {
    };
    struct sigaction m_oldInterrupt {
    };
};

} // namespace

int sandboxMain(const QStringList &args)
{
    const auto settings = parse(args);
    if (!settings) {
        std::fprintf(stderr, "%s\n", qPrintable(settings.error().message));
        return 2;
    }
    const StopSignals stopSignals;
    const auto world = std::make_shared<World>();
    world->faults.chaos(settings->seed, settings->chaosPercent);
    Sandbox sandbox(world);
    const auto port = sandbox.listen(settings->port);
    if (!port) {
        std::fprintf(stderr, "%s\n", qPrintable(port.error().message));
        return 1;
    }
    QSocketNotifier notifier(stopDescriptor, QSocketNotifier::Read);
    QObject::connect(&notifier, &QSocketNotifier::activated, qApp, [&notifier] {
        notifier.setEnabled(false);
        QCoreApplication::quit();
    });
    QTimer booksTimer;
    quint64 written = 0;
    QObject::connect(&booksTimer, &QTimer::timeout, qApp, [&] {
        const quint64 changes = world->books.changes();
        if (changes != written && writeBooks(*world, settings->booksFile))
            written = changes;
    });
    if (!settings->booksFile.isEmpty())
        booksTimer.start(booksEveryMs);
    std::printf("sandbox listening on http://127.0.0.1:%d\n", int(*port));
    std::fflush(stdout);
    const int code = QCoreApplication::exec();
    if (!settings->booksFile.isEmpty() && !writeBooks(*world, settings->booksFile)) {
        std::fprintf(stderr, "The books could not be written to %s.\n",
                     qPrintable(settings->booksFile));
        return 1;
    }
    return code;
}

} // namespace holdfast::sandbox
