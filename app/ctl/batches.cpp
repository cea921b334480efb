// batch, batches.
#include "app/ctl/invocation.h"

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr int plannedMax = 10'000;
constexpr int examplesMax = 5; // of what is set apart

struct Planned {
    QJsonArray items;
    QMap<QString, int> verdicts;
    bool more = false; // there were more than a batch may have
};

QString verdictText(const QString &verdict)
{
    if (verdict == "verify"_L1)
        return u"needs verify"_s;
    if (verdict == "duplicate"_L1)
        return u"would duplicate"_s;
    return verdict == "impossible"_L1 ? u"not possible"_s : verdict;
}

// Everything before the first item is touched: an act may change what matches.
Result<Planned> planned(Database &database, QJsonObject arguments)
{
    Planned plan;
    while (true) {
        const auto page = database.call(u"batch_plan"_s, arguments);
        if (!page)
            return page.error();
        const QJsonArray items = (*page)["items"_L1].toArray();
        for (const QJsonValue &item : items) {
            if (plan.items.size() == plannedMax) {
                plan.more = true;
                return plan;
            }
            plan.items.append(item);
            ++plan.verdicts[item["verdict"_L1].toString()];
        }
        if ((*page)["cursor"_L1].isNull())
            return plan;
        arguments.insert(u"cursor"_s, (*page)["cursor"_L1]);
    }
}

QJsonObject planJson(const QString &act, const Planned &plan)
{
    QJsonObject verdicts;
    for (const QString &name : {u"safe"_s, u"verify"_s, u"duplicate"_s, u"impossible"_s})
        verdicts.insert(name, plan.verdicts.value(name));
    return {{u"act"_s, act},
            {u"count"_s, plan.items.size()},
            {u"verdicts"_s, verdicts},
            {u"more"_s, plan.more},
            {u"items"_s, plan.items}};
}

QString planText(const Planned &plan)
{
    QString text = u"%1 items\n"_s.arg(plan.items.size());
    for (const QString &name : {u"safe"_s, u"verify"_s, u"duplicate"_s, u"impossible"_s}) {
        if (plan.verdicts.value(name) == 0)
            continue;
        text += u"%1  %2\n"_s.arg(plan.verdicts.value(name), 7).arg(verdictText(name));
        int shown = 0;
        for (const QJsonValue &item : plan.items) {
            if (name == "safe"_L1 || item["verdict"_L1].toString() != name || ++shown > examplesMax)
                continue;
            text += u"         %1  %2\n"_s.arg(plain(item["run_id"_L1]), plain(item["why"_L1]));
        }
    }
    if (plan.more)
        text += u"there are more; a batch has at most %1\n"_s.arg(plannedMax);
    return text;
}

// "12 of 40 taken: 10 applied, 2 refused; 3 set apart"
QString batchText(const QJsonValue &batch)
{
    QString text = fields(batch.toObject(),
                          {u"id"_s, u"act"_s, u"verdict"_s, u"state"_s, u"note"_s, u"actor"_s,
                           u"reason"_s, u"filter"_s, u"rate"_s, u"started_at"_s, u"ended_at"_s});
    const QJsonObject states = batch["totals"_L1]["states"_L1].toObject();
    text += u"%1 items: "_s.arg(plain(batch["items"_L1]));
    QStringList parts;
    for (const QString &name :
         {u"applied"_s, u"refused"_s, u"recorded"_s, u"pending"_s, u"skipped"_s, u"apart"_s}) {
        if (states[name].toInt() > 0)
            parts << u"%1 %2"_s.arg(states[name].toInt()).arg(name);
    }
    text += parts.join(u", "_s) + u'\n';
    const QJsonObject now = batch["totals"_L1]["runs_now"_L1].toObject();
    parts.clear();
    for (auto each = now.begin(); each != now.end(); ++each)
        parts << u"%1 %2"_s.arg(each.value().toInt()).arg(each.key());
    if (!parts.isEmpty())
        text += u"those applied now stand: %1\n"_s.arg(parts.join(u", "_s));
    if (batch["state"_L1] == "running"_L1 && batch["workers_alive"_L1].toInt() == 0)
        text += u"no worker is running; it goes on when one does\n"_s;
    return text;
}

