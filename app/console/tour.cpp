#include "app/console/tour.h"

#include "app/console/feed_calls.h"
#include "app/ctl/database.h"
#include "model/ids.h"
#include "model/run.h"

#include <QApplication>
#include <QDir>
#include <QEventLoop>
#include <QFile>
#include <QJsonArray>
#include <QPixmap>
#include <cstdio>

namespace holdfast::console
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr int ordersTotal = 14;
constexpr int invoicesTotal = 8;
const QString sampleOrigin = u"http://127.0.0.1:8460"_s;

QJsonObject orderInput(int number)
{
    return {{u"order_id"_s, u"A-%1"_s.arg(1000 + number)},
            {u"customer_id"_s, u"C-%1"_s.arg(10 + number % 5)},
            {u"sku"_s, u"lamp-%1"_s.arg(number % 3)},
            {u"quantity"_s, 1 + number % 3},
            {u"total"_s, 1990 + 100 * number},
            {u"address"_s, u"%1 Harbour Road"_s.arg(number)}};
}

QJsonObject invoiceInput(int number)
{
    // The last one does not add up: it must fail before any call is made.
    const int total = 500 + number + (number == invoicesTotal ? 1 : 0);
    return {{u"order_id"_s, u"B-%1"_s.arg(2000 + number)},
            {u"customer_id"_s, u"C-%1"_s.arg(10 + number % 5)},
            {u"email"_s, u"customer%1@example.com"_s.arg(number)},
            {u"total"_s, total},
            {u"lines"_s,
             QJsonArray{QJsonObject{{u"amount"_s, 500}}, QJsonObject{{u"amount"_s, number}}}}};
}
} // namespace

QString samplesFolder()
{
    const QString installed =
        QCoreApplication::applicationDirPath() + u"/../share/holdfast/samples"_s;
    if (QDir(installed).exists())
        return installed;
    QDir up(QCoreApplication::applicationDirPath());
    do {
        if (up.exists(u"resources/samples"_s))
            return up.filePath(u"resources/samples"_s);
    } while (up.cdUp());
    return {};
}

Tour::Tour(QApplication &application, const QString &folder)
    : m_application(application), m_folder(folder)
{
    m_deadline.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this, [this] {
        finish(1, u"the engine did not come to rest in %1 s"_s.arg(patienceMs / 1000));
    });
}

Tour::~Tour()
{
    m_feed.reset();
    m_engine.reset();
}

int Tour::run()
{
    if (const auto ready = prepare(); !ready) {
        std::fprintf(stderr, "holdfast: %s\n", qPrintable(ready.error().message));
        return 1;
    }
    m_deadline.start(patienceMs);
    m_feed->start();
    return QApplication::exec();
}

Result<void> Tour::prepare()
{
    if (!QDir().mkpath(m_folder) || !m_home.isValid())
        return model::invalid(u"cannot write to %1"_s.arg(m_folder));
    const QString url = u"sqlite:"_s + m_home.filePath(u"tour.db"_s);
    m_engine = std::make_unique<EngineHost>(url);
    if (const auto started = m_engine->start(); !started)
        return started;
    if (const auto deployed = deploySamples(); !deployed)
        return deployed;
    misbehave();
    for (int i = 1; i <= ordersTotal + invoicesTotal; ++i) {
        const bool isOrder = i <= ordersTotal;
        const auto started = call(
            u"start"_s, {{u"workflow"_s, isOrder ? u"order"_s : u"billing-assistant"_s},
                         {u"input"_s, isOrder ? orderInput(i) : invoiceInput(i - ordersTotal)}});
        if (!started)
            return started.error();
        ++m_started;
    }
    m_window =
        std::make_unique<shell::MainWindow>(u"sqlite: the tour's own"_s, shell::Theme::light);
    shell::applyTheme(m_application, shell::Theme::light);
    m_window->show();
    shell::FeedSources sources;
    sources.call = readerCall(url);
    sources.now = [] { return ports::SystemClock().now(); };
    sources.engine = [engine = m_engine.get()] {
        const runtime::WorkerStatus status = engine->status();
        return shell::EngineLine{runtime::workerStateName(status.state), status.message,
                                 status.inFlight};
    };
    m_feed = std::make_unique<shell::FeedThread>(std::move(sources));
    connect(m_feed.get(), &shell::FeedThread::arrived, this, &Tour::onSnapshot);
    return {};
}

