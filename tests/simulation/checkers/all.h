// The list of checkers: one line each, one file per promise or per group that is judged together.
#pragma once

#include "simulation/checkers/checker.h"

namespace holdfast::simulation
{

void checkOneEffect(Evidence &evidence);      // I1
void checkNoBlindResend(Evidence &evidence);  // I1a, I1b
void checkLateNoticed(Evidence &evidence);    // I1c
void checkIntentFirst(Evidence &evidence);    // I2, I3
void checkNoFalseFailure(Evidence &evidence); // I4
void checkConfirmed(Evidence &evidence);      // no false success
void checkSameBytes(Evidence &evidence);      // I5
void checkKeyFreshness(Evidence &evidence);   // I6
void checkCompletedOnce(Evidence &evidence);  // I7
void checkOneOwner(Evidence &evidence);       // I8, I9
void checkTakeover(Evidence &evidence);       // I10
void checkPause(Evidence &evidence);          // I11
void checkGates(Evidence &evidence);          // I12, D4
void checkBreaker(Evidence &evidence);        // I12a
void checkSharedLimits(Evidence &evidence);   // the limits that all workers share
void checkOneDecision(Evidence &evidence);    // I13
void checkCompensation(Evidence &evidence);   // I14, I15, I16, A6
void checkNothingLost(Evidence &evidence);    // I17, I19
void checkOutbox(Evidence &evidence);         // I17a
void checkBoundedRetries(Evidence &evidence); // I20
void checkFinalIsFinal(Evidence &evidence);   // I21
void checkAudit(Evidence &evidence);          // I23
void checkBatch(Evidence &evidence);          // H7

inline const QVector<Checker> &allCheckers()
{
    static const QVector<Checker> all{
        checkOneEffect,      checkNoBlindResend,  checkLateNoticed,  checkIntentFirst,
        checkNoFalseFailure, checkSameBytes,      checkKeyFreshness, checkCompletedOnce,
        checkOneOwner,       checkTakeover,       checkPause,        checkGates,
        checkBreaker,        checkOneDecision,    checkCompensation, checkNothingLost,
        checkOutbox,         checkBoundedRetries, checkFinalIsFinal, checkAudit,
        checkSharedLimits,   checkBatch,          checkConfirmed};
    return all;
}

} // namespace holdfast::simulation
