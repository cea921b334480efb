// Counts what a batch would come to before it is started: asks the door page by page, so that
// nothing else in the window waits for it, and can be stopped at any page.
#pragma once

#include "ui/bridge/bridge.h"

#include <QJsonArray>
#include <QMap>
#include <QObject>

namespace holdfast::batch
{

// What a person wants done, and to which: runs by name, items by name, or all that a filter finds.
struct Order {
    QString act;     // retry, cancel, compensate or resolve
    QString verdict; // of a resolve
    QStringList runs;
    QStringList items;
    QString filter;

    QJsonObject arguments() const; // as the door's plan takes them
};

class BatchPlan : public QObject
{
    Q_OBJECT
public:
    static constexpr int itemsMax = 10'000;

    BatchPlan(bridge::Bridge &bridge, Order order, QObject *parent = nullptr);

    void start();
    void stop() { m_isStopped = true; }
    const QJsonArray &items() const { return m_items; }
    int count(const QString &verdict) const { return m_counts.value(verdict); }
    int mayInclude() const { return m_mayInclude; } // unsafe, and allowed all the same
    bool hasMore() const { return m_hasMore; }      // than a batch may have
    const Order &order() const { return m_order; }

Q_SIGNALS:
    void progressed();
    void finished();
    void failed(const QString &why);

private:
    void ask(const QJsonValue &cursor);
    void take(const QJsonArray &items);

    bridge::Bridge &m_bridge;
    const Order m_order;
    QJsonArray m_items;
    QMap<QString, int> m_counts; // by verdict
    int m_mayInclude = 0;
    bool m_hasMore = false;
    bool m_isStopped = false;
};

} // namespace holdfast::batch
