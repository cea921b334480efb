// What crosses the border to the outside: the exact request, the call context, and what came of it.
#pragma once

#include "model/policy.h"

#include <QByteArray>
#include <QJsonObject>
#include <QPair>
#include <QString>
#include <QStringList>
#include <QVector>

namespace holdfast::model
{

// The bytes of one operation, fixed when it is prepared and the same for every attempt. Secrets
// stand in dependency headers by reference only and are never part of a Request.
struct Request {
    QString method; // HTTP method; empty for a command
    QString path;   // path and query, percent-encoded
    QVector<QPair<QString, QString>> headers;
    QByteArray body;
    QString contentType;
    QStringList argv; // program and arguments of a command

    bool isCommand() const { return !argv.isEmpty(); }
    void appendTo(QByteArray &out) const; // as JSON; empty fields are left out
    QJsonObject toJson() const;           // the same, for views
    static Request fromJson(const QJsonObject &object);
};

// One attempt, handed to a sender after its intent was committed.
struct Call {
    QString runId;
    QString step;
    Direction direction = Direction::forward;
    int attempt = 0;
    qint64 fence = 0;
    QString dependency;
    int dependencyRevision = 0;
    QString key;
    Effect effect = Effect::read;
    QString traceparent; // for whoever is called
    Request request;
    Millis timeout = 30 * second;
    // The last instant, on the sender's monotonic clock, at which a first byte may leave: the lease
    // of the worker, the run's deadline and the age of the key, whichever is earliest. 0: no limit.
    Millis sendBeforeMonotonic = 0;
};

// What is known when an attempt ended. `sent` is false only on proof that no byte left.
struct CallResult {
    QString runId;
    QString step;
    Direction direction = Direction::forward;
    int attempt = 0;
    qint64 fence = 0;

    bool sent = true;
    // Empty, or: dns_failure connect_refused connect_timeout connect_failed tls_failed
    // certificate_invalid address_forbidden secret_missing too_late cancelled (all with
    // sent=false), timeout reset empty_reply bad_reply truncated too_large (sent=true),
    // spawn_failed, killed.
    QString error;
    int status = 0; // HTTP status or exit code; -1: none
    QVector<QPair<QString, QString>> headers;
    QByteArray body; // known secret values are already masked
    bool bodyComplete = false;
    Millis retryAfter = -1; // from Retry-After, clamped to [0, 1 h]; -1: absent or unreadable
    QString detail;         // one line for a person
};

} // namespace holdfast::model
