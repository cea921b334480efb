#include "actions/redactor.h"

#include <QUrl>
#include <algorithm>

namespace holdfast::actions
{

namespace
{

QByteArray jsonEscaped(const QByteArray &value, bool escapeSlash, bool escapeUnicode)
{
    QString result;
    const QString text = QString::fromUtf8(value);
    for (const QChar c : text) {
        if (c == u'"' || c == u'\\' || (escapeSlash && c == u'/'))
            result += u'\\';
        if (c.unicode() < 0x20 || (escapeUnicode && c.unicode() > 0x7e))
            result += QStringLiteral("\\u%1").arg(c.unicode(), 4, 16, QLatin1Char('0'));
        else
            result += c;
    }
    return result.toUtf8();
}

// The part of a value's base64 that does not depend on what stands before or after it, for a value
// that begins `shift` bytes into a group of three ("Basic" credentials put a user name before the
// secret).
QByteArray base64Core(const QByteArray &value, int shift)
{
    static constexpr int firstOwn[] = {0, 2, 3};
    const QByteArray whole = (QByteArray(shift, '\0') + value).toBase64();
    const qsizetype ownEnd = (shift + value.size()) * 8 / 6;
    return whole.mid(firstOwn[shift], ownEnd - firstOwn[shift]);
}

QByteArray lowerEscapes(QByteArray percentEncoded)
{
    for (qsizetype i = 0; i + 2 < percentEncoded.size(); ++i) {
        if (percentEncoded.at(i) == '%') {
            const QByteArray lower = percentEncoded.mid(i + 1, 2).toLower();
            percentEncoded.replace(i + 1, 2, lower);
        }
    }
    return percentEncoded;
}

QByteArray urlAlphabet(QByteArray base64) { return base64.replace('+', '-').replace('/', '_'); }

} // namespace

Redactor::Redactor(const QVector<QPair<QString, QByteArray>> &secrets)
{
    for (const auto &[name, value] : secrets) {
        if (value.size() < valueSizeMin)
            continue;
        const QByteArray mask = "[secret " + name.toUtf8() + "]";
        add(value, mask);
        const QByteArray encoded = value.toPercentEncoding();
        add(encoded, mask);
        add(lowerEscapes(encoded), mask);
        add(QByteArray(encoded).replace("%20", "+"), mask);
        for (const bool slash : {false, true}) {
            for (const bool unicode : {false, true})
                add(jsonEscaped(value, slash, unicode), mask);
        }
        add(value.toBase64(), mask);
        add(urlAlphabet(value.toBase64()), mask);
        for (const int shift : {0, 1, 2}) {
            const QByteArray core = base64Core(value, shift);
            // A short core is an everyday word in base64 and would mask by accident.
            if (core.size() >= 6) {
                add(core, mask);
                add(urlAlphabet(core), mask);
            }
        }
    }
    std::stable_sort(m_patterns.begin(), m_patterns.end(), [](const Pattern &a, const Pattern &b) {
        return a.text.size() > b.text.size();
    });
}

QByteArray Redactor::redacted(const QByteArray &text, bool isCut) const
{
    QByteArray result = text;
    for (const Pattern &pattern : m_patterns) {
        if (result.contains(pattern.text))
            result.replace(pattern.text, pattern.mask);
    }
    if (!isCut)
        return result;
    for (const Pattern &pattern : m_patterns) {
        qsizetype size = std::min(pattern.text.size() - 1, result.size());
        for (; size >= valueSizeMin; --size) {
            if (result.endsWith(pattern.text.left(size))) {
                result.chop(size);
                return result + pattern.mask;
            }
        }
    }
    return result;
}

QString Redactor::redacted(const QString &text) const
{
    return isEmpty() ? text : QString::fromUtf8(redacted(text.toUtf8()));
}

void Redactor::add(const QByteArray &text, const QByteArray &mask)
{
    const bool isKnown = std::any_of(m_patterns.begin(), m_patterns.end(),
                                     [&text](const Pattern &p) { return p.text == text; });
    if (!isKnown)
        m_patterns.append({text, mask});
}

} // namespace holdfast::actions
