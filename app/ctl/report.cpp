// report, reports: the review of a week, as text, as a file, signed.
#include "app/ctl/invocation.h"
#include "app/ctl/report_file.h"
#include "insight/report_csv.h"
#include "insight/report_html.h"
#include "insight/report_markdown.h"
#include "model/json.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
QString checkOptions(const Invocation &invocation, const QString &format)
{
    static const QStringList formats{u"json"_s, u"csv"_s, u"html"_s, u"markdown"_s, u"pdf"_s};
    if (!formats.contains(format))
        return u"--format is one of %1"_s.arg(formats.join(u", "_s));
    const bool toFile = invocation.has(u"output"_s);
    if (toFile && invocation.option(u"output"_s).isEmpty())
        return u"-o needs the name of a file"_s;
    if (format == "pdf"_L1 && !toFile)
        return u"a PDF goes into a file: give -o FILE"_s;
    if (invocation.out.isJson() && format != "json"_L1 && !toFile)
        return u"with --json the document is printed as JSON: give -o FILE for another format"_s;
    if (invocation.has(u"force"_s) && !toFile)
        return u"--force goes with -o FILE"_s;
    if (invocation.has(u"note"_s) && !invocation.has(u"sign"_s))
        return u"--note goes with --sign"_s;
    return {};
}

Result<QByteArray> rendered(const QJsonObject &report, const QString &format,
                            const QString &console)
{
    if (format == "csv"_L1)
        return insight::reportCsv(report);
    if (format == "html"_L1)
        return insight::reportHtml(report);
    if (format == "markdown"_L1)
        return insight::reportMarkdown(report);
    if (format == "pdf"_L1)
        return drawnPdf(console, report);
    return model::compactJson(report) + '\n';
}

// What went wrong after the signature, which stands.
model::Error signedAllTheSame(model::Error error)
{
    error.message += u". The report is signed all the same; ask for it again without --sign"_s;
    return error;
}

// Signs the window that the report says it is about, so that what is signed is what was seen.
Result<QJsonObject> signedReport(Database &database, const QJsonObject &seen, const QString &note)
{
    const QJsonObject window{{u"since"_s, seen["since"_L1]}, {u"until"_s, seen["until"_L1]}};
    QJsonObject arguments = window;
    arguments.insert(u"note"_s, note);
    arguments.insert(u"figures_hash"_s, seen["figures_hash"_L1]);
    if (const auto done = database.call(u"report_sign"_s, arguments); !done)
        return done.error();
    const auto report = database.call(u"report"_s, window);
    if (report)
        return report->toObject();
    return signedAllTheSame(report.error());
}

int failAfterSigning(const Invocation &invocation, const model::Error &error)
{
    return invocation.out.fail(invocation.has(u"sign"_s) ? signedAllTheSame(error) : error);
}

int printReport(const Invocation &invocation, const QByteArray &bytes)
{
    const size_t size = size_t(bytes.size());
    if (std::fwrite(bytes.constData(), 1, size, stdout) == size && std::fflush(stdout) == 0)
        return exitDone;
    // Standard output takes no second document.
    model::Error error = model::invalid(u"the report could not be printed whole: %1"_s.arg(
        QString::fromLocal8Bit(std::strerror(errno))));
    if (invocation.has(u"sign"_s))
        error = signedAllTheSame(error);
    invocation.out.message(u"holdfastctl: "_s + error.message);
    return exitRefused;
}

int runReport(Invocation &invocation)
{
    const bool hasFormat = invocation.has(u"format"_s);
    const QString format = hasFormat                 ? invocation.option(u"format"_s)
                           : invocation.out.isJson() ? u"json"_s
                                                     : u"markdown"_s;
    if (const QString problem = checkOptions(invocation, format); !problem.isEmpty())
        return invocation.usage(problem);
    const QString path = invocation.option(u"output"_s);
    const bool mayReplace = invocation.has(u"force"_s);
    // Before anything is signed: a file that cannot be written would leave a signature nobody saw.
    if (!path.isEmpty()) {
        if (const auto may = mayWrite(path, mayReplace); !may)
            return invocation.out.fail(may.error());
    }
    const Result<QString> console = format == "pdf"_L1 ? consoleProgram() : QString();
    if (!console)
        return invocation.out.fail(console.error());
    QJsonObject arguments;
    invocation.copyTexts(arguments, {u"since"_s, u"until"_s});
    Database database(invocation.url());
    const auto answer = database.call(u"report"_s, arguments);
    if (!answer)
        return invocation.out.fail(answer.error());
    Result<QJsonObject> report(answer->toObject());
    if (invocation.has(u"sign"_s))
        report = signedReport(database, *report, invocation.option(u"note"_s));
    if (!report)
        return invocation.out.fail(report.error());
    database.letGo();
    const auto bytes = rendered(*report, format, *console);
    if (!bytes)
        return failAfterSigning(invocation, bytes.error());
    if (path.isEmpty())
        return printReport(invocation, *bytes);
    if (const auto written = writeFile(path, *bytes, mayReplace); !written)
        return failAfterSigning(invocation, written.error());
    invocation.out.print(QJsonObject{{u"file"_s, path}, {u"format"_s, format}},
                         u"written to %1"_s.arg(path));
    return exitDone;
}

int runReports(Invocation &invocation)
{
    return invocation.ask(u"reports"_s, {}, [](const QJsonValue &answer) {
        const QJsonArray list = answer["reports"_L1].toArray();
        if (list.isEmpty())
            return u"no report is signed yet"_s;
        return table(list, {u"since"_s, u"until"_s, u"by"_s, u"at"_s, u"note"_s});
    });
}
} // namespace

QVector<Subcommand> reportCommands()
{
    return {{u"report"_s,
             u"report [--since T] [--until T] [--format json|csv|html|markdown|pdf] [-o FILE] "
             "[--force] [--sign [--note TEXT]]"_s,
             u"The review of a time, by default the last whole week from Monday to Monday: figures "
             "beside those of the time before, what changed, failures by group and cause, what "
             "waits for a person, compensations, retry cost and contract gaps. Signing stores your "
             "name, the figures with their hash and the end of the audit."_s,
             {{u"since"_s, u"T"_s, u"a date, or an instant such as 2026-11-09T00:00:00Z"_s},
              {u"until"_s, u"T"_s, u"the first moment that is not in it any more"_s},
              {u"format"_s, u"FORMAT"_s, u"json, csv, html, markdown (default) or pdf"_s},
              {u"output"_s, u"FILE"_s, u"write it there, whole or not at all; -o is the same"_s},
              {u"force"_s, {}, u"replace the file where there is one"_s},
              {u"sign"_s, {}, u"sign it; a window is signed once, after it is over"_s},
              {u"note"_s, u"TEXT"_s, u"what whoever reads the signature should know"_s}},
             0,
             0,
             u"report --since 2026-11-09 --until 2026-11-16 --format html -o week.html"_s,
             runReport},
            {u"reports"_s,
             u"reports"_s,
             u"Lists the reports that were signed, by whom and when."_s,
             {},
             0,
             0,
             u"reports"_s,
             runReports}};
}

} // namespace holdfast::ctl