// What is meant, and of which runs or items; an error is a usage error.
Result<QJsonObject> batchArguments(const Invocation &invocation)
{
    const QString act = invocation.positional(0);
    QJsonObject arguments{{u"act"_s, act}};
    const bool resolves = act == "resolve"_L1;
    if (resolves && invocation.positionals().size() != 2)
        return model::invalid(u"say as what: resolve happened|absent|retry|waive|dismiss|verify"_s);
    if (!resolves && invocation.positionals().size() != 1)
        return model::invalid(u"unexpected argument %1"_s.arg(invocation.positional(1)));
    if (resolves)
        arguments.insert(u"verdict"_s, invocation.positional(1));
    const QStringList parts{u"filter"_s, u"workflow"_s, u"event-id"_s, u"step"_s,
                            u"since"_s,  u"until"_s,    u"kind"_s};
    invocation.copyTexts(arguments, parts);
    QStringList given;
    for (const QString &name : {u"status"_s, u"runs"_s, u"items"_s, u"steps"_s}) {
        if (!invocation.has(name))
            continue;
        const QStringList list = invocation.option(name).split(u',', Qt::SkipEmptyParts);
        if (list.isEmpty())
            return model::invalid(u"--%1 names nothing"_s.arg(name));
        arguments.insert(name, QJsonArray::fromStringList(list));
        if (name != "steps"_L1)
            given << name;
    }
    for (const QString &name : parts) {
        if (invocation.has(name) && name != "kind"_L1)
            given << name;
    }
    if (given.isEmpty())
        return model::invalid(u"say which: a filter, --runs or --items"_s);
    const bool names = given.contains(u"runs"_s) || given.contains(u"items"_s);
    if (names && given.size() > 1)
        return model::invalid(u"give a filter, --runs or --items, not two of them"_s);
    return arguments;
}

// How it was found, for whoever looks at the batch later.
QString filterText(const Invocation &invocation)
{
    if (invocation.has(u"filter"_s))
        return invocation.option(u"filter"_s);
    QStringList words;
    for (const QString &name : {u"status"_s, u"workflow"_s, u"event-id"_s, u"step"_s, u"since"_s,
                                u"until"_s, u"kind"_s}) {
        if (invocation.has(name))
            words << u"%1:%2"_s.arg(name, invocation.option(name));
    }
    return words.join(u' ');
}

int runStart(Invocation &invocation)
{
    const auto arguments = batchArguments(invocation);
    if (!arguments)
        return invocation.usage(arguments.error().message);
    const bool previews = invocation.has(u"preview"_s);
    if (!previews && invocation.option(u"reason"_s).trimmed().isEmpty())
        return invocation.usage(u"--reason is missing"_s);
    const auto rate = invocation.integer(u"rate"_s);
    if (rate && !*rate)
        return invocation.usage(rate->error().message);
    Database database(invocation.url());
    const auto plan = planned(database, *arguments);
    if (!plan)
        return invocation.out.fail(plan.error());
    if (previews) {
        invocation.out.print(planJson(invocation.positional(0), *plan),
                             planText(*plan) +
                                 u"nothing was done; without --preview it is started\n"_s);
        return exitDone;
    }
    QJsonObject order{{u"act"_s, (*arguments)["act"_L1]},
                      {u"items"_s, plan->items},
                      {u"filter"_s, filterText(invocation)},
                      {u"include_unsafe"_s, invocation.has(u"include-unsafe"_s)}};
    invocation.copyTexts(order, {u"reason"_s});
    for (const auto &name : {u"verdict"_s, u"steps"_s}) {
        if (arguments->contains(name))
            order.insert(name, arguments->value(name));
    }
    if (rate)
        order.insert(u"rate"_s, **rate);
    const auto started = database.call(u"batch_start"_s, order);
    if (!started)
        return invocation.out.fail(started.error());
    invocation.out.print(*started, planText(*plan) + batchText(*started));
    return exitDone;
}

int runShowBatch(Invocation &invocation)
{
    QJsonObject arguments{{u"batch"_s, invocation.positional(1)}};
    invocation.copyTexts(arguments, {u"state"_s});
    for (const auto &name : {u"after"_s, u"limit"_s}) {
        const auto number = invocation.integer(name);
        if (number && !*number)
            return invocation.usage(number->error().message);
        if (number)
            arguments.insert(name, **number);
    }
    Database database(invocation.url());
    const auto batch = database.call(u"batch"_s, {{u"batch"_s, invocation.positional(1)}});
    if (!batch)
        return invocation.out.fail(batch.error());
    const auto items = database.call(u"batch_items"_s, arguments);
    if (!items)
        return invocation.out.fail(items.error());
    QJsonObject document = batch->toObject();
    document.insert(u"list"_s, (*items)["items"_L1]);
    document.insert(u"after"_s, (*items)["after"_L1]);
    QString text =
        batchText(*batch) + u'\n' +
        table((*items)["items"_L1].toArray(), {u"place"_s, u"state"_s, u"verdict"_s, u"run_id"_s,
                                               u"review"_s, u"status"_s, u"message"_s});
    if (!(*items)["after"_L1].isNull())
        text += u"more: --after %1\n"_s.arg(plain((*items)["after"_L1]));
    invocation.out.print(document, text);
    return exitDone;
}

