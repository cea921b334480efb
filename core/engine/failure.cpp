#include "engine/failure.h"

#include "model/json.h"
#include "model/mask.h"

#include <QRegularExpression>
#include <algorithm>

namespace holdfast::engine
{

using namespace Qt::StringLiterals;
using model::Direction;
using model::Entries;
using model::Entry;
using model::EntryKind;
using model::FailureClass;
using model::ReviewKind;

namespace
{
constexpr qsizetype idDigits = 16;

// Where services put the sentence that says what was wrong.
QString sentenceIn(const QJsonValue &value, int depth = 0)
{
    if (value.isString())
        return value.toString();
    if (value.isArray() && depth < 3)
        return sentenceIn(value.toArray().first(), depth + 1);
    if (!value.isObject() || depth >= 3)
        return {};
    for (const auto name : {"message"_L1, "error"_L1, "detail"_L1, "error_description"_L1,
                            "title"_L1, "errors"_L1, "reason"_L1, "code"_L1}) {
        const QString found = sentenceIn(value[name], depth + 1);
        if (!found.isEmpty())
            return found;
    }
    return {};
}

QString sentenceOfResponse(const QString &body)
{
    if (const auto json = model::parseJson(body.toUtf8()))
        return sentenceIn(model::masked(*json));
    static const QRegularExpression title(u"<title[^>]*>([^<]*)</title>"_s,
                                          QRegularExpression::CaseInsensitiveOption);
    if (const auto match = title.match(body.left(4096)); match.hasMatch())
        return match.captured(1);
    const QString start = body.trimmed();
    // A page, or half a document, says nothing that could be compared.
    if (start.startsWith(u'<') || start.startsWith(u'{') || start.startsWith(u'['))
        return {};
    return start.section(u'\n', 0, 0);
}

QString messageOf(const QJsonObject &detail)
{
    const QString ofResponse = sentenceOfResponse(detail.value("response"_L1).toString());
    const QString unreadable = detail.value("unreadable"_L1).toString();
    const QString ours = detail.value("detail"_L1).toString();
    const QString prepared = detail.value("message"_L1).toString();
    for (const QString *text : {&unreadable, &ofResponse, &ours, &prepared}) {
        if (!text->trimmed().isEmpty())
            return normalisedMessage(*text);
    }
    return {};
}

bool isFailedAttempt(const Entry &entry)
{
    return entry.kind == EntryKind::attemptEnded && entry.failureClass != FailureClass::none;
}

// These follow from a step that failed, which tells of it.
bool followsFromFailure(const Entry &entry)
{
    return entry.reviewKind == ReviewKind::approval || entry.reviewKind == ReviewKind::deadLetter ||
           entry.reviewKind == ReviewKind::compensationFailed ||
           entry.reviewKind == ReviewKind::tripwire;
}

// What was dropped or given up because a person, or another step, said so.
FailureClass classOf(const Entry &entry)
{
    if (entry.kind == EntryKind::attemptEnded)
        return entry.failureClass;
    if (entry.kind == EntryKind::stepFailed)
        return FailureClass::permanent;
    const bool suspected = entry.detail.value("standalone"_L1).toBool();
    return entry.reviewKind == ReviewKind::ambiguous || suspected ? FailureClass::ambiguous
                                                                  : FailureClass::permanent;
}
} // namespace

bool isDecided(const Entry &entry)
{
    if (entry.reason == "approval_rejected"_L1) // nothing else tells of that
        return false;
    return !entry.actor.isEmpty() || entry.reason == "not_started"_L1 ||
           entry.reason == "cancelled"_L1 || entry.reason == "dismissed"_L1;
}

bool mayTellOfFailure(const Entry &entry)
{
    return isFailedAttempt(entry) || entry.kind == EntryKind::stepFailed ||
           (entry.kind == EntryKind::reviewOpened && !followsFromFailure(entry));
}

QVector<Failure> failuresOf(const model::Run &after, const Entries &entries,
                            const model::Policy &policy)
{
    QVector<Failure> failures;
    QStringList explained;
    for (const Entry &entry : entries) {
        if (isFailedAttempt(entry))
            explained.append(entry.step);
    }
    for (const Entry &entry : entries) {
        if (!mayTellOfFailure(entry))
            continue;
        if (!isFailedAttempt(entry)) {
            if (explained.contains(entry.step) || isDecided(entry))
                continue;
            explained.append(entry.step);
        }
        Failure failure;
        failure.step = entry.step;
        failure.direction = entry.direction;
        failure.failureClass = classOf(entry);
        failure.reason = entry.reason;
        failure.message = messageOf(entry.detail);
        const Direction target =
            entry.direction == Direction::compensate ? Direction::compensate : Direction::forward;
        if (const auto *operation = model::operationPolicy(policy, entry.step, target))
            failure.dependency = operation->dependency;
        failure.at = entry.at;
        failure.group = failureGroupId(after.workflow, failure);
        failures.append(failure);
    }
    return failures;
}

QString failureGroupId(const QString &workflow, const Failure &failure)
{
    const QJsonObject alike{{u"workflow"_s, workflow},
                            {u"step"_s, failure.step},
                            {u"direction"_s, model::directionName(failure.direction)},
                            {u"class"_s, model::failureClassName(failure.failureClass)},
                            {u"reason"_s, failure.reason},
                            {u"message"_s, failure.message}};
    return model::sha256Hex(model::canonicalJson(alike)).left(idDigits);
}

} // namespace holdfast::engine
