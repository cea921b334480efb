#include "bench/stencil.h"

#include <QRegularExpression>

namespace holdfast::bench
{

Stencil::Stencil(const QVariant &cell, const Copy &original, const Span &span) : m_fixed(cell)
{
    if (cell.isNull())
        return;
    switch (cell.typeId()) {
    case QMetaType::LongLong:
    case QMetaType::Int: m_isInstant = span.contains(cell.toLongLong()); break;
    case QMetaType::QByteArray:
        m_isBytes = true;
        cut(QString::fromUtf8(cell.toByteArray()), original, span);
        break;
    default:
        if (cell.toString() == original.workflow)
            m_pieces = {{Part::workflow, {}, 0}};
        else
            cut(cell.toString(), original, span);
    }
}

void Stencil::cut(const QString &text, const Copy &original, const Span &span)
{
    const QRegularExpression own(
        QStringLiteral("(%1)|(%2)|\"(%3)\"|\\b(\\d{13})\\b|(\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z)|"
                       "((?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-|rv-[0-9a-f]{4}))[0-9a-f]{12}")
            .arg(QRegularExpression::escape(original.runId),
                 QRegularExpression::escape(original.eventId),
                 QRegularExpression::escape(original.workflow)));
    constexpr Part parts[] = {Part::runId,  Part::eventId, Part::workflow,
                              Part::millis, Part::iso,     Part::otherId};
    qsizetype done = 0;
    auto matches = own.globalMatch(text);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        const int group = match.lastCapturedIndex();
        Piece piece{parts[group - 1], {}, 0};
        if (piece.part == Part::millis)
            piece.at = match.captured(group).toLongLong();
        if (piece.part == Part::iso)
            piece.at = model::parseInstant(match.captured(group)).value_or(model::never);
        const bool isTime = piece.part == Part::millis || piece.part == Part::iso;
        if (isTime && !span.contains(piece.at))
            continue;
        if (piece.part == Part::otherId)
            piece.text = match.captured(group);
        m_pieces.append({Part::plain, text.mid(done, match.capturedStart(group) - done), 0});
        m_pieces.append(piece);
        // The quotes around a workflow are no part of its name.
        done = piece.part == Part::otherId ? match.capturedEnd() : match.capturedEnd(group);
    }
    m_pieces.append({Part::plain, text.mid(done), 0});
}

QVariant Stencil::print(const Copy &copy) const
{
    if (m_isInstant)
        return m_fixed.toLongLong() - copy.shift;
    if (m_pieces.isEmpty())
        return m_fixed;
    QString text;
    text.reserve(1024);
    for (const Piece &piece : m_pieces) {
        switch (piece.part) {
        case Part::plain: text += piece.text; break;
        case Part::runId: text += copy.runId; break;
        case Part::eventId: text += copy.eventId; break;
        case Part::otherId: text += piece.text + copy.runId.right(12); break;
        case Part::workflow: text += copy.workflow; break;
        case Part::millis: text += QString::number(piece.at - copy.shift); break;
        case Part::iso: text += model::instantText(piece.at - copy.shift); break;
        }
    }
    return m_isBytes ? QVariant(text.toUtf8()) : QVariant(text);
}

} // namespace holdfast::bench
