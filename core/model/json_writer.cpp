#include "model/json.h"

#include <QCryptographicHash>
#include <QStringList>
#include <QVariant>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace holdfast::model
{

namespace
{
void writeEscaped(QByteArray &out, const QByteArray &utf8)
{
    const char *start = utf8.constData();
    const char *end = start + utf8.size();
    for (const char *at = start; at != end; ++at) {
        const uchar byte = uchar(*at);
        if (byte >= 0x20 && byte != '"' && byte != '\\')
            continue;
        out.append(start, at - start);
        start = at + 1;
        static constexpr char names[] = "btnfr\"\\";
        static constexpr char bytes[] = "\b\t\n\f\r\"\\";
        if (const char *found = std::strchr(bytes, *at); found && byte) {
            out += '\\';
            out += names[found - bytes];
        } else {
            static constexpr char hex[] = "0123456789abcdef";
            out += "\\u00";
            out += hex[byte >> 4];
            out += hex[byte & 0xF];
        }
    }
    out.append(start, end - start);
}

// Most strings are short and plain; they go in without a copy between.
void writeString(QByteArray &out, const QString &text)
{
    const qsizetype start = out.size();
    out.resize(start + text.size() + 2);
    char *to = out.data() + start;
    *to++ = '"';
    for (const QChar character : text) {
        const char16_t code = character.unicode();
        if (code < 0x20 || code > 0x7E || code == u'"' || code == u'\\') {
            out.resize(start + 1);
            writeEscaped(out, text.toUtf8());
            out += '"';
            return;
        }
        *to++ = char(code);
    }
    *to = '"';
}

// ECMAScript's Number::toString, from the shortest digits that read back as the same double.
void writeDouble(QByteArray &out, double number)
{
    char buffer[40];
    if (number < 0) {
        out += '-';
        number = -number;
    }
    const auto written =
        std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific);
    const char *exponentAt = std::find(buffer, written.ptr, 'e');
    QByteArray digits(buffer, exponentAt - buffer);
    digits.replace(".", "");
    const int exponent = QByteArray(exponentAt + 1, written.ptr - exponentAt - 1).toInt();
    const int count = int(digits.size());
    const int point = exponent + 1;
    if (count <= point && point <= 21) {
        out += digits + QByteArray(point - count, '0');
    } else if (0 < point && point <= 21) {
        out += digits.left(point) + '.' + digits.mid(point);
    } else if (-6 < point && point <= 0) {
        out += "0." + QByteArray(-point, '0') + digits;
    } else {
        out += digits.left(1);
        if (count > 1)
            out += '.' + digits.mid(1);
        out += exponent < 0 ? "e-" : "e+";
        out += QByteArray::number(std::abs(exponent));
    }
}

enum class Integers { likeEcmaScript, exact };

void writeNumber(QByteArray &out, const QJsonValue &value, Integers integers)
{
    const double number = value.toDouble();
    if (!std::isfinite(number)) {
        out += "null"; // no reader of ours produces it; Qt writes the same
        return;
    }
    if (std::abs(number) < double(exactMax) && number == std::trunc(number)) {
        char buffer[24];
        const auto end = std::to_chars(buffer, buffer + sizeof buffer, qint64(number)).ptr;
        out.append(buffer, end - buffer);
        return;
    }
    if (integers == Integers::likeEcmaScript) {
        writeDouble(out, number);
        return;
    }
    if (value.toVariant().typeId() == QMetaType::LongLong || std::abs(number) == double(exactMax)) {
        out += QByteArray::number(value.toInteger());
        return;
    }
    const qsizetype start = out.size();
    writeDouble(out, number);
    // Digits alone would be read back as an integer too large for a number, and become a string.
    if (out.indexOf('.', start) < 0 && out.indexOf('e', start) < 0)
        out += "e0";
}

void write(QByteArray &out, const QJsonValue &value, Integers integers);

// Qt keeps members nearly always in the order we want; what was written is taken back when it does
// not.
void writeObject(QByteArray &out, const QJsonObject &object, Integers integers)
{
    const qsizetype start = out.size();
    const auto writeMember = [&](const QString &name, const QJsonValue &member) {
        if (out.back() != '{')
            out += ',';
        writeString(out, name);
        out += ':';
        write(out, member, integers);
    };
    out += '{';
    QString last;
    bool isSorted = true;
    for (auto member = object.constBegin(); isSorted && member != object.constEnd(); ++member) {
        const QString name = member.key();
        isSorted = last.isEmpty() || last < name;
        if (isSorted)
            writeMember(name, member.value());
        last = name;
    }
    if (!isSorted) {
        out.resize(start);
        out += '{';
        QStringList names = object.keys();
        std::sort(names.begin(), names.end());
        for (const QString &name : std::as_const(names))
            writeMember(name, object.value(name));
    }
    out += '}';
}

void write(QByteArray &out, const QJsonValue &value, Integers integers)
{
    switch (value.type()) {
    case QJsonValue::Bool: out += value.toBool() ? "true" : "false"; return;
    case QJsonValue::Double: writeNumber(out, value, integers); return;
    case QJsonValue::String: writeString(out, value.toString()); return;
    case QJsonValue::Object: writeObject(out, value.toObject(), integers); return;
    case QJsonValue::Array: {
        out += '[';
        bool isFirst = true;
        const QJsonArray array = value.toArray();
        for (const QJsonValue item : array) {
            if (!isFirst)
                out += ',';
            isFirst = false;
            write(out, item, integers);
        }
        out += ']';
        return;
    }
    case QJsonValue::Null:
    case QJsonValue::Undefined: out += "null"; return;
    }
}
} // namespace

QByteArray canonicalJson(const QJsonValue &value)
{
    QByteArray out;
    write(out, value, Integers::likeEcmaScript);
    return out;
}

QString sha256Hex(const QByteArray &bytes)
{
    return QString::fromLatin1(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex());
}

QByteArray compactJson(const QJsonObject &object)
{
    QByteArray out;
    writeObject(out, object, Integers::exact);
    return out;
}

void appendJson(QByteArray &out, const QJsonValue &value) { write(out, value, Integers::exact); }

void appendJsonString(QByteArray &out, const QString &text) { writeString(out, text); }

QByteArray compactJson(const QJsonArray &array) { return compactJson(QJsonValue(array)); }

QByteArray compactJson(const QJsonValue &value)
{
    QByteArray out;
    write(out, value, Integers::exact);
    return out;
}

} // namespace holdfast::model
