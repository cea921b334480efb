// Instants and durations as a person reads them, in the person's own zone.
#pragma once

#include "model/time.h"

#include <QJsonValue>
#include <QString>

namespace holdfast::widgets
{

// The door writes instants as text; null is never.
model::Instant instantOf(const QJsonValue &value);
// Today as a time, earlier as a date and a time; empty for never.
QString shortTime(model::Instant instant);
// With seconds and zone, for a tool tip.
QString fullTime(model::Instant instant);
// "40 s", "2 h 10 min", "3 d": the two largest parts.
QString durationText(model::Millis millis);
// How long ago, or "in 5 min".
QString ageText(model::Instant instant, model::Instant now);

} // namespace holdfast::widgets
