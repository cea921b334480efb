#include "ui/batch/batch_plan.h"

namespace holdfast::batch
{

using namespace Qt::StringLiterals;

QJsonObject Order::arguments() const
{
    QJsonObject arguments{{u"act"_s, act}};
    if (!verdict.isEmpty())
        arguments.insert(u"verdict"_s, verdict);
    if (!items.isEmpty())
        arguments.insert(u"items"_s, QJsonArray::fromStringList(items));
    else if (!runs.isEmpty())
        arguments.insert(u"runs"_s, QJsonArray::fromStringList(runs));
    else
        arguments.insert(u"filter"_s, filter);
    return arguments;
}

BatchPlan::BatchPlan(bridge::Bridge &bridge, Order order, QObject *parent)
    : QObject(parent), m_bridge(bridge), m_order(std::move(order))
{
}

void BatchPlan::start() { ask({}); }

void BatchPlan::ask(const QJsonValue &cursor)
{
    QJsonObject arguments = m_order.arguments();
    if (!cursor.isNull())
        arguments.insert(u"cursor"_s, cursor);
    m_bridge.ask(u"batch_plan"_s, arguments, this, [this](const model::Result<QJsonValue> &answer) {
        if (m_isStopped)
            return;
        if (!answer) {
            Q_EMIT failed(answer.error().message);
            return;
        }
        take(answer->toObject()["items"_L1].toArray());
        const QJsonValue next = answer->toObject()["cursor"_L1];
        if (next.isNull() || m_hasMore)
            Q_EMIT finished();
        else
            ask(next);
    });
}

void BatchPlan::take(const QJsonArray &items)
{
    for (const QJsonValue &item : items) {
        if (m_items.size() == itemsMax) {
            m_hasMore = true;
            break;
        }
        m_items.append(item);
        const QString verdict = item["verdict"_L1].toString();
        ++m_counts[verdict];
        if (verdict != "safe"_L1 && item["may_include"_L1].toBool())
            ++m_mayInclude;
    }
    Q_EMIT progressed();
}

} // namespace holdfast::batch
