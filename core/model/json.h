// One strict JSON reader and one canonical writer for the whole product, so that what is hashed is
// what is used.
#pragma once

#include "model/result.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonObject>
#include <QJsonValue>

namespace holdfast::model
{

// Beyond this a double does not hold every integer.
inline constexpr qint64 exactMax = Q_INT64_C(9007199254740992); // 2^53

struct JsonLimits {
    int depth = 64;
    qsizetype bytes = 1 << 20;
};

// RFC 8259 with our choices for what it leaves open: UTF-8 only, no BOM, no duplicate keys, no lone
// surrogates, nothing after the value. Integers beyond 2^53 and numbers that overflow a double are
// kept exact, as strings. The error names the offset and the JSON pointer.
Result<QJsonValue> parseJson(const QByteArray &text, const JsonLimits &limits = {});

// The same, when only an object will do.
Result<QJsonObject> parseJsonObject(const QByteArray &text, const JsonLimits &limits = {});

// RFC 8785: keys sorted by UTF-16 code units, ECMAScript number format, no white space.
QByteArray canonicalJson(const QJsonValue &value);

// Lower-case hex of SHA-256.
QString sha256Hex(const QByteArray &bytes);

// Onto the end of `out`; for writers that know their own fields.
void appendJson(QByteArray &out, const QJsonValue &value);
void appendJsonString(QByteArray &out, const QString &text);

// Compact text for storage and output; key order as Qt keeps it (sorted).
QByteArray compactJson(const QJsonObject &object);
QByteArray compactJson(const QJsonArray &array);
QByteArray compactJson(const QJsonValue &value);

} // namespace holdfast::model
