// Named places where a process may die. Tests kill or freeze a worker exactly here; anywhere else
// the calls cost one comparison. A crash between any two of the four verbs must be survivable by
// starting again.
#pragma once

namespace holdfast::runtime
{

enum class CrashPoint {
    afterClaim,      // claimed, nothing decided
    beforeCommit,    // intent decided, not committed
    afterCommit,     // intent committed, no byte sent
    afterSend,       // handed to the sender
    afterResponse,   // result known, not committed
    beforeReceipt,   // receipt decided, not committed
    afterReceipt,    // receipt committed
    betweenUndo,     // one compensation confirmed, the next not begun
    beforeItems,     // items of a batch taken, not committed
    afterItems,      // items of a batch committed as recorded, none applied
    beforeDelivery,  // deliveries of alerts taken, none sent
    afterDelivery,   // what became of them known, not committed
    beforeTrip,      // a tripwire pulled, not committed
    afterTrip,       // committed
    archiveDrafted,  // the draft of an archive is whole, nothing is packed
    archivePlaced,   // the file has its name, the database does not know
    archiveWritten,  // it knows, nothing is removed
    archiveRemoving, // a page of runs is taken out, not committed
    archiveRemoved,  // committed
};

// HOLDFAST_CRASH_AT=name[:n] kills the process (SIGKILL) when it passes that point for the n-th
// time; HOLDFAST_FREEZE_AT=name[:n] stops it (SIGSTOP).
void pass(CrashPoint point);

} // namespace holdfast::runtime
