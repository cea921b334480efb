#include "control/review_answers.h"

#include "control/access.h"
#include "control/record.h"
#include "engine/command.h"

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
struct Answer {
    QLatin1String verdict;
    const char16_t *label;
};

constexpr Answer happened{"happened"_L1, u"It happened"};
constexpr Answer absent{"absent"_L1, u"It did not happen"};
constexpr Answer verify{"verify"_L1, u"Ask again"};
constexpr Answer undoAll{"compensate"_L1, u"Compensate the run"};
constexpr Answer approveIt{"approve"_L1, u"Approve"};
constexpr Answer rejectIt{"reject"_L1, u"Reject"};
constexpr Answer again{"retry"_L1, u"Try again"};
constexpr Answer waive{"waive"_L1, u"Waive"};
constexpr Answer dismiss{"dismiss"_L1, u"Dismiss"};

bool isStandalone(const model::Run &run, const QString &reviewId)
{
    return run.deadLetterId == reviewId || run.standaloneReviews.contains(reviewId);
}

// Which answers are worth showing; whether one is allowed is the engine's to say.
QVector<Answer> answersTo(const LoadedRun &loaded, const ports::ReviewRow &review)
{
    const auto kind = model::reviewKindFromName(review.kind);
    const bool standalone = isStandalone(loaded.run, review.id);
    switch (kind.value_or(model::ReviewKind::tripwire)) {
    case model::ReviewKind::ambiguous: return {happened, absent, verify, undoAll};
    case model::ReviewKind::approval: return {approveIt, rejectIt};
    case model::ReviewKind::compensationFailed: return {again, waive, dismiss};
    case model::ReviewKind::conflict:
        return standalone ? QVector<Answer>{dismiss} : QVector<Answer>{again, waive, dismiss};
    case model::ReviewKind::deadLetter:
        return standalone ? QVector<Answer>{again, undoAll, dismiss}
                          : QVector<Answer>{again, waive, dismiss};
    case model::ReviewKind::tripwire: return {dismiss};
    }
    Q_UNREACHABLE();
}

// A run that has not ended is compensated by cancelling it.
QString operationOf(const Answer &answer, const model::Run &run)
{
    if (answer.verdict == approveIt.verdict || answer.verdict == rejectIt.verdict)
        return answer.verdict;
    if (answer.verdict == undoAll.verdict)
        return model::isFinal(run.status) ? u"compensate"_s : u"cancel"_s;
    return u"resolve"_s;
}

bool needsReceipt(const LoadedRun &loaded, const ports::ReviewRow &review, QJsonArray &fields)
{
    const int index = loaded.stepIndex(review.step);
    if (index < 0)
        return false;
    const contract::StepDefinition &step = loaded.definition->workflow.steps.at(index);
    const bool isUndo = review.direction == "compensate"_L1 && step.undo;
    const contract::ValueTemplate &receipt = isUndo ? step.undo->receipt : step.forward.receipt;
    for (const auto &[name, value] : receipt.members)
        fields.append(name);
    return !isUndo && !receipt.isAbsent();
}

QJsonObject answerJson(const Answer &answer, const QString &operation)
{
    return {{u"verdict"_s, answer.verdict}, {u"label"_s, QString::fromUtf16(answer.label)},
            {u"operation"_s, operation},    {u"then"_s, QString()},
            {u"allowed"_s, false},          {u"why"_s, QString()},
            {u"needs_receipt"_s, false}};
}

void ask(const Context &context, const DryRun &dry, const ports::ReviewRow &review,
         QJsonObject &answer)
{
    const QString operation = answer.value("operation"_L1).toString();
    QJsonObject arguments{{u"review"_s, review.id}};
    if (operation == "resolve"_L1)
        arguments.insert(u"verdict"_s, answer.value("verdict"_L1));
    if (operation == "approve"_L1)
        arguments.insert(u"hash"_s, review.evidence.value("hash"_L1));
    const auto event = engine::commandEvent({operation, context.request.actor, arguments});
    const engine::Outcome outcome = dry.decide(*event);
    if (outcome.kind == engine::Outcome::Kind::rejected) {
        answer.insert(u"why"_s, outcome.reason);
        return;
    }
    answer.insert(u"allowed"_s, true);
    answer.insert(u"then"_s, dry.thenText(outcome));
}
} // namespace

QString approvalProblem(const LoadedRun &loaded, const ports::ReviewRow &review,
                        const QString &actor)
{
    const model::StepPolicy *policy = loaded.stepPolicy(review.step);
    const bool isUndo = review.direction == "compensate"_L1;
    const auto approval = !policy                  ? std::nullopt
                          : isUndo && policy->undo ? policy->undo->approval
                                                   : policy->forward.approval;
    if (approval && approval->fourEyes && loaded.startedBy() == actor)
        return u"%1 started this run; somebody else has to approve it"_s.arg(actor);
    return {};
}

QJsonArray answersJson(const Context &context, const LoadedRun &loaded, const DryRun &dry,
                       const ports::ReviewRow &review)
{
    QJsonArray list;
    for (const Answer &candidate : answersTo(loaded, review)) {
        QJsonObject answer = answerJson(candidate, operationOf(candidate, loaded.run));
        if (review.decidedAt != model::never)
            answer.insert(u"why"_s, decidedAlready(review).message);
        else
            ask(context, dry, review, answer);
        if (candidate.verdict == approveIt.verdict && answer.value("allowed"_L1).toBool()) {
            const QString problem = approvalProblem(loaded, review, context.request.actor);
            answer.insert(u"allowed"_s, problem.isEmpty());
            answer.insert(u"why"_s, problem);
        }
        if (const QString problem =
                accessProblem(context.store.rights(), answer.value("operation"_L1).toString());
            !problem.isEmpty() && review.decidedAt == model::never) {
            answer.insert(u"allowed"_s, false);
            answer.insert(u"why"_s, problem);
        }
        if (candidate.verdict == happened.verdict) {
            QJsonArray fields;
            answer.insert(u"needs_receipt"_s, needsReceipt(loaded, review, fields));
            answer.insert(u"receipt_fields"_s, fields);
        }
        list.append(answer);
    }
    return list;
}

QJsonArray standaloneAnswers(const Context &context, const ports::ReviewRow &review)
{
    QJsonObject answer = answerJson(dismiss, u"resolve"_s);
    const QString problem = accessProblem(context.store.rights(), u"resolve"_s);
    if (review.decidedAt != model::never) {
        answer.insert(u"why"_s, decidedAlready(review).message);
    } else if (!problem.isEmpty()) {
        answer.insert(u"why"_s, problem);
    } else {
        answer.insert(u"allowed"_s, true);
        answer.insert(u"then"_s,
                      u"Takes the item off the list; the pause stays until somebody resumes."_s);
    }
    return {answer};
}

} // namespace holdfast::control
