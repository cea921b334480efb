#include "model/json.h"

#include <QStringList>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <vector>

namespace holdfast::model
{

namespace
{
constexpr int deepest = 512; // whatever a caller allows, the stack must hold it

// A failed read leaves m_message set; the pointer to the place is put together while the calls
// return, so a good document pays nothing for it.
class Reader
{
public:
    Reader(const QByteArray &text, const JsonLimits &limits)
        : m_begin(text.constData()), m_at(m_begin), m_end(m_begin + text.size()),
          m_depthMax(std::min(limits.depth, deepest))
    {
    }

    Result<QJsonValue> document()
    {
        if (m_end - m_at >= 3 && std::memcmp(m_at, "\xEF\xBB\xBF", 3) == 0) {
            fail("a byte order mark is not allowed");
            return error();
        }
        QJsonValue value;
        skipSpace();
        if (readValue(value, 0)) {
            skipSpace();
            if (m_at == m_end)
                return value;
            fail("nothing may follow the value");
        }
        return error();
    }

private:
    bool fail(const char *message)
    {
        m_message = message;
        m_offset = m_at - m_begin;
        return false;
    }

    Error error() const
    {
        QString pointer;
        for (auto segment = m_segments.crbegin(); segment != m_segments.crend(); ++segment)
            pointer += QLatin1Char('/') + *segment;
        return invalid(QStringLiteral("not valid JSON at offset %1, at \"%2\": %3")
                           .arg(m_offset)
                           .arg(pointer, QLatin1String(m_message)));
    }

    void skipSpace()
    {
        while (m_at != m_end && (*m_at == ' ' || *m_at == '\n' || *m_at == '\r' || *m_at == '\t'))
            ++m_at;
    }

    bool readValue(QJsonValue &value, int depth)
    {
        if (m_at == m_end)
            return fail("the text ends where a value is expected");
        switch (*m_at) {
        case '{': return readObject(value, depth);
        case '[': return readArray(value, depth);
        case '"': {
            QString text;
            if (!readString(text))
                return false;
            value = QJsonValue(text);
            return true;
        }
        case 't': return readWord("true", QJsonValue(true), value);
        case 'f': return readWord("false", QJsonValue(false), value);
        case 'n': return readWord("null", QJsonValue(QJsonValue::Null), value);
        default: return readNumber(value);
        }
    }

    bool readWord(const char *word, const QJsonValue &meaning, QJsonValue &value)
    {
        const auto length = qsizetype(std::strlen(word));
        if (m_end - m_at < length || std::memcmp(m_at, word, size_t(length)) != 0)
            return fail("an unknown word");
        m_at += length;
        value = meaning;
        return true;
    }

    bool readObject(QJsonValue &value, int depth)
    {
        if (depth >= m_depthMax)
            return fail("nested too deeply");
        ++m_at;
        std::vector<std::pair<QString, QJsonValue>> members;
        skipSpace();
        if (m_at != m_end && *m_at == '}') {
            ++m_at;
            value = QJsonObject();
            return true;
        }
        for (;;) {
            skipSpace();
            if (m_at == m_end || *m_at != '"')
                return fail("a member's name in quotes is expected");
            auto &member = members.emplace_back();
            if (!readString(member.first))
                return false;
            skipSpace();
            if (m_at == m_end || *m_at != ':')
                return fail("a colon is expected after a member's name");
            ++m_at;
            skipSpace();
            if (!readValue(member.second, depth + 1))
                return within(member.first);
            skipSpace();
            if (m_at != m_end && *m_at == ',') {
                ++m_at;
                continue;
            }
            if (m_at == m_end || *m_at != '}')
                return fail("a comma or a closing brace is expected");
            ++m_at;
            return assemble(members, value);
        }
    }

    // Inserting in sorted order keeps a large object linear; in any other order Qt's is quadratic.
    bool assemble(std::vector<std::pair<QString, QJsonValue>> &members, QJsonValue &value)
    {
        const auto byName = [](const auto &a, const auto &b) { return a.first < b.first; };
        if (!std::is_sorted(members.begin(), members.end(), byName))
            std::stable_sort(members.begin(), members.end(), byName);
        QJsonObject object;
        const QString *previous = nullptr;
        for (const auto &[name, member] : members) {
            if (previous && *previous == name) {
                fail("a member's name stands twice in one object");
                return within(name);
            }
            object.insert(name, member);
            previous = &name;
        }
        value = object;
        return true;
    }

    bool readArray(QJsonValue &value, int depth)
    {
        if (depth >= m_depthMax)
            return fail("nested too deeply");
        ++m_at;
        QJsonArray array;
        skipSpace();
        if (m_at != m_end && *m_at == ']') {
            ++m_at;
            value = array;
            return true;
        }
        for (;;) {
            skipSpace();
            QJsonValue item;
            if (!readValue(item, depth + 1))
                return within(QString::number(array.size()));
            array.append(item);
            skipSpace();
            if (m_at != m_end && *m_at == ',') {
                ++m_at;
                continue;
            }
            if (m_at == m_end || *m_at != ']')
                return fail("a comma or a closing bracket is expected");
            ++m_at;
            value = array;
            return true;
        }
    }

    bool within(QString segment)
    {
        segment.replace(QLatin1Char('~'), QLatin1String("~0"));
        m_segments.append(segment.replace(QLatin1Char('/'), QLatin1String("~1")));
        return false;
    }

    bool readString(QString &text)
    {
        const char *start = ++m_at;
        while (m_at != m_end && uchar(*m_at) >= 0x20 && uchar(*m_at) < 0x80 && *m_at != '"' &&
               *m_at != '\\')
            ++m_at;
        text = QString::fromLatin1(start, m_at - start);
        if (m_at != m_end && *m_at == '"') {
            ++m_at;
            return true;
        }
        return readRest(text);
    }

