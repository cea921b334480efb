#include "ui/runs/run_batch.h"

#include "ui/runs/run_line.h"

namespace holdfast::runs
{

using namespace Qt::StringLiterals;
using model::Result;

QJsonObject actArguments(const QString &act, const QJsonObject &seen, const QString &reason)
{
    QJsonObject arguments{{u"run"_s, seen["run_id"_L1]}, {u"reason"_s, reason}};
    // Of a rerun, "version" is the workflow's; the others are bound to what the person saw.
    if (act != "rerun"_L1)
        arguments.insert(u"version"_s, seen["seq"_L1]);
    return arguments;
}

RunBatch::RunBatch(bridge::Bridge &bridge, const Order &order, QObject *parent)
    : QObject(parent), m_bridge(bridge), m_order(order), m_runs(order.runs)
{
}

void RunBatch::start()
{
    if (m_order.isAllThatMatch)
        gather({});
    else
        next();
}

// Which runs it is about is settled before the first is touched: an act may change what matches.
void RunBatch::gather(const QString &cursor)
{
    QJsonObject arguments{{u"filter"_s, m_order.filter}, {u"limit"_s, 100}};
    if (!cursor.isEmpty())
        arguments.insert(u"cursor"_s, cursor);
    m_bridge.ask(u"runs"_s, arguments, this, [this](const Result<QJsonValue> &answer) {
        if (!answer) {
            m_refusals.append({{}, answer.error().message});
            Q_EMIT finished();
            return;
        }
        const RunLines lines = linesOf(answer->toObject());
        for (const RunLine &line : lines)
            m_runs << line.runId;
        const QString after = answer->toObject()["cursor"_L1].toString();
        if (after.isEmpty() || m_isStopped || m_runs.size() >= runsMax)
            next();
        else
            gather(after);
    });
}

void RunBatch::stop() { m_isStopped = true; }

void RunBatch::next()
{
    if (m_isStopped || m_next >= m_runs.size()) {
        Q_EMIT finished();
        return;
    }
    const QString run = m_runs.at(m_next);
    m_bridge.ask(u"show"_s, {{u"run"_s, run}}, this, [this, run](const Result<QJsonValue> &answer) {
        if (!answer)
            refuse(run, answer.error().message);
        else
            actOn(run, answer->toObject());
    });
}

void RunBatch::actOn(const QString &run, const QJsonObject &seen)
{
    const QJsonObject action = seen["actions"_L1][m_order.act].toObject();
    if (!action.isEmpty() && !action["allowed"_L1].toBool()) {
        refuse(run, action["why"_L1].toString());
        return;
    }
    m_bridge.act(m_order.act, actArguments(m_order.act, seen, m_order.reason), this,
                 [this, run](const Result<QJsonValue> &answer) {
                     if (!answer) {
                         refuse(run, answer.error().message);
                         return;
                     }
                     ++m_recorded;
                     settle();
                 });
}

void RunBatch::refuse(const QString &run, const QString &why)
{
    m_refusals.append({run, why});
    settle();
}

void RunBatch::settle()
{
    ++m_next;
    Q_EMIT progressed();
    next();
}

} // namespace holdfast::runs
