#include "ui/pause/audit_export.h"

#include "model/json.h"

#include <QCoreApplication>
#include <QPointer>
#include <QSaveFile>
#include <QThreadPool>

namespace holdfast::pause
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr int exportPageSize = 1000;

// A cell that begins like a formula would be run by a spreadsheet.
QByteArray cell(const QString &text)
{
    QString safe = text;
    if (!safe.isEmpty() && u"=+-@\t\r"_s.contains(safe.at(0)))
        safe.prepend(u'\'');
    safe.replace(u'"', u"\"\""_s);
    return '"' + safe.toUtf8() + '"';
}

QString writeLines(const QString &path, const QVector<AuditLine> &lines)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return file.errorString();
    const bool isCsv = path.endsWith(".csv"_L1, Qt::CaseInsensitive);
    if (isCsv)
        file.write(csvHeader());
    for (const AuditLine &line : lines)
        file.write(isCsv ? csvLine(line) : model::compactJson(line.toJson()) + '\n');
    return file.commit() ? QString() : file.errorString();
}
} // namespace

QByteArray csvHeader() { return "seq,at,actor,action,subject,reason,chain,body,hash\r\n"; }

QByteArray csvLine(const AuditLine &line)
{
    const QString body = QString::fromUtf8(model::compactJson(line.body));
    QByteArray out = QByteArray::number(line.seq);
    for (const QString &text : {model::instantText(line.at), line.actor, line.action, line.subject,
                                line.reason(), line.chain, body, line.hash})
        out += ',' + cell(text);
    return out + "\r\n";
}

AuditExport::AuditExport(bridge::Bridge &bridge, const QJsonObject &filter, const QString &path,
                         QObject *parent)
    : QObject(parent), m_bridge(bridge), m_filter(filter), m_path(path)
{
}

void AuditExport::askPage(qint64 before)
{
    QJsonObject arguments = m_filter;
    arguments.insert(u"limit"_s, exportPageSize);
    if (before > 0)
        arguments.insert(u"before"_s, before);
    m_bridge.ask(u"audit"_s, arguments, this, [this](const Result<QJsonValue> &answer) {
        if (!answer) {
            Q_EMIT failed(u"The audit could not be exported: %1."_s.arg(answer.error().message));
            deleteLater();
            return;
        }
        for (const QJsonValue &row : (*answer)["audit"_L1].toArray())
            m_lines.append(AuditLine::fromJson(row.toObject()));
        const qint64 next = (*answer)["cursor"_L1].toInteger();
        if (next > 0 && m_lines.size() < rowsMax)
            askPage(next);
        else
            write();
    });
}

void AuditExport::write()
{
    QThreadPool::globalInstance()->start(
        [guard = QPointer<AuditExport>(this), path = m_path, lines = m_lines] {
            const QString problem = writeLines(path, lines);
            const QString text =
                problem.isEmpty()
                    ? u"%1 rows of the audit were written to %2."_s.arg(lines.size()).arg(path)
                    : u"The audit could not be written to %1: %2."_s.arg(path, problem);
            QMetaObject::invokeMethod(
                qApp,
                [guard, text, isDone = problem.isEmpty()] {
                    if (!guard)
                        return;
                    if (isDone)
                        Q_EMIT guard->done(text);
                    else
                        Q_EMIT guard->failed(text);
                    guard->deleteLater();
                },
                Qt::QueuedConnection);
        });
}

} // namespace holdfast::pause
