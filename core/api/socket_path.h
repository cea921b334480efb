// Where the owner of a SQLite file listens: one socket per database, reachable by its owner's login
// alone.
#pragma once

#include "model/result.h"

#include <QString>

namespace holdfast::api
{

constexpr qsizetype socketPathMax = 100; // bytes; the kernel takes 107

// In $XDG_RUNTIME_DIR/holdfast, else beside the database, else (too long) under a hashed name in a
// folder of our own below the temporary folder. The folder exists afterwards and belongs to us. The
// name holds the process id, so that an owner that goes away never removes the socket of the one
// that follows.
model::Result<QString> socketPathFor(const QString &databasePath);

// Sockets that owners before us left behind when they died. Only whoever owns the database may call
// it.
void removeOldSockets(const QString &socketPath);

} // namespace holdfast::api
