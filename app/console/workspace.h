// One run database with what works on it: the engine of this process, or the process that owns the
// file already, and the bridge through which a window sees and commands it.
#pragma once

#include "app/console/engine_host.h"
#include "ui/bridge/bridge.h"

namespace holdfast::console
{

class Workspace : public QObject
{
    Q_OBJECT
public:
    // `shownAs` stands for the address where that would tell a person nothing.
    explicit Workspace(const QString &url, const QString &shownAs = {});
    ~Workspace() override;

    model::Result<void> start();
    bridge::Bridge &bridge() { return *m_bridge; }
    bool isAttached() const { return m_engine == nullptr; }
    // Attempts under way end first; their receipts are worth the wait. stopped() follows.
    void drain();

Q_SIGNALS:
    void stopped();

private:
    bridge::Call engineCall() const;

    const QString m_url;
    const QString m_shownAs;
    std::unique_ptr<EngineHost> m_engine;
    std::unique_ptr<bridge::Bridge> m_bridge;
};

} // namespace holdfast::console
