#include "control/policy_change.h"

#include "contract/source_edit.h"
#include "model/mask.h"

#include <algorithm>
#include <limits>

namespace holdfast::control
{

using namespace Qt::StringLiterals;
using model::Direction;
using model::Protection;

namespace
{
constexpr int rateToBeginWith = 10;
constexpr int attemptsMore = 2;
constexpr int attemptsMost = 12;

// A value that would be another, in the file of a workflow or of a dependency.
struct Change {
    QString why;
    QStringList path{}; // empty: more than a value
    QString from{};
    QString to{};
    bool isOfDependency = false;
};

struct Facts {
    const SeenGroup &group;
    const QJsonArray &runs; // of the group, as far as they are listed
    const Definition &definition;
    const contract::StepDefinition &step;
    const model::OperationPolicy &policy;
    const contract::Dependency *dependency = nullptr;
    bool isUndo = false;

    QString reason() const { return group.row.reason; }
    bool isVerify() const { return group.row.direction == model::directionName(Direction::verify); }
    QString target() const { return policy.dependency.isEmpty() ? step.step : policy.dependency; }
    QStringList inStep(const QStringList &path) const
    {
        QStringList whole{u"steps"_s, step.step};
        if (isUndo)
            whole += u"compensate"_s;
        return whole + path;
    }
};

// These wait without using up an attempt.
bool usesNoAttempt(const QString &reason)
{
    return reason == "credentials_refused"_L1 || reason == "secret_missing"_L1 ||
           reason == "key_in_use"_L1;
}

// Runs that met this failure as often as they may try, and did not come to a good end.
qint64 usedUp(const QJsonArray &runs, int attempts)
{
    return std::count_if(runs.cbegin(), runs.cend(), [attempts](const QJsonValue &run) {
        const auto status = model::runStatusFromName(run["outcome"_L1].toString());
        return run["occurrences"_L1].toInteger() >= attempts && status && model::isFinal(*status) &&
               *status != model::RunStatus::succeeded && *status != model::RunStatus::cancelled;
    });
}

QString runsText(qint64 runs) { return runs == 1 ? u"1 run"_s : u"%1 runs"_s.arg(runs); }

std::optional<Change> slowDown(const Facts &facts)
{
    if (facts.reason() != "rate_limited"_L1 || !facts.dependency)
        return std::nullopt;
    const int rate = facts.dependency->limit.ratePerSecond;
    const int slower = rate > 0 ? std::max(1, rate * 3 / 4) : rateToBeginWith;
    if (slower == rate)
        return std::nullopt;
    const QString name = facts.dependency->name;
    return Change{
        rate > 0
            ? u"%1 refuses at the rate that is set; a lower one waits instead of failing"_s.arg(
                  name)
            : u"%1 says that calls come too fast, and no rate is set; this is one to begin with"_s
                  .arg(name),
        {u"limit"_s, u"rate"_s},
        rate > 0 ? u"%1/s"_s.arg(rate) : u"none"_s,
        u"%1/s"_s.arg(slower),
        true};
}

std::optional<Change> askTheTarget(const Facts &facts)
{
    const bool isUnsure = facts.group.row.failureClass == "ambiguous"_L1;
    const bool isLeftToAPerson =
        facts.policy.protection == Protection::none || facts.policy.protection == Protection::probe;
    if (!isUnsure || facts.policy.hasVerify || !isLeftToAPerson ||
        facts.policy.effect == model::Effect::read)
        return std::nullopt;
    return Change{u"nobody can say whether %1 happened, and nothing asks %2: if it can be asked, "
                  "declare protection: probe and a verify"_s.arg(facts.step.step, facts.target())};
}

std::optional<Change> waitLonger(const Facts &facts)
{
    if (facts.reason() != "timeout"_L1 || facts.isVerify())
        return std::nullopt;
    const model::Millis deadline = facts.definition.policy.deadline;
    const model::Millis most = deadline > 0 ? deadline / 2 : model::hour;
    const model::Millis longer = std::min(2 * facts.policy.timeout, most);
    if (longer <= facts.policy.timeout)
        return std::nullopt;
    return Change{u"%1 answers later than it is waited for"_s.arg(facts.target()),
                  facts.inStep({u"timeout"_s}), model::durationText(facts.policy.timeout),
                  model::durationText(longer)};
}

std::optional<Change> tryMoreOften(const Facts &facts)
{
    const int attempts = facts.policy.retry.attempts;
    const qint64 lost = usedUp(facts.runs, attempts);
    if (facts.group.row.failureClass != "transient"_L1 || facts.isVerify() ||
        usesNoAttempt(facts.reason()) || lost == 0 || attempts >= attemptsMost)
        return std::nullopt;
    return Change{
        u"%1 used up %2 attempts at something that passes"_s.arg(runsText(lost)).arg(attempts),
        facts.inStep({u"retry"_s, u"attempts"_s}), QString::number(attempts),
        QString::number(std::min(attempts + attemptsMore, attemptsMost))};
}

std::optional<Change> settleLonger(const Facts &facts)
{
    if (facts.reason() != "inconclusive"_L1 || !facts.isVerify())
        return std::nullopt;
    const model::Millis settle = std::max<model::Millis>(facts.policy.settleAfter, model::second);
    return Change{u"the answer was not to be had yet when it was asked for"_s,
                  facts.inStep({u"verify"_s, u"settle_after"_s}),
                  model::durationText(facts.policy.settleAfter), model::durationText(2 * settle)};
}

std::optional<Change> giveMoreTime(const Facts &facts)
{
    const model::Millis deadline = facts.definition.policy.deadline;
    if (facts.reason() != "deadline_exceeded"_L1 || deadline <= 0)
        return std::nullopt;
    return Change{u"%1 ran out of time"_s.arg(runsText(facts.group.runs)),
                  {u"deadline"_s},
                  model::durationText(deadline),
                  model::durationText(2 * deadline)};
}

std::optional<Change> askLonger(const Facts &facts)
{
    if (facts.reason() != "approval_expired"_L1 || !facts.policy.approval)
        return std::nullopt;
    const model::Millis expires = facts.policy.approval->expires;
    if (expires <= 0)
        return std::nullopt;
    return Change{u"nobody decided in time"_s, facts.inStep({u"approval"_s, u"expires"_s}),
                  model::durationText(expires), model::durationText(2 * expires)};
}

std::optional<Change> changeFor(const Facts &facts)
{
    for (const auto rule : {slowDown, askTheTarget, waitLonger, settleLonger, giveMoreTime,
                            askLonger, tryMoreOften}) {
        if (auto change = rule(facts))
            return change;
    }
    return std::nullopt;
}

// The text with the value alone, and as it could be deployed: a deployed version never changes, so
// what changes a workflow is its next one.
struct Changed {
    QString value;
    QString whole;
};

std::optional<Changed> changedSource(const Change &change, const QString &source, int version)
{
    const auto value =
        change.path.isEmpty() ? std::nullopt : contract::withValue(source, change.path, change.to);
    if (!value || version == std::numeric_limits<int>::max())
        return std::nullopt;
    const auto whole = change.isOfDependency ? value
                                             : contract::withValue(*value, {u"version"_s},
                                                                   QString::number(version + 1));
    if (!whole)
        return std::nullopt;
    const contract::Parsed parsed = contract::parse(u"suggestion"_s, whole->toUtf8());
    const bool isWhole = parsed.workflows.size() + parsed.dependencies.size() == 1;
    if (!isWhole || contract::hasErrors(parsed.findings))
        return std::nullopt;
    return Changed{*value, *whole};
}

// In the text as it stands: the line that would be another, or the one above a new line.
int lineToShow(const QString &before, const QString &after)
{
    const QStringList old = before.split(u'\n');
    const QStringList now = after.split(u'\n');
    const auto [at, other] = std::mismatch(old.cbegin(), old.cend(), now.cbegin(), now.cend());
    const int line = int(at - old.cbegin()) + 1;
    return now.size() > old.size() ? std::max(1, line - 1) : line;
}

QJsonObject changeJson(const Change &change, const Facts &facts)
{
    const contract::Workflow &workflow = facts.definition.workflow;
    const bool isOfWorkflow = !change.isOfDependency;
    const QString source = isOfWorkflow ? workflow.source : facts.dependency->source;
    const QString name = isOfWorkflow ? workflow.name : facts.dependency->name;
    QJsonObject json{{u"why"_s, change.why},
                     {u"of"_s, isOfWorkflow ? u"workflow"_s : u"dependency"_s},
                     {u"name"_s, name},
                     {u"version"_s, isOfWorkflow ? workflow.version : facts.dependency->revision},
                     {u"field"_s, change.path.join(u'.')},
                     {u"from"_s, change.from},
                     {u"to"_s, change.to},
                     {u"line"_s, isOfWorkflow ? facts.step.place.line : 1},
                     {u"diff"_s, QString()}};
    if (const auto changed = changedSource(change, source, workflow.version)) {
        json.insert(u"line"_s, lineToShow(source, changed->value));
        json.insert(u"diff"_s, contract::lineDiff(name + u".yaml"_s, model::maskedSource(source),
                                                  model::maskedSource(changed->whole)));
    }
    return json;
}

// Whose policy a failure concerns. A question may be about the action or about what undoes it;
// where both can be asked, the group does not say which, and nothing is suggested.
std::optional<Direction> sideOf(const SeenGroup &group, const model::StepPolicy &step)
{
    const auto direction = model::directionFromName(group.row.direction);
    if (direction == Direction::compensate)
        return Direction::compensate;
    if (direction != Direction::verify)
        return Direction::forward;
    const bool undoIsAsked = step.undo && step.undo->hasVerify;
    if (step.forward.hasVerify == undoIsAsked)
        return std::nullopt;
    return undoIsAsked ? Direction::compensate : Direction::forward;
}
} // namespace

QJsonObject suggestedChange(const SeenGroup &group, const QJsonArray &runs,
                            const Definition &definition,
                            const QMap<QString, contract::Dependency> &dependencies)
{
    const auto &steps = definition.workflow.steps;
    const auto step = std::find_if(steps.cbegin(), steps.cend(), [&](const auto &candidate) {
        return candidate.step == group.row.step;
    });
    const model::StepPolicy *whole = model::stepPolicy(definition.policy, group.row.step);
    const auto side = whole ? sideOf(group, *whole) : std::nullopt;
    const model::OperationPolicy *policy =
        side ? model::operationPolicy(definition.policy, group.row.step, *side) : nullptr;
    if (step == steps.cend() || !policy)
        return {};
    const auto dependency = dependencies.constFind(policy->dependency);
    const Facts facts{group,
                      runs,
                      definition,
                      *step,
                      *policy,
                      dependency == dependencies.cend() ? nullptr : &*dependency,
                      side == Direction::compensate};
    const auto change = changeFor(facts);
    return change ? changeJson(*change, facts) : QJsonObject();
}

} // namespace holdfast::control
