// How fast a batch goes on: which share of its items may be taken at a look, and when it stops by
// itself. Pure: whoever looks says what there is to see, and does what comes out.
#pragma once

#include "model/run.h"
#include "model/time.h"

#include <QString>
#include <optional>

namespace holdfast::engine
{

using namespace model;

// These names are persisted.
enum class BatchState { running, held, done, stopped };
QString batchStateName(BatchState state);
std::optional<BatchState> batchStateFromName(const QString &name);

// What a person does to a batch.
enum class BatchAct { hold, go, stop };
std::optional<BatchAct> batchActFromName(const QString &name);
// Nothing: the act does not fit the state.
std::optional<BatchState> afterAct(BatchState state, BatchAct act);

constexpr int batchRateDefault = 20; // items a second
constexpr int batchRateMax = 1000;
constexpr int batchWindow = 200; // of the last items, how they fare says whether to go on

struct BatchProgress {
    int rate = batchRateDefault;
    int chosen = 0; // items to be taken
    int taken = 0;  // those already
    int base = 0;   // those taken when it began, or when a person last let it go on
    Instant takenAt = never;
};

// What became of the last batchWindow items taken since `base`; of all, once all are taken.
struct BatchSeen {
    int recorded = 0; // not applied yet
    int ended = 0;    // applied or refused
    int troubled = 0; // of those: refused, or the run ended in failure again
    int moving = 0;   // applied, and the run is on its way
    QString trouble;  // the last reason
};

struct BatchStep {
    BatchState state = BatchState::running;
    int take = 0;
    QString note; // why it holds
};

BatchStep afterLook(const BatchProgress &progress, const BatchSeen &seen, Instant now);

// Where a run stands after an act that meant to help it, the act did not help. `verdict` is of a
// resolve.
bool isTrouble(const QString &act, const QString &verdict, RunStatus status);
// On its way by itself, without anybody.
bool isMoving(RunStatus status);

} // namespace holdfast::engine
