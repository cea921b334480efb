// compensate, retry, cancel, rerun, signal, note.
#include "app/ctl/invocation.h"

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;

namespace
{
// Adds --reason and --version; an empty answer means all is well.
QString addCommon(const Invocation &invocation, QJsonObject &arguments)
{
    arguments.insert(u"run"_s, invocation.positional(0));
    invocation.copyTexts(arguments, {u"reason"_s});
    const auto version = invocation.integer(u"version"_s);
    if (version && !*version)
        return version->error().message;
    if (version)
        arguments.insert(u"version"_s, **version);
    return {};
}

int simpleAct(Invocation &invocation, const QString &name)
{
    QJsonObject arguments;
    if (const QString error = addCommon(invocation, arguments); !error.isEmpty())
        return invocation.usage(error);
    return invocation.act(name, arguments);
}

int runRetry(Invocation &invocation) { return simpleAct(invocation, u"retry"_s); }
int runCancel(Invocation &invocation) { return simpleAct(invocation, u"cancel"_s); }

QString planText(const QJsonValue &answer)
{
    QString text = table(answer["plan"_L1].toArray(),
                         {u"step"_s, u"verdict"_s, u"why"_s, u"key"_s, u"request"_s});
    return text + u"nothing was done; without --preview it is done\n"_s;
}

int runCompensate(Invocation &invocation)
{
    QJsonObject arguments;
    if (const QString error = addCommon(invocation, arguments); !error.isEmpty())
        return invocation.usage(error);
    if (invocation.has(u"steps"_s))
        arguments.insert(u"steps"_s,
                         QJsonArray::fromStringList(invocation.option(u"steps"_s).split(u',')));
    if (invocation.has(u"preview"_s)) {
        arguments.insert(u"preview"_s, true);
        return invocation.ask(u"compensate"_s, arguments, planText);
    }
    if (invocation.option(u"reason"_s).trimmed().isEmpty())
        return invocation.usage(u"--reason is missing"_s);
    return invocation.act(u"compensate"_s, arguments);
}

int runRerun(Invocation &invocation)
{
    QJsonObject arguments{{u"confirm"_s, invocation.has(u"confirm"_s)}};
    if (const QString error = addCommon(invocation, arguments); !error.isEmpty())
        return invocation.usage(error);
    return invocation.ask(u"rerun"_s, arguments, [](const QJsonValue &answer) {
        return u"run %1 %2"_s.arg(answer["run_id"_L1].toString(), answer["status"_L1].toString());
    });
}

int runSignal(Invocation &invocation)
{
    QJsonObject arguments;
    if (const QString error = addCommon(invocation, arguments); !error.isEmpty())
        return invocation.usage(error);
    arguments.insert(u"event"_s, invocation.positional(1));
    if (invocation.has(u"data"_s)) {
        const auto data = readJsonArgument(invocation.option(u"data"_s));
        if (!data)
            return invocation.out.fail(data.error());
        arguments.insert(u"data"_s, *data);
    }
    return invocation.act(u"signal"_s, arguments);
}

int runNote(Invocation &invocation)
{
    return invocation.act(
        u"note"_s, {{u"run"_s, invocation.positional(0)}, {u"text"_s, invocation.positional(1)}});
}

Option reasonOption() { return {u"reason"_s, u"R"_s, u"why; goes into the audit"_s}; }

Option versionOption()
{
    return {u"version"_s, u"N"_s, u"refuse if the run has moved since this version was seen"_s};
}

QVector<Subcommand> decisionCommands()
{
    const Option reason = reasonOption();
    const Option version = versionOption();
    const Option workflowVersion{u"version"_s, u"N"_s,
                                 u"version of the workflow; default: the run's own"_s};
    return {
        {u"compensate"_s,
         u"compensate RUN [--steps a,b] [--preview] --reason R [--version N]"_s,
         u"Undoes confirmed effects of a run that has ended, in reverse order; --preview only says "
         "what would be sent."_s,
         {{u"steps"_s, u"a,b"_s, u"only these steps"_s},
          {u"preview"_s, {}, u"show the plan with the exact requests; do nothing"_s},
          reason,
          version},
         1,
         1,
         u"compensate RUN --preview"_s,
         runCompensate},
        {u"retry"_s,
         u"retry RUN [--reason R] [--version N]"_s,
         u"Tries a failed step again, or at once what waits to be retried. Refused where that is "
         "not safe."_s,
         {reason, version},
         1,
         1,
         u"retry RUN --reason 'credentials renewed'"_s,
         runRetry},
        {u"cancel"_s,
         u"cancel RUN [--reason R] [--version N]"_s,
         u"Stops a run and compensates what it did. Refused while an outcome is unknown."_s,
         {reason, version},
         1,
         1,
         u"cancel RUN --reason 'customer withdrew'"_s,
         runCancel},
        {u"rerun"_s,
         u"rerun RUN [--confirm] [--version N] [--reason R]"_s,
         u"Starts an ended run anew under new keys. Refused while effects of it stand, unless "
         "confirmed."_s,
         {{u"confirm"_s, {}, u"although confirmed effects stand and would be done again"_s},
          reason,
          workflowVersion},
         1,
         1,
         u"rerun RUN"_s,
         runRerun}};
}

QVector<Subcommand> messageCommands()
{
    const Option reason = reasonOption();
    const Option version = versionOption();
    return {{u"signal"_s,
             u"signal RUN EVENT [--data JSON]"_s,
             u"Delivers an event to a run that waits for it."_s,
             {{u"data"_s, u"JSON|@FILE|-"_s, u"becomes the receipt of the wait step"_s},
              reason,
              version},
             2,
             2,
             u"signal RUN signed --data '{\"by\":\"a@example.com\"}'"_s,
             runSignal},
            {u"note"_s,
             u"note RUN TEXT"_s,
             u"Writes a note into a run's journal."_s,
             {},
             2,
             2,
             u"note RUN 'asked the bank, see ticket'"_s,
             runNote}};
}
} // namespace

QVector<Subcommand> actCommands() { return decisionCommands() + messageCommands(); }

} // namespace holdfast::ctl
