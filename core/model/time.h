// Instants and durations are integer milliseconds, the same in code, SQL and JSON columns.
#pragma once

#include <QString>
#include <optional>

namespace holdfast::model
{

using Instant = qint64; // milliseconds since 1970-01-01T00:00:00Z
using Millis = qint64;

constexpr Instant never = 0; // no such instant; persisted as NULL

constexpr Millis second = 1000;
constexpr Millis minute = 60 * second;
constexpr Millis hour = 60 * minute;
constexpr Millis day = 24 * hour;

// "500ms 30s 15m 24h 7d"; nothing else, no fractions, no sign. At most ten years.
std::optional<Millis> parseDuration(const QString &text);
QString durationText(Millis duration);

// "2026-11-16T02:36:33.120Z"; an empty string for never.
QString instantText(Instant instant);
// ISO 8601 with a zone, or a bare date (midnight UTC).
std::optional<Instant> parseInstant(const QString &text);

} // namespace holdfast::model
