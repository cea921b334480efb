// A door that answers from any number of made-up runs, none of which is stored: run number n has
// the id n. For layout, paging and live updates; what is true of the engine is tested with the
// engine.
#pragma once

#include "model/json.h"
#include "ui/bridge/bridge.h"

#include <QDateTime>
#include <QJsonArray>
#include <QMap>
#include <QStringList>
#include <mutex>

namespace holdfast::tests
{

using namespace Qt::StringLiterals;

class RunsDoor
{
public:
    using Answer = model::Result<QJsonValue>;

    explicit RunsDoor(qint64 runs) : m_runs(runs) {}

    static QString idOf(qint64 number)
    {
        return u"0197c3aa-0000-7000-8000-%1"_s.arg(number, 12, 10, QLatin1Char('0'));
    }

    // The door must outlive the bridge.
    bridge::Sources sources()
    {
        bridge::Sources sources;
        sources.read = [this](const QString &name, const QJsonObject &in) {
            return call(name, in);
        };
        sources.act = sources.read;
        sources.engine = [] { return bridge::EngineState{u"running"_s, {}, 0}; };
        sources.now = [] { return QDateTime::currentMSecsSinceEpoch(); };
        sources.actor = u"ada"_s;
        sources.database = u"made up"_s;
        return sources;
    }

    void setRuns(qint64 runs)
    {
        const std::lock_guard lock(m_mutex);
        m_runs = runs;
    }
    // This run looks different from now on.
    void change(qint64 number, const QJsonObject &fields)
    {
        const std::lock_guard lock(m_mutex);
        m_changed.insert(number, fields);
    }
    void setAway(bool away)
    {
        const std::lock_guard lock(m_mutex);
        m_isAway = away;
    }
    void setShow(const QJsonObject &show)
    {
        const std::lock_guard lock(m_mutex);
        m_show = show;
    }
    // Arguments of every call of an operation, as compact JSON.
    QStringList asked(const QString &operation) const
    {
        const std::lock_guard lock(m_mutex);
        QStringList list;
        for (const auto &[name, arguments] : m_asked) {
            if (name == operation)
                list << arguments;
        }
        return list;
    }

private:
    static constexpr qint64 countMax = 10'000;
    static constexpr int examinedMax = 2'000; // runs a page looks at when a filter narrows

    Answer call(const QString &name, const QJsonObject &in)
    {
        const std::lock_guard lock(m_mutex);
        m_asked.append({name, QString::fromUtf8(model::compactJson(in))});
        if (m_isAway)
            return model::Error{model::ErrorKind::lost, u"the database does not answer"_s};
        if (name == "pulse"_L1)
            return QJsonValue(QJsonObject{{u"journal"_s, m_runs}});
        const QString filter = in["filter"_L1].toString();
        if (const QString problem = problemOf(filter); !problem.isEmpty())
            return model::invalid(problem);
        if (name == "runs"_L1)
            return QJsonValue(runs(in));
        if (name == "count"_L1)
            return QJsonValue(count(filter));
        if (name == "filter_words"_L1)
            return QJsonValue(QJsonObject{{u"words"_s, words()}});
        if (name == "save_view"_L1)
            m_views.insert(in["name"_L1].toString(), filter);
        if (name == "delete_view"_L1)
            m_views.remove(in["name"_L1].toString());
        if (name.endsWith("view"_L1) || name == "views"_L1)
            return QJsonValue(QJsonObject{{u"views"_s, views()}});
        if (name == "show"_L1)
            return QJsonValue(show(in["run"_L1].toString()));
        if (name == "batch_plan"_L1)
            return QJsonValue(plan(in));
        if (name == "batch_start"_L1)
            return QJsonValue(QJsonObject{{u"id"_s, u"b1"_s}, {u"state"_s, u"running"_s}});
        return QJsonValue(QJsonObject{{u"command"_s, u"c1"_s}, {u"state"_s, u"recorded"_s}});
    }

    // All of them are safe.
    QJsonObject plan(const QJsonObject &in) const
    {
        QJsonArray ids = in["runs"_L1].toArray();
        QJsonValue cursor;
        if (ids.isEmpty()) {
            const QJsonObject page = runs(in);
            for (const QJsonValue &each : page["runs"_L1].toArray())
                ids.append(each["run_id"_L1]);
            cursor = page["cursor"_L1];
        }
        QJsonArray items;
        for (const QJsonValue &id : ids)
            items.append(QJsonObject{{u"run_id"_s, id},
                                     {u"version"_s, 1},
                                     {u"verdict"_s, u"safe"_s},
                                     {u"may_include"_s, true}});
        return {{u"items"_s, items}, {u"cursor"_s, cursor}};
    }

    QJsonObject show(const QString &id) const
    {
        QJsonObject whole = run(id.right(12).toLongLong());
        for (auto field = m_show.begin(); field != m_show.end(); ++field)
            whole.insert(field.key(), field.value());
        return whole;
    }

    QJsonObject runs(const QJsonObject &in) const
    {
        const int limit = in["limit"_L1].toInt(100);
        const QString filter = in["filter"_L1].toString();
        const QString cursor = in["cursor"_L1].toString();
        qint64 number = cursor.isEmpty() ? m_runs : cursor.right(12).toLongLong();
        QJsonArray list;
        int examined = 0;
        while (number > 0 && list.size() < limit && examined < examinedMax) {
            const QJsonObject candidate = run(--number);
            ++examined;
            if (matches(candidate, filter))
                list.append(candidate);
        }
        return {{u"runs"_s, list},
                {u"cursor"_s, number > 0 ? QJsonValue(idOf(number)) : QJsonValue()}};
    }

