#include "engine/failure.h"
#include "model/mask.h"

#include <QRegularExpression>

namespace holdfast::engine
{

using namespace Qt::StringLiterals;

namespace
{
// More than this says nothing about what the trouble was, and would be searched in vain.
constexpr qsizetype searchedMax = 2000;
// A word of letters and digits that is no longer than this is a name, such as h2 or v1.
constexpr qsizetype nameMax = 3;
// A quoted word without a space that is longer than this was made by a machine.
constexpr qsizetype quotedNameMax = 32;

constexpr auto unicode = QRegularExpression::UseUnicodePropertiesOption;

// Text that both databases keep as it is: no lone surrogates, no control characters, and one space
// where there was any.
QString plain(const QString &text)
{
    QString cut = text.left(searchedMax);
    for (QChar &c : cut) {
        if (c.category() == QChar::Other_Control || c.category() == QChar::Other_Format)
            c = u' ';
    }
    return QString::fromUtf8(cut.toUtf8()).normalized(QString::NormalizationForm_C).simplified();
}

// Replaces each match with what `make` says of it.
template <typename Make>
void replaceEach(QString &text, const QRegularExpression &pattern, Make make)
{
    QString result;
    qsizetype copied = 0;
    auto found = pattern.globalMatch(text);
    while (found.hasNext()) {
        const QRegularExpressionMatch match = found.next();
        result += QStringView(text).mid(copied, match.capturedStart() - copied);
        result += make(match);
        copied = match.capturedEnd();
    }
    text = result + text.mid(copied);
}

void maskSecrets(QString &text)
{
    static const QRegularExpression scheme(u"\\b(bearer|basic)\\s+[^\\s\"',;]+"_s,
                                           QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression member(
        u"([A-Za-z_][\\w-]*)(['\"]?\\s*[:=]\\s*)(?!//)(\"[^\"]*\"?|'[^']*'?|[^\\s\"'&,;)}\\]]+)"_s,
        unicode);
    replaceEach(text, scheme, [](const auto &match) { return match.captured(1) + " ***"_L1; });
    replaceEach(text, member, [](const auto &match) {
        return model::isSecretName(match.captured(1))
                   ? match.captured(1) + match.captured(2) + "***"_L1
                   : match.captured();
    });
}

bool hasDigit(const QString &text)
{
    return std::any_of(text.cbegin(), text.cend(), [](QChar c) { return c.isDigit(); });
}

// Scheme and host stay; of the path those segments that no machine made.
QString withoutVariableParts(const QRegularExpressionMatch &match)
{
    QStringList segments;
    for (const QString &segment : match.captured(2).split(u'/')) {
        const bool varies = hasDigit(segment) || segment.size() > quotedNameMax ||
                            segment.contains(u'%') || segment.contains(u'@');
        const bool isVersion = segment.size() <= nameMax && segment.startsWith(u'v');
        segments.append(varies && !isVersion ? u"<id>"_s : segment);
    }
    return match.captured(1) + segments.join(u'/');
}

QString quotedName(const QRegularExpressionMatch &match)
{
    const QString inner = match.captured(2);
    const bool varies = hasDigit(inner) || (inner.size() > quotedNameMax && !inner.contains(u' '));
    return varies ? u"<id>"_s : match.captured();
}

QString wordOrId(const QRegularExpressionMatch &match)
{
    const QString word = match.captured();
    const bool hasLetter =
        std::any_of(word.cbegin(), word.cend(), [](QChar c) { return c.isLetter(); });
    if (!hasDigit(word))
        return word;
    if (!hasLetter)
        return u"<n>"_s;
    return word.size() <= nameMax && word.front().isLetter() ? word : u"<id>"_s;
}

void replaceVariableParts(QString &text)
{
    static const QRegularExpression url(u"\\b([a-z][a-z0-9+.-]*://[^\\s/?#\"'<>]+)([^\\s?#\"'<>]*)"
                                        "(\\?[^\\s\"'<>]*|#[^\\s\"'<>]*)?"_s,
                                        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression email(u"[\\w.+%-]+@[\\w-]+(\\.[\\w-]+)*"_s, unicode);
    static const QRegularExpression uuid(
        u"\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression quoted(u"([\"'`])([^\"'`]*)\\1"_s);
    static const QRegularExpression number(
        u"(?<![\\w-])[+-]?\\p{Nd}+([.,:]\\p{Nd}+)*%?(?![\\w-])"_s, unicode);
    static const QRegularExpression word(u"[\\w][\\w-]*"_s, unicode);
    replaceEach(text, url, withoutVariableParts);
    text.replace(email, u"<email>"_s);
    text.replace(uuid, u"<id>"_s);
    replaceEach(text, quoted, quotedName);
    text.replace(number, u"<n>"_s);
    replaceEach(text, word, wordOrId);
}
} // namespace

QString normalisedMessage(const QString &message)
{
    QString text = plain(message);
    maskSecrets(text);
    replaceVariableParts(text);
    if (text.size() <= failureMessageMax)
        return text;
    text.truncate(failureMessageMax - 1);
    if (text.back().isHighSurrogate())
        text.chop(1);
    return text + u'…';
}

} // namespace holdfast::engine
