// How a run's status and a review's kind look: a shape, a word and a colour, so that nothing
// depends on colour alone. The words are the engine's own.
#pragma once

#include "ui/style/theme.h"

#include <QString>
#include <QStringList>
#include <QVector>

namespace holdfast::style
{

struct StatusLook {
    QString name; // as the engine writes it
    QString shape;
    QString word;
    Token token = Token::text;
    bool needsPerson = false;

    QString text() const { return shape + u' ' + word; }
};

// An unknown name is shown as it is, with a question mark for a shape.
StatusLook statusLook(const QString &status);
const QStringList &statusNames(); // in the order of a run's life

struct ReviewLook {
    QString kind;
    QString word; // plural, for a count
};
const QVector<ReviewLook> &reviewLooks();

} // namespace holdfast::style
