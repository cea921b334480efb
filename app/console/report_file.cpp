#include "app/console/report_file.h"

#include "ui/weekly/report_pdf.h"

#include <QIODevice>
#include <QJsonDocument>

namespace holdfast::console
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qint64 documentMax = 64 * 1024 * 1024;
constexpr qint64 partSize = 1024 * 1024;
} // namespace

model::Result<int> drawReportFile(QIODevice &input, const QString &path)
{
    QByteArray text;
    // A pipe gives what it has, not all there will be.
    for (QByteArray part = input.read(partSize); !part.isEmpty() && text.size() <= documentMax;
         part = input.read(partSize))
        text += part;
    if (text.size() > documentMax)
        return model::invalid(u"the report on standard input is larger than 64 MiB"_s);
    if (text.trimmed().isEmpty())
        return model::invalid(u"nothing came on standard input; give it the document that "
                              "holdfastctl report --format json prints"_s);
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(text, &problem);
    if (problem.error != QJsonParseError::NoError)
        return model::invalid(
            u"standard input is no JSON: %1 at byte %2"_s.arg(problem.errorString())
                .arg(problem.offset));
    if (!document.isObject())
        return model::invalid(u"this is no report: the JSON on standard input is no object"_s);
    return weekly::writeReportPdf(document.object(), path);
}

} // namespace holdfast::console
