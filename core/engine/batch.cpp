#include "engine/batch.h"

#include "model/names.h"

#include <algorithm>

namespace holdfast::engine
{

namespace
{
constexpr std::array<Name<BatchState>, 4> batchStates{{{BatchState::running, u"running"},
                                                       {BatchState::held, u"held"},
                                                       {BatchState::done, u"done"},
                                                       {BatchState::stopped, u"stopped"}}};
constexpr std::array<Name<BatchAct>, 3> batchActs{
    {{BatchAct::hold, u"hold"}, {BatchAct::go, u"go"}, {BatchAct::stop, u"stop"}}};

// Taken since the base when a stage is over: one alone, then five more, then the rest.
constexpr int batchStages[] = {1, 6};
// A run may wait for hours; a stage does not.
constexpr Millis stagePatience = minute;
// Decisions that nobody applies are not piled up without end.
constexpr int recordedMax = batchWindow;
constexpr int troubleOneIn = 5;
constexpr int troubleLeast = 2;

bool isTooMuch(const BatchSeen &seen)
{
    return seen.troubled >= troubleLeast && seen.troubled * troubleOneIn > seen.ended;
}

// As many as the rate allows since the last ones; never more than a second's worth at once.
int byRate(const BatchProgress &progress, Instant now)
{
    if (progress.takenAt == never)
        return progress.rate;
    const Millis since = std::clamp<Millis>(now - progress.takenAt, 0, second);
    return int(since * progress.rate / second);
}

int stageRoom(const BatchProgress &progress, const BatchSeen &seen, Instant now)
{
    const int since = progress.taken - progress.base;
    for (const int stage : batchStages) {
        if (since < stage)
            return stage - since;
        const bool isUnsettled = seen.recorded > 0 || seen.moving > 0;
        if (since == stage && isUnsettled && now - progress.takenAt < stagePatience)
            return 0;
    }
    return byRate(progress, now);
}
} // namespace

QString batchStateName(BatchState state) { return nameOf(batchStates, state); }
std::optional<BatchState> batchStateFromName(const QString &name)
{
    return valueOf(batchStates, name);
}
std::optional<BatchAct> batchActFromName(const QString &name) { return valueOf(batchActs, name); }

std::optional<BatchState> afterAct(BatchState state, BatchAct act)
{
    const bool isRunning = state == BatchState::running;
    const bool isHeld = state == BatchState::held;
    switch (act) {
    case BatchAct::hold: return isRunning ? std::optional(BatchState::held) : std::nullopt;
    case BatchAct::go: return isHeld ? std::optional(BatchState::running) : std::nullopt;
    case BatchAct::stop:
        return isRunning || isHeld ? std::optional(BatchState::stopped) : std::nullopt;
    }
    Q_UNREACHABLE();
}

BatchStep afterLook(const BatchProgress &progress, const BatchSeen &seen, Instant now)
{
    const int left = progress.chosen - progress.taken;
    if (left == 0)
        return {seen.recorded == 0 ? BatchState::done : BatchState::running, 0, {}};
    if (isTooMuch(seen)) {
        return {BatchState::held, 0,
                QStringLiteral("%1 of the last %2 did not work: %3")
                    .arg(seen.troubled)
                    .arg(seen.ended)
                    .arg(seen.trouble)};
    }
    const int room = std::min(stageRoom(progress, seen, now), recordedMax - seen.recorded);
    return {BatchState::running, std::clamp(room, 0, left), {}};
}

bool isTrouble(const QString &act, const QString &verdict, RunStatus status)
{
    const bool sendsAgain = act == QLatin1String("retry") || verdict == QLatin1String("retry") ||
                            verdict == QLatin1String("absent");
    const bool undoes = act == QLatin1String("cancel") || act == QLatin1String("compensate");
    switch (status) {
    case RunStatus::failed: return sendsAgain;
    case RunStatus::review:
    case RunStatus::compensationFailed: return sendsAgain || undoes;
    case RunStatus::queued:
    case RunStatus::running:
    case RunStatus::waiting:
    case RunStatus::compensating:
    case RunStatus::held:
    case RunStatus::succeeded:
    case RunStatus::succeededPartial:
    case RunStatus::compensated:
    case RunStatus::cancelled: return false;
    }
    Q_UNREACHABLE();
}

bool isMoving(RunStatus status)
{
    return status == RunStatus::queued || status == RunStatus::running ||
           status == RunStatus::compensating;
}

} // namespace holdfast::engine
