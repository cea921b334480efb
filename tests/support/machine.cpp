#include "support/machine.h"

#include "model/ids.h"
#include "store/audit_chain.h"
#include "store/store_url.h"
#include "support/postgres_server.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace holdfast::tests
{

Machine::Machine(Database database)
{
    if (database == Database::sqlite) {
        m_url = QStringLiteral("sqlite:") + m_folder.filePath(QStringLiteral("runs.db"));
        return;
    }
    PostgresServer *server = PostgresServer::shared();
    if (!server)
        qFatal("PostgreSQL is not installed; tests/run installs it");
    m_url = server->createDatabase();
}

Machine::~Machine() = default;

QString Machine::nameOf(Database database)
{
    return database == Database::sqlite ? QStringLiteral("sqlite") : QStringLiteral("postgres");
}

QString Machine::dependencyText(const QString &protection, const QString &extra,
                                const QString &name) const
{
    const QString retention =
        protection == QLatin1String("native") ? QStringLiteral("\n  retention: 24h") : QString();
    return QStringLiteral("holdfast: 1\ndependency: %1\nowner: team@example.com\nurl: %2\n"
                          "idempotency:\n  protection: %3%4\n"
                          "breaker: {failures: 1000, within: 60s, open_for: 1s}\n%5---\n")
        .arg(name, world.origin(), protection, retention, extra);
}

QString Machine::stepText(const StepText &step)
{
    QString text =
        QStringLiteral("  - step: %1\n    dependency: %2\n    effect: %3\n"
                       "    key: %1:${ input.id }\n    timeout: %4\n"
                       "    http:\n      method: %5\n      path: %6\n")
            .arg(step.name, step.dependency, step.effect, step.timeout, step.method, step.path);
    if (step.method != QLatin1String("GET") && step.method != QLatin1String("DELETE"))
        text += QStringLiteral("      body: {ref: \"%1:${ input.id }\"}\n").arg(step.name);
    if (step.method != QLatin1String("DELETE"))
        text += QStringLiteral("    receipt: {id: \"${ response.body.id }\"}\n");
    text += QStringLiteral("    retry: {attempts: %1, delay: 20ms, backoff: 2, max_delay: 200ms}\n")
                .arg(step.attempts);
    if (step.verify) {
        text += QStringLiteral("    verify:\n      http: {method: GET, path: \"%1?key=${ key }\"}\n"
                               "      happened: ${ response.body.data.length === 1 }\n"
                               "      absent: ${ response.body.data.length === 0 }\n"
                               "      settle_after: %2\n"
                               "      receipt: {id: \"${ response.body.data[0].id }\"}\n")
                    .arg(step.path, step.settleAfter);
    }
    if (step.effect != QLatin1String("read")) {
        text += step.undo.isEmpty()
                    ? QStringLiteral("    compensate: none\n")
                    : QStringLiteral("    compensate:\n      http: {method: %1, path: \"%2\"}\n")
                          .arg(step.undoMethod, step.undo);
    }
    return text + step.extra;
}

QString Machine::workflowText(const QStringList &steps, const QString &deadline)
{
    return QStringLiteral("holdfast: 1\nworkflow: flow\nversion: 1\nowner: team@example.com\n"
                          "deadline: %1\nevent_id: ${ input.id }\n"
                          "input: {type: object, required: [id]}\nsteps:\n%2")
        .arg(deadline, steps.join(QString()));
}

model::Result<QJsonValue> Machine::ask(const QString &name, const QJsonObject &arguments)
{
    auto made = store::openStore(m_url, store::Access::writer, &clock);
    if (!made)
        return made.error();
    const auto opened = (*made)->open();
    if (!opened)
        return opened.error();
    control::LocalDoor door(**made, {store::auditHash, [] { return QJsonObject(); }});
    return door.call({model::newId(clock.now()), name, arguments, QStringLiteral("ada")});
}

QJsonObject Machine::call(const QString &name, const QJsonObject &arguments)
{
    const auto answer = ask(name, arguments);
    if (!answer)
        qFatal("%s was refused: %s", qPrintable(name), qPrintable(answer.error().message));
    const QJsonObject object = answer->toObject();
    if (object.contains(QLatin1String("refused")))
        qFatal("%s was refused: %s", qPrintable(name), QJsonDocument(object).toJson().constData());
    return object;
}

QString Machine::refusal(const QString &name, const QJsonObject &arguments)
{
    const auto answer = ask(name, arguments);
    return answer ? QString() : answer.error().message;
}

void Machine::deploy(const QString &text)
{
    const QJsonObject file{{QStringLiteral("file"), QStringLiteral("test.yaml")},
                           {QStringLiteral("text"), text}};
    call(QStringLiteral("deploy"), {{QStringLiteral("files"), QJsonArray{file}}});
}

QString Machine::start(const QString &id)
{
    const QJsonObject input{{QStringLiteral("id"), id}};
    return call(QStringLiteral("start"), {{QStringLiteral("workflow"), QStringLiteral("flow")},
                                          {QStringLiteral("input"), input}})
        .value(QLatin1String("run_id"))
        .toString();
}

std::unique_ptr<runtime::Worker> Machine::startWorker(bool untilIdle, int concurrency)
{
    auto made = store::openStore(m_url, store::Access::writer, &clock);
    if (!made)
        qFatal("%s", qPrintable(made.error().message));
    const auto secrets = std::make_shared<actions::Secrets>(
        QString(), actions::Secrets::Places::environmentAndFile, keychain);
    m_outside = std::make_unique<actions::Outside>(
        clock,
        [this](const QString &name, int revision) { return m_catalog.definition(name, revision); },
        secrets);
    m_courier = std::make_unique<actions::WebhookCourier>(clock, secrets, actions::HttpOptions{},
                                                          webhookTimeout);
    runtime::WorkerOptions options;
    options.untilIdle = untilIdle;
    options.concurrency = concurrency;
    options.memoryFile = memoryFile;
    options.courier = m_courier.get();
    options.tripwiresEvery = tripwiresEvery;
    auto worker =
        std::make_unique<runtime::Worker>(std::move(*made), m_catalog, *m_outside, clock, options);
    worker->start();
    return worker;
}

void Machine::runUntilIdle(int concurrency)
{
    const std::unique_ptr<runtime::Worker> worker = startWorker(true, concurrency);
    if (!worker->join())
        qFatal("the worker failed: %s", qPrintable(worker->status().message));
}

QJsonObject Machine::show(const QString &run)
{
    return call(QStringLiteral("show"), {{QStringLiteral("run"), run}});
}

QString Machine::statusOf(const QString &run)
{
    return show(run).value(QLatin1String("status")).toString();
}

QJsonObject Machine::step(const QString &run, const QString &name)
{
    const QJsonArray steps = show(run).value(QLatin1String("steps")).toArray();
    for (const QJsonValue &step : steps) {
        if (step[QLatin1String("step")] == name)
            return step.toObject();
    }
    return {};
}

QJsonArray Machine::attempts(const QString &run, const QString &name, const QString &direction)
{
    QJsonArray found;
    const QJsonArray all = step(run, name).value(QLatin1String("attempts")).toArray();
    for (const QJsonValue &attempt : all) {
        if (direction.isEmpty() || attempt[QLatin1String("direction")] == direction)
            found.append(attempt);
    }
    return found;
}

QJsonArray Machine::reviews()
{
    return call(QStringLiteral("reviews"), {}).value(QLatin1String("reviews")).toArray();
}

void Machine::resolve(const QString &verdict, const QJsonObject &receipt)
{
    const QJsonArray open = reviews();
    if (open.isEmpty())
        qFatal("there is nothing to resolve");
    QJsonObject arguments{{QStringLiteral("review"), open.first()[QLatin1String("id")]},
                          {QStringLiteral("verdict"), verdict},
                          {QStringLiteral("reason"), QStringLiteral("looked")}};
    if (!receipt.isEmpty())
        arguments.insert(QStringLiteral("receipt"), receipt);
    call(QStringLiteral("resolve"), arguments);
}

bool Machine::push(const QString &path, const QStringList &faults)
{
    return world.faults().push(path, faults).ok();
}

} // namespace holdfast::tests
