#include "simulation/people.h"

#include <QJsonArray>

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using model::ErrorKind;

namespace
{
const QStringList depths{u"writes"_s, u"all"_s, u"intake"_s};

template <typename Map>
QVector<typename Map::mapped_type> pick(const Map &rows,
                                        bool (*wanted)(const typename Map::mapped_type &))
{
    QVector<typename Map::mapped_type> found;
    for (const auto &[key, row] : rows) {
        if (wanted(row))
            found.append(row);
    }
    return found;
}

bool isOpenItem(const ports::ReviewRow &row) { return row.decidedAt == model::never; }
bool isInForce(const ports::PauseRow &row) { return row.liftedAt == model::never; }
bool hasRamp(const ports::PauseRow &row) { return isInForce(row) && !row.ramp.isEmpty(); }
bool goesOnByItself(const ports::PauseRow &row) { return row.ramp.contains("\"ramping\""_L1); }
bool isNotClosed(const ports::BreakerRow &row) { return row.state != "closed"_L1; }
} // namespace

QString People::newRequest() { return u"act-%1"_s.arg(++m_requests, 4, 10, QLatin1Char('0')); }

// What came of it is what the door said; a lost connection says nothing.
People::Answer People::call(int desk, const Plan &plan)
{
    Stage::Desk &where = *m_scene.stage.desks[size_t(desk)];
    const QString actor = desk == 0 ? u"ada"_s : u"ben"_s;
    if (!where.store.isOpen()) {
        if (const auto opened = where.store.open(); !opened)
            return Answer::unknown;
    }
    Act act;
    act.at = m_scene.now();
    act.id = plan.id;
    act.name = plan.name;
    act.actor = actor;
    act.runId = plan.runId;
    act.item = plan.item;
    act.step = plan.step;
    act.direction = plan.direction;
    act.verdict = plan.verdict;
    act.hash = plan.arguments.value("hash"_L1).toString();
    const auto answer = where.door.call({plan.id, plan.name, plan.arguments, actor});
    act.order = m_scene.record.next();
    act.acknowledged = answer.ok();
    const bool isUnknown = !answer && (answer.error().kind == ErrorKind::lost ||
                                       answer.error().kind == ErrorKind::unknownOutcome ||
                                       answer.error().kind == ErrorKind::busy);
    act.refused = !answer && !isUnknown;
    if (answer && plan.name == "start"_L1)
        m_scene.record.starts.append({act.order, plan.arguments.value("workflow"_L1).toString(),
                                      answer->toObject().value("event_id"_L1).toString(),
                                      answer->toObject().value("run_id"_L1).toString()});
    m_scene.record.acts.append(act);
    if (m_scene.record.traces)
        m_scene.note(actor,
                     u"%1 %2 %3 %4: %5"_s.arg(plan.name, plan.step, plan.item, plan.verdict,
                                              answer ? u"recorded"_s : answer.error().message));
    if (answer)
        m_scene.hint();
    return answer ? Answer::done : isUnknown ? Answer::unknown : Answer::refused;
}

// Whoever got no answer asks again under the same id; some do although they got one.
void People::again(int desk, const Plan &plan)
{
    m_scene.agenda.in(m_scene.dice.between(10, 20 * model::second), [this, desk, plan] {
        if (call(desk, plan) == Answer::unknown && m_scene.dice.percent(80))
            again(desk, plan);
    });
}

void People::start(int number)
{
    Dice &dice = m_scene.dice;
    const QStringList names = m_scene.stage.workflows();
    const bool isTwin = m_scene.settings.twins && dice.percent(60);
    const QString workflow = isTwin                   ? u"twin"_s
                             : m_scene.settings.storm ? u"publish"_s
                                                      : names.at(dice.below(int(names.size())));
    const QString id = u"%1-%2"_s.arg(workflow).arg(number);
    // Few accounts, so that orders and invoices, and twins, meet over the same key.
    const QJsonObject input{{u"id"_s, id},
                            {u"account"_s, u"a%1"_s.arg(dice.below(isTwin ? 2 : 4))},
                            {u"amount"_s, dice.oneIn(12) ? 0 : 10 + 10 * dice.below(3)}};
    tryStart(dice.below(2), workflow, input);
    // A source that delivers twice, at once or much later.
    if (dice.percent(m_scene.settings.doubles)) {
        m_scene.agenda.in(dice.between(0, 10 * model::minute), [this, workflow, input] {
            tryStart(m_scene.dice.below(2), workflow, input);
        });
    }
}

void People::tryStart(int desk, const QString &workflow, const QJsonObject &input)
{
    Plan plan{newRequest(), u"start"_s, {}, {}, {}, input.value("id"_L1).toString(), {}};
    plan.arguments = {
        {u"workflow"_s, workflow}, {u"event_id"_s, input.value("id"_L1)}, {u"input"_s, input}};
    if (call(desk, plan) == Answer::unknown) {
        m_scene.agenda.in(m_scene.dice.between(10, 5 * model::second),
                          [this, desk, workflow, input] { tryStart(desk, workflow, input); });
    }
}

