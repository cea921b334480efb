#include "control/policy_change.h"

#include "contract/source_edit.h"
#include "model/mask.h"

#include <algorithm>

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
    const Definition &definition;
    const contract::StepDefinition &step;
    const model::OperationPolicy &policy;
    const contract::Dependency *dependency = nullptr;
    bool isUndo = false;

    QString reason() const { return group.row.reason; }
    QStringList inStep(const QStringList &path) const
    {
        const QStringList step0{u"steps"_s, step.step};
        return isUndo ? step0 + QStringList{u"compensate"_s} + path : step0 + path;
    }
};

bool isTimeout(const QString &reason)
{
    return reason == "timeout"_L1 || reason == "request_timeout"_L1;
}

qint64 endedBadly(const SeenGroup &group)
{
    qint64 count = 0;
    for (auto outcome = group.outcomes.cbegin(); outcome != group.outcomes.cend(); ++outcome) {
        const auto status = model::runStatusFromName(outcome.key());
        if (status && model::isFinal(*status) && *status != model::RunStatus::succeeded)
            count += *outcome;
    }
    return count;
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
    const bool canAsk = facts.policy.protection != Protection::natural;
    if (!isUnsure || facts.policy.hasVerify || !canAsk ||
        facts.policy.effect == model::Effect::read)
        return std::nullopt;
    if (facts.policy.protection == Protection::native)
        return std::nullopt;
    return Change{
        u"nobody can say whether %1 happened, and nothing asks %2: declare how to verify it"_s.arg(
            facts.step.step, facts.policy.dependency)};
}

std::optional<Change> waitLonger(const Facts &facts)
{
    if (!isTimeout(facts.reason()))
        return std::nullopt;
    const model::Millis deadline = facts.definition.policy.deadline;
    const model::Millis most = deadline > 0 ? deadline / 2 : model::hour;
    const model::Millis longer = std::min(2 * facts.policy.timeout, most);
    if (longer <= facts.policy.timeout)
        return std::nullopt;
    return Change{u"%1 answers later than it is waited for"_s.arg(facts.policy.dependency.isEmpty()
                                                                      ? facts.step.step
                                                                      : facts.policy.dependency),
                  facts.inStep({u"timeout"_s}), model::durationText(facts.policy.timeout),
                  model::durationText(longer)};
}

std::optional<Change> tryMoreOften(const Facts &facts)
{
    const qint64 lost = endedBadly(facts.group);
    const int attempts = facts.policy.retry.attempts;
    if (facts.group.row.failureClass != "transient"_L1 || lost == 0 || attempts >= attemptsMost)
        return std::nullopt;
    return Change{
        u"%1 used up %2 attempts at something that passes"_s.arg(runsText(lost)).arg(attempts),
        facts.inStep({u"retry"_s, u"attempts"_s}), QString::number(attempts),
        QString::number(std::min(attempts + attemptsMore, attemptsMost))};
}

std::optional<Change> settleLonger(const Facts &facts)
{
    if (facts.reason() != "verify_inconclusive"_L1 || !facts.policy.hasVerify)
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

// A deployed version never changes, so what changes a workflow is its next one.
std::optional<QString> changedSource(const Change &change, const QString &source, int version)
{
    if (change.path.isEmpty())
        return std::nullopt;
    auto changed = contract::withValue(source, change.path, change.to);
    if (changed && !change.isOfDependency)
        changed = contract::withValue(*changed, {u"version"_s}, QString::number(version + 1));
    if (!changed)
        return std::nullopt;
    const contract::Parsed parsed = contract::parse(u"suggestion"_s, changed->toUtf8());
    const bool isWhole = parsed.workflows.size() + parsed.dependencies.size() == 1;
    return isWhole && !contract::hasErrors(parsed.findings) ? changed : std::nullopt;
}

int firstChangedLine(const QString &before, const QString &after, const QString &what)
{
    const QStringList old = before.split(u'\n');
    const QStringList now = after.split(u'\n');
    for (qsizetype i = 0; i < now.size(); ++i) {
        const bool isOther = i >= old.size() || old.at(i) != now.at(i);
        if (isOther && now.at(i).contains(what))
            return int(i) + 1;
    }
    return 0;
}

QJsonObject changeJson(const Change &change, const Facts &facts)
{
    const contract::Workflow &workflow = facts.definition.workflow;
    const QString source = change.isOfDependency ? facts.dependency->source : workflow.source;
    const QString name = change.isOfDependency ? facts.dependency->name : workflow.name;
    QJsonObject json{
        {u"why"_s, change.why},
        {u"of"_s, change.isOfDependency ? u"dependency"_s : u"workflow"_s},
        {u"name"_s, name},
        {u"version"_s, change.isOfDependency ? facts.dependency->revision : workflow.version},
        {u"field"_s, change.path.join(u'.')},
        {u"from"_s, change.from},
        {u"to"_s, change.to},
        {u"line"_s, change.isOfDependency ? 1 : facts.step.place.line},
        {u"diff"_s, QString()}};
    const auto changed = changedSource(change, source, workflow.version);
    if (!changed)
        return json;
    const QString before = model::maskedSource(source);
    const QString after = model::maskedSource(*changed);
    json.insert(u"diff"_s, contract::lineDiff(name + u".yaml"_s, before, after));
    if (const int line = firstChangedLine(before, after, change.to); line > 0)
        json.insert(u"line"_s, line);
    return json;
}
} // namespace

QJsonObject suggestedChange(const SeenGroup &group, const Definition &definition,
                            const QMap<QString, contract::Dependency> &dependencies)
{
    const auto &steps = definition.workflow.steps;
    const auto step = std::find_if(steps.cbegin(), steps.cend(), [&](const auto &candidate) {
        return candidate.step == group.row.step;
    });
    const bool isUndo = group.row.direction == model::directionName(Direction::compensate);
    const model::OperationPolicy *policy = model::operationPolicy(
        definition.policy, group.row.step, isUndo ? Direction::compensate : Direction::forward);
    if (step == steps.cend() || !policy)
        return {};
    const auto dependency = dependencies.constFind(policy->dependency);
    const Facts facts{group,
                      definition,
                      *step,
                      *policy,
                      dependency == dependencies.cend() ? nullptr : &*dependency,
                      isUndo};
    const auto change = changeFor(facts);
    return change ? changeJson(*change, facts) : QJsonObject();
}

} // namespace holdfast::control
