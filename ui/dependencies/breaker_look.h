// How a breaker looks: a shape, a word, a colour, and how long until it tries again. One that
// nothing was ever sent through says nothing about health, so it is never green.
#pragma once

#include "model/time.h"
#include "ui/style/theme.h"

#include <QJsonObject>
#include <QString>

namespace holdfast::dependencies
{

struct BreakerLook {
    QString text; // "✖ Open, tries in 42 s"
    style::Token token = style::Token::muted;
};

BreakerLook breakerLook(const QJsonObject &dependency, model::Instant now);
QString breakerState(const QJsonObject &dependency); // closed | open | half_open
bool hasCalls(const QJsonObject &dependency);        // anything was sent in the time shown

// "16 at once, 20/s", or "none".
QString limitText(const QJsonObject &dependency);

} // namespace holdfast::dependencies
