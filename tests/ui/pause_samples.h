// Pauses and audit rows as the door gives them, for tests of the switch that need no engine.
#pragma once

#include "model/time.h"
#include "ui/canned_door.h"

namespace holdfast::tests
{

using model::hour;
using model::minute;

inline QJsonObject pauseJson(const CannedDoor &door, const QString &id, const QString &target = {})
{
    return {{u"id"_s, id},
            {u"scope"_s, target.isEmpty() ? u"all"_s : u"dependency"_s},
            {u"target"_s, target.isEmpty() ? QJsonValue() : QJsonValue(target)},
            {u"depth"_s, u"writes"_s},
            {u"reason"_s, u"Stripe incident, timeouts"_s},
            {u"actor"_s, u"bob"_s},
            {u"at"_s, model::instantText(door.now - 38 * minute)},
            {u"in_flight"_s, 3},
            {u"held"_s, 41},
            {u"started_since"_s, 0},
            {u"ramp"_s, QJsonValue()}};
}

inline QJsonObject liftedJson(const CannedDoor &door, const QString &id, int daysAgo)
{
    QJsonObject json = pauseJson(door, id, u"hubspot"_s);
    json.insert(u"reason"_s, u"Rate limited"_s);
    json.insert(u"at"_s, model::instantText(door.now - daysAgo * model::day));
    json.insert(u"lifted_at"_s, model::instantText(door.now - daysAgo * model::day + hour));
    json.insert(u"lifted_by"_s, u"ada"_s);
    json.insert(u"lifted_reason"_s, u"Limits raised, test call succeeded"_s);
    return json;
}

inline void setPauses(CannedDoor &door, const QJsonArray &pauses)
{
    door.answer(u"pulse"_s,
                QJsonObject{{u"journal"_s, 2}, {u"in_flight"_s, 3}, {u"pauses"_s, pauses}});
    door.answer(u"pauses"_s, QJsonObject{{u"pauses"_s, pauses}});
}

inline void serve(CannedDoor &door)
{
    setPauses(door, {});
    const auto named = [](const QString &list, const QString &name, const QStringList &names) {
        QJsonArray array;
        for (const QString &one : names)
            array << QJsonObject{{name, one}};
        return QJsonObject{{list, array}};
    };
    door.answer(u"workflows"_s, named(u"workflows"_s, u"workflow"_s,
                                      {u"billing-assistant"_s, u"contract-sync"_s,
                                       u"lead-routing"_s, u"billing-assistant"_s}));
    door.answer(u"dependencies"_s,
                named(u"dependencies"_s, u"dependency"_s, {u"hubspot"_s, u"mail"_s, u"stripe"_s}));
    const auto key = [&](const QString &name, model::Millis in) {
        return QJsonObject{{u"run_id"_s, u"r1"_s},
                           {u"step"_s, u"charge"_s},
                           {u"key"_s, name},
                           {u"expires_at"_s, model::instantText(door.now + in)}};
    };
    const auto health = [](const QString &name, const QString &state, const QJsonValue &rate,
                           const QJsonValue &error) {
        return QJsonObject{{u"dependency"_s, name},
                           {u"breaker"_s, state},
                           {u"success_rate"_s, rate},
                           {u"last_error"_s, error}};
    };
    const auto age = [](const QString &label, int count) {
        return QJsonObject{{u"label"_s, label}, {u"count"_s, count}};
    };
    door.answer(
        u"resume_check"_s,
        QJsonObject{
            {u"held"_s, 41},
            {u"by_age"_s, QJsonArray{age(u"under an hour"_s, 38), age(u"1 to 24 hours"_s, 3)}},
            {u"keys_expiring"_s,
             QJsonArray{key(u"invoice:c7:8841"_s, 3 * hour), key(u"invoice:c8:8850"_s, 4 * hour)}},
            {u"dependencies"_s,
             QJsonArray{health(u"stripe"_s, u"closed"_s, 0.998, QJsonValue()),
                        health(u"hubspot"_s, u"open"_s, 0.41, u"429 rate limited"_s),
                        health(u"mail"_s, u"closed"_s, QJsonValue(), QJsonValue())}}});
    for (const QString &name : {u"pause"_s, u"resume"_s, u"ramp"_s})
        door.answer(name, QJsonObject{{u"id"_s, u"p1"_s}});
}

// Pages of audit rows, newest first, from `total` down to 1.
inline void serveAudit(CannedDoor &door, std::shared_ptr<int> total)
{
    door.answer(u"audit"_s, [total, now = door.now.load()](const QJsonObject &in) {
        static const QStringList actions{u"resolve"_s, u"pause"_s, u"approve"_s, u"deploy"_s};
        static const QStringList people{u"ada"_s, u"bob"_s, u"grace"_s};
        QJsonArray rows;
        const int before = in.value(u"before"_s).toInt(*total + 1);
        const int limit = in.value(u"limit"_s).toInt();
        int seq = before - 1;
        for (; seq > 0 && rows.size() < limit; --seq) {
            const QString who = people.at(seq % 3);
            if (in.contains(u"actor"_s) && in.value(u"actor"_s).toString() != who)
                continue;
            rows << QJsonObject{{u"seq"_s, seq},
                                {u"chain"_s, seq % 4 == 3 ? u"system"_s : u"0197c3e2-run"_s},
                                {u"at"_s, model::instantText(now - (*total - seq) * 7 * minute)},
                                {u"actor"_s, who},
                                {u"action"_s, actions.at(seq % 4)},
                                {u"subject"_s, u"0197c3e2-77aa-7c01"_s},
                                {u"body"_s, QJsonObject{{u"reason"_s, u"seen in the dashboard"_s},
                                                        {u"verdict"_s, u"happened"_s}}},
                                {u"hash"_s, QString(64, u'b')}};
        }
        return QJsonValue(QJsonObject{{u"audit"_s, rows},
                                      {u"cursor"_s, seq > 0 ? QJsonValue(seq + 1) : QJsonValue()}});
    });
}

template <typename T>
T *in(QWidget &widget, const QString &name)
{
    return widget.findChild<T *>(name);
}

inline void activate(QWidget &widget)
{
    widget.show();
    QApplication::setActiveWindow(&widget);
    QVERIFY(QTest::qWaitForWindowActive(&widget));
}

} // namespace holdfast::tests
