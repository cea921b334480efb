#include "simulation/noting_store.h"

#include <QScopeGuard>

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;
using namespace ports;

namespace
{
// Whoever chose among more than it could take may choose others elsewhere.
constexpr int claimsMost = 1000;

QString failed(const char *what, const model::Error &error)
{
    return QString::fromLatin1(what) + u" failed: "_s + error.message;
}

template <typename Answer>
QString done(const char *what, const Answer &theirs)
{
    return theirs ? QString() : failed(what, theirs.error());
}

// Rows that come out are compared where they stand, once all is done.
template <typename T>
QString compared(const char *what, const Result<T> &theirs, const Result<T> *ours)
{
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, int> ||
                  std::is_same_v<T, QSet<QString>>) {
        if (theirs && ours && **ours != *theirs)
            return QString::fromLatin1(what) + u" answers otherwise"_s;
    }
    return done(what, theirs);
}

QString compared(const char *what, const Result<StartAnswer> &theirs,
                 const Result<StartAnswer> *ours)
{
    if (theirs && ours &&
        ((*ours)->created != theirs->created || (*ours)->run.runId != theirs->run.runId))
        return u"startRun answers otherwise"_s;
    return done(what, theirs);
}

QString compared(const char *what, const Result<QVector<BreakerRow>> &theirs,
                 const Result<QVector<BreakerRow>> *ours)
{
    for (qsizetype i = 0; theirs && ours && i < (*ours)->size(); ++i) {
        const BreakerRow &row = (*ours)->at(i);
        if (theirs->at(i).dependency != row.dependency || theirs->at(i).state != row.state)
            return u"the breaker of %1 is %2, not %3"_s.arg(row.dependency, theirs->at(i).state,
                                                            row.state);
    }
    return done(what, theirs);
}

QString compared(const char *what, const Result<QVector<KeyAnswer>> &theirs,
                 const Result<QVector<KeyAnswer>> *ours)
{
    for (qsizetype i = 0; theirs && ours && i < (*ours)->size(); ++i) {
        const KeyAnswer &a = (*ours)->at(i);
        const KeyAnswer &b = theirs->at(i);
        if (a.inserted != b.inserted || a.row.status != b.row.status ||
            a.row.runId != b.row.runId || a.row.hash != b.row.hash || a.row.result != b.row.result)
            return u"the key %1 is %2 of %3, not %4 of %5"_s.arg(
                a.row.key, b.row.status, b.row.runId, a.row.status, a.row.runId);
    }
    return done(what, theirs);
}

QString comparedClaims(const QVector<ClaimedRun> &theirs, const QVector<ClaimedRun> &ours,
                       int limit)
{
    QMap<QString, const ClaimedRun *> found;
    for (const ClaimedRun &run : theirs)
        found.insert(run.run.runId, &run);
    for (const ClaimedRun &run : ours) {
        const ClaimedRun *other = found.take(run.run.runId);
        if (!other)
            return u"the run %1 is not to be claimed"_s.arg(run.run.eventId);
        if (other->takenOver != run.takenOver || other->run.fence != run.run.fence ||
            other->journal.size() != run.journal.size())
            return u"the run %1 is claimed otherwise"_s.arg(run.run.eventId);
    }
    // What is due is shared evenly, so that some of it may have been left; but not all of a
    // workflow.
    QSet<QString> seen;
    for (const ClaimedRun &run : ours)
        seen.insert(run.run.workflow);
    for (const ClaimedRun *left : std::as_const(found)) {
        if (ours.size() < limit && !seen.contains(left->run.workflow))
            return u"the run %1 is to be claimed as well"_s.arg(left->run.eventId);
    }
    return {};
}
} // namespace

Result<void> NotingStore::begin()
{
    m_deeds.clear();
    if (m_upcoming)
        m_deeds.append(std::exchange(m_upcoming, {}));
    const auto begun = MemoryStore::begin();
    m_inside = begun.ok();
    return begun;
}

Result<void> NotingStore::commit()
{
    const QVector<Deed> deeds = std::exchange(m_deeds, {});
    const auto committed = MemoryStore::commit();
    if (committed && m_notes && !deeds.isEmpty())
        m_notes->push_back({*MemoryStore::now(), deeds});
    return committed;
}

void NotingStore::rollback()
{
    m_inside = false;
    m_deeds.clear();
    MemoryStore::rollback();
}

template <typename Act, typename Again, typename... Arguments>
std::invoke_result_t<Act> NotingStore::notedAlone(Act act, Again again,
                                                  const Arguments &...arguments)
{
    const auto answer = act();
    if (m_notes && answer) {
        const auto kept = std::make_shared<std::invoke_result_t<Act>>(answer);
        const Deed deed = [=](Store &store) { return again(store, kept.get(), arguments...); };
        m_notes->push_back({*MemoryStore::now(), {deed}});
    }
    return answer;
}

template <typename Act, typename Again, typename... Arguments>
std::invoke_result_t<Act> NotingStore::noted(Act act, Again again, const Arguments &...arguments)
{
    if (!m_notes || m_acting)
        return act();
    m_acting = true;
    const bool isInside = m_inside;
    const auto over = qScopeGuard([this] {
        m_acting = false;
        m_upcoming = {};
    });
    using Answer = std::invoke_result_t<Act>;
    if (!isInside)
        m_upcoming = [=](Store &store) {
            return again(store, static_cast<Answer *>(nullptr), arguments...);
        };
    const Answer answer = act();
    if (isInside && answer) {
        const auto kept = std::make_shared<Answer>(answer);
        m_deeds.append([=](Store &store) { return again(store, kept.get(), arguments...); });
    }
    return answer;
}

