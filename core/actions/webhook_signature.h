// Standard Webhooks signatures: HMAC-SHA256 over id, time and the exact bytes. Pure, any thread.
#pragma once

#include "model/result.h"

#include <QByteArray>

namespace holdfast::actions
{

// The key of a secret as people hand it around: base64 of 24 to 64 bytes, with or without whsec_.
model::Result<QByteArray> webhookKey(const QByteArray &secret);
// "v1,…". The id holds no dot, since dots separate what is signed.
QByteArray webhookSignature(const QByteArray &key, const QByteArray &id, qint64 seconds,
                            const QByteArray &body);

} // namespace holdfast::actions
