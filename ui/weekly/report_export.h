// Writes a report to a file away from the window's thread: the PDF is drawn here, text is rendered
// behind the door. The file appears when it is whole; a stop leaves none.
#pragma once

#include "ui/bridge/bridge.h"

#include <QObject>
#include <atomic>
#include <functional>
#include <memory>

namespace holdfast::weekly
{

class ReportExport : public QObject
{
    Q_OBJECT
public:
    struct Order {
        QString format; // pdf, html, markdown or csv
        QString path;
        QJsonObject report;
    };

    ReportExport(bridge::Bridge &bridge, Order order, QObject *parent);
    ~ReportExport() override;

    void start();
    void stop(); // stopped() follows

    const Order &order() const { return m_order; }
    static QString suffixOf(const QString &format); // md for markdown

Q_SIGNALS:
    void progressed(int percent);
    void finished();
    void stopped();
    void failed(const QString &why);

private:
    void draw();
    void save(const QByteArray &text);
    void end(const QString &problem);
    // Runs on a thread of the pool; gives what went wrong, or nothing.
    void away(const std::function<QString()> &work);

    bridge::Bridge &m_bridge;
    const Order m_order;
    std::shared_ptr<std::atomic<bool>> m_isStopped;
    bool m_isAway = false; // a thread of the pool has it
    bool m_hasEnded = false;
};

} // namespace holdfast::weekly