void People::actSomehow(int desk)
{
    const int choice = m_scene.dice.below(100);
    if (choice < 45)
        answerSomething(desk);
    else if (choice < 62)
        pauseSomething(desk);
    else if (choice < 72)
        resumeSomething(desk);
    else if (choice < 78)
        moveBreaker(desk);
    else
        actOnRun(desk);
}

void People::pauseSomething(int desk)
{
    Dice &dice = m_scene.dice;
    Plan plan{newRequest(), u"pause"_s, {}, {}, {}, {}, {}};
    plan.arguments = {{u"reason"_s, u"it looks wrong"_s}, {u"depth"_s, depths.at(dice.below(3))}};
    const QStringList workflows = m_scene.stage.workflows();
    const QStringList services = Outside::services();
    if (dice.oneIn(3))
        plan.arguments.insert(u"workflow"_s, workflows.at(dice.below(int(workflows.size()))));
    else if (dice.oneIn(2))
        plan.arguments.insert(u"dependency"_s, services.at(dice.below(int(services.size()))));
    if (call(desk, plan) == Answer::unknown)
        again(desk, plan);
    // Most pauses are not for long.
    m_scene.agenda.in(dice.between(model::second, 8 * model::minute),
                      [this, desk] { resumeSomething(desk); });
}

void People::resumeSomething(int desk)
{
    const auto active = pick(m_scene.stage.database->pauses, isInForce);
    if (active.isEmpty())
        return;
    const ports::PauseRow row = active.at(m_scene.dice.below(int(active.size())));
    Plan plan{newRequest(), u"resume"_s, {}, {}, {}, {}, {}};
    plan.arguments = {{u"reason"_s, u"all clear"_s}, {u"pause"_s, row.id}};
    const bool byStages = m_scene.settings.ramps && m_scene.dice.percent(60);
    if (byStages)
        plan.arguments.insert(u"ramp"_s, true);
    if (call(desk, plan) == Answer::unknown)
        again(desk, plan);
    if (!byStages)
        return;
    for (int i = m_scene.dice.below(3); i > 0; --i)
        m_scene.agenda.in(m_scene.dice.between(1, 3 * model::minute),
                          [this, desk] { moveRamp(desk); });
}

void People::moveRamp(int desk)
{
    const auto ramps = pick(m_scene.stage.database->pauses, hasRamp);
    if (ramps.isEmpty())
        return;
    static const QStringList words{u"hold"_s, u"go"_s, u"repause"_s};
    Plan plan{newRequest(), u"ramp"_s, {}, {}, {}, {}, {}};
    plan.arguments = {{u"pause"_s, ramps.at(m_scene.dice.below(int(ramps.size()))).id},
                      {u"do"_s, words.at(m_scene.dice.below(3))}};
    if (call(desk, plan) == Answer::unknown)
        again(desk, plan);
}

void People::moveBreaker(int desk)
{
    const QStringList services = Outside::services();
    Plan plan{newRequest(), u"breaker"_s, {}, {}, {}, {}, {}};
    plan.arguments = {{u"dependency"_s, services.at(m_scene.dice.below(int(services.size())))},
                      {u"state"_s, m_scene.dice.oneIn(2) ? u"open"_s : u"closed"_s},
                      {u"for_ms"_s, qint64(m_scene.dice.between(model::second, 3 * model::minute))},
                      {u"reason"_s, u"by hand"_s}};
    if (call(desk, plan) == Answer::unknown)
        again(desk, plan);
}

void People::actOnRun(int desk)
{
    const auto &runs = m_scene.stage.database->runs;
    if (runs.empty())
        return;
    Dice &dice = m_scene.dice;
    auto chosen = runs.begin();
    std::advance(chosen, dice.below(int(runs.size())));
    const ports::RunRow run = chosen->second;
    Plan plan{newRequest(), {}, {}, run.runId, {}, run.eventId, {}};
    plan.arguments = {{u"run"_s, run.runId}, {u"reason"_s, u"asked for"_s}};
    if (dice.oneIn(6))
        plan.arguments.insert(u"version"_s, std::max(0, run.seq - dice.below(3)));
    switch (dice.below(6)) {
    case 0: plan.name = u"cancel"_s; break;
    case 1: plan.name = u"retry"_s; break;
    case 2:
    case 3: {
        plan.name = u"compensate"_s;
        const auto &steps = m_scene.stage.policy(run.workflow).steps;
        if (dice.oneIn(3))
            plan.arguments.insert(u"steps"_s,
                                  QJsonArray{steps.at(dice.below(int(steps.size()))).step});
        break;
    }
    case 4:
        plan.name = u"note"_s;
        plan.arguments.insert(u"text"_s, plan.id);
        break;
    default:
        plan.name = u"signal"_s;
        plan.arguments.insert(u"event"_s, u"signed"_s);
        plan.arguments.insert(u"data"_s, QJsonObject{{u"by"_s, u"them"_s}});
        break;
    }
    const Answer answer = call(desk, plan);
    if (answer == Answer::unknown || dice.percent(m_scene.settings.doubles))
        again(desk, plan);
}

