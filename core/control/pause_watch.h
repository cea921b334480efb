// What started since a pause, kept up to date for those who ask several times a second: what was
// counted once is not counted again. The newest rows are, because two writers may commit in another
// order than their rows are numbered; `pauses` counts everything each time.
#pragma once

#include "ports/store.h"

#include <QMap>
#include <optional>

namespace holdfast::control
{

struct Context;

class PauseWatch
{
public:
    // Nothing: too many rows would have to be read for an answer now.
    model::Result<std::optional<int>> startedSince(Context &context, const ports::PauseRow &pause,
                                                   qint64 journal);
    // Forgets pauses that are lifted.
    void keep(const QVector<ports::PauseRow> &active);

    static constexpr qint64 rowsMax = 10'000;

private:
    struct Counted {
        qint64 upTo = 0; // journal id
        int count = 0;
    };
    QMap<QString, Counted> m_counted; // by pause
};

} // namespace holdfast::control
