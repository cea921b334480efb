#include "simulation/simulation.h"

#include "model/ids.h"
#include "simulation/checkers/checker.h"

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;

namespace
{
constexpr Instant firstMorning = 1'800'000'000'000;
constexpr Millis roundTime = 4 * model::minute; // how often people look in the calm
constexpr int roundsMost = 60;
constexpr int turnsInASecondMost = 400;
constexpr size_t rowsOfARunMost = 250; // more than twice what a run writes on the worst of days

quint64 mixed(quint64 hash, QByteArrayView bytes)
{
    for (const char byte : bytes)
        hash = (hash ^ quint8(byte)) * 1099511628211ULL;
    return hash;
}
} // namespace

Simulation::Simulation(Stage &stage, quint64 seed, bool traces, Notes *notes)
    : m_seed(seed), m_scene{stage, stage.agenda, m_record, {}, Dice(seed), {}, {}, {}, {}, {}},
      m_outside(m_scene), m_people(m_scene)
{
    m_record.traces = traces;
    m_record.began = firstMorning;
    stage.agenda.begin(firstMorning);
    model::seedIds(seed);
    m_scene.settings = settingsFor(m_scene.dice, seed);
    m_scene.outside = &m_outside;
    m_scene.between = [this](const QString &who) { somebodyElse(who); };
    m_scene.hint = [this] { hint(); };
    m_scene.notes = notes;
    FaultyStore::awayUntil(model::never);
    stage.reset(&m_scene);
}

Simulation::~Simulation()
{
    m_workers.clear();
    m_scene.stage.reset(nullptr);
}

Verdict Simulation::run()
{
    plan();
    const Instant faultsEnd = firstMorning + m_scene.settings.faultsFor;
    while (!goesRound() && m_scene.agenda.step(faultsEnd)) {
    }
    calmDown();
    m_record.figures.simulated = m_scene.now() - firstMorning;
    if (!isQuiet())
        m_record.violation(
            u"I18"_s, u"after %1 minutes of calm %2"_s.arg(roundsMost * roundTime / model::minute)
                          .arg(whatGoesOn()));
    if (goesRound())
        m_record.violation(u"I18"_s, u"a worker turns %1 times a second, %2 rows are written"_s
                                         .arg(m_record.figures.turnsInASecond)
                                         .arg(m_scene.stage.database->journal.size()));
    m_record.violations += checkAll(m_scene);
    return {m_seed, historyHash(), m_record.violations, m_record.trace, m_record.figures};
}

void Simulation::plan()
{
    const Settings &settings = m_scene.settings;
    Dice &dice = m_scene.dice;
    const auto someTime = [&] { return firstMorning + dice.between(0, settings.faultsFor); };
    for (int i = 0; i < settings.workers; ++i)
        m_workers.push_back(std::make_unique<SimulatedWorker>(i + 1, m_scene));
    for (const auto &worker : m_workers) {
        const bool waits = settings.storm && worker != m_workers.front();
        m_scene.agenda.at(firstMorning + (waits ? model::minute : 0),
                          [&worker] { worker->boot(); });
    }
    if (settings.storm)
        m_outside.closeService(u"kiosk"_s, firstMorning + 20 * model::second);
    // Some at once, so that they meet; the others over the time of faults.
    for (int i = 0; i < settings.runs; ++i) {
        const bool atOnce = settings.storm || dice.percent(60);
        const Instant at =
            firstMorning + (atOnce ? dice.below(2000) : dice.between(0, 20 * model::minute));
        m_scene.agenda.at(at, [this, i] { m_people.start(i); });
    }
    for (int i = 0; i < settings.acts; ++i)
        m_scene.agenda.at(someTime(), [this] { m_people.actSomehow(m_scene.dice.below(2)); });
    for (int i = 0; i < settings.batches; ++i)
        m_scene.agenda.at(someTime(), [this] { m_people.planBatch(m_scene.dice.below(2)); });
    planTrouble();
}

