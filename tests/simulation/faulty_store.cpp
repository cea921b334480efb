#include "simulation/faulty_store.h"

#include "model/entry.h"

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using namespace ports;
using model::Error;
using model::ErrorKind;
using model::Result;

namespace
{
QString told(const GateMove &move)
{
    const QString what =
        u" %1 %2 (%3)"_s.arg(move.pause.scope, move.pause.target, move.pause.depth);
    switch (move.kind) {
    case GateMove::Kind::paused: return u"PAUSES"_s + what;
    case GateMove::Kind::ramped: return u"RAMPS"_s + what + u' ' + move.pause.ramp;
    case GateMove::Kind::lifted: return u"RESUMES"_s + what;
    case GateMove::Kind::breaker:
        return u"forces the breaker of %1 %2"_s.arg(move.breaker.dependency, move.breaker.state);
    }
    Q_UNREACHABLE();
}
} // namespace

Instant FaultyStore::s_awayUntil = model::never;

void FaultyStore::enter(Scene *scene)
{
    rollback();
    m_scene = scene;
    m_lost = false;
    m_failedInside = false;
    m_moves.clear();
    m_acts.clear();
    m_batchesMoved.clear();
    noteTo(scene ? scene->notes : nullptr);
}

bool FaultyStore::breaks(int perMille) { return m_scene && m_scene->strikes(perMille); }

Error FaultyStore::gone(ErrorKind kind)
{
    if (m_scene)
        m_scene->note(m_who, u"the connection is lost"_s);
    rollback();
    m_lost = true;
    m_failedInside = true;
    return {kind, u"the connection is lost"_s};
}

// Of one statement. A database that refuses one may well take the next; whoever goes on then
// commits half of what it meant.
std::optional<Error> FaultyStore::failure()
{
    if (!isOpen() || (m_scene && breaks(m_scene->settings.lostInside)))
        return gone();
    if (!m_inside || !m_scene || !breaks(m_scene->settings.refusedInside))
        return std::nullopt;
    m_scene->note(m_who, u"a statement is refused"_s);
    m_failedInside = true;
    return Error{ErrorKind::busy, u"the statement was refused"_s};
}

Result<void> FaultyStore::open()
{
    if (m_scene && !m_scene->calm && m_scene->now() < s_awayUntil)
        return Error{ErrorKind::lost, u"the run database is away"_s};
    m_lost = false;
    return NotingStore::open();
}

Result<void> FaultyStore::begin()
{
    if (!isOpen())
        return Error{ErrorKind::lost, u"the run database is not open"_s};
    if (m_scene && !m_scene->calm && m_scene->now() < s_awayUntil)
        return gone();
    if (m_scene && breaks(m_scene->settings.lostAtBegin))
        return gone();
    if (m_scene && m_scene->between)
        m_scene->between(m_who);
    m_journalBefore = qint64(database()->journal.size());
    m_moves.clear();
    m_acts.clear();
    m_batchesMoved.clear();
    m_claimed.clear();
    m_failedInside = false;
    const auto begun = NotingStore::begin();
    m_inside = begun.ok();
    return begun;
}

void FaultyStore::rollback()
{
    m_inside = false;
    m_moves.clear();
    m_acts.clear();
    m_batchesMoved.clear();
    NotingStore::rollback();
}

Result<void> FaultyStore::commit()
{
    if (!m_scene)
        return NotingStore::commit();
    if (m_failedInside)
        m_scene->record.violation(
            u"I25"_s, u"%1 commits although it could not read or write all"_s.arg(m_who));
    const Settings &settings = m_scene->settings;
    if (m_mayDie && breaks(settings.crashAtCommit)) {
        const bool took = m_scene->dice.oneIn(2);
        m_scene->note(m_who, took ? u"dies after its commit"_s : u"dies before its commit"_s);
        if (took) {
            witness();
            const auto committed = NotingStore::commit();
            Q_UNUSED(committed);
        }
        throw Died();
    }
    if (breaks(settings.refusedCommit)) {
        rollback();
        return Error{ErrorKind::busy, u"could not serialise"_s};
    }
    if (breaks(settings.lostAtCommit)) {
        if (m_scene->dice.oneIn(2)) {
            m_scene->note(m_who, u"loses the connection after its commit took"_s);
            witness();
            const auto committed = NotingStore::commit();
            Q_UNUSED(committed);
            m_lost = true;
            return Error{ErrorKind::unknownOutcome, u"lost during commit"_s};
        }
        m_scene->note(m_who, u"loses the connection before its commit took"_s);
        rollback();
        m_lost = true;
        return Error{ErrorKind::unknownOutcome, u"lost during commit"_s};
    }
    witness();
    return NotingStore::commit();
}

