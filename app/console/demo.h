// The demo workspace: a database of its own with two seeded weeks, the sandbox it works against, a
// twin of that sandbox for a blind client, and a person's hand on the faults. It starts anew each
// time, so that the sandbox and the database tell the same story, and it can hold no real secret.
#pragma once

#include "app/console/blind_client.h"
#include "app/sandbox/sandbox.h"
#include "ui/bridge/bridge.h"

#include <QObject>
#include <QTemporaryDir>
#include <QTimer>
#include <memory>

namespace holdfast::console
{

class Demo : public QObject
{
    Q_OBJECT
public:
    explicit Demo(quint64 seed);
    ~Demo() override;

    QString url() const;         // of its database
    QString secretsFile() const; // with tokens that open nothing
    // Writes the two weeks; blocks for seconds, so call it before the window or on a thread.
    model::Result<void> prepare(const std::function<bool(int percent)> &progress);
    // Runs are started through this from now on.
    void setBridge(bridge::Bridge *bridge) { m_bridge = bridge; }

    // What the outside does from now on; the twin's does the same.
    struct Preset {
        QString title;
        QString hint;
        QJsonObject faults; // as FaultPlan::apply takes them
    };
    static const QVector<Preset> &presets();
    void setFaults(const QJsonObject &faults);
    void start(int orders, int invoices);
    void setTraffic(bool goesOn); // a run now and then

    // From the sandbox's own books, not from the engine's tables.
    struct Truth {
        int effects = 0;
        int duplicates = 0;
        int blindEffects = 0;
        int blindDuplicates = 0;
    };
    Truth truth() const;
    sandbox::SandboxThread &world() { return *m_world; }

Q_SIGNALS:
    void said(const QString &message);

private:
    model::Result<void> writeSecrets() const;
    void startOne(bool isOrder);

    const quint64 m_seed;
    QTemporaryDir m_home;
    std::unique_ptr<sandbox::SandboxThread> m_world;
    std::unique_ptr<sandbox::SandboxThread> m_twin;
    std::unique_ptr<BlindClient> m_blind;
    bridge::Bridge *m_bridge = nullptr;
    QTimer m_traffic;
    int m_number = 0;
    int m_effectsBefore = 0; // of the seeded weeks
};

} // namespace holdfast::console
