#include "ui/weekly/report_export.h"

#include "ui/weekly/report_pdf.h"

#include <QCoreApplication>
#include <QPointer>
#include <QSaveFile>
#include <QThreadPool>

namespace holdfast::weekly
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
QString writeText(const QString &path, const QByteArray &text, const std::atomic<bool> &isStopped)
{
    QSaveFile file(path);
    const bool isWritten = file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    if (isStopped.load())
        return u"stopped"_s; // not committed: no file
    if (!isWritten || !file.commit())
        return u"cannot write %1: %2"_s.arg(path, file.errorString());
    return {};
}
} // namespace

ReportExport::ReportExport(bridge::Bridge &bridge, Order order, QObject *parent)
    : QObject(parent), m_bridge(bridge), m_order(std::move(order)),
      m_isStopped(std::make_shared<std::atomic<bool>>(false))
{
}

ReportExport::~ReportExport() { m_isStopped->store(true); }

QString ReportExport::suffixOf(const QString &format)
{
    return format == "markdown"_L1 ? u"md"_s : format;
}

void ReportExport::start()
{
    if (m_order.format == "pdf"_L1) {
        draw();
        return;
    }
    m_bridge.ask(u"report_render"_s,
                 {{u"since"_s, m_order.report["since"_L1]},
                  {u"until"_s, m_order.report["until"_L1]},
                  {u"format"_s, m_order.format}},
                 this, [this](const Result<QJsonValue> &answer) {
                     if (m_hasEnded)
                         return;
                     if (!answer)
                         end(answer.error().message);
                     else
                         save((*answer)["text"_L1].toString().toUtf8());
                 });
}

void ReportExport::stop()
{
    m_isStopped->store(true);
    // A text that is still being rendered is dropped when it comes; a thread at work ends itself.
    if (!m_isAway)
        end(u"stopped"_s);
}

void ReportExport::draw()
{
    const auto tell = [guard = QPointer<ReportExport>(this)](int percent) {
        QMetaObject::invokeMethod(
            qApp,
            [guard, percent] {
                if (guard && !guard->m_hasEnded)
                    Q_EMIT guard->progressed(percent);
            },
            Qt::QueuedConnection);
    };
    away([order = m_order, flag = m_isStopped, tell] {
        int said = -1;
        const auto pages = writeReportPdf(order.report, order.path, [&](int percent) {
            if (percent != said)
                tell(percent);
            said = percent;
            return !flag->load();
        });
        return pages ? QString() : pages.error().message;
    });
}

void ReportExport::save(const QByteArray &text)
{
    away([path = m_order.path, text, flag = m_isStopped] { return writeText(path, text, *flag); });
}

void ReportExport::away(const std::function<QString()> &work)
{
    m_isAway = true;
    QThreadPool::globalInstance()->start([guard = QPointer<ReportExport>(this), work] {
        const QString problem = work();
        QMetaObject::invokeMethod(
            qApp,
            [guard, problem] {
                if (guard)
                    guard->end(problem);
            },
            Qt::QueuedConnection);
    });
}

void ReportExport::end(const QString &problem)
{
    if (std::exchange(m_hasEnded, true))
        return;
    if (problem.isEmpty()) // written before the stop reached it: there is a file, and it is said
        Q_EMIT finished();
    else if (m_isStopped->load())
        Q_EMIT stopped();
    else
        Q_EMIT failed(problem);
    deleteLater();
}

} // namespace holdfast::weekly
