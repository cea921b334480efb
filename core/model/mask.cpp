#include "model/mask.h"

#include "model/json.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <algorithm>

namespace holdfast::model
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int depthMax = 64;
constexpr auto stars = "***"_L1;

QJsonValue maskedValue(const QJsonValue &value, int depth);

QJsonObject maskedObject(const QJsonObject &object, int depth)
{
    QJsonObject result;
    for (auto member = object.constBegin(); member != object.constEnd(); ++member) {
        const bool hide = isSecretName(member.key()) && !member.value().isNull();
        result.insert(member.key(), hide ? QJsonValue(stars) : maskedValue(member.value(), depth));
    }
    return result;
}

QJsonArray maskedArray(const QJsonArray &array, int depth)
{
    const bool isPair = array.size() == 2 && array.at(0).isString() && array.at(1).isString();
    if (isPair && isSecretName(array.at(0).toString()))
        return {array.at(0), stars};
    QJsonArray result;
    for (const QJsonValue &item : array)
        result.append(maskedValue(item, depth));
    return result;
}

// name=value of a form or of the query of an address: the value beside a secret name goes.
QString maskedPairs(const QString &text)
{
    static const QRegularExpression pair(u"(?:^\\s*|[?&])([^\\s=&?#/]+)=([^\\s&#]+)"_s);
    QString result;
    qsizetype copied = 0;
    auto found = pair.globalMatch(text);
    while (found.hasNext()) {
        const QRegularExpressionMatch match = found.next();
        const QString name =
            QString::fromUtf8(QByteArray::fromPercentEncoding(match.captured(1).toUtf8()));
        if (!isSecretName(name))
            continue;
        result += QStringView(text).mid(copied, match.capturedStart(2) - copied);
        result += stars;
        copied = match.capturedEnd(2);
    }
    return result + text.mid(copied);
}

// A body is stored as text; when it is JSON, a form or an address, its members are masked too.
// Otherwise it stays as it is.
QJsonValue maskedText(const QString &text, int depth)
{
    const auto first =
        std::find_if(text.cbegin(), text.cend(), [](QChar c) { return !c.isSpace(); });
    if (first == text.cend())
        return text;
    if (*first != u'{' && *first != u'[')
        return text.contains(u'=') ? maskedPairs(text) : text;
    const QJsonDocument document = QJsonDocument::fromJson(text.toUtf8());
    if (document.isNull())
        return text;
    const QJsonValue before =
        document.isObject() ? QJsonValue(document.object()) : QJsonValue(document.array());
    const QJsonValue after = maskedValue(before, depth);
    return after == before ? QJsonValue(text) : QString::fromUtf8(compactJson(after));
}

QJsonValue maskedValue(const QJsonValue &value, int depth)
{
    if (depth >= depthMax)
        return stars;
    switch (value.type()) {
    case QJsonValue::Object: return maskedObject(value.toObject(), depth + 1);
    case QJsonValue::Array: return maskedArray(value.toArray(), depth + 1);
    case QJsonValue::String: return maskedText(value.toString(), depth + 1);
    case QJsonValue::Null:
    case QJsonValue::Bool:
    case QJsonValue::Double:
    case QJsonValue::Undefined: return value;
    }
    Q_UNREACHABLE();
}
} // namespace

bool isSecretName(const QString &name)
{
    // However it is written: access_token, accessToken, Access-Token.
    QString letters;
    for (const QChar c : name) {
        if (c.isLetterOrNumber())
            letters += c.toLower();
    }
    // At the end only: token_type and tokens_used tell nothing.
    if (letters.endsWith("token"_L1) || letters.endsWith("cookie"_L1))
        return true;
    for (const auto part : {"authorization"_L1, "password"_L1, "passwd"_L1, "passphrase"_L1,
                            "secret"_L1, "apikey"_L1, "privatekey"_L1}) {
        if (letters.contains(part))
            return true;
    }
    return false;
}

QJsonValue masked(const QJsonValue &value) { return maskedValue(value, 0); }
QJsonObject masked(const QJsonObject &object) { return maskedObject(object, 0); }

QString maskedSource(const QString &yaml)
{
    static const QRegularExpression member(
        u"([A-Za-z_][\\w-]*)(['\"]?[ ]*:[ ]+)"
        "(\"[^\"\\n]*\"|'[^'\\n]*'|[^\\s,{}\\[\\]#][^,}#\\n]*)"_s);
    QString result;
    qsizetype copied = 0;
    auto found = member.globalMatch(yaml);
    while (found.hasNext()) {
        const QRegularExpressionMatch match = found.next();
        if (!isSecretName(match.captured(1)) || match.captured(3).contains("${"_L1))
            continue;
        result += QStringView(yaml).mid(copied, match.capturedStart(3) - copied);
        result += stars;
        copied = match.capturedEnd(3);
    }
    return result + yaml.mid(copied);
}

} // namespace holdfast::model
