// The parts of the report on a window. Everything is answered from counters and indexes: a week of
// a million runs costs as much as a quiet one.
#pragma once

#include "control/context.h"
#include "insight/measures.h"

#include <QJsonArray>

namespace holdfast::control
{

struct ReportSpan {
    model::Instant since = model::never;
    model::Instant until = model::never;

    ReportSpan before() const { return {since - (until - since), since}; }
};

// The last whole week, Monday to Monday in universal time, where nothing else is asked for.
Result<ReportSpan> reportSpanOf(Context &context);

// What is signed: the numbers of the figures and the days of a window, which no longer change once
// it is over. Their titles may.
Result<QJsonObject> figuresOf(Context &context, const ReportSpan &span);

// measures.cpp: each with its sentence, its value as `now`, and what that was divided from.
Result<QJsonArray> measuresJson(Context &context, const ReportSpan &span,
                                const insight::Counts &counts);
inline QJsonValue numberOrNull(const std::optional<double> &value)
{
    return value ? QJsonValue(*value) : QJsonValue();
}
// report_changes.cpp
Result<QJsonArray> changesOf(Context &context, const ReportSpan &span);
Result<QJsonArray> incompleteOf(Context &context, const ReportSpan &span, model::Instant now);
// report_gaps.cpp
Result<QJsonArray> gapsOf(Context &context);
// owner_flips.cpp
Result<QJsonValue> ownerFlipsOf(Context &context, const ReportSpan &span);
// report_items.cpp
Result<void> addUnresolved(Context &context, const ReportSpan &span, QJsonObject &document);
Result<void> addCompensations(Context &context, const ReportSpan &span, QJsonObject &document);
// Those with the most runs, and a Pareto of what all of them come from.
Result<void> addGroups(Context &context, const ReportSpan &span, QJsonObject &document);

// signoff.cpp: what a signature covers, so that a person signs what they saw.
QString figuresHash(const QJsonObject &figures);
// Null, or who signed this window, whether what was signed is still whole, and whether
// its figures are still those.
Result<QJsonValue> signoffOf(Context &context, const ReportSpan &span, const QJsonObject &figures);

} // namespace holdfast::control