// The same to another store: all that is to be compared is whether it went as it did here.
#define AGAIN(METHOD)                                                                              \
    [](Store &store, auto *ours, const auto &...arguments) {                                       \
        return compared(#METHOD, store.METHOD(arguments...), ours);                                \
    }

Result<QVector<BreakerRow>> NotingStore::lockBreakers(const QStringList &names)
{
    return noted([&] { return MemoryStore::lockBreakers(names); }, AGAIN(lockBreakers), names);
}

Result<QVector<ClaimedRun>> NotingStore::claim(const ClaimRequest &request)
{
    return noted(
        [&] { return MemoryStore::claim(request); },
        [](Store &store, const Result<QVector<ClaimedRun>> *ours, ClaimRequest asked) -> QString {
            const int limit = std::exchange(asked.limit, claimsMost);
            const auto theirs = store.claim(asked);
            return theirs ? comparedClaims(*theirs, **ours, limit)
                          : failed("claim", theirs.error());
        },
        request);
}

Result<QVector<KeyAnswer>> NotingStore::claimKeys(const QVector<KeyClaim> &claims)
{
    return noted([&] { return MemoryStore::claimKeys(claims); }, AGAIN(claimKeys), claims);
}

Result<QSet<QString>> NotingStore::write(const TurnWrites &writes)
{
    return noted([&] { return MemoryStore::write(writes); }, AGAIN(write), writes);
}

Result<bool> NotingStore::swapQuotas(const QVector<QuotaRow> &rows)
{
    return notedAlone([&] { return MemoryStore::swapQuotas(rows); }, AGAIN(swapQuotas), rows);
}

Result<void> NotingStore::reclaimQuotas(const QStringList &names)
{
    return notedAlone([&] { return MemoryStore::reclaimQuotas(names); }, AGAIN(reclaimQuotas),
                      names);
}

Result<WorkerRow> NotingStore::registerWorker(const WorkerRow &worker, Millis lease)
{
    return noted([&] { return MemoryStore::registerWorker(worker, lease); }, AGAIN(registerWorker),
                 worker, lease);
}

Result<Instant> NotingStore::renewLease(const QString &worker, Millis lease, const QString &state)
{
    return noted([&] { return MemoryStore::renewLease(worker, lease, state); }, AGAIN(renewLease),
                 worker, lease, state);
}

Result<StartAnswer> NotingStore::startRun(const NewRun &run)
{
    return noted([&] { return MemoryStore::startRun(run); }, AGAIN(startRun), run);
}

Result<bool> NotingStore::addCommand(const CommandRow &command)
{
    return noted([&] { return MemoryStore::addCommand(command); }, AGAIN(addCommand), command);
}

Result<bool> NotingStore::decideReview(const ReviewDecision &decision)
{
    return noted([&] { return MemoryStore::decideReview(decision); }, AGAIN(decideReview),
                 decision);
}

Result<PauseRow> NotingStore::addPause(const PauseRow &pause)
{
    return noted([&] { return MemoryStore::addPause(pause); }, AGAIN(addPause), pause);
}

Result<QVector<PauseRow>> NotingStore::liftPauses(const QString &scope, const QString &target,
                                                  const QString &depth, const PauseRow &lifted)
{
    return noted([&] { return MemoryStore::liftPauses(scope, target, depth, lifted); },
                 AGAIN(liftPauses), scope, target, depth, lifted);
}

Result<void> NotingStore::setRamp(const PauseRow &pause, const QString &wakeUpTo)
{
    return noted([&] { return MemoryStore::setRamp(pause, wakeUpTo); }, AGAIN(setRamp), pause,
                 wakeUpTo);
}

Result<void> NotingStore::setBreaker(const BreakerRow &breaker)
{
    return noted([&] { return MemoryStore::setBreaker(breaker); }, AGAIN(setBreaker), breaker);
}

Result<void> NotingStore::addReview(const ReviewRow &review)
{
    return noted([&] { return MemoryStore::addReview(review); }, AGAIN(addReview), review);
}

Result<void> NotingStore::appendAudit(AuditRow row)
{
    return noted([&] { return MemoryStore::appendAudit(row); }, AGAIN(appendAudit), row);
}

// In memory there is nothing to add up.
Result<int> NotingStore::sumHours(Instant until, int most)
{
    return notedAlone([&] { return MemoryStore::sumHours(until, most); },
                      [](Store &store, const Result<int> *, Instant end, int hours) {
                          return done("sumHours", store.sumHours(end, hours));
                      },
                      until, most);
}

Result<int> NotingStore::sweepLedger(Instant now, int limit)
{
    return noted([&] { return MemoryStore::sweepLedger(now, limit); }, AGAIN(sweepLedger), now,
                 limit);
}

Result<bool> NotingStore::startBatch(const BatchRow &batch, const QVector<BatchItemRow> &items)
{
    return noted([&] { return MemoryStore::startBatch(batch, items); }, AGAIN(startBatch), batch,
                 items);
}

Result<bool> NotingStore::setBatchState(const BatchRow &batch, const QString &by, Instant at)
{
    return noted([&] { return MemoryStore::setBatchState(batch, by, at); }, AGAIN(setBatchState),
                 batch, by, at);
}

Result<void> NotingStore::settleBatchItems()
{
    return noted([&] { return MemoryStore::settleBatchItems(); }, AGAIN(settleBatchItems));
}

Result<bool> NotingStore::takeBatchItem(const BatchRow &batch, const BatchItemRow &item, Instant at)
{
    return noted([&] { return MemoryStore::takeBatchItem(batch, item, at); }, AGAIN(takeBatchItem),
                 batch, item, at);
}

} // namespace holdfast::simulation
