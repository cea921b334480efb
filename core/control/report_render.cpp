// The report as text in one of its forms, for who cannot call the renderers itself: the console
// speaks JSON to this door and nothing else.
#include "control/context.h"
#include "insight/report_csv.h"
#include "insight/report_html.h"
#include "insight/report_markdown.h"

#include <QJsonObject>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

Result<QJsonValue> reportRender(Context &context)
{
    const QString format = context.arguments()["format"_L1].toString();
    QByteArray (*render)(const QJsonObject &) = nullptr;
    if (format == "html"_L1)
        render = insight::reportHtml;
    else if (format == "markdown"_L1)
        render = insight::reportMarkdown;
    else if (format == "csv"_L1)
        render = insight::reportCsv;
    else
        return model::invalid(u"format is html, markdown or csv"_s);
    const auto document = report(context);
    if (!document)
        return document;
    return QJsonValue(QJsonObject{{u"format"_s, format},
                                  {u"text"_s, QString::fromUtf8(render(document->toObject()))}});
}

} // namespace holdfast::control
