// rebuild: folds every journal anew and compares.
#include "app/ctl/invocation.h"

#include "runtime/rebuild.h"

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;

namespace
{
int runRebuild(Invocation &invocation)
{
    Database database(invocation.url());
    const auto store = database.store();
    if (!store)
        return invocation.out.fail(store.error());
    runtime::Catalog catalog;
    const auto report = runtime::rebuild(**store, catalog, invocation.has(u"repair"_s));
    if (!report)
        return invocation.out.fail(report.error());
    const QJsonObject answer{{u"runs"_s, report->runs},
                             {u"journal_rows"_s, report->journalRows},
                             {u"difference_count"_s, report->differenceCount},
                             {u"differences"_s, QJsonArray::fromStringList(report->differences)},
                             {u"repaired"_s, report->repaired}};
    QString text = u"%1 runs, %2 differences%3\n"_s.arg(report->runs)
                       .arg(report->differenceCount)
                       .arg(report->repaired ? u", repaired"_s : QString());
    for (const QString &difference : report->differences)
        text += difference + u'\n';
    invocation.out.print(answer, text);
    return report->differenceCount > 0 && !report->repaired ? exitRefused : exitDone;
}
} // namespace

QVector<Subcommand> rebuildCommands()
{
    return {
        {u"rebuild"_s,
         u"rebuild [--repair]"_s,
         u"Folds every journal anew and compares with what is stored; exit 1 when they differ."_s,
         {{u"repair"_s, {}, u"replace what differs by what the journal says"_s}},
         0,
         0,
         u"rebuild"_s,
         runRebuild}};
}

} // namespace holdfast::ctl
