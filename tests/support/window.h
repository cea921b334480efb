// A bridge on a Machine, as the console has one: reads on one thread, acts through the worker that
// owns the file, or on a connection of their own where the database is shared. A window on top of
// it is the real one.
#pragma once

#include "support/machine.h"
#include "ui/bridge/bridge.h"

#include <QTest>

namespace holdfast::tests
{

class WindowMachine
{
public:
    explicit WindowMachine(Machine::Database database);
    ~WindowMachine();
    Q_DISABLE_COPY_MOVE(WindowMachine)

    Machine machine;
    // Another person's console on the same database.
    std::unique_ptr<bridge::Bridge> newBridge(const QString &actor);
    bridge::Bridge &bridge() { return *m_bridge; }
    // Deploying and starting go through here once the worker runs: it owns the file.
    QJsonObject call(const QString &name, const QJsonObject &arguments);
    QString start(const QString &id);
    // Waits until the run has this status; fails the test after 20 s.
    bool waitFor(const QString &run, const QString &status);

private:
    bridge::Sources sources(const QString &actor);

    std::unique_ptr<runtime::Worker> m_worker;
    std::unique_ptr<bridge::Bridge> m_bridge;
};

} // namespace holdfast::tests
