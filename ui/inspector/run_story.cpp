#include "ui/inspector/run_story.h"

#include "ui/widgets/times.h"

#include <QSet>
#include <algorithm>

namespace holdfast::inspector
{

using namespace Qt::StringLiterals;
using widgets::instantOf;

namespace
{
AttemptStory attemptOf(const QJsonObject &json, const QString &step, int row)
{
    AttemptStory attempt;
    attempt.step = step;
    attempt.row = row;
    attempt.number = json["number"_L1].toInt();
    attempt.direction = json["direction"_L1].toString(u"forward"_s);
    attempt.startedAt = instantOf(json["started_at"_L1]);
    attempt.endedAt = instantOf(json["ended_at"_L1]);
    attempt.failureClass = json["class"_L1].toString();
    attempt.reason = json["reason"_L1].toString();
    attempt.status = json["status"_L1].toInt();
    attempt.why = json["why"_L1].toString();
    attempt.error = json["error"_L1].toString();
    attempt.hasResponse = json["response"_L1].isString();
    attempt.response = json["response"_L1].toString();
    attempt.request = json["request"_L1].toObject();
    return attempt;
}

StepStory stepOf(const QJsonObject &json)
{
    StepStory step;
    step.step = json["step"_L1].toString();
    step.status = json["status"_L1].toString();
    step.effect = json["effect"_L1].toString();
    step.kind = json["kind"_L1].toString();
    step.dependency = json["dependency"_L1].toString();
    step.key = json["key"_L1].toString();
    step.reason = json["reason"_L1].toString();
    step.whole = json;
    return step;
}

// What a journal entry begins to wait for; empty: it does not.
QString waitText(const QString &kind, const QJsonObject &entry)
{
    if (kind == "retry_scheduled"_L1)
        return u"waits to try again"_s;
    if (kind == "verify_scheduled"_L1)
        return u"waits until a verify can be believed"_s;
    if (kind == "waiting"_L1)
        return u"waits for an event or a time"_s;
    if (kind == "gated"_L1)
        return entry["reason"_L1].toString() == "pause"_L1
                   ? u"held by a pause"_s
                   : u"waits for a gate: "_s + entry["reason"_L1].toString();
    if (kind == "review_opened"_L1)
        return entry["review_kind"_L1].toString() == "approval"_L1 ? u"waits for an approval"_s
                                                                   : u"waits for a person"_s;
    return {};
}

bool endsWait(const QString &kind)
{
    static const QSet<QString> ends{u"intent"_s,         u"review_closed"_s,      u"approved"_s,
                                    u"confirmed"_s,      u"step_failed"_s,        u"step_skipped"_s,
                                    u"cleared_absent"_s, u"compensation_waived"_s};
    return ends.contains(kind);
}

class WaitReader
{
public:
    explicit WaitReader(RunStory &story) : m_story(story) {}

    void read(const QJsonArray &journal)
    {
        for (const QJsonValue &value : journal)
            take(value.toObject());
        for (const WaitStory &wait : std::as_const(m_open)) {
            WaitStory last = wait;
            last.until = m_story.finishedAt;
            m_story.waits.append(last);
        }
    }

private:
    void take(const QJsonObject &entry)
    {
        const QString kind = entry["kind"_L1].toString();
        const QString step = entry["step"_L1].toString();
        const QString text = waitText(kind, entry);
        const int row = rowOf(step);
        if (row < 0 || (text.isEmpty() && !endsWait(kind)))
            return;
        const model::Instant at = instantOf(entry["at"_L1]);
        close(row, at);
        if (text.isEmpty() || entry["detail"_L1]["standalone"_L1].toBool())
            return;
        m_open.insert(row, {row, at, model::never, text, kind == "review_opened"_L1});
    }

    void close(int row, model::Instant at)
    {
        const auto open = m_open.find(row);
        if (open == m_open.end())
            return;
        WaitStory wait = *open;
        wait.until = at;
        if (wait.until > wait.from)
            m_story.waits.append(wait);
        m_open.erase(open);
    }

