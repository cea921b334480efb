#include "simulation/stage.h"

#include "store/audit_chain.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

// Resources of a static library are found once they are asked for, outside any namespace.
static void useSimulationResources() { Q_INIT_RESOURCE(simulation); }

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;

namespace
{
QString definitionsText()
{
    QFile file(u":/simulation/definitions.yaml"_s);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("the definitions are not part of the program");
    return QString::fromUtf8(file.readAll());
}
} // namespace

Stage::Desk::Desk(const QString &who, Stage &stage)
    : store(who, stage.agenda.clock(), stage.database),
      door(store, {holdfast::store::auditHash, {}})
{
}

Stage::Stage() : database(std::make_shared<store::MemoryDatabase>())
{
    useSimulationResources();
    agenda.begin(1'800'000'000'000);
    desks[0] = std::make_unique<Desk>(u"ada"_s, *this);
    desks[1] = std::make_unique<Desk>(u"ben"_s, *this);
    FaultyStore &store = desks[0]->store;
    const auto opened = store.open();
    Q_ASSERT(opened.ok());
    const auto deployed = desks[0]->door.call(
        {u"deploy"_s,
         u"deploy"_s,
         {{u"files"_s, QJsonArray{QJsonObject{{u"file"_s, u"definitions.yaml"_s},
                                              {u"text"_s, definitionsText()}}}}},
         u"ada"_s});
    if (!deployed || deployed->toObject().contains("refused"_L1))
        qFatal("the definitions are refused: %s",
               deployed ? QJsonDocument(deployed->toObject()).toJson().constData()
                        : qPrintable(deployed.error().message));
    for (const auto &[key, row] : database->workflows) {
        const auto found = catalog.workflow(store, key.first, key.second);
        if (!found)
            qFatal("%s", qPrintable(found.error().message));
        m_workflows.insert(key.first, *found);
    }
    for (const auto &known : catalog.dependencies())
        m_dependencies.insert(known->policy.dependency, known->policy);
}

void Stage::reset(Scene *scene)
{
    for (const auto &desk : desks)
        desk->store.enter(scene);
    store::MemoryDatabase &db = *database;
    db.runs.clear();
    db.runsByEvent.clear();
    db.due.clear();
    db.owned.clear();
    db.journal.clear();
    db.journalOfRun.clear();
    db.ledger.clear();
    db.reviews.clear();
    db.pauses.clear();
    db.breakers.clear();
    db.quotas.clear();
    db.workers.clear();
    db.commands.clear();
    db.pendingCommands.clear();
    db.audit.clear();
    db.auditHeads.clear();
    db.rollups.clear();
    db.outbox.clear();
    db.alertTargets.clear();
    db.deliveries.clear();
    db.tripwires.clear();
    db.batches.clear();
    db.batchItems.clear();
    db.failureGroups.clear();
    db.failures.clear();
    db.failureGroupsOf.clear();
    db.groupNotes.clear();
    db.signoffs.clear();
    db.settings.clear();
}

const model::Policy &Stage::policy(const QString &workflow) const
{
    return m_workflows.constFind(workflow).value()->policy;
}

const model::StepPolicy *Stage::step(const QString &workflow, const QString &step) const
{
    const auto found = m_workflows.constFind(workflow);
    if (found == m_workflows.constEnd())
        return nullptr;
    for (const model::StepPolicy &candidate : (*found)->policy.steps) {
        if (candidate.step == step)
            return &candidate;
    }
    return nullptr;
}

const model::OperationPolicy *Stage::operation(const QString &workflow, const QString &name,
                                               model::Direction direction) const
{
    const model::StepPolicy *found = step(workflow, name);
    if (!found)
        return nullptr;
    if (direction == model::Direction::compensate)
        return found->undo ? &*found->undo : nullptr;
    return &found->forward;
}

QStringList Stage::workflows() const
{
    QStringList names = m_workflows.keys();
    names.removeOne(u"twin"_s);
    return names;
}

const model::DependencyPolicy &Stage::dependency(const QString &name) const
{
    return m_dependencies.constFind(name).value();
}

} // namespace holdfast::simulation
