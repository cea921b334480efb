// sandbox: the outside world that misbehaves.
#include "app/ctl/invocation.h"

#include "app/sandbox/sandbox_main.h"

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;

namespace
{
int runSandbox(Invocation &invocation)
{
    if (invocation.rest().contains(u"--help"_s)) {
        const Subcommand subcommand = sandboxCommands().first();
        invocation.out.print(QJsonObject{{u"help"_s, helpText(subcommand)}}, helpText(subcommand));
        return exitDone;
    }
    return sandbox::sandboxMain(invocation.rest());
}
} // namespace

QVector<Subcommand> sandboxCommands()
{
    return {{u"sandbox"_s,
             u"sandbox [--seed N] [--port 8460] [--chaos PERCENT] [--books FILE]"_s,
             u"Serves fake payments, CRM, mail and inventory on loopback, with faults and books of "
             "their own, until SIGTERM."_s,
             {{u"seed"_s, u"N"_s, u"the same seed, the same story"_s},
              {u"port"_s, u"N"_s, u"where to listen (8460)"_s},
              {u"chaos"_s, u"PERCENT"_s, u"how often something goes wrong by itself"_s},
              {u"books"_s, u"FILE"_s, u"where to write what happened"_s}},
             0,
             0,
             u"sandbox --seed 7 --chaos 20"_s,
             runSandbox,
             true}};
}

} // namespace holdfast::ctl
