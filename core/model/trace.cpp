#include "model/trace.h"

#include <QCryptographicHash>
#include <algorithm>

namespace holdfast::model
{

namespace
{
constexpr qsizetype traceIdSize = 32;
constexpr qsizetype spanIdSize = 16;
constexpr qsizetype textSize = 55; // of version 00

bool isHex(QStringView text)
{
    return std::all_of(text.begin(), text.end(), [](QChar c) {
        return (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f');
    });
}

bool isId(QStringView text)
{
    return isHex(text) && std::any_of(text.begin(), text.end(), [](QChar c) { return c != u'0'; });
}

// The parts are kept apart by a byte that none of them holds. An id of zeros means none, and is as
// likely as guessing one.
QString derived(const QStringList &parts, qsizetype size)
{
    const QByteArray hash =
        QCryptographicHash::hash(parts.join(QChar(u'\0')).toUtf8(), QCryptographicHash::Sha256);
    return QString::fromLatin1(hash.toHex().left(size));
}
} // namespace

std::optional<TraceContext> parseTraceparent(const QString &text)
{
    const QStringView view(text);
    if (view.size() < textSize || view[2] != u'-' || view[35] != u'-' || view[52] != u'-')
        return std::nullopt;
    const QStringView version = view.first(2);
    const QStringView traceId = view.sliced(3, traceIdSize);
    const QStringView parentId = view.sliced(36, spanIdSize);
    const QStringView flags = view.sliced(53, 2);
    const bool isLonger = view.size() > textSize;
    if (!isHex(version) || version == u"ff" || !isId(traceId) || !isId(parentId) || !isHex(flags) ||
        (isLonger && (version == u"00" || view[textSize] != u'-')))
        return std::nullopt;
    return TraceContext{traceId.toString(), parentId.toString(),
                        (flags.toInt(nullptr, 16) & 1) != 0};
}

TraceContext traceOf(const QString &runId, const QString &traceparent)
{
    if (!traceparent.isEmpty()) {
        if (const auto given = parseTraceparent(traceparent))
            return *given;
    }
    return {derived({QStringLiteral("trace"), runId}, traceIdSize), {}, true};
}

QString runSpanId(const QString &runId)
{
    return derived({QStringLiteral("run"), runId}, spanIdSize);
}

QString attemptSpanId(const QString &runId, const QString &step, Direction direction, int attempt)
{
    return derived({QStringLiteral("attempt"), runId, step, directionName(direction),
                    QString::number(attempt)},
                   spanIdSize);
}

QString decisionSpanId(const QString &runId, int seq)
{
    return derived({QStringLiteral("decision"), runId, QString::number(seq)}, spanIdSize);
}

QString traceparentFor(const TraceContext &trace, const QString &spanId)
{
    return QStringLiteral("00-%1-%2-%3")
        .arg(trace.traceId, spanId, trace.isSampled ? QStringLiteral("01") : QStringLiteral("00"));
}

} // namespace holdfast::model
