// ledger, audit, workers.
#include "app/ctl/invocation.h"
#include "model/json.h"

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;

namespace
{
int runLedger(Invocation &invocation)
{
    QJsonObject arguments;
    if (!invocation.positional(0).isEmpty())
        arguments.insert(u"key"_s, invocation.positional(0));
    invocation.copyTexts(arguments, {u"run"_s});
    if (arguments.size() != 1)
        return invocation.usage(u"give a key or --run"_s);
    return invocation.ask(u"ledger"_s, arguments, [](const QJsonValue &answer) {
        const QJsonArray list = answer["ledger"_L1].toArray();
        if (list.isEmpty())
            return u"the ledger knows no such key"_s;
        return table(list, {u"key"_s, u"operation"_s, u"status"_s, u"run_id"_s, u"step"_s,
                            u"created_at"_s, u"expires_at"_s, u"result"_s});
    });
}

int verifyAudit(const Invocation &invocation)
{
    QJsonObject arguments;
    if (invocation.has(u"anchor"_s)) {
        const auto anchor = readJsonArgument(u'@' + invocation.option(u"anchor"_s));
        if (!anchor)
            return invocation.out.fail(anchor.error());
        arguments.insert(u"anchors"_s, anchor->isArray() ? *anchor : QJsonArray{*anchor});
    }
    return invocation.ask(u"audit_verify"_s, arguments, [](const QJsonValue &answer) {
        const qint64 anchors = answer["anchors"_L1].toInteger();
        return u"intact: %1 rows in %2 chains%3"_s.arg(
            plain(answer["rows"_L1]), plain(answer["chains"_L1]),
            anchors == 0 ? u"; without an anchor, rows removed from its end would not show"_s
                         : u", and as the anchor saw it"_s);
    });
}

int runAudit(Invocation &invocation)
{
    const QString act = invocation.positional(0);
    if (act == "verify"_L1)
        return verifyAudit(invocation);
    if (invocation.has(u"anchor"_s))
        return invocation.usage(u"--anchor goes with verify"_s);
    if (act == "anchor"_L1)
        return invocation.ask(u"audit_anchor"_s, {}, [](const QJsonValue &answer) {
            return QString::fromUtf8(model::compactJson(answer.toObject()));
        });
    if (!act.isEmpty())
        return invocation.usage(u"unexpected argument %1"_s.arg(act));
    QJsonObject arguments;
    if (const auto after = invocation.integer(u"after"_s)) {
        if (!*after)
            return invocation.usage(after->error().message);
        arguments.insert(u"after"_s, **after);
    }
    return invocation.ask(u"audit"_s, arguments, [](const QJsonValue &answer) {
        return table(answer["audit"_L1].toArray(),
                     {u"seq"_s, u"at"_s, u"actor"_s, u"action"_s, u"subject"_s, u"body"_s});
    });
}

int runWorkers(Invocation &invocation)
{
    return invocation.ask(u"workers"_s, {}, [](const QJsonValue &answer) {
        return table(answer["workers"_L1].toArray(),
                     {u"id"_s, u"host"_s, u"pid"_s, u"state"_s, u"alive"_s, u"started_at"_s,
                      u"lease_until"_s});
    });
}
} // namespace

QVector<Subcommand> lookupCommands()
{
    return {{u"ledger"_s,
             u"ledger KEY | ledger --run RUN"_s,
             u"Looks a key up: who used it, for which request, with which result."_s,
             {{u"run"_s, u"RUN"_s, u"all keys of this run"_s}},
             0,
             1,
             u"ledger invoice:c-1:o-1"_s,
             runLedger},
            {u"audit"_s,
             u"audit [--after SEQ] | audit verify [--anchor FILE] | audit anchor"_s,
             u"Lists who did what, when and why; verify checks that nobody changed it. Print an "
             "anchor into a file and keep it elsewhere: with it, verify also sees rows that were "
             "removed from the end, or an audit written anew."_s,
             {{u"after"_s, u"SEQ"_s, u"continue after this row"_s},
              {u"anchor"_s, u"FILE"_s, u"compare with one anchor, or a JSON list of them"_s}},
             0,
             1,
             u"audit verify"_s,
             runAudit},
            {u"workers"_s,
             u"workers"_s,
             u"Lists workers and their leases."_s,
             {},
             0,
             0,
             u"workers"_s,
             runWorkers}};
}

} // namespace holdfast::ctl
