#include "simulation/simulated_worker.h"

#include "simulation/stage.h"

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;

namespace
{
// Longer than in the product, so that an idle hour costs few turns; the proportions are the same.
constexpr Millis leaseTime = 3 * model::minute;
constexpr Millis renewTime = 54 * model::second;
constexpr Millis pollTime = 2 * model::minute;
constexpr Millis rampTime = 20 * model::second;
constexpr Millis batchTime = 10 * model::second;
constexpr Millis frozenMost = 10 * model::minute;
constexpr int smallestConcurrency = 2;
} // namespace

SimulatedWorker::SimulatedWorker(int number, Scene &scene) : m_scene(scene), m_number(number) {}

SimulatedWorker::~SimulatedWorker() = default;

void SimulatedWorker::boot()
{
    ++m_life;
    m_name = u"w%1.%2"_s.arg(m_number).arg(m_life);
    m_store = std::make_unique<FaultyStore>(m_name, m_scene.agenda.clock(), m_scene.stage.database);
    m_store->enter(&m_scene);
    m_store->setMayDie(true);
    runtime::WorkerOptions options;
    options.id = m_name;
    options.lease = leaseTime;
    options.renewEvery = renewTime;
    options.pollEvery = pollTime;
    options.rampEvery = rampTime;
    options.batchEvery = batchTime;
    options.concurrency = smallestConcurrency + m_scene.dice.below(20);
    m_routine =
        std::make_unique<runtime::Routine>(*m_store, m_scene.stage.catalog, *this,
                                           m_scene.agenda.clock(), options, m_scene.stage.answers);
    m_scene.note(m_name, u"is up"_s);
    schedule(m_scene.now());
}

void SimulatedWorker::die(const QString &why)
{
    if (!isUp())
        return;
    m_scene.note(m_name, u"DIES: "_s + why);
    ++m_scene.record.figures.crashes;
    m_routine.reset();
    m_store.reset();
    m_inbox.clear();
    m_told.clear();
    m_unsent.clear();
    m_frozenUntil = model::never;
    m_passAt = model::never;
    const int life = m_life;
    m_scene.agenda.in(m_scene.dice.between(1, 4 * model::minute), [this, life] {
        if (life == m_life)
            boot();
    });
}

void SimulatedWorker::freeze(Millis time)
{
    if (!isUp() || isFrozen())
        return;
    m_scene.note(m_name, u"FREEZES for %1 s"_s.arg(time / model::second));
    ++m_scene.record.figures.freezes;
    m_frozenUntil = m_scene.now() + time;
    const int life = m_life;
    m_scene.agenda.at(m_frozenUntil, [this, life] {
        if (life == m_life && isUp())
            thaw();
    });
}

// What it had in hand leaves now, unless it looks at its clock first.
void SimulatedWorker::thaw()
{
    m_scene.note(m_name, u"thaws"_s);
    m_frozenUntil = model::never;
    for (const int sent : std::exchange(m_unsent, {}))
        leave(sent);
    schedule(m_scene.now());
}

void SimulatedWorker::loseConnection()
{
    if (!isUp())
        return;
    m_scene.note(m_name, u"loses its idle connection"_s);
    m_store->lose();
}

void SimulatedWorker::look()
{
    if (isUp() && !isFrozen())
        schedule(m_scene.now() + 1);
}

void SimulatedWorker::schedule(Instant at)
{
    if (m_passAt != model::never && m_passAt <= at)
        return;
    m_passAt = at;
    const int life = m_life;
    m_scene.agenda.at(at, [this, life, at] {
        if (life == m_life && m_passAt == at)
            pass();
    });
}

void SimulatedWorker::countTurn()
{
    Figures &figures = m_scene.record.figures;
    ++figures.turns;
    const Instant second = m_scene.now() / model::second;
    m_turnsInIt = second == m_second ? m_turnsInIt + 1 : 1;
    m_second = second;
    figures.turnsInASecond = std::max(figures.turnsInASecond, m_turnsInIt);
}

