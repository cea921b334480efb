#include "insight/report_markdown.h"

#include "insight/report_text.h"

namespace holdfast::insight
{

using namespace Qt::StringLiterals;

namespace
{
QString tableText(const ReportTable &table)
{
    QString out = u"| "_s;
    QString rule = u"|"_s;
    for (qsizetype i = 0; i < table.header.size(); ++i) {
        out += markdownText(table.header.at(i)) + u" | "_s;
        rule += table.numbers.contains(int(i)) ? u"---:|"_s : u"---|"_s;
    }
    out = out.trimmed() + u'\n' + rule + u'\n';
    for (const QStringList &row : table.rows) {
        out += u"| "_s;
        for (const QString &cell : row)
            out += markdownText(cell) + u" | "_s;
        out = out.trimmed() + u'\n';
    }
    return out;
}
} // namespace

QString markdownText(const QString &text)
{
    QString out;
    for (const QChar c : text) {
        if (c == u'\n' || c == u'\r' || c == u'\t')
            out += u' ';
        else if (c.unicode() < 0x20 || c.unicode() == 0x7f)
            continue;
        else if (c == u'<')
            out += u"&lt;"_s;
        else if (c == u'>')
            out += u"&gt;"_s;
        else if (c == u'&')
            out += u"&amp;"_s;
        else if (u"\\`*_{}[]()#+!|~$"_s.contains(c))
            out += u'\\' + QString(c);
        else
            out += c;
    }
    // A bare address would become a link.
    out.replace(u"://"_s, u":&#47;/"_s);
    out.replace(u"www."_s, u"www&#46;"_s, Qt::CaseInsensitive);
    out.replace(u'@', u"&#64;"_s);
    return out;
}

QByteArray reportMarkdown(const QJsonObject &report)
{
    QString out = u"# %1\n\n"_s.arg(markdownText(reportTitle(report)));
    const QStringList notes = reportNotes(report);
    for (const QString &note : notes)
        out += markdownText(note) + u"\n\n"_s;
    const QVector<ReportTable> tables = reportTables(report);
    for (const ReportTable &table : tables) {
        out += u"## %1\n\n"_s.arg(markdownText(table.title));
        if (!table.intro.isEmpty())
            out += markdownText(table.intro) + u"\n\n"_s;
        out += table.rows.isEmpty() ? markdownText(table.ifEmpty) + u'\n' : tableText(table);
        out += u'\n';
    }
    out += u"## Sign-off\n\n%1\n"_s.arg(markdownText(signoffText(report)));
    return out.toUtf8();
}

} // namespace holdfast::insight
