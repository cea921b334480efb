// What runs at rest cost: memory of the process that holds 1,000 and 100,000 of them, and the
// processor time a worker spends while all of them wait. Prints one line; tests/bench/run puts the
// two sizes side by side.
#include "bench/bench_support.h"
#include "runtime/worker.h"
#include "store/store_url.h"

#include <QCoreApplication>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace holdfast;
using namespace holdfast::bench;

namespace
{
const QByteArray definitions = R"(holdfast: 1
workflow: bench
version: 1
owner: bench@example.com
event_id: ${ input.id }
input: {type: object, required: [id]}
steps:
  - step: rest
    wait: {for: 1h}
)";

class NobodySends : public ports::Sender
{
public:
    void setReport(Report) override {}
    void send(const model::Call &) override { die(QStringLiteral("a waiting run sends nothing")); }
    void drain() override {}
};

qint64 residentKilobytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        die(QStringLiteral("cannot read the process's memory"));
    return file.readAll().split(' ').value(1).toLongLong() * sysconf(_SC_PAGESIZE) / 1024;
}

double processorSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval &time) {
        return double(time.tv_sec) + double(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}
} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const int runs = argc > 1 ? QString::fromLocal8Bit(argv[1]).toInt() : 1000;
    QTemporaryDir directory;
    const QString url =
        QStringLiteral("sqlite:") + directory.filePath(QStringLiteral("waiting.db"));
    {
        auto store = must(store::openStore(url));
        must(store->open());
        deploy(*store, definitions);
        for (int left = runs; left > 0; left -= 1000)
            startRuns(*store, std::min(left, 1000));
    }
    runtime::Catalog catalog;
    NobodySends sender;
    const ports::SystemClock clock;
    runtime::Worker worker(must(store::openStore(url)), catalog, sender, clock, {});
    worker.start();
    auto reader = must(store::openStore(url, store::Access::reader));
    must(reader->open());
    const bool allWait = QTest::qWaitFor(
        [&] {
            return must(reader->counts()).runsByStatus.value(QStringLiteral("waiting")) == runs;
        },
        600'000);
    if (!allWait)
        die(QStringLiteral("not every run came to rest"));
    reader.reset();
    // What the allocator merely keeps for later is not what the runs cost.
    malloc_trim(0);
    const double before = processorSeconds();
    QTimer::singleShot(5000, &app, &QCoreApplication::quit);
    app.exec();
    QTextStream(stdout) << runs << " waiting runs: " << residentKilobytes() / 1024
                        << " MB resident, processor time while at rest "
                        << QString::number((processorSeconds() - before) / 5 * 100, 'f', 2) << " %"
                        << Qt::endl;
    return 0;
}
