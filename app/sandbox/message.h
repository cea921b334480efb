// HTTP/1.1 as far as the sandbox speaks it: requests with strict limits, answers as plain bytes. No
// sockets.
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QPair>
#include <QString>
#include <QVector>

namespace holdfast::sandbox
{

struct Incoming {
    QString method;
    QString target; // path and query as they came
    QString path;
    QVector<QPair<QString, QString>> headers;
    QByteArray body;
    QString key; // the Idempotency-Key header, else `key` or `ref` of a JSON body

    QString header(const char *name) const; // empty where absent
    bool wantsClose() const;
};

struct Reply {
    int status = 200;
    QByteArray body;
    QByteArray contentType = "application/json";
    QVector<QPair<QByteArray, QByteArray>> headers;

    static Reply json(int status, const QJsonObject &object);
    static Reply problem(int status, const QString &text);
    QByteArray head(qsizetype contentLength) const;
    QByteArray bytes() const { return head(body.size()) + body; }
};

// Takes bytes as they arrive and gives whole requests. After a problem the connection is of no more
// use.
class RequestReader
{
public:
    static constexpr qsizetype headMax = 32 * 1024;
    static constexpr qsizetype bodyMax = 1 << 20;

    enum class State { more, ready, bad };
    void feed(const QByteArray &bytes) { m_buffer += bytes; }
    State read();
    Incoming take(); // only after ready
    const Reply &problem() const { return m_problem; }
    bool isOverfull() const { return m_buffer.size() > headMax + 2 * bodyMax; }

private:
    State readHead();
    State bad(int status, const char *text);

    QByteArray m_buffer;
    Incoming m_incoming;
    qsizetype m_bodySize = -1; // of the request whose head was read; -1: none yet
    Reply m_problem;
};

} // namespace holdfast::sandbox
