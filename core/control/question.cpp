#include "control/question.h"

#include "control/describe.h"
#include "engine/key_window.h"

namespace holdfast::control
{

using namespace Qt::StringLiterals;
using model::ReviewKind;

namespace
{
bool isUndo(const ports::ReviewRow &review) { return review.direction == "compensate"_L1; }

QString evidenceText(const ports::ReviewRow &review, QLatin1String name)
{
    return review.evidence.value(name).toString();
}

QString who(const ports::ReviewRow &review)
{
    return review.dependency.isEmpty() ? u"the target"_s : review.dependency;
}

QString what(const ports::ReviewRow &review)
{
    return isUndo(review) ? u"the compensation of step %1"_s.arg(review.step)
                          : u"step %1"_s.arg(review.step);
}

QString requestOf(const ports::ReviewRow &review)
{
    return requestText(model::Request::fromJson(review.evidence.value("request"_L1).toObject()));
}

QString inBrackets(const QString &text)
{
    return text.isEmpty() ? QString() : u" (%1)"_s.arg(text);
}

QString askAmbiguous(const ports::ReviewRow &review, const LoadedRun *loaded)
{
    const model::Operation *operation = loaded ? operationAsked(review, *loaded) : nullptr;
    if (operation && operation->knownToHaveHappened)
        return u"%1 said that %2 happened, but the answer could not be read. What did it return?"_s
            .arg(who(review), what(review));
    return u"Did %1 carry out %2%3?"_s.arg(who(review), what(review),
                                           inBrackets(requestOf(review)));
}

QString askConflict(const ports::ReviewRow &review)
{
    const QString key = evidenceText(review, "key"_L1);
    const QString other = evidenceText(review, "other_run"_L1);
    const QString reason = evidenceText(review, "reason"_L1);
    if (reason == "late_effect_suspected"_L1)
        return u"A late answer says that %1 may have happened twice. Did it?"_s.arg(what(review));
    if (reason == "key_compensated"_L1)
        return u"Run %1 used key %2, and what it did was compensated. May %3 use the key again?"_s
            .arg(other, key, what(review));
    if (reason == "key_expired"_L1)
        return u"Key %1 was used so long ago that its result is gone. May %2 use it again?"_s.arg(
            key, what(review));
    return u"Run %1 used key %2 for another request. Which of the two is right?"_s.arg(other, key);
}

void checkAmbiguous(const ports::ReviewRow &review, const LoadedRun &loaded, model::Instant now,
                    QStringList &list)
{
    const model::Operation *operation = operationAsked(review, loaded);
    const model::OperationPolicy *policy = policyAsked(review, loaded);
    if (!operation || !policy)
        return;
    if (!operation->key.isEmpty())
        list << u"Look in %1 for the key %2."_s.arg(who(review), operation->key);
    if (operation->firstIntentAt != model::never)
        list << u"It was %1, first sent at %2."_s.arg(requestText(operation->request),
                                                      momentText(operation->firstIntentAt, now));
    const model::Instant until = engine::keyForgottenAt(*operation, *policy);
    if (until > now)
        list << u"%1 remembers this key until %2; until then sending it again does no harm."_s.arg(
            who(review), momentText(until, now));
    else if (until != model::never)
        list << u"%1 has forgotten this key since %2; sending it again may do it twice."_s.arg(
            who(review), momentText(until, now));
    if (policy->protection == model::Protection::none)
        list << u"%1 does not recognise a second request: say that it did not happen only when "
                "you are sure."_s.arg(who(review));
    if (policy->hasVerify)
        list << u"Ask again lets Holdfast ask %1 itself."_s.arg(who(review));
}

void checkApproval(const ports::ReviewRow &review, const LoadedRun &loaded, model::Instant now,
                   QStringList &list)
{
    const model::OperationPolicy *policy = policyAsked(review, loaded);
    if (const QString request = requestOf(review); !request.isEmpty())
        list << u"What is approved is exactly this request: %1."_s.arg(request);
    if (policy && policy->effect == model::Effect::destructive)
        list << u"It cannot be taken back."_s;
    if (review.expiresAt != model::never && policy && policy->approval)
        list << u"Without an answer by %1 it counts as %2."_s.arg(
            momentText(review.expiresAt, now),
            policy->approval->rejectOnExpiry ? u"rejected"_s : u"left out"_s);
}

void checkFailed(const ports::ReviewRow &review, const LoadedRun &loaded, QStringList &list)
{
    const QStringList standing = standingEffects(loaded);
    list << (standing.isEmpty() ? u"No effect of the run stands."_s
                                : u"The effects of %1 stand."_s.arg(standing.join(u", "_s)));
    list << u"Mend the cause (%1) before you try again."_s.arg(
        reasonText(evidenceText(review, "reason"_L1)));
}
} // namespace

const model::Operation *operationAsked(const ports::ReviewRow &review, const LoadedRun &loaded)
{
    const model::Step *step = loaded.run.find(review.step);
    if (!step)
        return nullptr;
    return isUndo(review) ? &step->undo : &step->forward;
}

const model::OperationPolicy *policyAsked(const ports::ReviewRow &review, const LoadedRun &loaded)
{
    const model::StepPolicy *policy = loaded.stepPolicy(review.step);
    if (!policy)
        return nullptr;
    return isUndo(review) && policy->undo ? &*policy->undo : &policy->forward;
}

QString questionText(const ports::ReviewRow &review, const LoadedRun *loaded)
{
    const QString reason = reasonText(evidenceText(review, "reason"_L1));
    switch (model::reviewKindFromName(review.kind).value_or(ReviewKind::tripwire)) {
    case ReviewKind::ambiguous: return askAmbiguous(review, loaded);
    case ReviewKind::approval:
        return review.dependency.isEmpty()
                   ? u"May the run go on at step %1?"_s.arg(review.step)
                   : u"May %1 be sent to %2%3?"_s.arg(what(review), who(review),
                                                      inBrackets(requestOf(review)));
    case ReviewKind::compensationFailed:
        return u"The compensation of step %1 failed (%2), so its effect stands. What now?"_s.arg(
            review.step, reason);
    case ReviewKind::conflict: return askConflict(review);
    case ReviewKind::deadLetter:
        return u"Step %1 failed (%2) and was given up. What should become of the run?"_s.arg(
            review.step, reason);
    case ReviewKind::tripwire:
        if (evidenceText(review, "reason"_L1) == "database_restored"_L1)
            return u"The run database is in an earlier state than this worker knew: %1. What was "
                   u"sent "
                   "since is missing in it, so everything is paused. Is it reconciled?"_s.arg(
                       evidenceText(review, "why"_L1));
        return u"%1 is paused by the engine (%2). Is that mended?"_s.arg(who(review), reason);
    }
    Q_UNREACHABLE();
}

QStringList thingsToCheck(const ports::ReviewRow &review, const LoadedRun *loaded,
                          model::Instant now)
{
    QStringList list;
    switch (model::reviewKindFromName(review.kind).value_or(ReviewKind::tripwire)) {
    case ReviewKind::ambiguous:
        if (loaded)
            checkAmbiguous(review, *loaded, now, list);
        return list;
    case ReviewKind::approval:
        if (loaded)
            checkApproval(review, *loaded, now, list);
        return list;
    case ReviewKind::compensationFailed:
        list << u"Look in %1 whether the effect of step %2 still stands."_s.arg(who(review),
                                                                                review.step);
        list << u"If you undo it there by hand, answer waive."_s;
        return list;
    case ReviewKind::conflict:
        list << u"Compare the two requests."_s;
        if (const QString other = evidenceText(review, "other_run"_L1); !other.isEmpty())
            list << u"Look at run %1, which owns the key."_s.arg(other);
        return list;
    case ReviewKind::deadLetter:
        if (loaded)
            checkFailed(review, *loaded, list);
        return list;
    case ReviewKind::tripwire:
        if (evidenceText(review, "reason"_L1) == "database_restored"_L1) {
            list << u"Compare what the dependencies did since the backup with the runs here."_s;
            list << u"Start nothing again that was done already; then resume the pause."_s;
            return list;
        }
        list << u"Put right what %1 refused, then resume its pause."_s.arg(who(review));
        return list;
    }
    Q_UNREACHABLE();
}

} // namespace holdfast::control