    QJsonObject count(const QString &filter) const
    {
        qint64 found = filter.isEmpty() ? m_runs : 0;
        for (qint64 n = m_runs; !filter.isEmpty() && n > 0 && n > m_runs - examinedMax; --n)
            found += matches(run(n - 1), filter) ? 1 : 0;
        return {{u"count"_s, std::min(found, countMax)}, {u"capped"_s, found > countMax}};
    }

    QJsonArray views() const
    {
        QJsonArray list;
        for (auto view = m_views.begin(); view != m_views.end(); ++view)
            list.append(QJsonObject{{u"name"_s, view.key()}, {u"filter"_s, view.value()}});
        return list;
    }

    static QJsonObject words()
    {
        return {{u"status"_s, QJsonArray{u"review"_s, u"running"_s, u"succeeded"_s, u"failed"_s}},
                {u"workflow"_s, QJsonArray{u"billing-assistant"_s, u"lead-routing"_s, u"order"_s}},
                {u"step"_s, QJsonArray{u"charge"_s, u"reserve"_s}},
                {u"reason"_s, QJsonArray{u"timeout"_s}},
                {u"dependency"_s, QJsonArray{u"payments"_s}}};
    }

    static QString problemOf(const QString &filter)
    {
        for (const QString &term : filter.split(u' ', Qt::SkipEmptyParts)) {
            const QString word = term.section(u':', 0, 0);
            if (term.contains(u':') &&
                !u"status workflow step run since"_s.split(u' ').contains(word))
                return u"%1 is no word of the filter; known are status, workflow"_s.arg(word);
        }
        return {};
    }

    static bool matches(const QJsonObject &run, const QString &filter)
    {
        for (const QString &term : filter.split(u' ', Qt::SkipEmptyParts)) {
            const QString word = term.section(u':', 0, 0);
            const QStringList values = term.section(u':', 1).split(u',');
            if (word == "since"_L1)
                continue;
            if (word == "run"_L1 && run["run_id"_L1].toString() != values.first())
                return false;
            if (!term.contains(u':') && run["event_id"_L1].toString() != term)
                return false;
            if (word != "run"_L1 && term.contains(u':') && !values.contains(run[word].toString()))
                return false;
        }
        return true;
    }

    QJsonObject run(qint64 number) const
    {
        struct Kind {
            const char *status, *workflow, *event, *step, *reason;
            int version, retries;
        };
        static constexpr Kind kinds[] = {
            {"succeeded", "billing-assistant", "invoice/", "send_email", "", 3, 0},
            {"running", "order", "order/", "charge", "", 2, 0},
            {"succeeded", "lead-routing", "lead/", "notify", "", 5, 0},
            {"review", "billing-assistant", "invoice/", "create_invoice", "timeout", 3, 1},
            {"succeeded", "order", "order/", "ship", "", 2, 2},
            {"waiting", "lead-routing", "lead/", "upsert", "rate_limited", 5, 3},
            {"succeeded", "billing-assistant", "invoice/", "send_email", "", 3, 0},
            {"failed", "order", "order/", "charge", "card_declined", 2, 0},
            {"succeeded", "lead-routing", "lead/", "notify", "", 5, 0},
            {"compensated", "order", "order/", "ship", "out_of_stock", 2, 1},
            {"succeeded_partial", "billing-assistant", "invoice/", "send_email", "queue_full", 3,
             4},
            {"compensating", "order", "order/", "ship", "out_of_stock", 2, 0},
            {"succeeded", "order", "order/", "ship", "", 2, 0},
            {"compensation_failed", "order", "order/", "charge", "refund_refused", 2, 5},
            {"held", "billing-assistant", "invoice/", "create_invoice", "pause", 3, 0},
            {"succeeded", "billing-assistant", "invoice/", "send_email", "", 3, 0},
            {"cancelled", "lead-routing", "lead/", "score", "cancelled", 5, 0},
            {"queued", "order", "order/", "", "", 2, 0}};
        const Kind &kind = kinds[number % std::size(kinds)];
        const qint64 age = (m_runs - number) * 37'000 + 4'000;
        const model::Instant started = QDateTime::currentMSecsSinceEpoch() - age;
        const bool isDone = QByteArray(kind.status).startsWith("succeeded") ||
                            QByteArray(kind.status) == "failed" ||
                            QByteArray(kind.status) == "compensated" ||
                            QByteArray(kind.status) == "cancelled";
        const qint64 took = 300 + number % 7 * 911;
        QJsonObject made{
            {u"run_id"_s, idOf(number)},
            {u"status"_s, QLatin1String(kind.status)},
            {u"workflow"_s, QLatin1String(kind.workflow)},
            {u"version"_s, kind.version},
            {u"event_id"_s, QLatin1String(kind.event) + QString::number(80'000 + number)},
            {u"step"_s, QLatin1String(kind.step)},
            {u"reason"_s, QLatin1String(kind.reason)},
            {u"retry_count"_s, kind.retries},
            {u"seq"_s, 7},
            {u"created_at"_s, model::instantText(started)},
            {u"started_at"_s, model::instantText(started)},
            {u"finished_at"_s,
             isDone ? QJsonValue(model::instantText(started + took)) : QJsonValue()},
            {u"duration_ms"_s, isDone ? QJsonValue(took) : QJsonValue()}};
        const QJsonObject changed = m_changed.value(number);
        for (auto field = changed.begin(); field != changed.end(); ++field)
            made.insert(field.key(), field.value());
        return made;
    }

    mutable std::mutex m_mutex;
    qint64 m_runs;
    bool m_isAway = false;
    QMap<qint64, QJsonObject> m_changed;
    QMap<QString, QString> m_views;
    QJsonObject m_show;
    QVector<QPair<QString, QString>> m_asked;
};

} // namespace holdfast::tests
