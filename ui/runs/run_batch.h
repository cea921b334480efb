// One act on several runs, one after the other: each is looked at first, bound to the version that
// was seen, and its refusal is kept. It can be stopped; what is recorded stays recorded.
#pragma once

#include "ui/bridge/bridge.h"

#include <QObject>
#include <QStringList>
#include <QVector>

namespace holdfast::runs
{

class RunBatch : public QObject
{
    Q_OBJECT
public:
    struct Order {
        QString act; // retry, cancel or rerun
        QString reason;
        QStringList runs;
        bool isAllThatMatch = false; // these instead: what the filter finds when it starts
        QString filter;
    };
    static constexpr int runsMax = 10'000;
    struct Refusal {
        QString run;
        QString why;
    };

    RunBatch(bridge::Bridge &bridge, const Order &order, QObject *parent = nullptr);

    void start();
    void stop();
    const Order &order() const { return m_order; }
    int done() const { return m_next; }
    int total() const { return int(m_runs.size()); }
    int recorded() const { return m_recorded; }
    const QVector<Refusal> &refusals() const { return m_refusals; }
    bool isStopped() const { return m_isStopped; }

Q_SIGNALS:
    void progressed();
    void finished();

private:
    void gather(const QString &cursor);
    void next();
    void actOn(const QString &run, const QJsonObject &seen);
    void refuse(const QString &run, const QString &why);
    void settle();

    bridge::Bridge &m_bridge;
    const Order m_order;
    QStringList m_runs;
    int m_next = 0;
    int m_recorded = 0;
    bool m_isStopped = false;
    QVector<Refusal> m_refusals;
};

// What the door is given for an act on a run that was seen like this.
QJsonObject actArguments(const QString &act, const QJsonObject &seen, const QString &reason);

} // namespace holdfast::runs
