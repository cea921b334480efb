// The whole engine in one process, against the sandbox: a real store, real HTTP, a real worker.
// What a test may ask afterwards are the door's answers and the sandbox's own books; it judges by
// the books.
#pragma once

#include "actions/outside.h"
#include "actions/webhook_courier.h"
#include "app/sandbox/sandbox.h"
#include "control/local_door.h"
#include "ports/clock.h"
#include "runtime/catalog.h"
#include "runtime/worker.h"

#include <QJsonObject>
#include <QStringList>
#include <QTemporaryDir>
#include <atomic>
#include <memory>

namespace holdfast::tests
{

// What a test's step is like. Everything else is the same for all.
struct StepText {
    QString name = QStringLiteral("make");
    QString path = QStringLiteral("/inventory/v1/reservations");
    QString method = QStringLiteral("POST");
    QString dependency = QStringLiteral("world");
    QString effect = QStringLiteral("write");
    QString timeout = QStringLiteral("1s");
    bool verify = false;
    QString settleAfter = QStringLiteral("50ms");
    QString undo{}; // path of the compensation; empty: none
    QString undoMethod = QStringLiteral("POST");
    int attempts = 4;
    QString extra{}; // further lines, indented by four
};

// The clocks of this machine, with a wall clock that can be set wrong.
class JumpingClock : public ports::SystemClock
{
public:
    model::Instant now() const override { return SystemClock::now() + m_offset; }
    void jump(model::Millis by) { m_offset += by; }

private:
    std::atomic<model::Millis> m_offset = 0;
};

class Machine
{
public:
    enum class Database { sqlite, postgres };

    explicit Machine(Database database);
    explicit Machine(const QString &url) : m_url(url) {} // a database of the test's own
    ~Machine();
    Q_DISABLE_COPY_MOVE(Machine)

    static QString nameOf(Database database);
    QString url() const { return m_url; }
    sandbox::SandboxThread world;
    JumpingClock clock;
    QString memoryFile{};                  // of workers; empty: they remember nothing
    actions::Secrets::Keychain keychain{}; // of workers; empty: they ask none
    model::Millis webhookTimeout = 2 * model::second;
    model::Millis tripwiresEvery = 5 * model::second;

    QString dependencyText(const QString &protection, const QString &extra = {},
                           const QString &name = QStringLiteral("world")) const;
    static QString stepText(const StepText &step);
    static QString workflowText(const QStringList &steps,
                                const QString &deadline = QStringLiteral("5m"));

    void deploy(const QString &text);
    QString start(const QString &id);
    // Runs a worker in this process until there is nothing left to do.
    void runUntilIdle(int concurrency = 200);
    // A worker that goes on until the machine or the caller stops it.
    std::unique_ptr<runtime::Worker> startWorker(bool untilIdle = false, int concurrency = 200);

    // The door's answer; a refusal ends the process, because nothing after it would mean anything.
    QJsonObject call(const QString &name, const QJsonObject &arguments);
    // The same, for calls that are expected to be refused: the error's text, or empty.
    QString refusal(const QString &name, const QJsonObject &arguments);
    QJsonObject show(const QString &run);
    QString statusOf(const QString &run);
    QJsonObject step(const QString &run, const QString &name);
    QJsonArray attempts(const QString &run, const QString &name, const QString &direction = {});
    QJsonArray reviews();
    void resolve(const QString &verdict, const QJsonObject &receipt = {});
    bool push(const QString &path, const QStringList &faults);

private:
    model::Result<QJsonValue> ask(const QString &name, const QJsonObject &arguments);

    QTemporaryDir m_folder;
    QString m_url;
    runtime::Catalog m_catalog;
    std::unique_ptr<actions::Outside> m_outside;
    std::unique_ptr<actions::WebhookCourier> m_courier;
};

} // namespace holdfast::tests
