// check, deploy, workflows, dependencies.
#include "app/ctl/definition_files.h"
#include "app/ctl/invocation.h"

#include "store/memory_store.h"

#include <QFileInfo>

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
void sayFindings(const Invocation &invocation, const QJsonValue &answer)
{
    const QJsonArray findings = answer["findings"_L1].toArray();
    for (const QJsonValue &finding : findings)
        invocation.out.message(finding["text"_L1].toString());
}

int finish(const Invocation &invocation, const Result<QJsonValue> &answer, const QString &verb)
{
    if (!answer)
        return invocation.out.fail(answer.error());
    sayFindings(invocation, *answer);
    if (answer->toObject().contains("refused"_L1))
        return invocation.out.refuse(answer->toObject());
    invocation.out.print(*answer, u"%1 %2 workflows and %3 dependencies"_s.arg(verb)
                                      .arg((*answer)["workflows"_L1].toArray().size())
                                      .arg((*answer)["dependencies"_L1].toArray().size()));
    return exitDone;
}

// Where no database exists yet, none is made just to look at files.
bool hasDatabase(const QString &url)
{
    const QString path = sqlitePath(url);
    return path.isEmpty() || QFileInfo::exists(path);
}

int runCheck(Invocation &invocation)
{
    const auto files = readDefinitionFiles(invocation.positionals());
    if (!files)
        return invocation.out.fail(files.error());
    if (hasDatabase(invocation.url())) {
        Database database(invocation.url());
        return finish(invocation, database.call(u"check"_s, *files), u"checked"_s);
    }
    store::MemoryStore memory;
    if (const auto opened = memory.open(); !opened)
        return invocation.out.fail(opened.error());
    control::LocalDoor door(memory);
    return finish(invocation, door.call({u"check"_s, u"check"_s, *files, currentActor()}),
                  u"checked"_s);
}

int runDeploy(Invocation &invocation)
{
    const auto files = readDefinitionFiles(invocation.positionals());
    if (!files)
        return invocation.out.fail(files.error());
    Database database(invocation.url());
    return finish(invocation, database.call(u"deploy"_s, *files), u"deployed"_s);
}

int runWorkflows(Invocation &invocation)
{
    return invocation.ask(
        u"workflows"_s, {{u"source"_s, invocation.has(u"source"_s)}}, [](const QJsonValue &answer) {
            return table(answer["workflows"_L1].toArray(), {u"workflow"_s, u"version"_s, u"owner"_s,
                                                            u"deployed_at"_s, u"deployed_by"_s});
        });
}

int runDependencies(Invocation &invocation)
{
    return invocation.ask(u"dependencies"_s, {{u"source"_s, invocation.has(u"source"_s)}},
                          [](const QJsonValue &answer) {
                              QJsonArray rows;
                              const QJsonArray list = answer["dependencies"_L1].toArray();
                              for (const QJsonValue &value : list) {
                                  QJsonObject row = value.toObject();
                                  row.insert(u"breaker"_s, value["breaker"_L1]["state"_L1]);
                                  rows.append(row);
                              }
                              return table(rows, {u"dependency"_s, u"revision"_s, u"protection"_s,
                                                  u"breaker"_s, u"url"_s, u"owner"_s});
                          });
}
} // namespace

QVector<Subcommand> definitionCommands()
{
    constexpr int many = 1000;
    const Option source{u"source"_s, {}, u"with the deployed text"_s};
    return {{u"check"_s,
             u"check PATH…"_s,
             u"Parses, validates and lints definition files. All findings with file:line:column; "
             "exit 1 if any is an error."_s,
             {},
             1,
             many,
             u"check resources/samples"_s,
             runCheck},
            {u"deploy"_s,
             u"deploy PATH…"_s,
             u"Checks definition files, then stores them all or none. A deployed version never "
             "changes: the same version with other content is refused."_s,
             {},
             1,
             many,
             u"deploy resources/samples/order.yaml"_s,
             runDeploy},
            {u"workflows"_s,
             u"workflows [--source]"_s,
             u"Lists deployed workflow versions."_s,
             {source},
             0,
             0,
             u"workflows"_s,
             runWorkflows},
            {u"dependencies"_s,
             u"dependencies [--source]"_s,
             u"Lists dependencies, newest revision, with their breakers."_s,
             {source},
             0,
             0,
             u"dependencies"_s,
             runDependencies}};
}

} // namespace holdfast::ctl
