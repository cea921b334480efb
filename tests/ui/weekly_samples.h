// A report document as the door gives it, for tests of the weekly page and of the PDF.
#pragma once

#include "model/time.h"

#include <QJsonArray>
#include <QJsonObject>

namespace holdfast::tests
{

using namespace Qt::StringLiterals;

// The instant of CannedDoor is in the week from Monday 11 January 2027.
inline constexpr const char16_t *sampleMonday = u"2027-01-04";

inline QJsonObject sampleGroup(const QString &id, const QString &status, int runs, int before)
{
    return {
        {u"id"_s, id},
        {u"workflow"_s, u"lead-routing"_s},
        {u"step"_s, u"upsert_"_s + id},
        {u"direction"_s, u"forward"_s},
        {u"class"_s, u"transient"_s},
        {u"reason"_s, u"rate_limited"_s},
        {u"message"_s, u"HTTP 429: ten_secondly rate limit of <n> reached"_s},
        {u"dependency"_s, u"crm"_s},
        {u"status"_s, status},
        {u"first_at"_s, u"2027-01-05T14:05:00.000Z"_s},
        {u"last_at"_s, u"2027-01-10T09:30:00.000Z"_s},
        {u"runs"_s, runs},
        {u"occurrences"_s, runs * 3},
        {u"runs_before"_s, before},
        {u"outcomes"_s, QJsonObject{{u"open"_s, 2}, {u"succeeded"_s, runs - 3}, {u"failed"_s, 1}}},
        {u"trend"_s, QJsonArray{0, 2, 5, 20, 18, 4, 2}},
        {u"owner"_s, u"ada"_s},
        {u"tags"_s, QJsonArray{u"rate limit"_s}},
        {u"note"_s, u"asked the vendor"_s},
        {u"disposition"_s, status == "archived"_L1 ? u"archived"_s : QString()},
        {u"resolved_version"_s, QJsonValue()},
        {u"decided_by"_s, u"ada"_s},
        {u"decided_at"_s, u"2027-01-10T10:00:00.000Z"_s},
        {u"merged"_s, QJsonArray()}};
}

inline QJsonObject sampleDay(const QString &day, int runs)
{
    return {{u"at"_s, day + u"T00:00:00.000Z"_s},
            {u"runs_started"_s, runs + 1},
            {u"succeeded"_s, runs},
            {u"partial"_s, runs / 20},
            {u"failed"_s, runs / 10},
            {u"compensated"_s, runs / 30},
            {u"compensation_failed"_s, 1},
            {u"cancelled"_s, 1}};
}

inline QJsonObject sampleFigure(const QString &name, const QString &title, const QJsonValue &now,
                                const QJsonValue &before, const QString &unit)
{
    return {{u"name"_s, name},
            {u"title"_s, title},
            {u"now"_s, now},
            {u"before"_s, before},
            {u"unit"_s, unit}};
}

inline void addDays(QJsonObject &report)
{
    QJsonArray days;
    QJsonArray before;
    for (int i = 0; i < 7; ++i) {
        days << sampleDay(u"2027-01-%1"_s.arg(4 + i, 2, 10, QChar(u'0')), 100 + 17 * i);
        before << sampleDay(u"2026-12-%1"_s.arg(28 + i, 2, 10, QChar(u'0')), 160 - 9 * i);
    }
    report.insert(u"days"_s, days);
    report.insert(u"days_before"_s, before);
}

inline void addLists(QJsonObject &report)
{
    report.insert(u"changes"_s,
                  QJsonArray{QJsonObject{{u"at"_s, u"2027-01-05T08:00:00.000Z"_s},
                                         {u"kind"_s, u"deploy"_s},
                                         {u"who"_s, u"ada"_s},
                                         {u"text"_s, u"version 4 was deployed"_s},
                                         {u"subject"_s, u"billing-assistant"_s}},
                             QJsonObject{{u"at"_s, u"2027-01-06T14:02:00.000Z"_s},
                                         {u"kind"_s, u"pause"_s},
                                         {u"who"_s, u"grace"_s},
                                         {u"text"_s, u"writes to payments: provider incident"_s},
                                         {u"subject"_s, u"payments"_s}}});
    report.insert(u"unresolved"_s,
                  QJsonArray{QJsonObject{{u"id"_s, u"r1"_s},
                                         {u"kind"_s, u"ambiguous"_s},
                                         {u"run_id"_s, u"run-1"_s},
                                         {u"workflow"_s, u"billing-assistant"_s},
                                         {u"step"_s, u"charge"_s},
                                         {u"opened_at"_s, u"2027-01-09T11:00:00.000Z"_s},
                                         {u"question"_s, u"Did payments charge 120.00?"_s}}});
    report.insert(u"compensations"_s,
                  QJsonArray{QJsonObject{{u"run_id"_s, u"run-7"_s},
                                         {u"workflow"_s, u"contract-sync"_s},
                                         {u"status"_s, u"compensated"_s},
                                         {u"steps"_s, 2},
                                         {u"finished_at"_s, u"2027-01-08T07:00:00.000Z"_s}}});
    report.insert(u"unresolved_more"_s, 0);
    report.insert(u"compensations_more"_s, 3);
    report.insert(u"canaries"_s, QJsonArray());
    report.insert(u"gaps"_s,
                  QJsonArray{QJsonObject{{u"workflow"_s, u"content"_s},
                                         {u"version"_s, 2},
                                         {u"step"_s, u"announce"_s},
                                         {u"gap"_s, u"no verify"_s},
                                         {u"why"_s, u"a lost answer needs a person"_s}}});
    report.insert(
        u"owner_flips"_s,
        QJsonObject{{u"flips"_s, 1},
                    {u"runs_read"_s, 812},
                    {u"complete"_s, true},
                    {u"list"_s, QJsonArray{QJsonObject{{u"at"_s, u"2027-01-07T09:00:00.000Z"_s},
                                                       {u"workflow"_s, u"lead-routing"_s},
                                                       {u"lead"_s, u"lead/55121"_s},
                                                       {u"from"_s, u"ann"_s},
                                                       {u"to"_s, u"bob"_s},
                                                       {u"run_id"_s, u"run-9"_s}}}}});
    report.insert(u"causes"_s, QJsonArray{QJsonObject{{u"cause"_s, u"rate limit"_s},
                                                      {u"runs"_s, 51},
                                                      {u"share"_s, 72.9},
                                                      {u"cumulative"_s, 72.9}},
                                          QJsonObject{{u"cause"_s, u"(no tag)"_s},
                                                      {u"runs"_s, 19},
                                                      {u"share"_s, 27.1},
                                                      {u"cumulative"_s, 100}}});
    report.insert(u"cost"_s, QJsonObject{{u"attempts"_s, 9120},
                                         {u"retries"_s, 412},
                                         {u"retry_share"_s, 4.5},
                                         {u"by_dependency"_s,
                                          QJsonArray{QJsonObject{{u"dependency"_s, u"crm"_s},
                                                                 {u"attempts"_s, 2000},
                                                                 {u"retries"_s, 300},
                                                                 {u"transient"_s, 290},
                                                                 {u"permanent"_s, 4},
                                                                 {u"ambiguous"_s, 6}}}},
                                         {u"model"_s, QJsonValue()}});
}

inline QJsonObject sampleReport()
{
    QJsonObject report{{u"since"_s, u"2027-01-04T00:00:00.000Z"_s},
                       {u"until"_s, u"2027-01-11T00:00:00.000Z"_s},
                       {u"made_at"_s, u"2027-01-12T09:00:00.000Z"_s},
                       {u"incomplete"_s, QJsonArray()},
                       {u"signoff"_s, QJsonValue()}};
    report.insert(
        u"figures"_s,
        QJsonArray{
            sampleFigure(u"runs"_s, u"Runs started"_s, 8214, 7975, u"count"_s),
            sampleFigure(u"success"_s, u"Succeeded"_s, 99.2, 99.6, u"percent"_s),
            sampleFigure(u"duplicates"_s, u"Duplicates prevented"_s, 41, 12, u"count"_s),
            sampleFigure(u"recover"_s, u"Time to recover"_s, 252000, QJsonValue(), u"ms"_s)});
    QJsonObject measure = sampleFigure(u"storms"_s, u"Retry-storm rate"_s, 1.5, 2.5, u"percent"_s);
    measure.insert(
        u"definition"_s,
        u"Minutes with more retries than first attempts, of all minutes with attempts."_s);
    report.insert(u"measures"_s, QJsonArray{measure});
    report.insert(u"groups"_s, QJsonArray{sampleGroup(u"g1"_s, u"escalating"_s, 51, 12),
                                          sampleGroup(u"g2"_s, u"new"_s, 31, 0),
                                          sampleGroup(u"g3"_s, u"regressed"_s, 4, 2),
                                          sampleGroup(u"g4"_s, u"archived"_s, 12, 15)});
    report.insert(u"groups_more"_s, 0);
    addDays(report);
    addLists(report);
    return report;
}

inline QJsonObject emptyReport()
{
    QJsonObject report = sampleReport();
    for (const QString &name : {u"groups"_s, u"changes"_s, u"unresolved"_s, u"compensations"_s,
                                u"causes"_s, u"gaps"_s, u"measures"_s})
        report.insert(name, QJsonArray());
    // Days are there whatever happened on them.
    for (const QString &name : {u"days"_s, u"days_before"_s}) {
        QJsonArray days;
        for (const QJsonValue &value : report[name].toArray()) {
            QJsonObject day = value.toObject();
            for (auto entry = day.begin(); entry != day.end(); ++entry) {
                if (entry.key() != "at"_L1)
                    entry.value() = 0;
            }
            days << day;
        }
        report.insert(name, days);
    }
    report.insert(u"compensations_more"_s, 0);
    report.insert(u"owner_flips"_s, QJsonValue());
    report.insert(u"cost"_s, QJsonObject{{u"attempts"_s, 0}, {u"by_dependency"_s, QJsonArray()}});
    return report;
}

} // namespace holdfast::tests
