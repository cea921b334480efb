#include "app/ctl/output.h"

#include "model/json.h"

#include <cstdio>

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;

namespace
{
void write(std::FILE *stream, const QString &text)
{
    const QByteArray bytes = text.toUtf8();
    std::fwrite(bytes.constData(), 1, size_t(bytes.size()), stream);
    std::fflush(stream);
}

bool isSafe(QChar c)
{
    return c.category() != QChar::Other_Control && c.category() != QChar::Other_Format &&
           c.category() != QChar::Separator_Line && c.category() != QChar::Separator_Paragraph;
}

QString lines(const QString &text)
{
    QStringList safe;
    const QStringList parts = text.split(u'\n');
    for (const QString &part : parts)
        safe.append(plain(part));
    return safe.join(u'\n');
}
} // namespace

void Output::print(const QJsonValue &document, const QString &text) const
{
    if (m_json)
        write(stdout, QString::fromUtf8(model::compactJson(document)) + u'\n');
    else if (!text.isEmpty())
        write(stdout, lines(text.endsWith(u'\n') ? text.chopped(1) : text) + u'\n');
}

void Output::message(const QString &text) const { write(stderr, lines(text) + u'\n'); }

int Output::fail(const model::Error &error) const
{
    message(u"holdfastctl: "_s + error.message);
    print(QJsonObject{{u"error"_s, QJsonObject{{u"kind"_s, model::errorKindName(error.kind)},
                                               {u"message"_s, error.message}}}},
          {});
    return exitRefused;
}

int Output::refuse(const QJsonObject &answer) const
{
    QJsonObject error = answer;
    const QString sentence = error.take("refused"_L1).toString();
    error.insert(u"kind"_s, model::errorKindName(model::ErrorKind::refused));
    error.insert(u"message"_s, sentence);
    message(u"holdfastctl: "_s + sentence);
    print(QJsonObject{{u"error"_s, error}}, {});
    return exitRefused;
}

int Output::usage(const QString &error, const QString &usageLine) const
{
    message(u"holdfastctl: %1\n%2"_s.arg(error, usageLine));
    print(QJsonObject{{u"error"_s, QJsonObject{{u"kind"_s, u"usage"_s}, {u"message"_s, error}}}},
          {});
    return exitUsage;
}

QString plain(const QString &text)
{
    QString safe;
    for (const QChar c : text) {
        if (isSafe(c))
            safe.append(c);
        else
            safe.append(u"\\u%1"_s.arg(uint(c.unicode()), 4, 16, QChar(u'0')));
    }
    return safe;
}

QString plain(const QJsonValue &value)
{
    switch (value.type()) {
    case QJsonValue::Null:
    case QJsonValue::Undefined: return u"-"_s;
    case QJsonValue::String: return plain(value.toString());
    case QJsonValue::Bool: return value.toBool() ? u"yes"_s : u"no"_s;
    case QJsonValue::Double:
    case QJsonValue::Array:
    case QJsonValue::Object: return plain(QString::fromUtf8(model::compactJson(value)));
    }
    Q_UNREACHABLE();
}

QString table(const QStringList &header, const QVector<QStringList> &rows)
{
    QVector<qsizetype> widths;
    for (const QString &name : header)
        widths.append(name.size());
    for (const QStringList &row : rows) {
        for (qsizetype i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row.at(i).size());
    }
    QString text;
    const auto add = [&](const QStringList &row) {
        QString line;
        for (qsizetype i = 0; i < row.size(); ++i)
            line += i + 1 < row.size() ? row.at(i).leftJustified(widths.at(i) + 2) : row.at(i);
        text += line + u'\n';
    };
    add(header);
    for (const QStringList &row : rows)
        add(row);
    return text;
}

QString table(const QJsonArray &objects, const QStringList &members)
{
    QVector<QStringList> rows;
    for (const QJsonValue &object : objects) {
        QStringList row;
        for (const QString &member : members)
            row.append(plain(object[member]));
        rows.append(row);
    }
    QStringList header;
    for (const QString &member : members)
        header.append(member.toUpper());
    return table(header, rows);
}

QString fields(const QJsonObject &object, const QStringList &members)
{
    QString text;
    for (const QString &member : members)
        text += u"%1 %2\n"_s.arg((member + u':').leftJustified(22), plain(object.value(member)));
    return text;
}

} // namespace holdfast::ctl
