// Writes runs to a file: all that match a filter, or chosen ones. Pages come from the door one
// after the other and are written on a thread of their own, so that a million runs neither fill the
// memory nor hold up the window. The file appears when it is whole; a stop leaves none.
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/runs/export_format.h"

#include <QObject>
#include <QStringList>
#include <QThread>
#include <memory>

namespace holdfast::runs
{

class ExportWriter;

class RunExport : public QObject
{
    Q_OBJECT
public:
    struct Order {
        QString path;
        ExportFormat format = ExportFormat::csv;
        QString filter;
        QStringList runs; // these only; empty: all that match the filter
    };

    RunExport(bridge::Bridge &bridge, const Order &order, QObject *parent = nullptr);
    ~RunExport() override;

    void start();
    void stop();
    qint64 written() const { return m_written; }
    const Order &order() const { return m_order; }

Q_SIGNALS:
    void progressed(qint64 written);
    void finished();                 // the file is there
    void stopped();                  // no file was written
    void failed(const QString &why); // no file was written

private:
    void askNext();
    void read(const model::Result<QJsonValue> &answer);
    void wrote(qint64 runs);
    void end();

    bridge::Bridge &m_bridge;
    const Order m_order;
    QThread m_thread;
    ExportWriter *m_writer = nullptr;
    QString m_cursor;
    qsizetype m_next = 0; // of the chosen runs
    qint64 m_written = 0;
    bool m_isLast = false;
    bool m_hasEnded = false;
};

// Lives on the export's thread.
class ExportWriter : public QObject
{
    Q_OBJECT
public:
    ExportWriter(const QString &path, ExportFormat format);
    ~ExportWriter() override;

    void open();
    void write(const QJsonArray &runs);
    void commit();

Q_SIGNALS:
    void opened();
    void wrote(qint64 runs);
    void committed();
    void failed(const QString &why);

private:
    struct File;
    void put(const QByteArray &bytes);

    const QString m_path;
    const ExportFormat m_format;
    std::unique_ptr<File> m_file;
    bool m_isFirst = true;
};

} // namespace holdfast::runs
