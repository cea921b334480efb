// One local program: JSON on its standard input, its output and the end of its errors kept, in a
// process group of its own so that a time-out ends everything it started. Lives on the command
// sender's thread.
#pragma once

#include "actions/redactor.h"
#include "model/call.h"

#include <QByteArray>
#include <chrono>
#include <poll.h>
#include <sys/types.h>
#include <vector>

namespace holdfast::actions
{

constexpr qsizetype outputMax = 1 << 20;
constexpr qsizetype errorTailMax = 4 * 1024;

class CommandProcess
{
public:
    using Steady = std::chrono::steady_clock;

    explicit CommandProcess(const model::Call &call) : m_call(call) {}
    ~CommandProcess();
    CommandProcess(const CommandProcess &) = delete;
    CommandProcess &operator=(const CommandProcess &) = delete;

    // An empty answer: it runs. Otherwise why it does not; nothing was started then.
    QString start();

    void addTo(std::vector<pollfd> &polled) const;
    // Moves bytes and watches the end. True once it is over and result() may be asked.
    bool advance();
    // The next instant at which advance() must be called whatever the descriptors say.
    Steady::time_point due() const { return m_due; }
    model::CallResult result(const Redactor &redactor) const;
    void kill(); // at once, with everything it started; nothing is reported

private:
    struct Pipes;
    QString spawn(Pipes &pipes);
    void writeInput();
    void readOutput();
    void readErrors();
    void enforceTime();
    void stop(const QString &error);
    bool hasEnded();

    const model::Call m_call;
    pid_t m_pid = -1;
    int m_process = -1; // a descriptor of the process, readable when it has ended
    int m_input = -1;
    int m_output = -1;
    int m_errors = -1;
    qsizetype m_written = 0;
    QByteArray m_outputBytes;
    QByteArray m_errorTail;
    Steady::time_point m_due;
    bool m_isStopping = false; // it was asked to end, and will be made to
    QString m_error;
    int m_exitCode = -1;
    int m_signal = 0;
};

} // namespace holdfast::actions
