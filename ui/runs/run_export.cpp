#include "ui/runs/run_export.h"

#include <QJsonArray>
#include <QSaveFile>

namespace holdfast::runs
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr int exportPageSize = 100;
}

struct ExportWriter::File {
    explicit File(const QString &path) : save(path) {}
    QSaveFile save;
};

ExportWriter::ExportWriter(const QString &path, ExportFormat format)
    : m_path(path), m_format(format)
{
}

ExportWriter::~ExportWriter() = default;

void ExportWriter::open()
{
    m_file = std::make_unique<File>(m_path);
    if (!m_file->save.open(QIODevice::WriteOnly)) {
        Q_EMIT failed(m_file->save.errorString());
        return;
    }
    put(exportHead(m_format));
    Q_EMIT opened();
}

void ExportWriter::put(const QByteArray &bytes)
{
    if (m_file->save.write(bytes) != bytes.size())
        Q_EMIT failed(m_file->save.errorString());
}

void ExportWriter::write(const QJsonArray &runs)
{
    put(exportRuns(m_format, runs, m_isFirst));
    m_isFirst = m_isFirst && runs.isEmpty();
    Q_EMIT wrote(runs.size());
}

void ExportWriter::commit()
{
    put(exportFoot(m_format));
    if (m_file->save.commit())
        Q_EMIT committed();
    else
        Q_EMIT failed(m_file->save.errorString());
}

RunExport::RunExport(bridge::Bridge &bridge, const Order &order, QObject *parent)
    : QObject(parent), m_bridge(bridge), m_order(order),
      m_writer(new ExportWriter(order.path, order.format))
{
    m_writer->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_writer, &QObject::deleteLater);
    connect(m_writer, &ExportWriter::opened, this, &RunExport::askNext);
    connect(m_writer, &ExportWriter::wrote, this, &RunExport::wrote);
    connect(m_writer, &ExportWriter::committed, this, [this] {
        if (m_hasEnded)
            return;
        end();
        Q_EMIT finished();
    });
    connect(m_writer, &ExportWriter::failed, this, [this](const QString &why) {
        if (m_hasEnded)
            return;
        end();
        Q_EMIT failed(why);
    });
    m_thread.setObjectName(u"export"_s);
}

RunExport::~RunExport()
{
    m_thread.quit();
    m_thread.wait();
}

void RunExport::start()
{
    m_thread.start(QThread::LowPriority);
    QMetaObject::invokeMethod(m_writer, &ExportWriter::open);
}

// What was written so far goes with the writer, which has not committed it.
void RunExport::stop()
{
    if (m_hasEnded)
        return;
    end();
    Q_EMIT stopped();
}

void RunExport::end()
{
    m_hasEnded = true;
    m_thread.quit();
}

void RunExport::askNext()
{
    if (m_hasEnded)
        return;
    QJsonObject arguments{{u"filter"_s, m_order.filter}, {u"limit"_s, exportPageSize}};
    if (!m_order.runs.isEmpty())
        arguments = {{u"filter"_s, u"run:"_s + m_order.runs.at(m_next++)}, {u"limit"_s, 1}};
    else if (!m_cursor.isEmpty())
        arguments.insert(u"cursor"_s, m_cursor);
    m_bridge.ask(u"runs"_s, arguments, this,
                 [this](const Result<QJsonValue> &answer) { read(answer); });
}

void RunExport::read(const Result<QJsonValue> &answer)
{
    if (m_hasEnded)
        return;
    if (!answer) {
        end();
        Q_EMIT failed(answer.error().message);
        return;
    }
    m_cursor = answer->toObject()["cursor"_L1].toString();
    m_isLast = m_order.runs.isEmpty() ? m_cursor.isEmpty() : m_next >= m_order.runs.size();
    const QJsonArray runs = answer->toObject()["runs"_L1].toArray();
    QMetaObject::invokeMethod(m_writer, [writer = m_writer, runs] { writer->write(runs); });
}

void RunExport::wrote(qint64 runs)
{
    if (m_hasEnded)
        return;
    m_written += runs;
    Q_EMIT progressed(m_written);
    if (m_isLast)
        QMetaObject::invokeMethod(m_writer, &ExportWriter::commit);
    else
        askNext();
}

} // namespace holdfast::runs
