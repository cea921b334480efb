#include "simulation/checkers/checker.h"

#include "simulation/checkers/all.h"

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;

Evidence::Evidence(Scene &scene)
    : record(scene.record), stage(scene.stage), database(*scene.stage.database)
{
    qsizetype commit = 0;
    for (const ports::JournalRow &row : database.journal) {
        while (commit < record.commits.size() && record.commits.at(commit).journalTo <= row.id)
            ++commit;
        const int order = commit < record.commits.size() ? record.commits.at(commit).order : 0;
        auto known = m_runs.constFind(row.runId);
        if (known == m_runs.constEnd()) {
            const auto stored = database.runs.find(row.runId);
            RunFacts facts;
            facts.runId = row.runId;
            if (stored != database.runs.end()) {
                facts.workflow = stored->second.workflow;
                facts.eventId = stored->second.eventId;
            }
            known = m_runs.insert(row.runId, int(runs.size()));
            runs.append(facts);
        }
        for (model::Entry &entry : model::entriesFromJson(row.entries))
            runs[*known].facts.append({order, row.id, row.seq, row.fence, row.worker, entry});
    }
    for (int i = 0; i < int(record.sent.size()); ++i) {
        const SentCall &sent = record.sent.at(i);
        if (isAction(sent.call.direction) && sent.call.effect != model::Effect::read)
            writes[{sent.call.dependency, sent.call.key}].append(i);
    }
}

const RunFacts *Evidence::run(const QString &runId) const
{
    const auto found = m_runs.constFind(runId);
    return found == m_runs.constEnd() ? nullptr : &runs.at(*found);
}

QString Evidence::keyOf(const RunFacts &run, const QString &step, model::Direction direction) const
{
    for (const Fact &fact : run.facts) {
        if (fact.entry.kind == model::EntryKind::prepared && fact.entry.step == step &&
            fact.entry.direction == direction)
            return fact.entry.key;
    }
    return {};
}

namespace
{
bool concerns(const Act &act, const QString &runId, const QString &step)
{
    static const QStringList harmless{u"note"_s, u"signal"_s, u"start"_s};
    return act.runId == runId && (act.item.isEmpty() || act.step == step) &&
           !harmless.contains(act.name);
}
} // namespace

bool Evidence::personDecided(const QString &runId, const QString &step, int after, int before) const
{
    for (const Act &act : record.acts) {
        if (act.order > after && act.order < before && concerns(act, runId, step) &&
            !wasTurnedDown(act))
            return true;
    }
    return false;
}

int Evidence::sentAgainByPeople(const QString &runId, const QString &step,
                                model::Direction direction) const
{
    const bool undo = direction == model::Direction::compensate;
    QSet<QString> acts; // one that was sent twice acts once
    for (const Act &act : record.acts) {
        // To try again is for what had no effect, and no leave to have a second one.
        const bool sends = act.verdict == "absent"_L1 ? act.direction == direction
                                                      : undo && act.name == "compensate"_L1;
        if (sends && concerns(act, runId, step) && !wasTurnedDown(act))
            acts.insert(act.id);
    }
    return int(acts.size());
}

bool Evidence::wasTurnedDown(const Act &act) const
{
    const auto command = database.commands.find(act.id);
    const bool isRecorded = command != database.commands.end();
    return isRecorded ? command->second.result == "rejected"_L1 : act.refused;
}

QStringList checkAll(Scene &scene)
{
    Evidence evidence(scene);
    for (const Checker checker : allCheckers())
        checker(evidence);
    return evidence.broken;
}

} // namespace holdfast::simulation
