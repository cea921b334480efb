#include "app/ctl/signals.h"

#include <QCoreApplication>
#include <QSocketNotifier>
#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace holdfast::ctl
{

namespace
{
int selfPipe[2] = {-1, -1};
std::atomic<int> signalsSeen = 0; // lock-free, so safe in a handler

void onSignal(int number)
{
    if (++signalsSeen > 1)
        ::_exit(128 + number);
    const char byte = 1;
    const ssize_t written = ::write(selfPipe[1], &byte, 1);
    (void)written;
}
} // namespace

void onEndSignal(std::function<void()> callback)
{
    if (::pipe2(selfPipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    auto *notifier = new QSocketNotifier(selfPipe[0], QSocketNotifier::Read, qApp);
    QObject::connect(notifier, &QSocketNotifier::activated, qApp,
                     [notifier, callback = std::move(callback)] {
                         notifier->setEnabled(false);
                         callback();
                     });
    struct sigaction action {
    };
    action.sa_handler = onSignal;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGTERM, &action, nullptr);
    ::sigaction(SIGINT, &action, nullptr);
}

} // namespace holdfast::ctl
