// Reads a Retry-After field as the outside writes it: seconds, a date, or nonsense. Pure, any
// thread.
#pragma once

#include "model/time.h"

#include <QByteArray>

namespace holdfast::actions
{

constexpr model::Millis retryAfterMax = model::hour;

// Within [0, retryAfterMax]; -1 where the value cannot be read.
model::Millis parseRetryAfter(const QByteArray &value, model::Instant now);

} // namespace holdfast::actions
