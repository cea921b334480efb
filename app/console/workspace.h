// One run database with what works on it: the engine of this process, or the process that owns the
// file already, and the bridge through which a window sees and commands it.
#pragma once

#include "app/console/approach.h"
#include "app/console/engine_host.h"
#include "ui/bridge/bridge.h"

namespace holdfast::console
{

class Workspace : public QObject
{
    Q_OBJECT
public:
    struct Options {
        QString shownAs;     // stands for the address where that would tell a person nothing
        QString secretsFile; // alone, without any other place; empty: the usual places
    };
    explicit Workspace(const Approach &approach, const Options &options = {});
    ~Workspace() override;

    model::Result<void> start();
    bridge::Bridge &bridge() { return *m_bridge; }
    const QString &url() const { return m_approach.url; }
    bool isAttached() const { return m_engine == nullptr; }
    int inFlight() const; // attempts of this process that were sent and not yet answered
    // Attempts under way end first; their receipts are worth the wait. left() follows, and then
    // nothing of it waits any more.
    void leave();

Q_SIGNALS:
    void left();

private:
    bridge::Call engineCall() const;
    std::shared_ptr<actions::Secrets> secrets() const;
    void checkLeft();

    const Approach m_approach;
    const Options m_options;
    std::unique_ptr<EngineHost> m_engine;
    std::unique_ptr<bridge::Bridge> m_bridge;
    bool m_isLeaving = false;
    bool m_isEngineStopped = false;
    bool m_isBridgeRetired = false;
};

} // namespace holdfast::console
