// One run as a row of the list: what the table shows, and nothing more, since thousands are held.
#pragma once

#include "model/time.h"

#include <QJsonObject>
#include <QString>
#include <QVector>

namespace holdfast::runs
{

struct RunLine {
    QString runId;
    QString workflow;
    int version = 0;
    QString eventId;
    QString status;
    QString step;
    QString reason;
    int retryCount = 0;
    model::Instant createdAt = model::never;
    model::Instant startedAt = model::never;
    model::Instant finishedAt = model::never;
    model::Millis duration = -1; // -1: it has not ended

    bool operator==(const RunLine &) const = default;

    static RunLine fromJson(const QJsonObject &run);
    QJsonObject toJson() const; // with the names of the door
    QString link() const;       // holdfast://run/ID
    // How long it took, or how old it is.
    model::Millis age(model::Instant now) const;
};

using RunLines = QVector<RunLine>;

// The door's "runs" answer.
RunLines linesOf(const QJsonObject &answer);

} // namespace holdfast::runs
