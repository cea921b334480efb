#include "actions/webhook_signature.h"

#include <QCryptographicHash>
#include <QMessageAuthenticationCode>

namespace holdfast::actions
{

namespace
{
constexpr qsizetype keyLeast = 24;
constexpr qsizetype keyMost = 64;
} // namespace

model::Result<QByteArray> webhookKey(const QByteArray &secret)
{
    QByteArray text = secret.trimmed();
    if (text.startsWith("whsec_"))
        text = text.mid(6);
    const auto decoded =
        QByteArray::fromBase64Encoding(text, QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded || decoded.decoded.size() < keyLeast || decoded.decoded.size() > keyMost)
        return model::invalid(QStringLiteral("a secret for signatures is base64 of 24 to 64 bytes, "
                                             "with or without whsec_ before it"));
    return decoded.decoded;
}

QByteArray webhookSignature(const QByteArray &key, const QByteArray &id, qint64 seconds,
                            const QByteArray &body)
{
    QMessageAuthenticationCode code(QCryptographicHash::Sha256, key);
    code.addData(id + '.' + QByteArray::number(seconds) + '.');
    code.addData(body);
    return "v1," + code.result().toBase64();
}

} // namespace holdfast::actions
