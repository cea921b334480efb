// How the status of a key looks: a shape, a word and a colour. The words are the ledger's own.
#pragma once

#include "ui/style/theme.h"

#include <QString>
#include <QStringList>

namespace holdfast::ledger
{

struct KeyLook {
    QString text; // shape and word
    style::Token token = style::Token::text;
};

// An unknown status is shown as it is, with a question mark for a shape.
KeyLook keyLook(const QString &status);
const QStringList &keyStatuses(); // in the order of a key's life

} // namespace holdfast::ledger
