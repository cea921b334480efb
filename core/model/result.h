// Result<T> is how a failure of the world travels between folders: a value, or an Error with a
// kind. A rejection by the engine is not an Error, and a bug is an assertion; the three are never
// mixed.
#pragma once

#include <QString>
#include <QtGlobal>
#include <utility>
#include <variant>

namespace holdfast::model
{

enum class ErrorKind {
    invalid,        // the input is wrong; nothing was done
    notFound,       // no such thing
    conflict,       // it moved, exists already, or belongs to someone else
    refused,        // the rules or rights say no
    busy,           // held by another for now; trying again may work
    lost,           // the database or the peer went away; nothing was committed
    unknownOutcome, // lost during commit: re-read before anything else
    full,           // no space left
    corrupt,        // the data is damaged
    unsupported,    // this build or this version cannot do it
};

QString errorKindName(ErrorKind kind);

struct Error {
    ErrorKind kind = ErrorKind::invalid;
    QString message; // one sentence for a person: what is wrong, where, what is safe to do

    // Whether the same call may simply be made again once the cause has passed.
    bool isRetryable() const { return kind == ErrorKind::busy || kind == ErrorKind::lost; }
};

inline Error invalid(const QString &message) { return {ErrorKind::invalid, message}; }
inline Error refused(const QString &message) { return {ErrorKind::refused, message}; }
inline Error notFound(const QString &message) { return {ErrorKind::notFound, message}; }

template <typename T>
class [[nodiscard]] Result
{
public:
    Result(T value) : m_state(std::move(value)) {}
    Result(Error error) : m_state(std::move(error)) {}

    bool ok() const { return std::holds_alternative<T>(m_state); }
    explicit operator bool() const { return ok(); }
    const T &value() const
    {
        Q_ASSERT(ok());
        return std::get<T>(m_state);
    }
    T &value()
    {
        Q_ASSERT(ok());
        return std::get<T>(m_state);
    }
    const T &operator*() const { return value(); }
    T &operator*() { return value(); }
    const T *operator->() const { return &value(); }
    T *operator->() { return &value(); }
    const Error &error() const
    {
        Q_ASSERT(!ok());
        return std::get<Error>(m_state);
    }

private:
    std::variant<T, Error> m_state;
};

template <>
class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    Result(Error error) : m_ok(false), m_error(std::move(error)) {}

    bool ok() const { return m_ok; }
    explicit operator bool() const { return m_ok; }
    const Error &error() const { return m_error; }

private:
    bool m_ok = true;
    Error m_error;
};

} // namespace holdfast::model
