// A played run's row with everything cut out that is its own (ids, event, workflow, instants), so
// that it can be printed again for another run. One thread.
#pragma once

#include "model/time.h"

#include <QString>
#include <QVariant>
#include <QVector>

namespace holdfast::bench
{

// What a copy is called, and how much earlier than the original it happened.
struct Copy {
    QString runId;
    QString eventId;
    QString workflow;
    model::Millis shift = 0;
};

class Stencil
{
public:
    // Instants are told from other figures by their size.
    struct Span {
        model::Instant from = model::never;
        model::Instant to = model::never;
        bool contains(qint64 number) const { return number >= from && number <= to; }
    };

    Stencil(const QVariant &cell, const Copy &original, const Span &span);
    QVariant print(const Copy &copy) const;

private:
    enum class Part { plain, runId, otherId, eventId, workflow, millis, iso };
    struct Piece {
        Part part = Part::plain;
        QString text;
        model::Instant at = model::never;
    };
    void cut(const QString &text, const Copy &original, const Span &span);

    QVariant m_fixed; // what is no text and no instant
    QVector<Piece> m_pieces;
    bool m_isBytes = false;
    bool m_isInstant = false;
};

} // namespace holdfast::bench
