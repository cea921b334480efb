// What a person signed: the figures of a window as they stood then, and how far the audit went.
#pragma once

#include "model/time.h"

#include <QString>

namespace holdfast::ports
{

struct SignoffRow {
    model::Instant since = model::never;
    model::Instant until = model::never;
    QString by;
    model::Instant at = model::never;
    QString note;
    QString figures; // canonical JSON, hashed as stored
    QString figuresHash;
    qint64 auditSeq = 0; // the last audit row that was settled; with the two below, an anchor
    qint64 auditRows = 0;
    QString auditHash; // of the ends of all chains
};

} // namespace holdfast::ports
