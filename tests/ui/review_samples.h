// Items as the door gives them, and the page on top of them, for tests of review that need no
// engine.
#pragma once

#include "model/time.h"
#include "ui/canned_door.h"
#include "ui/review/review_list.h"
#include "ui/review/review_model.h"
#include "ui/review/review_page.h"
#include "ui/widgets/wrap_label.h"

namespace holdfast::tests
{

inline QString ago(model::Instant now, model::Millis millis)
{
    return model::instantText(now - millis);
}

struct Sample {
    QString id;
    QString kind;
    QString step;
    QString workflow;
    QString key;
    model::Millis age = 0;
    QString effect = u"write"_s;
    model::Millis dueIn = 0;
};

inline QJsonObject itemJson(const Sample &sample, model::Instant now)
{
    const QJsonObject request{
        {u"method"_s, u"POST"_s},
        {u"path"_s, u"/v1/charges"_s},
        {u"body"_s, u"{\"customer\":\"cus_91\",\"amount\":12000,\"currency\":\"usd\"}"_s}};
    return {
        {u"id"_s, sample.id},
        {u"kind"_s, sample.kind},
        {u"run_id"_s,
         sample.kind == u"tripwire"_s ? QJsonValue() : QJsonValue(u"run-"_s + sample.id)},
        {u"step"_s, sample.step.isEmpty() ? QJsonValue() : QJsonValue(sample.step)},
        {u"direction"_s, sample.kind == u"compensation_failed"_s ? u"compensate"_s : u"forward"_s},
        {u"workflow"_s, sample.workflow},
        {u"dependency"_s, u"stripe"_s},
        {u"version"_s, 7},
        {u"opened_at"_s, ago(now, sample.age)},
        {u"expires_at"_s, sample.dueIn > 0 ? QJsonValue(ago(now, -sample.dueIn)) : QJsonValue()},
        {u"evidence"_s, QJsonObject{{u"key"_s, sample.key},
                                    {u"effect"_s, sample.effect},
                                    {u"reason"_s, u"timeout"_s},
                                    {u"hash"_s, QString(64, u'a')},
                                    {u"request"_s, request}}}};
}

inline QJsonObject answerJson(const QString &verdict, const QString &label, const QString &then,
                              const QString &why = {})
{
    const bool isOwn =
        verdict == u"approve"_s || verdict == u"reject"_s || verdict == u"compensate"_s;
    return {{u"verdict"_s, verdict},
            {u"operation"_s, isOwn ? verdict : u"resolve"_s},
            {u"label"_s, label},
            {u"then"_s, then},
            {u"allowed"_s, why.isEmpty()},
            {u"why"_s, why},
            {u"needs_receipt"_s, verdict == u"happened"_s}};
}

inline QJsonArray answersFor(const QString &kind)
{
    if (kind == u"ambiguous"_s)
        return {answerJson(u"happened"_s, u"It happened"_s,
                           u"Closes charge with your receipt, then sends send_receipt to mail."_s),
                answerJson(u"absent"_s, u"It did not happen"_s,
                           u"Sends charge to stripe again under the same key."_s),
                answerJson(u"verify"_s, u"Ask again"_s,
                           u"Asks stripe whether it happened; decides nothing."_s),
                answerJson(u"compensate"_s, u"Compensate the run"_s, {},
                           u"nobody knows yet whether step charge happened: resolve it first"_s)};
    if (kind == u"approval"_s)
        return {answerJson(u"approve"_s, u"Approve"_s, u"Sends charge to stripe."_s),
                answerJson(u"reject"_s, u"Reject"_s, u"Fails charge and releases reserve."_s)};
    return {answerJson(u"retry"_s, u"Try again"_s, u"Sends it once more under the same key."_s),
            answerJson(u"waive"_s, u"Waive"_s, u"Leaves its effect as it is and goes on."_s),
            answerJson(u"dismiss"_s, u"Dismiss"_s, u"Takes the item off the list."_s)};
}

inline QJsonObject detailJson(const Sample &sample, model::Instant now)
{
    QJsonObject json = itemJson(sample, now);
    const auto fact = [&](model::Millis before, const QString &text) {
        return QJsonObject{{u"at"_s, ago(now, before)}, {u"text"_s, text}};
    };
    json.insert(u"question"_s,
                u"Did stripe carry out step %1 (POST /v1/charges)?"_s.arg(sample.step));
    json.insert(
        u"known"_s,
        QJsonArray{fact(sample.age + 62'000, u"The run was accepted for event 8841."_s),
                   fact(sample.age + 60'000, u"Attempt 1 began: POST /v1/charges to stripe "
                                             "under key invoice:c7:8841."_s),
                   fact(sample.age + 40'000,
                        u"No answer came within 20 s; all 214 bytes had been sent, so it "
                        "may have happened (timeout)."_s),
                   fact(sample.age + 20'000, u"stripe was asked whether it happened."_s),
                   fact(sample.age + 19'000, u"stripe answered 503: no evidence."_s),
                   fact(sample.age, u"It was put before a person: verify inconclusive."_s)});
    json.insert(u"check"_s,
                QJsonArray{u"Look in stripe for the key %1."_s.arg(sample.key),
                           u"stripe remembers this key until tomorrow 10:02; until then sending it "
                           "again does no harm."_s,
                           u"Ask again lets Holdfast ask stripe itself."_s});
    json.insert(u"answers"_s, answersFor(sample.kind));
    json.insert(u"similar"_s, 2);
    json.insert(u"payloads"_s, QJsonValue());
    if (sample.kind == u"approval"_s) {
        json.insert(u"question"_s, u"May step charge be sent to stripe (POST /v1/charges)?"_s);
        json.insert(u"check"_s, QJsonArray{u"Without an answer by 13:00 it counts as rejected."_s});
    }
    if (sample.kind == u"conflict"_s) {
        json.insert(u"question"_s, u"Run 0197c3 used key invoice:c7:8841 for another request. "
                                   "Which of the two is right?"_s);
        const auto request = [](int amount, bool hasNote) {
            QString body =
                u"{\"amount\":%1,\"currency\":\"usd\",\"customer\":\"cus_91\""_s.arg(amount);
            if (hasNote)
                body += u",\"note\":\"second reminder\""_s;
            return QJsonObject{{u"method"_s, u"POST"_s},
                               {u"path"_s, u"/v1/charges"_s},
                               {u"body"_s, QString(body + u'}')}};
        };
        json.insert(u"payloads"_s, QJsonObject{{u"this"_s, request(12500, true)},
                                               {u"other"_s, request(12000, false)}});
    }
    return json;
}

inline QVector<Sample> samples()
{
    using model::hour;
    using model::minute;
    return {
        {u"trip"_s, u"tripwire"_s, {}, {}, {}, 3 * hour},
        {u"dead"_s, u"dead_letter"_s, u"upsert"_s, u"lead-routing"_s, u"lead:55121"_s, 5 * hour},
        {u"conf"_s, u"conflict"_s, u"charge"_s, u"billing-assistant"_s, u"invoice:c7:8841"_s, hour},
        {u"app2"_s, u"approval"_s, u"publish"_s, u"content-publishing"_s, u"post:311"_s, 9 * hour,
         u"write"_s, 4 * hour},
        {u"app1"_s, u"approval"_s, u"charge"_s, u"billing-assistant"_s, u"invoice:c9:8861"_s,
         10 * minute, u"write"_s, 50 * minute},
        {u"amb2"_s, u"ambiguous"_s, u"charge"_s, u"billing-assistant"_s, u"invoice:c8:8850"_s,
         115 * minute},
        {u"amb1"_s, u"ambiguous"_s, u"charge"_s, u"billing-assistant"_s, u"invoice:c7:8841"_s,
         130 * minute},
        {u"comp"_s, u"compensation_failed"_s, u"void_contract"_s, u"contract-sync"_s,
         u"contract:204"_s, 20 * minute},
    };
}

// Answers `reviews` and `review` from the samples, without those that were taken out.
inline void serve(CannedDoor &door, const QVector<Sample> &items = samples())
{
    const model::Instant now = door.now;
    QJsonArray list;
    QMap<QString, QJsonObject> details;
    for (const Sample &sample : items) {
        list.append(itemJson(sample, now));
        details.insert(sample.id, detailJson(sample, now));
    }
    door.answer(u"reviews"_s, QJsonObject{{u"reviews"_s, list}});
    door.answer(u"review"_s, [details](const QJsonObject &in) -> model::Result<QJsonValue> {
        const QString id = in.value(u"review"_s).toString();
        if (!details.contains(id))
            return model::notFound(u"there is no item "_s + id);
        return QJsonValue(details.value(id));
    });
    for (const QString &name :
         {u"resolve"_s, u"approve"_s, u"reject"_s, u"claim"_s, u"snooze"_s, u"note"_s})
        door.answer(name, QJsonObject{{u"state"_s, u"recorded"_s}});
}

// The page on a screen, without grace, the list in focus.
struct ShownReview {
    explicit ShownReview(CannedDoor &door) : page(door.bridge())
    {
        page.setGrace(0);
        page.resize(1100, 700);
        page.show();
        page.refresh();
        QTRY_VERIFY(QTest::qWaitForWindowActive(&page));
        list = page.findChild<review::ReviewList *>();
        list->setFocus();
    }
    template <typename T>
    T *find(const QString &name)
    {
        return page.findChild<T *>(name);
    }
    QString notice() { return find<widgets::WrapLabel>(u"notice"_s)->text(); }
    // Once the detail of this item is there.
    void go(const QString &id)
    {
        const auto &model = *static_cast<review::ReviewModel *>(list->model());
        QTRY_VERIFY(model.rowOf(id) >= 0);
        list->setCurrentIndex(model.index(model.rowOf(id), 0));
        QTRY_COMPARE(list->currentId(), id);
        QTRY_COMPARE(page.findChild<QWidget *>(u"detail"_s)->property("shown").toString(), id);
    }
    review::ReviewPage page;
    review::ReviewList *list = nullptr;
};

} // namespace holdfast::tests
