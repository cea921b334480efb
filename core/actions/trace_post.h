// Posts spans to a collector, one request after the other, under the same rules as every other call
// to the outside: no redirect, no proxy, certificates checked, and a private address only where
// that was allowed. One thread at a time.
#pragma once

#include "actions/address.h"
#include "actions/http_transfer.h"

#include <functional>
#include <memory>

namespace holdfast::actions
{

class TracePost
{
public:
    struct Answer {
        bool isTaken = false;
        bool mayRetry = false;         // the same again, later
        model::Millis retryAfter = -1; // as the collector wishes; -1: it says nothing
        qint64 rejected = 0;           // of the spans that were taken
        QString problem;               // in one line
    };

    // The base of the collector, to which /v1/traces is added.
    static model::Result<std::unique_ptr<TracePost>> to(const QString &url, bool allowPrivate);
    ~TracePost();
    Q_DISABLE_COPY_MOVE(TracePost)

    // Blocks; gives up when `isOver` says so.
    Answer post(const QByteArray &body, model::Millis timeout, const std::function<bool()> &isOver);

private:
    TracePost(Outgoing outgoing, QString path);

    const Outgoing m_outgoing;
    const QString m_path;
    const ports::SystemClock m_clock;
    CURL *m_handle = nullptr;
};

} // namespace holdfast::actions
