#include "actions/command_process.h"

#include "actions/http_transfer.h"

#include <QFile>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace holdfast::actions
{

namespace
{

constexpr auto patience = std::chrono::seconds(2); // between asking a program to end and making it
constexpr size_t pieceSize = 64 * 1024;

void closeNow(int &descriptor)
{
    if (descriptor >= 0)
        ::close(descriptor);
    descriptor = -1;
}

// A program gets the context of its call and a bare environment: ours may hold secrets.
std::vector<QByteArray> environmentOf(const model::Call &call)
{
    std::vector<QByteArray> entries;
    for (const char *name : {"PATH", "HOME", "LANG", "TMPDIR"}) {
        if (qEnvironmentVariableIsSet(name))
            entries.push_back(QByteArray(name) + '=' + qgetenv(name));
    }
    const auto add = [&entries](const char *name, const QByteArray &value) {
        entries.push_back(QByteArray(name) + '=' + value);
    };
    add("HOLDFAST_RUN_ID", call.runId.toUtf8());
    add("HOLDFAST_CORRELATION_ID", call.runId.toUtf8());
    add("HOLDFAST_STEP", call.step.toUtf8());
    add("HOLDFAST_KEY", call.key.toUtf8());
    add("HOLDFAST_ATTEMPT", QByteArray::number(call.attempt));
    add("HOLDFAST_DEADLINE_MS", QByteArray::number(call.timeout));
    add("HOLDFAST_EFFECT", model::effectName(call.effect).toLatin1());
    if (!call.traceparent.isEmpty())
        add("TRACEPARENT", call.traceparent.toLatin1());
    return entries;
}

std::vector<char *> pointersTo(std::vector<QByteArray> &texts)
{
    std::vector<char *> pointers;
    for (QByteArray &text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

bool hasNul(const std::vector<QByteArray> &texts)
{
    return std::any_of(texts.begin(), texts.end(),
                       [](const QByteArray &text) { return text.contains('\0'); });
}

// Appends what is there without waiting. False: the other end is closed.
bool readAvailable(int descriptor, QByteArray &into, qsizetype stopAt)
{
    std::array<char, pieceSize> piece;
    while (into.size() <= stopAt) {
        const ssize_t count = ::read(descriptor, piece.data(), piece.size());
        if (count > 0)
            into.append(piece.data(), count);
        else
            return count < 0 && (errno == EAGAIN || errno == EINTR);
    }
    return true;
}

} // namespace

struct CommandProcess::Pipes {
    std::array<int, 2> input{-1, -1};
    std::array<int, 2> output{-1, -1};
    std::array<int, 2> errors{-1, -1};

    bool open()
    {
        return ::pipe2(input.data(), O_CLOEXEC) == 0 && ::pipe2(output.data(), O_CLOEXEC) == 0 &&
               ::pipe2(errors.data(), O_CLOEXEC) == 0;
    }
    ~Pipes()
    {
        for (auto *pair : {&input, &output, &errors}) {
            closeNow((*pair)[0]);
            closeNow((*pair)[1]);
        }
    }
    static int take(int &descriptor)
    {
        ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
        return std::exchange(descriptor, -1);
    }
};

CommandProcess::~CommandProcess()
{
    for (int *descriptor : {&m_input, &m_output, &m_errors, &m_process})
        closeNow(*descriptor);
}

QString CommandProcess::start()
{
    Pipes pipes;
    if (!pipes.open())
        return QString::fromLocal8Bit(std::strerror(errno));
    const QString problem = spawn(pipes);
    if (!problem.isEmpty())
        return problem;
    // By number: the header of this C library declares the wrapper without C linkage.
    m_process = static_cast<int>(::syscall(SYS_pidfd_open, m_pid, 0));
    m_input = Pipes::take(pipes.input[1]);
    m_output = Pipes::take(pipes.output[0]);
    m_errors = Pipes::take(pipes.errors[0]);
    m_due = Steady::now() + std::chrono::milliseconds(std::max<model::Millis>(1, m_call.timeout));
    return {};
}

QString CommandProcess::spawn(Pipes &pipes)
{
    std::vector<QByteArray> arguments;
    for (const QString &argument : m_call.request.argv)
        arguments.push_back(argument.toUtf8());
    std::vector<QByteArray> environment = environmentOf(m_call);
    if (hasNul(arguments) || hasNul(environment))
        return QStringLiteral("An argument holds a NUL character.");

    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, pipes.input[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, pipes.output[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, pipes.errors[1], STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    const int failure =
        ::posix_spawnp(&m_pid, arguments.front().constData(), &files, &attributes,
                       pointersTo(arguments).data(), pointersTo(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (failure == 0)
        return {};
    return QStringLiteral("%1: %2").arg(m_call.request.argv.first(),
                                        QString::fromLocal8Bit(std::strerror(failure)));
}

void CommandProcess::addTo(std::vector<pollfd> &polled) const
{
    polled.push_back({m_process, POLLIN, 0});
    if (m_input >= 0)
        polled.push_back({m_input, POLLOUT, 0});
    if (m_output >= 0)
        polled.push_back({m_output, POLLIN, 0});
    if (m_errors >= 0)
        polled.push_back({m_errors, POLLIN, 0});
}

bool CommandProcess::advance()
{
    writeInput();
    const bool isOver = hasEnded();
    // After the end, what it wrote is still in the pipes; what its children may write later is not
    // its own.
    readOutput();
    readErrors();
    if (!isOver) {
        enforceTime();
        return false;
    }
    // The whole group goes before its leader is reaped: until then its number belongs to nobody
    // else.
    if (m_isStopping)
        ::kill(-m_pid, SIGKILL);
    int status = 0;
    while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status))
        m_exitCode = WEXITSTATUS(status);
    else
        m_signal = WTERMSIG(status);
    return true;
}

bool CommandProcess::hasEnded()
{
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == m_pid;
}

void CommandProcess::writeInput()
{
    const QByteArray &body = m_call.request.body;
    while (m_input >= 0 && m_written < body.size()) {
        const ssize_t count = ::write(m_input, body.constData() + m_written,
                                      static_cast<size_t>(body.size() - m_written));
        if (count > 0)
            m_written += count;
        else if (count < 0 && errno == EAGAIN)
            return;
        else if (count < 0 && errno != EINTR)
            break; // it does not want to hear the rest, which is its right
    }
    closeNow(m_input);
}

void CommandProcess::readOutput()
{
    if (m_output >= 0 && !readAvailable(m_output, m_outputBytes, outputMax))
        closeNow(m_output);
    if (m_outputBytes.size() > outputMax && m_error.isEmpty()) {
        m_outputBytes.truncate(oversizeKept);
        closeNow(m_output);
        stop(QStringLiteral("too_large"));
    }
}

void CommandProcess::readErrors()
{
    // Read in bounded pieces: a program that floods its errors must not keep the others waiting.
    QByteArray fresh;
    if (m_errors >= 0 && !readAvailable(m_errors, fresh, 4 * errorTailMax))
        closeNow(m_errors);
    if (!fresh.isEmpty())
        m_errorTail = (m_errorTail + fresh).right(errorTailMax);
}

void CommandProcess::enforceTime()
{
    if (Steady::now() < m_due)
        return;
    if (!m_isStopping) {
        stop(QStringLiteral("timeout"));
        return;
    }
    ::kill(-m_pid, SIGKILL);
    m_due = Steady::now() + patience;
}

void CommandProcess::stop(const QString &error)
{
    m_error = error;
    m_isStopping = true;
    m_due = Steady::now() + patience;
    ::kill(-m_pid, SIGTERM);
}

void CommandProcess::kill()
{
    ::kill(-m_pid, SIGKILL);
    while (::waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
    }
}

model::CallResult CommandProcess::result(const Redactor &redactor) const
{
    model::CallResult result = resultFor(m_call);
    result.sent = true;
    result.status = -1;
    result.error = m_error;
    result.detail = redactor.redacted(personLine(m_errorTail));
    if (m_error.isEmpty() && m_signal != 0) {
        result.error = QStringLiteral("killed");
        result.detail =
            QStringLiteral("Ended by signal %1. %2").arg(m_signal).arg(result.detail).trimmed();
    }
    if (result.error.isEmpty()) {
        result.status = m_exitCode;
        result.bodyComplete = true;
    }
    result.body = redactor.redacted(m_outputBytes, !result.bodyComplete);
    return result;
}

} // namespace holdfast::actions
