// Resuming by stages. A person starts it, may hold it, go on or pause again; between those acts the
// engine raises the stages by itself.
#include "engine/ramp.h"
#include "control/arguments.h"
#include "control/pause_scope.h"
#include "control/record.h"

#include <QJsonArray>
#include <algorithm>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
// The one pause that is meant: by its id, or by scope and depth where that names just one.
Result<ports::PauseRow> onePause(Context &context, const PauseTarget &target)
{
    const QString id = context.arguments().value("pause"_L1).toString();
    const QString depth = context.arguments().value("depth"_L1).toString();
    const auto rows = context.store.pauses(true);
    if (!rows)
        return rows.error();
    QVector<ports::PauseRow> found;
    for (const ports::PauseRow &row : *rows) {
        const bool isMeant = id.isEmpty()
                                 ? row.scope == target.scope && row.target == target.target &&
                                       (depth.isEmpty() || row.depth == depth)
                                 : row.id == id;
        if (isMeant)
            found.append(row);
    }
    if (found.isEmpty())
        return model::notFound(u"no such pause is in force; `pauses` lists those that are"_s);
    if (found.size() > 1)
        return model::refused(
            u"%1 pauses fit; a ramp belongs to one of them, so name it by its id"_s.arg(
                found.size()));
    return found.first();
}

// The row as it is once nobody else can change it.
Result<ports::PauseRow> lockedPause(Context &context, const QString &id)
{
    const auto rows = context.store.lockPauses();
    if (!rows)
        return rows.error();
    for (const ports::PauseRow &row : *rows) {
        if (row.id == id)
            return row;
    }
    return model::refused(u"this pause is not in force any more"_s);
}

Result<void> begin(Context &context, const QString &id, const QStringList &oldestFirst,
                   const QString &reason, QJsonObject &answer)
{
    auto row = lockedPause(context, id);
    if (!row)
        return row.error();
    if (engine::Ramp::fromText(row->ramp).isUnderWay())
        return model::refused(u"a ramp of this pause is under way already"_s);
    const auto now = context.store.now();
    if (!now)
        return now.error();
    const auto mark = context.store.journalMark();
    if (!mark)
        return mark.error();
    const engine::Ramp ramp = engine::startRamp(oldestFirst, *mark, *now);
    if (ramp.isDone()) {
        ports::PauseRow lifted;
        lifted.id = id;
        lifted.liftedBy = context.request.actor;
        lifted.liftedReason = reason;
        const auto rows = context.store.liftPauses(row->scope, row->target, row->depth, lifted);
        if (!rows)
            return rows.error();
        for (const ports::PauseRow &gone : *rows)
            row = gone;
    } else {
        row->ramp = ramp.toText();
        if (const auto kept = context.store.setRamp(*row, ramp.admits()); !kept)
            return kept;
    }
    answer = {{ramp.isDone() ? u"resumed"_s : u"ramping"_s, QJsonArray{pauseJson(*row)}}};
    if (const auto kept = rememberAnswer(context, answer, *now); !kept)
        return kept;
    QJsonObject body{{u"pause"_s, id},
                     {u"ramp"_s, true},
                     {u"held"_s, oldestFirst.size()},
                     {u"reason"_s, reason}};
    if (ramp.isDone())
        body.insert(u"resumed"_s, answer.value("resumed"_L1));
    return context.store.appendAudit(auditRow(context, u"system"_s, row->scope, body, *now));
}
} // namespace

Result<QJsonValue> resumeByRamp(Context &context, const PauseTarget &target, const QString &reason)
{
    const auto pause = onePause(context, target);
    if (!pause)
        return pause.error();
    const auto held = heldBy(context, *pause, std::numeric_limits<qsizetype>::max());
    if (!held)
        return held.error();
    QStringList oldestFirst;
    std::transform(held->crbegin(), held->crend(), std::back_inserter(oldestFirst),
                   [](const HeldRun &run) { return run.runId; });
    QJsonObject answer;
    const auto written = inTransaction(
        context.store, [&] { return begin(context, pause->id, oldestFirst, reason, answer); });
    return written ? Result<QJsonValue>(QJsonValue(answer)) : Result<QJsonValue>(written.error());
}

Result<QJsonValue> ramp(Context &context)
{
    const auto known = rememberedAnswer(context);
    if (!known)
        return known.error();
    if (*known)
        return **known;
    const auto id = requiredText(context.arguments(), "pause");
    if (!id)
        return id.error();
    const auto word = requiredText(context.arguments(), "do");
    if (!word)
        return word.error();
    const auto act = engine::rampActFromName(*word);
    if (!act)
        return model::invalid(u"a ramp can be told to hold, go or repause"_s);
    QJsonObject answer;
    const auto written = inTransaction(context.store, [&]() -> Result<void> {
        auto row = lockedPause(context, *id);
        if (!row)
            return row.error();
        const auto next =
            engine::afterAct(engine::Ramp::fromText(row->ramp), *act, context.request.actor);
        if (!next)
            return model::refused(u"the ramp of this pause is not where it could %1"_s.arg(*word));
        const auto now = context.store.now();
        if (!now)
            return now.error();
        if (*act == engine::RampAct::repause) {
            const auto mark = context.store.journalMark();
            if (!mark)
                return mark.error();
            row->journalMark = *mark;
        }
        row->ramp = next->toText();
        if (const auto kept = context.store.setRamp(*row, {}); !kept)
            return kept;
        answer = pauseJson(*row);
        if (const auto kept = rememberAnswer(context, answer, *now); !kept)
            return kept;
        return context.store.appendAudit(
            auditRow(context, u"system"_s, *id,
                     {{u"do"_s, *word}, {u"admitted"_s, next->admitted()}}, *now));
    });
    return written ? Result<QJsonValue>(QJsonValue(answer)) : Result<QJsonValue>(written.error());
}

} // namespace holdfast::control
