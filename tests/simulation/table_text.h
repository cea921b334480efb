// All that a seed changes in a store, a line a row, as whoever asks through its interface sees it.
#pragma once

#include "ports/store.h"

#include <QMap>
#include <QStringList>

namespace holdfast::simulation
{

// By table. Numbers that a database gives its rows are left out: they say in which order they were
// asked for, and the lines stand in that order where it means something.
QMap<QString, QStringList> tablesOf(ports::Store &store, const QStringList &dependencies,
                                    const QStringList &commands);

} // namespace holdfast::simulation