void SimulatedWorker::pass()
{
    if (m_passing)
        return;
    m_passAt = model::never;
    if (!isUp() || isFrozen())
        return;
    m_passing = true;
    Millis wait = 0;
    try {
        m_routine->add(std::exchange(m_inbox, {}));
        if (const auto ready = m_routine->getReady(); ready) {
            countTurn();
            const auto report = m_routine->turn();
            if (report) {
                for (const int sent : std::exchange(m_told, {}))
                    m_scene.record.sent[sent].reachedTurn = true;
                m_routine->sweep();
            } else {
                judge(report.error());
            }
        } else {
            judge(ready.error());
        }
        wait = m_routine->wait();
    } catch (const Died &) {
        m_passing = false;
        die(u"in the middle of it"_s);
        return;
    }
    m_passing = false;
    if (!isFrozen())
        schedule(m_scene.now() + std::max<Millis>(wait, 1));
}

// The simulation's database loses connections; it never finds a row wrong by itself.
void SimulatedWorker::judge(const model::Error &error)
{
    switch (error.kind) {
    case model::ErrorKind::lost:
    case model::ErrorKind::busy:
    case model::ErrorKind::unknownOutcome: return;
    case model::ErrorKind::invalid:
    case model::ErrorKind::notFound:
    case model::ErrorKind::conflict:
    case model::ErrorKind::refused:
    case model::ErrorKind::full:
    case model::ErrorKind::corrupt:
    case model::ErrorKind::unsupported: break;
    }
    m_scene.record.violation(u"store"_s, u"%1: %2"_s.arg(m_name, error.message));
}

void SimulatedWorker::send(const model::Call &call)
{
    Record &record = m_scene.record;
    const int sent = int(record.sent.size());
    SentCall entry;
    entry.order = record.next();
    entry.at = m_scene.now();
    entry.worker = m_name;
    entry.call = call;
    record.sent.append(entry);
    if (isFrozen()) {
        m_unsent.append(sent);
        return;
    }
    if (m_scene.strikes(m_scene.settings.crashAtSend)) {
        if (m_scene.dice.oneIn(2))
            leave(sent);
        throw Died();
    }
    if (m_scene.strikes(m_scene.settings.freezeAtSend)) {
        record.sent[sent].pastLastCheck = m_scene.strikes(m_scene.settings.pastCheck);
        m_unsent.append(sent);
        freeze(m_scene.dice.between(model::second, frozenMost));
        return;
    }
    leave(sent);
}

void SimulatedWorker::leave(int sent)
{
    SentCall &entry = m_scene.record.sent[sent];
    const int life = m_life;
    const Millis until = entry.call.sendBeforeMonotonic;
    const bool late = until != 0 && m_scene.now() > until;
    if (late && !entry.pastLastCheck) {
        Outside::Result tooLate;
        tooLate.told = Told::notSent;
        tooLate.result.runId = entry.call.runId;
        tooLate.result.step = entry.call.step;
        tooLate.result.direction = entry.call.direction;
        tooLate.result.attempt = entry.call.attempt;
        tooLate.result.fence = entry.call.fence;
        tooLate.result.sent = false;
        tooLate.result.error = u"too_late"_s;
        tooLate.result.status = -1;
        hear(life, sent, tooLate);
        return;
    }
    entry.pastLastCheck = late;
    entry.leftAt = m_scene.now();
    m_scene.outside->take(
        sent, [this, life, sent](const Outside::Result &result) { hear(life, sent, result); });
}

void SimulatedWorker::hear(int life, int sent, const Outside::Result &result)
{
    if (life != m_life || !isUp())
        return;
    SentCall &entry = m_scene.record.sent[sent];
    entry.told = result.told;
    entry.toldOrder = m_scene.record.next();
    entry.toldAt = m_scene.now();
    entry.status = result.result.status;
    m_inbox.append(result.result);
    m_told.append(sent);
    if (!isFrozen())
        schedule(m_scene.now() + m_scene.dice.below(3));
}

} // namespace holdfast::simulation