Result<void> Tour::deploySamples()
{
    const QString folder = samplesFolder();
    if (folder.isEmpty())
        return model::notFound(u"the samples are neither beside the program nor above it"_s);
    for (const QString &name : {u"order.yaml"_s, u"billing-assistant.yaml"_s}) {
        QFile file(folder + u'/' + name);
        if (!file.open(QIODevice::ReadOnly))
            return model::notFound(u"cannot read %1"_s.arg(file.fileName()));
        const QString text =
            QString::fromUtf8(file.readAll()).replace(sampleOrigin, m_sandbox.origin());
        const auto answer =
            call(u"deploy"_s,
                 {{u"files"_s, QJsonArray{QJsonObject{{u"file"_s, name}, {u"text"_s, text}}}}});
        if (!answer)
            return answer.error();
        if (answer->toObject().contains("refused"_L1))
            return model::refused(u"%1 was refused: %2"_s.arg(
                name, (*answer)["findings"_L1][0]["text"_L1].toString()));
    }
    return {};
}

// Each fault strikes one of the next requests: the world of an ordinary bad day.
void Tour::misbehave()
{
    const auto push = [this](const QString &path, const QStringList &faults) {
        const auto pushed = m_sandbox.faults().push(path, faults);
        Q_ASSERT(pushed.ok());
    };
    push(u"/inventory/v1/reservations"_s, {u"ok"_s, u"503"_s, u"ok"_s, u"422"_s});
    push(u"/payments/v1/charges"_s,
         {u"ok"_s, u"work_then_drop"_s, u"402"_s, u"503"_s, u"ok"_s, u"429:1"_s});
    push(u"/inventory/v1/shipments"_s, {u"ok"_s, u"ok"_s, u"422"_s});
    push(u"/mail/v1/messages"_s, {u"ok"_s, u"work_then_drop"_s, u"drop"_s, u"503"_s});
}

void Tour::onSnapshot(const shell::SnapshotPtr &snapshot)
{
    m_window->showSnapshot(snapshot);
    if (m_isDone || !isSettled(*snapshot))
        return;
    finish(takePictures() ? 0 : 1);
}

bool Tour::isSettled(const shell::Snapshot &snapshot) const
{
    if (snapshot.isAway || snapshot.runs.size() < m_started)
        return false;
    return std::all_of(snapshot.runs.begin(), snapshot.runs.end(), [](const shell::RunLine &run) {
        const auto status = model::runStatusFromName(run.status);
        return status && (model::isFinal(*status) || *status == model::RunStatus::review);
    });
}

bool Tour::takePictures()
{
    for (const auto &[theme, name] : {std::pair{shell::Theme::light, u"runs-light.png"_s},
                                      std::pair{shell::Theme::dark, u"runs-dark.png"_s}}) {
        shell::applyTheme(m_application, theme);
        m_window->setTheme(theme);
        QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents);
        const QString path = QDir(m_folder).filePath(name);
        if (!m_window->grab().save(path)) {
            std::fprintf(stderr, "holdfast: cannot write %s\n", qPrintable(path));
            return false;
        }
        std::printf("%s\n", qPrintable(path));
    }
    return true;
}

Result<QJsonValue> Tour::call(const QString &name, const QJsonObject &arguments)
{
    const control::Request request{model::newId(ports::SystemClock().now()), name, arguments,
                                   ctl::currentActor()};
    Result<QJsonValue> answer = model::Error{model::ErrorKind::lost, u"no answer"_s};
    QEventLoop loop;
    m_engine->execute(request, [&](Result<QJsonValue> value) {
        QMetaObject::invokeMethod(
            &loop,
            [&answer, &loop, value = std::move(value)] {
                answer = value;
                loop.quit();
            },
            Qt::QueuedConnection);
    });
    loop.exec();
    return answer;
}

void Tour::finish(int code, const QString &message)
{
    if (m_isDone)
        return;
    m_isDone = true;
    if (!message.isEmpty())
        std::fprintf(stderr, "holdfast: %s\n", qPrintable(message));
    QCoreApplication::exit(code);
}

} // namespace holdfast::console