void People::answerSomething(int desk)
{
    const auto open = pick(m_scene.stage.database->reviews, isOpenItem);
    if (open.isEmpty())
        return;
    Dice &dice = m_scene.dice;
    const ports::ReviewRow item = open.at(dice.below(int(open.size())));
    Plan plan = answerTo(item, !dice.percent(m_scene.settings.guesses));
    if (dice.oneIn(8))
        plan.arguments.insert(u"version"_s, std::max(0, item.version - dice.below(2)));
    // The approval of something else than what is asked for.
    if (plan.name == "approve"_L1 && dice.oneIn(5))
        plan.arguments.insert(u"hash"_s, QString(64, u'0'));
    const Answer answer = call(desk, plan);
    if (answer == Answer::unknown)
        again(desk, plan);
    // Somebody else has the same item on the screen.
    if (dice.percent(plan.verdict == "verify"_L1 ? 50 : m_scene.settings.doubles)) {
        Plan other = answerTo(item, true);
        call(1 - desk, other);
    }
}

QString People::ambiguousVerdict(const ports::ReviewRow &item, bool looks)
{
    Dice &dice = m_scene.dice;
    const QString key = item.evidence.value("key"_L1).toString();
    const bool happened = looks ? m_scene.outside->happened(item.dependency, key) : dice.oneIn(2);
    const model::OperationPolicy *policy = m_scene.stage.operation(
        item.workflow, item.step,
        model::directionFromName(item.direction).value_or(model::Direction::forward));
    if (!m_scene.calm && policy && policy->hasVerify && dice.oneIn(5))
        return u"verify"_s;
    return happened ? u"happened"_s : u"absent"_s;
}

QString People::verdictFor(const QString &kind)
{
    Dice &dice = m_scene.dice;
    if (kind == "compensation_failed"_L1)
        return dice.percent(60) ? u"retry"_s : dice.oneIn(2) ? u"waive"_s : u"dismiss"_s;
    if (kind == "conflict"_L1)
        return dice.percent(20) ? u"retry"_s : dice.oneIn(2) ? u"waive"_s : u"dismiss"_s;
    if (kind == "dead_letter"_L1)
        return dice.percent(30) ? u"retry"_s : u"dismiss"_s;
    return u"dismiss"_s;
}

People::Plan People::answerTo(const ports::ReviewRow &item, bool looks)
{
    Dice &dice = m_scene.dice;
    Plan plan{newRequest(), u"resolve"_s, {}, item.runId, item.id, item.step, {}};
    plan.direction = model::directionFromName(item.direction).value_or(model::Direction::forward);
    plan.arguments = {{u"review"_s, item.id}, {u"reason"_s, u"looked"_s}};
    if (item.kind == "approval"_L1) {
        plan.name = dice.percent(80) ? u"approve"_s : u"reject"_s;
        if (plan.name == "approve"_L1 && item.evidence.contains("hash"_L1))
            plan.arguments.insert(u"hash"_s, item.evidence.value("hash"_L1));
        return plan;
    }
    plan.verdict =
        item.kind == "ambiguous"_L1 ? ambiguousVerdict(item, looks) : verdictFor(item.kind);
    // Now and then an answer that does not fit the question.
    if (!m_scene.calm && dice.oneIn(15))
        plan.verdict = u"waive"_s;
    plan.arguments.insert(u"verdict"_s, plan.verdict);
    if (plan.verdict == "happened"_L1) {
        const QString key = item.evidence.value("key"_L1).toString();
        const QString id = m_scene.outside->idOf(item.dependency, key);
        plan.arguments.insert(u"receipt"_s,
                              QJsonObject{{u"id"_s, id.isEmpty() ? u"by-hand"_s : id}});
    }
    return plan;
}

bool People::isAnythingOpen() const
{
    const auto &db = *m_scene.stage.database;
    return !pick(db.reviews, isOpenItem).isEmpty() || !pick(db.pauses, isInForce).isEmpty() ||
           isAnyBatchOpen();
}

void People::settle()
{
    const auto &db = *m_scene.stage.database;
    for (const ports::PauseRow &row : pick(db.pauses, isInForce)) {
        if (goesOnByItself(row))
            continue;
        Plan plan{newRequest(), u"resume"_s, {}, {}, {}, {}, {}};
        plan.arguments = {{u"reason"_s, u"it is over"_s}, {u"pause"_s, row.id}};
        call(0, plan);
    }
    for (const ports::BreakerRow &row : pick(db.breakers, isNotClosed)) {
        Plan plan{newRequest(), u"breaker"_s, {}, {}, {}, {}, {}};
        plan.arguments = {{u"dependency"_s, row.dependency},
                          {u"state"_s, u"closed"_s},
                          {u"reason"_s, u"it is over"_s}};
        call(0, plan);
    }
    settleBatches();
    for (const ports::ReviewRow &item : pick(db.reviews, isOpenItem))
        call(m_scene.dice.below(2), answerTo(item, true));
}

} // namespace holdfast::simulation
