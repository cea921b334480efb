// Bugs that stand in a copy of the engine and nowhere else: the build makes the copy from the
// product's own sources (planted.cmake), and one switch at a time turns one of them on.
#pragma once

#include "ports/store.h"

#include <cstring>
#include <optional>

namespace holdfast::planted
{

inline const char *active = "";
inline bool is(const char *bug) { return std::strcmp(active, bug) == 0; }

struct Bug {
    const char *name;
    const char *promise; // the one whose checker must see it
    unsigned seed;       // is known to show it; a hint
};

extern const Bug bugs[];
extern const int bugCount;

// What the bug "plain_pause_read" read before its transaction began.
inline std::optional<model::Result<ports::GateRows>> earlyGates;

} // namespace holdfast::planted
