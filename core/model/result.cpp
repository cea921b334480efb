#include "model/result.h"

namespace holdfast::model
{

QString errorKindName(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::invalid: return QStringLiteral("invalid");
    case ErrorKind::notFound: return QStringLiteral("not_found");
    case ErrorKind::conflict: return QStringLiteral("conflict");
    case ErrorKind::refused: return QStringLiteral("refused");
    case ErrorKind::busy: return QStringLiteral("busy");
    case ErrorKind::lost: return QStringLiteral("lost");
    case ErrorKind::unknownOutcome: return QStringLiteral("unknown_outcome");
    case ErrorKind::full: return QStringLiteral("full");
    case ErrorKind::corrupt: return QStringLiteral("corrupt");
    case ErrorKind::unsupported: return QStringLiteral("unsupported");
    }
    Q_UNREACHABLE();
}

} // namespace holdfast::model
