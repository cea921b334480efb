// How a batch, the state of an item and a verdict look: a shape, a word and a colour, so that
// nothing depends on colour alone.
#pragma once

#include "ui/style/theme.h"

#include <QString>

namespace holdfast::batch
{

struct Look {
    QString text;
    style::Token token = style::Token::text;
};

// A name that is not known is shown as it is.
Look verdictLook(const QString &verdict);
Look itemLook(const QString &state);
Look batchLook(const QString &state);
QString actText(const QString &act, const QString &verdict); // "Retry", "Resolve as absent"

} // namespace holdfast::batch