    bool readRest(QString &text)
    {
        while (m_at != m_end) {
            const uchar byte = uchar(*m_at);
            if (byte == '"') {
                ++m_at;
                return true;
            }
            if (byte < 0x20)
                return fail("a control character must be escaped");
            if (byte == '\\') {
                if (!readEscape(text))
                    return false;
            } else if (byte < 0x80) {
                text += QLatin1Char(*m_at++);
            } else if (!readUtf8(text)) {
                return false;
            }
        }
        return fail("a string is not closed");
    }

    bool readUtf8(QString &text)
    {
        const uchar lead = uchar(*m_at);
        const int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (lead < 0xC2 || lead > 0xF4 || m_end - m_at < length)
            return fail("not valid UTF-8");
        char32_t code = lead & (0x7F >> length);
        for (int i = 1; i < length; ++i) {
            if ((uchar(m_at[i]) & 0xC0) != 0x80)
                return fail("not valid UTF-8");
            code = (code << 6) | (uchar(m_at[i]) & 0x3F);
        }
        const char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
        if (code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
            return fail("not valid UTF-8");
        m_at += length;
        append(text, code);
        return true;
    }

    static void append(QString &text, char32_t code)
    {
        if (QChar::requiresSurrogates(code))
            text += QChar(QChar::highSurrogate(code));
        text += QChar(code > 0xFFFF ? QChar::lowSurrogate(code) : char16_t(code));
    }

    bool readEscape(QString &text)
    {
        if (m_end - m_at < 2)
            return fail("a string is not closed");
        static constexpr char names[] = "\"\\/bfnrt";
        static constexpr char meanings[] = "\"\\/\b\f\n\r\t";
        if (const char *found = std::strchr(names, m_at[1]); found && m_at[1]) {
            text += QLatin1Char(meanings[found - names]);
            m_at += 2;
            return true;
        }
        char32_t code = 0;
        if (m_at[1] != 'u' || !readHex(code))
            return fail("an unknown escape");
        if (code >= 0xDC00 && code <= 0xDFFF)
            return fail("a lone surrogate");
        if (code >= 0xD800 && code <= 0xDBFF) {
            char32_t low = 0;
            if (m_end - m_at < 2 || m_at[0] != '\\' || m_at[1] != 'u' || !readHex(low) ||
                low < 0xDC00 || low > 0xDFFF)
                return fail("a lone surrogate");
            code = QChar::surrogateToUcs4(char16_t(code), char16_t(low));
        }
        append(text, code);
        return true;
    }

    bool readHex(char32_t &code)
    {
        if (m_end - m_at < 6)
            return false;
        unsigned number = 0;
        const auto [end, problem] = std::from_chars(m_at + 2, m_at + 6, number, 16);
        if (problem != std::errc() || end != m_at + 6)
            return false;
        code = number;
        m_at += 6;
        return true;
    }

    bool skipDigits()
    {
        const char *start = m_at;
        while (m_at != m_end && *m_at >= '0' && *m_at <= '9')
            ++m_at;
        return m_at != start;
    }

    bool readNumber(QJsonValue &value)
    {
        const char *start = m_at;
        if (*m_at == '-')
            ++m_at;
        const char *digits = m_at;
        if (!skipDigits())
            return fail(m_at == start ? "an unexpected character" : "a digit is expected");
        if (*digits == '0' && m_at - digits > 1)
            return fail("a number may not begin with 0");
        bool isInteger = true;
        if (m_at != m_end && *m_at == '.') {
            isInteger = false;
            ++m_at;
            if (!skipDigits())
                return fail("a digit is expected after the point");
        }
        if (m_at != m_end && (*m_at == 'e' || *m_at == 'E')) {
            isInteger = false;
            ++m_at;
            if (m_at != m_end && (*m_at == '+' || *m_at == '-'))
                ++m_at;
            if (!skipDigits())
                return fail("a digit is expected in the exponent");
        }
        value = isInteger ? integer(start) : fraction(start);
        return true;
    }

    QJsonValue integer(const char *start) const
    {
        qint64 number = 0;
        const auto [end, problem] = std::from_chars(start, m_at, number);
        if (problem != std::errc() || number > exactMax || number < -exactMax)
            return QString::fromLatin1(start, m_at - start);
        return number;
    }

    QJsonValue fraction(const char *start) const
    {
        double number = 0;
        const auto [end, problem] = std::from_chars(start, m_at, number);
        if (problem != std::errc() || !std::isfinite(number))
            return QString::fromLatin1(start, m_at - start);
        return number;
    }

    const char *m_begin;
    const char *m_at;
    const char *m_end;
    int m_depthMax;
    const char *m_message = "";
    qsizetype m_offset = 0;
    QStringList m_segments;
};
} // namespace

Result<QJsonValue> parseJson(const QByteArray &text, const JsonLimits &limits)
{
    if (text.size() > limits.bytes)
        return invalid(QStringLiteral("JSON of %1 bytes is larger than the limit of %2")
                           .arg(text.size())
                           .arg(limits.bytes));
    return Reader(text, limits).document();
}

Result<QJsonObject> parseJsonObject(const QByteArray &text, const JsonLimits &limits)
{
    auto value = parseJson(text, limits);
    if (!value)
        return value.error();
    if (!value->isObject())
        return invalid(QStringLiteral("not a JSON object at offset 0, at \"\""));
    return value->toObject();
}

} // namespace holdfast::model
