#include "runtime/routine.h"

#include "model/ids.h"
#include "model/json.h"
#include "runtime/batch_watch.h"
#include "runtime/ramp_watch.h"
#include "runtime/tripwire_watch.h"

#include <QSysInfo>

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace holdfast::runtime
{

namespace
{
constexpr model::Millis reopenMax = 5 * model::second;
constexpr model::Millis reopenFirst = 100;
constexpr model::Millis sweepEvery = model::minute;
constexpr int sweepMax = 1000;
constexpr model::Millis hourSettledAfter = 5 * model::minute; // a slow writer is late by less
constexpr int hoursAtOnce = 6;
constexpr model::Millis spaceEvery = model::second;
constexpr model::Millis rememberEvery = 3 * model::second;
constexpr model::Millis jumpLeast = 2 * model::second;
} // namespace

Routine::Routine(ports::Store &store, Catalog &catalog, ports::Sender &sender,
                 const ports::Clock &clock, WorkerOptions options, std::shared_ptr<Answers> answers)
    : m_store(store), m_catalog(catalog), m_clock(clock), m_options(std::move(options)),
      m_turn(store, catalog, sender, clock,
             TurnOptions{.worker = m_options.id,
                         .concurrency = m_options.concurrency,
                         .telemetry = m_options.telemetry},
             std::move(answers)),
      m_memory(m_options.memoryFile)
{
    if (m_options.courier)
        m_alerts.emplace(store, *m_options.courier);
}

void Routine::drain()
{
    if (!std::exchange(m_isDraining, true))
        m_renewedAt = 0; // others see at once that this worker is leaving
    setGoing();
}

void Routine::setGoing()
{
    const bool goes = !m_isDraining && !m_isShort && m_misfit.isEmpty();
    m_turn.setClaiming(goes);
    m_turn.setMaySend(goes);
}

// The reserve is given up once, for what is under way. New work waits until it can be had again,
// which takes twice its size, so that the two do not take turns.
void Routine::saveSpace()
{
    m_store.releaseReserve();
    m_isShort = true;
    m_spaceSeenAt = m_clock.monotonic();
    setGoing();
}

void Routine::lookForSpace()
{
    if (!m_isShort || m_clock.monotonic() - m_spaceSeenAt < spaceEvery)
        return;
    m_spaceSeenAt = m_clock.monotonic();
    m_isShort = !m_store.takeReserve();
    setGoing();
}

// Nothing is sent while the database is away: there is no turn without it. What comes in meanwhile
// waits.
template <typename T>
Result<T> Routine::failed(const model::Error &error)
{
    m_pauseBeforeOpen =
        m_pauseBeforeOpen == 0 ? reopenFirst : std::min(2 * m_pauseBeforeOpen, reopenMax);
    if (error.kind == model::ErrorKind::full)
        saveSpace();
    return error;
}

Result<void> Routine::getReady()
{
    if (const auto opened = openStore(); !opened)
        return failed<void>(opened.error());
    if (m_onlyWatches)
        return {};
    if (const auto renewed = renewLease(); !renewed)
        return failed<void>(renewed.error());
    lookForSpace();
    return {};
}

Result<void> Routine::openStore()
{
    if (m_store.isOpen())
        return {};
    if (const auto opened = m_store.open(); !opened)
        return opened;
    m_registered = false;
    m_pauseBeforeOpen = 0;
    const ports::Rights rights = m_store.rights();
    m_onlyWatches = !rights.has(ports::Role::worker);
    if (m_onlyWatches && !m_options.mayWatch) {
        return model::refused(
            QStringLiteral(
                "the login %1 may not execute runs: that takes the role worker, which an "
                "owner grants with `holdfastctl admin grant %1 worker`")
                .arg(rights.login));
    }
    if (!m_onlyWatches) {
        if (const auto same = compareWithMemory(); !same)
            return same;
    }
    if (!m_store.takeReserve())
        saveSpace();
    return {};
}

// A database that went back in time has forgotten what was sent since. Everything is held by a
// pause, which holds every worker, and a person finds out what happened before they resume. Known
// only once that stands.
Result<void> Routine::compareWithMemory()
{
    const auto mark = m_store.mark();
    if (!mark)
        return mark.error();
    const QString why = m_memory.contradiction(*mark);
    if (!why.isEmpty()) {
        m_turn.doubtOwned();
        if (const auto held = holdEverything(why); !held)
            return held;
    }
    remember();
    return {};
}

Result<void> Routine::holdEverything(const QString &why)
{
    const auto hold = [&]() -> Result<void> {
        const auto active = m_store.lockPauses();
        if (!active)
            return active.error();
        const auto reason = QStringLiteral("database_restored");
        for (const ports::PauseRow &pause : *active) {
            if (pause.reason == reason)
                return {};
        }
        ports::PauseRow pause;
        pause.id = model::newId(m_clock.now());
        pause.scope = pause.depth = QStringLiteral("all");
        pause.reason = reason;
        pause.actor = QStringLiteral("engine");
        const auto added = m_store.addPause(pause);
        if (!added)
            return added.error();
        ports::ReviewRow review;
        review.id = QStringLiteral("rv-") + pause.id;
        review.kind = QStringLiteral("tripwire");
        review.openedAt = added->at;
        review.evidence = {{QStringLiteral("reason"), reason},
                           {QStringLiteral("pause"), pause.id},
                           {QStringLiteral("why"), why}};
        if (const auto opened = m_store.addReview(review); !opened)
            return opened;
        ports::AuditRow audit;
        audit.chain = QStringLiteral("system");
        audit.at = added->at;
        audit.actor = pause.actor;
        audit.action = QStringLiteral("pause");
        audit.subject = pause.id;
        audit.body = QString::fromUtf8(model::canonicalJson(review.evidence));
        return m_store.appendAudit(audit);
    };
    if (const auto begun = m_store.begin(); !begun)
        return begun;
    if (const auto held = hold(); !held) {
        m_store.rollback();
        return held;
    }
    return m_store.commit();
}

void Routine::remember()
{
    m_rememberedAt = m_clock.monotonic();
    if (const auto mark = m_store.mark())
        m_memory.keep(*mark);
}

// What others read of this worker. That its disk is full shows in the reserve it gave up: a row
// that has to be written first would be the wrong place for it.
QString Routine::shownState() const
{
    const bool isLeaving = m_isDraining || !m_misfit.isEmpty();
    return isLeaving ? QStringLiteral("draining") : QStringLiteral("running");
}

// What is under way may still be written down; if the new schema refuses even that, the turn says
// so. An attempt that is left behind is ambiguous, which costs more than the wait.
Result<void> Routine::lookWhetherItFits()
{
    const auto fits = m_store.stillFits();
    if (fits || fits.error().kind != model::ErrorKind::unsupported)
        return fits;
    m_misfit = fits.error().message;
    setGoing();
    return {};
}

Result<void> Routine::renewLease()
{
    // Counted from before the request left: whatever the round trip took is not ours.
    const model::Millis before = m_clock.monotonic();
    if (m_registered && before - m_renewedAt < m_options.renewEvery)
        return {};
    if (!m_registered) {
        ports::WorkerRow row;
        row.id = m_options.id;
        row.host = QSysInfo::machineHostName();
        row.pid = getpid();
        row.programVersion = m_options.programVersion;
        row.state = shownState();
        if (const auto registered = m_store.registerWorker(row, m_options.lease); !registered)
            return registered.error();
        m_registered = true;
    } else {
        if (const auto fits = lookWhetherItFits(); !fits)
            return fits;
        const auto renewed = m_store.renewLease(m_options.id, m_options.lease, shownState());
        if (!renewed)
            return renewed.error();
    }
    m_renewedAt = before;
    m_turn.setLease(before + m_options.lease);
    noteClock();
    if (before - m_rememberedAt >= rememberEvery)
        remember();
    return {};
}

// Nothing here goes by the wall clock; whoever compares times of this machine with others should
// know. Best effort: what it says changes nothing.
void Routine::noteClock()
{
    const model::Millis offset = m_clock.now() - m_clock.monotonic();
    const model::Millis jump = offset - m_wallOffset.value_or(offset);
    m_wallOffset = offset;
    if (std::abs(jump) <= jumpLeast)
        return;
    const auto now = m_store.now();
    if (!now)
        return;
    ports::AuditRow audit;
    audit.chain = QStringLiteral("system");
    audit.at = *now;
    audit.actor = QStringLiteral("engine");
    audit.action = QStringLiteral("clock_jumped");
    audit.subject = m_options.id;
    const QJsonObject body{{QStringLiteral("host"), QSysInfo::machineHostName()},
                           {QStringLiteral("by_ms"), jump}};
    audit.body = QString::fromUtf8(model::canonicalJson(body));
    const auto noted = m_store.appendAudit(audit);
    Q_UNUSED(noted);
}

Result<TurnReport> Routine::turn()
{
    if (m_onlyWatches) {
        m_idle = true;
        return TurnReport{};
    }
    const auto report = m_turn.turn(m_results);
    if (!report)
        return failed<TurnReport>(report.error());
    m_results = m_turn.takeRefused();
    m_moreIsDue = report->moreIsDue || !m_results.isEmpty();
    m_pauseBeforeOpen = 0;
    m_idle = report->claimed == 0 && report->decided == 0 && m_results.isEmpty();
    if (const auto looked = lookAfterRamps(); !looked)
        return failed<TurnReport>(looked.error());
    if (const auto looked = lookAfterBatches(); !looked)
        return failed<TurnReport>(looked.error());
    if (const auto looked = lookAfterTripwires(); !looked)
        return failed<TurnReport>(looked.error());
    if (const auto looked = lookAfterAlerts(); !looked)
        return failed<TurnReport>(looked.error());
    return *report;
}

Result<void> Routine::lookAfterRamps()
{
    const model::Millis moment = m_clock.monotonic();
    if (m_turn.ramp() == engine::RampState::none || moment - m_rampsSeenAt < m_options.rampEvery)
        return {};
    m_rampsSeenAt = moment;
    return RampWatch(m_store, m_catalog).look();
}

// Whether there is a batch at all is asked as seldom as a shared database may hide other news.
Result<void> Routine::lookAfterBatches()
{
    const model::Millis moment = m_clock.monotonic();
    const model::Millis every = m_aBatchGoes ? m_options.batchEvery : m_options.pollEvery;
    if (m_isDraining || m_isShort || (m_batchesSeenAt && moment - *m_batchesSeenAt < every))
        return {};
    m_batchesSeenAt = moment;
    const auto goes = BatchWatch(m_store).look();
    if (!goes)
        return goes.error();
    m_aBatchGoes = *goes;
    return {};
}

Result<void> Routine::lookAfterTripwires()
{
    const model::Millis moment = m_clock.monotonic();
    const bool isTime =
        !m_tripwiresSeenAt || moment - *m_tripwiresSeenAt >= m_options.tripwiresEvery;
    if (m_isDraining || m_isShort || !isTime)
        return {};
    m_tripwiresSeenAt = moment;
    return TripwireWatch(m_store).look();
}

// Sending is the courier's; here alerts are only taken and written down.
Result<void> Routine::lookAfterAlerts()
{
    if (!m_alerts)
        return {};
    const model::Millis moment = m_clock.monotonic();
    const bool isTime = !m_alertsSeenAt || moment - *m_alertsSeenAt >= m_options.pollEvery;
    // Whoever is about to leave when all is done looks at once.
    const bool isLeaving = m_options.untilIdle && m_idle;
    if (!isTime && !isLeaving && !m_options.courier->hasResults())
        return {};
    m_alertsSeenAt = moment;
    return m_alerts->look(!m_isDraining && !m_isShort);
}

void Routine::sweep()
{
    if (m_onlyWatches)
        return;
    const model::Millis moment = m_clock.monotonic();
    const bool isTime = m_sweptAt == 0 || moment - m_sweptAt >= sweepEvery;
    // An hour that is over is added up even where it is never quiet: it takes milliseconds.
    const bool isTimeToSum = m_summedAt == 0 || moment - m_summedAt >= sweepEvery;
    if (!(m_idle && isTime) && !isTimeToSum)
        return;
    const auto now = m_store.now();
    if (!now)
        return;
    // A full batch means that more is waiting; the next quiet moment goes on.
    if (isTimeToSum) {
        const auto summed = m_store.sumHours(*now - hourSettledAfter, hoursAtOnce);
        m_summedAt = m_idle && summed && *summed == hoursAtOnce ? 0 : moment;
    }
    if (m_idle && isTime) {
        const auto swept = m_store.sweepLedger(*now, sweepMax);
        m_sweptAt = swept && *swept == sweepMax ? 0 : moment;
        if (m_alerts)
            (void)m_alerts->sweep(*now);
    }
}

bool Routine::isSettled()
{
    if (!m_idle || m_moreIsDue || m_aBatchGoes || m_turn.ramp() == engine::RampState::ramping)
        return false;
    const auto unsettled = m_store.unsettledRuns();
    if (!unsettled || *unsettled > 0)
        return false;
    if (m_alerts) {
        const auto quiet = m_alerts->isQuiet();
        if (!quiet || !*quiet)
            return false;
    }
    const auto due = m_store.nextDue();
    const auto now = m_store.now();
    return due && now && (*due == model::never || *due > *now);
}

model::Millis Routine::wait()
{
    if (isAway())
        return m_pauseBeforeOpen;
    if (m_onlyWatches)
        return m_options.pollEvery;
    if (m_moreIsDue)
        return 0;
    model::Millis wait = m_options.pollEvery;
    const auto due = m_store.nextDue();
    const auto now = m_store.now();
    // What is due is no reason to look while there is no room for it: a result will make some.
    if (due && now && *due != model::never && m_turn.hasRoom())
        wait = std::clamp<model::Millis>(*due - *now, 0, wait);
    model::Millis next = m_renewedAt + m_options.renewEvery;
    if (m_turn.ramp() != engine::RampState::none)
        next = std::min(next, m_rampsSeenAt + m_options.rampEvery);
    if (m_aBatchGoes)
        next = std::min(next, *m_batchesSeenAt + m_options.batchEvery);
    return std::min(wait, std::max<model::Millis>(0, next - m_clock.monotonic()));
}

void Routine::leave()
{
    if (!m_store.isOpen() || m_onlyWatches)
        return;
    // What was handed over may still leave until the lease ends; others wait for that.
    if (m_turn.owned() == 0) {
        const auto gone = m_store.renewLease(m_options.id, 0, QStringLiteral("gone"));
        Q_UNUSED(gone);
    }
    remember();
}

} // namespace holdfast::runtime
