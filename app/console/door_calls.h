// How the window's feed reads a run database. Both kinds make their connection on first use, on the
// feed's thread, and make it again after a loss.
#pragma once

#include "ui/bridge/bridge.h"

namespace holdfast::console
{

// A connection of its own that can only read; the engine is not asked and not slowed down.
bridge::Call readerCall(const QString &url);
// Through the socket of the process that owns the SQLite file.
bridge::Call ownerCall(const QString &url);
// The process that owns the file and answers on its socket; 0: none.
qint64 answeringOwner(const QString &url);

} // namespace holdfast::console
