// From the address of a run database to the store that speaks to it.
#pragma once

#include "ports/clock.h"
#include "ports/store.h"

#include <memory>

namespace holdfast::store
{

enum class Access { writer, reader };

// "sqlite:PATH", "postgresql://user[:password]@host[:port]/database[?sslmode=…]" or "archive:FILE",
// which is read only whatever the access. Nothing is opened yet. A reader is for the threads that
// only show: it can change nothing, and on SQLite it needs no ownership.
model::Result<std::unique_ptr<ports::Store>>
openStore(const QString &url, Access access = Access::writer, const ports::Clock *clock = nullptr);

} // namespace holdfast::store