    int rowOf(const QString &step) const
    {
        for (int row = 0; row < m_story.steps.size(); ++row) {
            if (m_story.steps.at(row).step == step)
                return row;
        }
        return -1;
    }

    RunStory &m_story;
    QMap<int, WaitStory> m_open;
};
} // namespace

QString AttemptStory::rowId() const { return u"%1/%2/%3"_s.arg(step, direction).arg(number); }

model::Millis AttemptStory::took(model::Instant now) const
{
    return std::max<model::Millis>((isOpen() ? now : endedAt) - startedAt, 0);
}

QString AttemptStory::tookText(model::Instant now) const
{
    const model::Millis millis = took(now);
    const bool isShort = millis >= model::second && millis < 10 * model::second;
    return isShort ? u"%1 s"_s.arg(double(millis) / model::second, 0, 'f', 1)
                   : widgets::durationText(millis);
}

QString AttemptStory::directionWord() const
{
    if (direction == "verify"_L1)
        return u"Verify"_s;
    if (direction == "compensate"_L1)
        return u"Compensation"_s;
    return direction == "snapshot"_L1 ? u"Snapshot"_s : u"Attempt"_s;
}

RunStory RunStory::fromJson(const QJsonObject &show)
{
    RunStory story;
    story.whole = show;
    story.runId = show["run_id"_L1].toString();
    story.eventId = show["event_id"_L1].toString();
    story.workflow = show["workflow"_L1].toString();
    story.version = show["version"_L1].toInt();
    story.status = show["status"_L1].toString();
    story.verdict = show["verdict"_L1].toString(show["describe"_L1].toString());
    story.seq = show["seq"_L1].toInteger();
    story.createdAt = instantOf(show["created_at"_L1]);
    story.startedAt = instantOf(show["started_at"_L1]);
    story.finishedAt = instantOf(show["finished_at"_L1]);
    const QJsonArray steps = show["steps"_L1].toArray();
    for (const QJsonValue &value : steps) {
        const StepStory step = stepOf(value.toObject());
        const int row = int(story.steps.size());
        story.steps.append(step);
        const QJsonArray attempts = value["attempts"_L1].toArray();
        for (const QJsonValue &attempt : attempts)
            story.attempts.append(attemptOf(attempt.toObject(), step.step, row));
    }
    std::stable_sort(
        story.attempts.begin(), story.attempts.end(),
        [](const AttemptStory &a, const AttemptStory &b) { return a.startedAt < b.startedAt; });
    WaitReader(story).read(show["journal"_L1].toArray());
    return story;
}

const StepStory *RunStory::step(const QString &name) const
{
    const auto found = std::find_if(steps.begin(), steps.end(),
                                    [&](const StepStory &step) { return step.step == name; });
    return found == steps.end() ? nullptr : &*found;
}

int RunStory::indexOf(const QString &rowId) const
{
    for (int index = 0; index < attempts.size(); ++index) {
        if (attempts.at(index).rowId() == rowId)
            return index;
    }
    return -1;
}

int RunStory::mostTelling() const
{
    int found = int(attempts.size()) - 1;
    int weight = 0;
    for (int index = 0; index < attempts.size(); ++index) {
        const AttemptStory &attempt = attempts.at(index);
        const int own = attempt.isOpen()                         ? 4
                        : attempt.failureClass == "ambiguous"_L1 ? 3
                        : attempt.failureClass.isEmpty()         ? 0
                        : attempt.direction == "verify"_L1       ? 1
                                                                 : 2;
        if (own > 0 && own >= weight) {
            weight = own;
            found = index;
        }
    }
    return found;
}

QJsonArray RunStory::notes() const
{
    QJsonArray notes;
    const QJsonArray journal = whole["journal"_L1].toArray();
    for (const QJsonValue &entry : journal) {
        if (entry["kind"_L1].toString() == "noted"_L1)
            notes.append(entry);
    }
    return notes;
}

QString RunStory::link() const { return u"holdfast://run/"_s + runId; }

} // namespace holdfast::inspector
