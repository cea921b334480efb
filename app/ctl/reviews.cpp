// reviews, resolve, approve, reject.
#include "app/ctl/invocation.h"

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;

namespace
{
int runReviews(Invocation &invocation)
{
    QJsonObject arguments{{u"all"_s, invocation.has(u"all"_s)}};
    invocation.copyTexts(arguments, {u"kind"_s, u"run"_s});
    Database database(invocation.url());
    const auto answer = database.call(u"reviews"_s, arguments);
    if (!answer)
        return invocation.out.fail(answer.error());
    const QJsonArray list = (*answer)["reviews"_L1].toArray();
    invocation.out.print(*answer, list.isEmpty()
                                      ? u"nothing waits for a person"_s
                                      : table(list, {u"id"_s, u"kind"_s, u"run_id"_s, u"step"_s,
                                                     u"version"_s, u"opened_at"_s}));
    for (const QJsonValue &review : list) {
        if (review["decided_at"_L1].isUndefined())
            return exitPerson;
    }
    return exitDone;
}

// What all decisions on an item share. Nothing: the usage was wrong, and said so.
std::optional<QJsonObject> decisionArguments(const Invocation &invocation, QString &error)
{
    QJsonObject arguments{{u"review"_s, invocation.positional(0)}};
    if (invocation.option(u"reason"_s).trimmed().isEmpty()) {
        error = u"--reason is missing"_s;
        return std::nullopt;
    }
    invocation.copyTexts(arguments, {u"reason"_s});
    if (const auto version = invocation.integer(u"version"_s)) {
        if (!*version) {
            error = version->error().message;
            return std::nullopt;
        }
        arguments.insert(u"version"_s, **version);
    }
    return arguments;
}

int runResolve(Invocation &invocation)
{
    QString error;
    auto arguments = decisionArguments(invocation, error);
    if (!arguments)
        return invocation.usage(error);
    arguments->insert(u"verdict"_s, invocation.positional(1));
    if (invocation.has(u"receipt"_s)) {
        const auto receipt = readJsonArgument(invocation.option(u"receipt"_s));
        if (!receipt)
            return invocation.out.fail(receipt.error());
        arguments->insert(u"receipt"_s, *receipt);
    }
    return invocation.act(u"resolve"_s, *arguments);
}

int decide(Invocation &invocation, const QString &name)
{
    QString error;
    const auto arguments = decisionArguments(invocation, error);
    return arguments ? invocation.act(name, *arguments) : invocation.usage(error);
}

int runApprove(Invocation &invocation) { return decide(invocation, u"approve"_s); }
int runReject(Invocation &invocation) { return decide(invocation, u"reject"_s); }
} // namespace

QVector<Subcommand> reviewCommands()
{
    const QVector<Option> common{
        {u"reason"_s, u"R"_s, u"why; goes into the audit (required)"_s},
        {u"version"_s, u"N"_s, u"refuse if the run has moved since this version was seen"_s}};
    return {
        {u"reviews"_s,
         u"reviews [--kind K] [--run RUN] [--all]"_s,
         u"Lists what waits for a person; exit 3 if anything does."_s,
         {{u"kind"_s, u"K"_s,
           u"ambiguous, approval, compensation_failed, conflict, dead_letter or tripwire"_s},
          {u"run"_s, u"RUN"_s, u"only of this run"_s},
          {u"all"_s, {}, u"with those that were decided"_s}},
         0,
         0,
         u"reviews --kind ambiguous"_s,
         runReviews},
        {u"resolve"_s,
         u"resolve ITEM happened|absent|retry|waive|dismiss|verify [--receipt JSON] --reason R "
         "[--version N]"_s,
         u"Decides an item: happened or absent for an ambiguous outcome, retry, waive or dismiss "
         "where the kind allows, verify to ask the target again."_s,
         common + QVector<Option>{{u"receipt"_s, u"JSON|@FILE|-"_s,
                                   u"with happened: what the target shows, as an object"_s}},
         2, 2, u"resolve ITEM happened --receipt '{\"id\":\"in_1\"}' --reason 'seen in the CRM'"_s,
         runResolve},
        {u"approve"_s, u"approve ITEM --reason R [--version N]"_s,
         u"Approves what the item shows, with exactly these bytes."_s, common, 1, 1,
         u"approve ITEM --reason 'amount checked'"_s, runApprove},
        {u"reject"_s, u"reject ITEM --reason R [--version N]"_s, u"Rejects an approval."_s, common,
         1, 1, u"reject ITEM --reason 'wrong customer'"_s, runReject}};
}

} // namespace holdfast::ctl