// What goes wrong at a certain time, whatever is under way then.
void Simulation::planTrouble()
{
    const Settings &settings = m_scene.settings;
    Dice &dice = m_scene.dice;
    const auto someTime = [&] { return firstMorning + dice.between(0, settings.faultsFor); };
    const auto someWorker = [this]() -> SimulatedWorker & {
        return *m_workers[size_t(m_scene.dice.below(int(m_workers.size())))];
    };
    for (int i = 0; i < settings.crashes; ++i) {
        m_scene.agenda.at(someTime(), [this, someWorker] {
            ++m_record.figures.faults;
            someWorker().die(u"between turns"_s);
        });
    }
    for (int i = 0; i < settings.freezes; ++i) {
        m_scene.agenda.at(someTime(), [this, someWorker] {
            ++m_record.figures.faults;
            someWorker().freeze(m_scene.dice.between(model::second, 8 * model::minute));
        });
    }
    for (int i = 0; i < settings.drops; ++i) {
        m_scene.agenda.at(someTime(), [this, someWorker] {
            ++m_record.figures.faults;
            someWorker().loseConnection();
        });
    }
    for (int i = 0; i < settings.outages; ++i) {
        m_scene.agenda.at(someTime(), [this] {
            const QString service = Outside::services().at(m_scene.dice.below(5));
            m_scene.note(service, u"is AWAY"_s);
            ++m_record.figures.faults;
            m_outside.closeService(
                service, m_scene.now() + m_scene.dice.between(model::second, 5 * model::minute));
        });
    }
    for (int i = 0; i < settings.away; ++i) {
        m_scene.agenda.at(someTime(), [this] {
            m_scene.note(u"database"_s, u"is AWAY"_s);
            ++m_record.figures.faults;
            FaultyStore::awayUntil(m_scene.now() +
                                   m_scene.dice.between(model::second, 3 * model::minute));
        });
    }
}

void Simulation::hint()
{
    if (m_scene.dice.percent(m_scene.settings.hintLost))
        return;
    m_workers[size_t(m_scene.dice.below(int(m_workers.size())))]->look();
}

// A transaction is about to begin; another process gets in before it.
void Simulation::somebodyElse(const QString &who)
{
    if (m_depth > 0 || m_scene.calm || m_scene.settings.between == 0 ||
        !m_scene.dice.permille(m_scene.settings.between))
        return;
    ++m_depth;
    if (m_scene.dice.oneIn(2)) {
        SimulatedWorker &worker = *m_workers[size_t(m_scene.dice.below(int(m_workers.size())))];
        if (worker.name() != who && !worker.isBusy())
            worker.pass();
    } else {
        m_people.actSomehow(who == "ada"_L1 ? 1 : 0);
    }
    --m_depth;
}

bool Simulation::isQuiet() const
{
    const auto &db = *m_scene.stage.database;
    for (const auto &[id, run] : db.runs) {
        if (!model::isFinal(run.status))
            return false;
    }
    return db.pendingCommands.empty() && db.owned.empty() && !m_people.isAnythingOpen();
}

bool Simulation::goesRound() const
{
    return m_record.figures.turnsInASecond > turnsInASecondMost ||
           m_scene.stage.database->journal.size() > size_t(m_scene.settings.runs) * rowsOfARunMost;
}

QString Simulation::whatGoesOn() const
{
    const auto &db = *m_scene.stage.database;
    QStringList parts;
    for (const auto &[id, run] : db.runs) {
        if (!model::isFinal(run.status))
            parts.append(
                u"%1 is %2 (%3)"_s.arg(run.eventId, model::runStatusName(run.status), run.reason));
    }
    for (const auto &[at, id] : db.pendingCommands)
        parts.append(u"command %1 waits for run %2"_s.arg(db.commands.at(id).name,
                                                          db.commands.at(id).runId));
    for (const auto &[id, item] : db.reviews) {
        if (item.decidedAt == model::never)
            parts.append(u"item %1 (%2) is open"_s.arg(id, item.kind));
    }
    for (const auto &[id, batch] : db.batches) {
        parts.append(u"batch %1 is %2, %3 of %4 taken"_s.arg(id, batch.state)
                         .arg(batch.taken)
                         .arg(batch.chosen));
    }
    return parts.join(u", ");
}

// The faults stop, frozen workers thaw when their time comes, and people answer what they are
// asked.
void Simulation::calmDown()
{
    m_scene.note(u"CALM"_s, u"the faults have stopped"_s);
    m_scene.calm = true;
    for (int round = 0; round < roundsMost; ++round) {
        m_people.settle();
        const Instant until = m_scene.now() + roundTime;
        while (!goesRound() && m_scene.agenda.step(until)) {
        }
        if (isQuiet() || goesRound())
            return;
    }
}

quint64 Simulation::historyHash() const
{
    quint64 hash = 14695981039346656037ULL;
    for (const ports::JournalRow &row : m_scene.stage.database->journal) {
        hash = mixed(hash, row.runId.toLatin1());
        hash = mixed(hash, row.worker.toLatin1());
        hash = mixed(hash, row.entries);
    }
    for (const Arrival &arrival : m_record.arrivals) {
        hash = mixed(hash, arrival.key.toLatin1());
        hash = mixed(hash, QByteArray::number(arrival.at * 2 + int(arrival.effect)));
    }
    for (const ports::AuditRow &row : m_scene.stage.database->audit)
        hash = mixed(hash, row.hash.toLatin1());
    return mixed(hash, QByteArray::number(m_record.order()));
}

} // namespace holdfast::simulation