int runBatch(Invocation &invocation)
{
    const QString word = invocation.positional(0);
    const bool isStart = word == "retry"_L1 || word == "cancel"_L1 || word == "compensate"_L1 ||
                         word == "resolve"_L1;
    if (isStart)
        return runStart(invocation);
    const bool tells = word == "hold"_L1 || word == "go"_L1 || word == "stop"_L1;
    if (!tells && word != "show"_L1)
        return invocation.usage(u"a batch can retry, cancel, compensate or resolve; one that is "
                                "there can show, hold, go or stop"_s);
    if (invocation.positionals().size() != 2)
        return invocation.usage(u"say which batch: %1 ID"_s.arg(word));
    if (!tells)
        return runShowBatch(invocation);
    QJsonObject arguments{{u"batch"_s, invocation.positional(1)}, {u"do"_s, word}};
    invocation.copyTexts(arguments, {u"reason"_s});
    return invocation.ask(u"batch_do"_s, arguments, batchText);
}

int runBatches(Invocation &invocation)
{
    return invocation.ask(u"batches"_s, {}, [](const QJsonValue &answer) {
        const QJsonArray list = answer["batches"_L1].toArray();
        return list.isEmpty() ? u"no batch was ever started"_s
                              : table(list, {u"id"_s, u"act"_s, u"state"_s, u"taken"_s, u"chosen"_s,
                                             u"items"_s, u"actor"_s, u"started_at"_s, u"reason"_s});
    });
}

QVector<Option> batchOptions()
{
    return {{u"filter"_s, u"F"_s, u"runs as typed in the console: 'status:failed since:7d'"_s},
            {u"status"_s, u"S,S"_s, u"only runs of these statuses"_s},
            {u"workflow"_s, u"W"_s, u"only of this workflow"_s},
            {u"event-id"_s, u"ID"_s, u"only of this source event"_s},
            {u"step"_s, u"S"_s, u"only where they stand at, or failed in, this step"_s},
            {u"since"_s, u"T"_s, u"created at or after this instant or date"_s},
            {u"until"_s, u"T"_s, u"created before it"_s},
            {u"kind"_s, u"K"_s, u"resolve: only items of this kind"_s},
            {u"runs"_s, u"a,b,c"_s, u"these runs instead of a filter"_s},
            {u"items"_s, u"a,b,c"_s, u"resolve: these review items"_s},
            {u"steps"_s, u"a,b"_s, u"compensate: only these steps"_s},
            {u"reason"_s, u"R"_s, u"why; goes into the audit"_s},
            {u"rate"_s, u"N"_s, u"items a second (20)"_s},
            {u"include-unsafe"_s, {}, u"also what needs verify or would duplicate, if allowed"_s},
            {u"preview"_s, {}, u"count and say what is safe; do nothing"_s},
            {u"state"_s, u"S"_s, u"show: only items of this state"_s},
            {u"after"_s, u"N"_s, u"show: continue after this place"_s},
            {u"limit"_s, u"N"_s, u"show: at most so many items (100)"_s}};
}
} // namespace

QVector<Subcommand> batchCommands()
{
    return {
        {u"batch"_s,
         u"batch retry|cancel|compensate|resolve VERDICT (FILTER… | --runs a,b | --items a,b) "
         "--reason R [--rate N] [--include-unsafe] [--preview], or batch show|hold|go|stop ID"_s,
         u"Does one act to many runs, counted first, with what is not safe set apart. A worker "
         "carries it out: one, then five, then the rest at the rate; it holds itself when too many "
         "do not work. hold, go and stop work at any time."_s,
         batchOptions(), 1, 2, u"batch retry --status failed --workflow billing --preview"_s,
         runBatch},
        {u"batches"_s,
         u"batches"_s,
         u"Lists batches, the newest first."_s,
         {},
         0,
         0,
         u"batches"_s,
         runBatches}};
}

} // namespace holdfast::ctl
