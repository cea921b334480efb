// One week from Monday to Monday in UTC, which is how figures are kept, and what a person calls it.
#pragma once

#include "model/time.h"

#include <QDate>
#include <QString>

namespace holdfast::weekly
{

struct Week {
    QDate monday;

    static Week of(model::Instant instant);    // the week it lies in
    static Week lastWhole(model::Instant now); // the newest that is over
    static Week fromText(const QString &day);  // invalid where it is no date
    bool isValid() const { return monday.isValid(); }
    bool isOver(model::Instant now) const { return until() <= now; }

    model::Instant since() const;
    model::Instant until() const;
    Week before() const { return {monday.addDays(-7)}; }
    Week after() const { return {monday.addDays(7)}; }

    QString text() const;      // 2026-11-09, for links and the session
    QString title() const;     // 9–15 Nov
    QString yearTitle() const; // 9–15 Nov 2026
    QString localSpan() const; // the same instants on the clock of this desktop, with its zone

    bool operator==(const Week &) const = default;
};

} // namespace holdfast::weekly
