// The state × event table, printed from the code: a bounded breadth-first walk of decide() from a
// few representative workflows, so that a change of behaviour is a visible change of a golden file
// and of the docs.
#pragma once

#include <QString>
#include <QStringList>

namespace holdfast::engine
{

struct StateTable {
    // Markdown. One row per event, one column per run status; a cell lists every outcome that was
    // seen.
    QString text;
    // What invariants.h had to say about the states that were reached; anything here is a bug.
    QStringList violations;
};

StateTable stateTable();

} // namespace holdfast::engine
