// What a sandbox remembers: its books, its faults and its services. Each part is safe on any
// thread.
#pragma once

#include "app/sandbox/books.h"
#include "app/sandbox/faults.h"
#include "app/sandbox/services.h"

namespace holdfast::sandbox
{

struct World {
    Books books;
    FaultPlan faults;
    Services services{books};

    void reset()
    {
        books.clear();
        faults.clear();
        services.clear();
    }
};

} // namespace holdfast::sandbox
