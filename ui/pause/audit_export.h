// Writes the audit to a file, page by page, away from the window's thread: as CSV when the file is
// called so, else as one JSON object a line. It deletes itself when done.
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pause/audit_model.h"

namespace holdfast::pause
{

class AuditExport : public QObject
{
    Q_OBJECT
public:
    static constexpr qsizetype rowsMax = 200'000;

    // `filter` as the operation `audit` takes it.
    AuditExport(bridge::Bridge &bridge, const QJsonObject &filter, const QString &path,
                QObject *parent);

    void start() { askPage(0); }

Q_SIGNALS:
    void done(const QString &sentence);
    void failed(const QString &sentence);

private:
    void askPage(qint64 before);
    void write();

    bridge::Bridge &m_bridge;
    const QJsonObject m_filter;
    const QString m_path;
    QVector<AuditLine> m_lines;
};

// One row of the file, with its line end.
QByteArray csvHeader();
QByteArray csvLine(const AuditLine &line);

} // namespace holdfast::pause