// What this transaction adds is about to be true for all.
void FaultyStore::witness()
{
    Record &record = m_scene->record;
    const int order = record.next();
    ++record.figures.commits;
    const qint64 after = qint64(database()->journal.size());
    for (GateMove &move : m_moves) {
        move.order = order;
        move.at = m_scene->now();
        record.gates.append(move);
        if (record.traces)
            m_scene->note(m_who, told(move));
    }
    m_moves.clear();
    witnessActs();
    if (after > m_journalBefore)
        record.commits.append({order, m_scene->now(), m_who, m_journalBefore + 1, after + 1});
    if (!record.traces)
        return;
    for (qint64 i = m_journalBefore; i < after; ++i)
        traceRow(database()->journal.at(size_t(i)));
}

void FaultyStore::traceRow(const JournalRow &row) const
{
    const auto run = database()->runs.find(row.runId);
    const QString name = run == database()->runs.end() ? row.runId : run->second.eventId;
    QStringList parts;
    const auto entries = model::entriesFromJson(row.entries);
    for (const model::Entry &entry : entries) {
        QString text = model::entryKindName(entry.kind);
        if (!entry.step.isEmpty())
            text += u' ' + entry.step;
        if (entry.direction != model::Direction::forward)
            text += u' ' + model::directionName(entry.direction);
        if (entry.attempt > 0)
            text += u"#%1"_s.arg(entry.attempt);
        if (!entry.reason.isEmpty())
            text += u" (%1)"_s.arg(entry.reason);
        if (entry.runStatus)
            text += u' ' + model::runStatusName(*entry.runStatus);
        if (!entry.actor.isEmpty())
            text += u" by "_s + entry.actor;
        parts.append(text);
    }
    m_scene->note(m_who,
                  u"%1 [%2 f%3] %4"_s.arg(name).arg(row.seq).arg(row.fence).arg(parts.join(u"; ")));
}

Result<Instant> FaultyStore::now()
{
    return isOpen() ? NotingStore::now() : Result<Instant>(gone());
}

Result<GateRows> FaultyStore::lockGates(const QString &worker)
{
    if (const auto failed = failure())
        return *failed;
    return NotingStore::lockGates(worker);
}

Result<QVector<BreakerRow>> FaultyStore::lockBreakers(const QStringList &names)
{
    if (const auto failed = failure())
        return *failed;
    return NotingStore::lockBreakers(names);
}

Result<QVector<ClaimedRun>> FaultyStore::claim(const ClaimRequest &request)
{
    if (const auto failed = failure())
        return *failed;
    auto claimed = NotingStore::claim(request);
    if (claimed && m_scene) {
        for (const ClaimedRun &run : *claimed) {
            m_scene->record.figures.takeovers += run.takenOver ? 1 : 0;
            m_claimed.insert(run.run.runId);
        }
    }
    return claimed;
}

Result<QVector<KeyAnswer>> FaultyStore::claimKeys(const QVector<KeyClaim> &claims)
{
    if (const auto failed = failure())
        return *failed;
    return NotingStore::claimKeys(claims);
}

Result<QSet<QString>> FaultyStore::write(const TurnWrites &writes)
{
    if (const auto failed = failure())
        return *failed;
    if (!m_scene)
        return NotingStore::write(writes);
    QMap<QString, QString> holders;
    for (const CommandRow &command : writes.commandsApplied) {
        const auto run = database()->runs.find(command.runId);
        if (run != database()->runs.end() && !m_claimed.contains(command.runId))
            holders.insert(command.runId, run->second.worker);
    }
    const auto fenced = NotingStore::write(writes);
    for (auto holder = holders.cbegin(); fenced && holder != holders.cend(); ++holder) {
        if (*holder != m_who && !fenced->contains(holder.key()))
            m_scene->record.violation(u"I9"_s,
                                      u"%1 settles a decision on a run that %2 holds"_s.arg(
                                          m_who, holder->isEmpty() ? u"nobody"_s : *holder));
    }
    return fenced;
}

std::optional<Error> FaultyStore::quotaFailure()
{
    if (!m_scene || !breaks(m_scene->settings.lostInside))
        return std::nullopt;
    m_scene->note(m_who, u"the connection for the quotas is lost"_s);
    m_failedInside = m_inside;
    return Error{ErrorKind::lost, u"the connection for the quotas is lost"_s};
}

Result<QVector<QuotaRow>> FaultyStore::quotas(const QStringList &names)
{
    if (const auto failed = quotaFailure())
        return *failed;
    return NotingStore::quotas(names);
}

