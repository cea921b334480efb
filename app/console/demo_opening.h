// The demo's two past weeks being written on a thread of their own, with a small window that says
// so and can stop it.
#pragma once

#include "app/console/demo.h"
#include "app/console/progress_window.h"

#include <QThread>
#include <atomic>

namespace holdfast::console
{

class DemoOpening : public QObject
{
    Q_OBJECT
public:
    DemoOpening(quint64 seed, QWidget *parent);
    // Stops, and waits for the thread to notice.
    ~DemoOpening() override;

    void start();
    void cancel();
    // Both once done() came.
    const model::Result<void> &result() const { return m_result; }
    std::unique_ptr<Demo> takeDemo() { return std::move(m_demo); }

Q_SIGNALS:
    void done();

private:
    std::unique_ptr<Demo> m_demo;
    std::unique_ptr<ProgressWindow> m_window;
    std::unique_ptr<QThread> m_thread;
    std::atomic<bool> m_isCancelled = false;
    model::Result<void> m_result;
};

} // namespace holdfast::console
