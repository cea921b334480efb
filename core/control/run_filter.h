// The filter of lists of runs as people type it: "status:review,failed workflow:billing since:7d".
// Pure text in, words out; what a word means to the database is said in run_query.h.
#pragma once

#include "model/result.h"
#include "model/time.h"

#include <QStringList>

namespace holdfast::control
{

struct RunWords {
    QStringList statuses;
    QString workflow;
    QString step;
    QString reason;
    QString eventId;
    QString key;
    QString runId;
    QString dependency;
    QString group;
    model::Instant since = model::never;
    model::Instant until = model::never;
    QStringList ids; // bare words: each is a run's id or its event's
};

constexpr qsizetype filterMax = 1000; // characters

// All words must hold. A value with spaces stands in double quotes; a bare word in quotes is an id,
// whatever it looks like. An error names the bad word and lists what is known.
model::Result<RunWords> parseRunFilter(const QString &text, model::Instant now);

QStringList runStatusNames();

} // namespace holdfast::control