// It may have taken although the answer is lost.
Result<bool> FaultyStore::swapQuotas(const QVector<QuotaRow> &rows)
{
    if (const auto failed = quotaFailure()) {
        if (m_scene->dice.oneIn(2)) {
            const auto swapped = NotingStore::swapQuotas(rows);
            Q_UNUSED(swapped);
        }
        return *failed;
    }
    if (m_scene && breaks(m_scene->settings.refusedInside)) {
        m_scene->note(m_who, u"somebody else was quicker with a quota"_s);
        return false;
    }
    return NotingStore::swapQuotas(rows);
}

Result<void> FaultyStore::reclaimQuotas(const QStringList &names)
{
    if (const auto failed = quotaFailure())
        return *failed;
    return NotingStore::reclaimQuotas(names);
}

Result<Instant> FaultyStore::nextDue()
{
    return isOpen() ? NotingStore::nextDue() : Result<Instant>(gone());
}

// A gate that is moved outside a transaction is moved in one of its own.
template <typename T>
Result<T> FaultyStore::moving(const std::function<Result<T>()> &move)
{
    if (m_inside || !m_scene)
        return move();
    if (const auto begun = begin(); !begun)
        return begun.error();
    Result<T> moved = move();
    if (!moved) {
        rollback();
        return moved;
    }
    if (const auto committed = commit(); !committed)
        return committed.error();
    return moved;
}

Result<PauseRow> FaultyStore::addPause(const PauseRow &pause)
{
    return moving<PauseRow>([&]() -> Result<PauseRow> {
        auto added = NotingStore::addPause(pause);
        if (added)
            m_moves.append({0, model::never, GateMove::Kind::paused, *added, {}});
        return added;
    });
}

Result<QVector<PauseRow>> FaultyStore::liftPauses(const QString &scope, const QString &target,
                                                  const QString &depth, const PauseRow &lifted)
{
    return moving<QVector<PauseRow>>([&]() -> Result<QVector<PauseRow>> {
        auto rows = NotingStore::liftPauses(scope, target, depth, lifted);
        if (rows) {
            for (const PauseRow &row : *rows)
                m_moves.append({0, model::never, GateMove::Kind::lifted, row, {}});
        }
        return rows;
    });
}

Result<QVector<PauseRow>> FaultyStore::lockPauses()
{
    if (const auto failed = failure())
        return *failed;
    return NotingStore::lockPauses();
}

Result<void> FaultyStore::setRamp(const PauseRow &pause, const QString &wakeUpTo)
{
    if (const auto failed = failure())
        return *failed;
    const auto set = NotingStore::setRamp(pause, wakeUpTo);
    if (set)
        m_moves.append({0, model::never, GateMove::Kind::ramped, pause, {}});
    return set;
}

Result<void> FaultyStore::setBreaker(const BreakerRow &breaker)
{
    if (const auto failed = failure())
        return *failed;
    const auto set = moving<bool>([&]() -> Result<bool> {
        if (const auto stored = NotingStore::setBreaker(breaker); !stored)
            return stored.error();
        m_moves.append({0, model::never, GateMove::Kind::breaker, {}, breaker});
        return true;
    });
    return set ? Result<void>() : Result<void>(set.error());
}

// B4: a key that an open run needs does not expire.
Result<int> FaultyStore::sweepLedger(Instant now, int limit)
{
    std::set<store::MemoryDatabase::Pair> expired;
    for (const auto &[key, row] : database()->ledger) {
        if (row.status == "expired"_L1)
            expired.insert(key);
    }
    auto swept = NotingStore::sweepLedger(now, limit);
    if (!m_scene || !swept || *swept == 0)
        return swept;
    for (const auto &[key, row] : database()->ledger) {
        const auto run = database()->runs.find(row.runId);
        const bool isOpen = run != database()->runs.end() && !model::isFinal(run->second.status);
        if (isOpen && row.status == "expired"_L1 && !expired.count(key))
            m_scene->record.violation(u"B4"_s,
                                      u"the key %1 expired while its run is open"_s.arg(key.first));
    }
    return swept;
}

Result<QVector<JournalRow>> FaultyStore::journal(const QString &runId)
{
    return isOpen() ? NotingStore::journal(runId) : Result<QVector<JournalRow>>(gone());
}

Result<QVector<JournalRow>> FaultyStore::journalAfter(qint64 id, int limit)
{
    if (const auto failed = failure())
        return *failed;
    return NotingStore::journalAfter(id, limit);
}

Result<QVector<PauseRow>> FaultyStore::pauses(bool onlyActive)
{
    return isOpen() ? NotingStore::pauses(onlyActive) : Result<QVector<PauseRow>>(gone());
}

Result<std::optional<CommandRow>> FaultyStore::command(const QString &id)
{
    return isOpen() ? NotingStore::command(id) : Result<std::optional<CommandRow>>(gone());
}

} // namespace holdfast::simulation
