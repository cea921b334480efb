// What the conformance suites share: a fresh store for each test and each kind of database, and
// rows to put in.
#pragma once

#include "support/store_fixture.h"

#include <QTest>

// Fails the test with the error's own words.
#define OK(expression)                                                                             \
    do {                                                                                           \
        const auto &answer_ = (expression);                                                        \
        if (!answer_.ok())                                                                         \
            QFAIL(qPrintable(answer_.error().message));                                            \
    } while (false)

namespace holdfast::tests
{

class StoreSuite
{
protected:
    std::unique_ptr<StoreFixture> m_fixture;
    std::unique_ptr<ports::Store> m_store;

    ports::Instant at() const { return m_store->now().value(); }
    ports::NewRun start(const QString &eventId, const QString &workflow = QStringLiteral("billing"))
    {
        ports::NewRun run = newRun(workflow, eventId, at());
        const auto answer = m_store->startRun(run);
        if (!answer.ok() || !answer->created)
            qFatal("a run could not be started: %s",
                   answer.ok() ? "it exists" : qPrintable(answer.error().message));
        return run;
    }
    void registerWorker(const QString &id, ports::Millis lease = 10000)
    {
        ports::WorkerRow worker;
        worker.id = id;
        worker.host = QStringLiteral("here");
        worker.pid = 7;
        OK(m_store->registerWorker(worker, lease));
    }
    QVector<ports::ClaimedRun> claim(ports::Store &store, const QString &worker, int limit = 100)
    {
        auto claimed = store.claim({worker, limit, store.now().value(), false});
        if (!claimed.ok())
            qFatal("%s", qPrintable(claimed.error().message));
        return *claimed;
    }
    // The next version of a run with an attempt open, held by the worker.
    static ports::RunRow opened(const ports::RunRow &row, const QString &worker)
    {
        ports::RunRow next = row;
        ++next.seq;
        next.status = model::RunStatus::running;
        next.worker = worker;
        next.due = model::never;
        next.open = {{"pay", model::Direction::forward, 1, "payments", model::Effect::write, 5}};
        return next;
    }
    static ports::RunRow finished(const ports::RunRow &row, ports::Instant now)
    {
        ports::RunRow next = row;
        ++next.seq;
        next.status = model::RunStatus::succeeded;
        next.worker.clear();
        next.due = model::never;
        next.finishedAt = now;
        next.open = {};
        return next;
    }
    static void add(ports::TurnWrites &writes, const ports::RunRow &row, qint64 fence)
    {
        writes.runs.append({row, fence});
        ports::JournalRow journal;
        journal.runId = row.runId;
        journal.seq = row.seq;
        journal.at = row.updatedAt;
        journal.fence = row.fence;
        journal.worker = row.worker;
        journal.entries = "[]";
        writes.journal.append(journal);
    }
    // Claims everything due and leaves an attempt open on each.
    QVector<ports::RunRow> openAll(const QString &worker)
    {
        if (!m_store->begin().ok())
            qFatal("begin");
        ports::TurnWrites writes;
        for (const ports::ClaimedRun &run : claim(*m_store, worker))
            add(writes, opened(run.run, worker), run.run.fence);
        if (!m_store->write(writes).ok() || !m_store->commit().ok())
            qFatal("write");
        QVector<ports::RunRow> rows;
        for (const ports::RunWrite &write : std::as_const(writes.runs))
            rows.append(write.row);
        return rows;
    }
    static ports::LedgerRow key(const QString &name, const QString &runId)
    {
        ports::LedgerRow row;
        row.operation = QStringLiteral("payments POST /v1/invoices");
        row.key = name;
        row.hash = QStringLiteral("h1");
        row.status = QStringLiteral("processing");
        row.runId = runId;
        row.step = QStringLiteral("pay");
        row.direction = QStringLiteral("forward");
        row.request = QJsonObject{{"path", "/v1/invoices"}};
        row.createdAt = 5;
        return row;
    }
    static ports::PauseRow pause(const QString &id)
    {
        ports::PauseRow row;
        row.id = id;
        row.scope = QStringLiteral("all");
        row.depth = QStringLiteral("writes");
        row.reason = QStringLiteral("incident");
        row.actor = QStringLiteral("ann");
        return row;
    }
    static ports::ReviewRow review(const QString &id, const QString &runId)
    {
        ports::ReviewRow row;
        row.id = id;
        row.kind = QStringLiteral("ambiguous");
        row.runId = runId;
        row.openedAt = 10;
        row.evidence = QJsonObject{{"status", 500}};
        return row;
    }
    static ports::CommandRow command(const QString &id, const QString &runId)
    {
        ports::CommandRow row;
        row.id = id;
        row.name = QStringLiteral("cancel");
        row.runId = runId;
        row.actor = QStringLiteral("ann");
        row.arguments = QJsonObject{{"reason", "x"}};
        row.at = 10;
        return row;
    }

    static void addKinds()
    {
        QTest::addColumn<int>("kind");
        for (const StoreFixture::Kind kind : StoreFixture::available())
            QTest::newRow(qPrintable(StoreFixture::nameOf(kind))) << int(kind);
    }
    void freshStore()
    {
        QFETCH_GLOBAL(int, kind);
        m_fixture = std::make_unique<StoreFixture>(StoreFixture::Kind(kind));
        m_store = m_fixture->connect();
    }
    void dropStore()
    {
        m_store.reset();
        m_fixture.reset();
    }
};

} // namespace holdfast::tests
