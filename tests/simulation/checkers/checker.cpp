#include "simulation/checkers/checker.h"

#include "simulation/checkers/all.h"

#include <algorithm>

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

bool Evidence::personDecided(const QString &runId, const QString &step, Span span) const
{
    return std::any_of(record.acts.cbegin(), record.acts.cend(), [&](const Act &act) {
        return act.order > span.after && act.order < span.before && act.runId == runId &&
               act.step == step && !act.item.isEmpty() && !wasTurnedDown(act);
    });
}

int Evidence::sentAgainByPeople(const QString &runId, const QString &step,
                                model::Direction direction, Span span) const
{
    const bool undo = direction == model::Direction::compensate;
    QSet<QString> acts; // one that was sent twice acts once
    for (const Act &act : record.acts) {
        if (act.runId != runId || act.order <= span.after || act.order >= span.before)
            continue;
        // To try again is for what had no effect, and no leave to have a second one.
        const bool isAbsent =
            act.verdict == "absent"_L1 && act.step == step && act.direction == direction;
        if ((isAbsent || (undo && act.name == "compensate"_L1)) && !wasTurnedDown(act))
            acts.insert(act.id);
    }
    return int(acts.size());
}

// What is said about a run leaves a command, and commands stay.
bool Evidence::wasTurnedDown(const Act &act) const
{
    const auto command = database.commands.find(act.id);
    if (command != database.commands.end())
        return command->second.result == "rejected"_L1;
    return act.refused || !act.runId.isEmpty();
}

QStringList checkAll(Scene &scene)
{
    Evidence evidence(scene);
    for (const Checker checker : allCheckers())
        checker(evidence);
    return evidence.broken;
}

} // namespace holdfast::simulation
