// The measures of a window as pages and reports show them; what each means is in insight/measures.
#include "control/report.h"

namespace holdfast::control
{

using namespace Qt::StringLiterals;

Result<QJsonArray> measuresJson(Context &context, const ReportSpan &span,
                                const insight::Counts &counts)
{
    ports::ReviewFilter filter;
    filter.onlyOpen = false;
    filter.since = span.since;
    filter.until = span.until;
    filter.notKind = u"approval"_s;
    filter.limit = insight::medianItemsMax;
    const auto reviews = context.store.reviews(filter);
    if (!reviews)
        return reviews.error();
    QJsonArray list;
    for (const insight::Measure &measure : insight::measuresOf(counts, *reviews))
        list.append(QJsonObject{{u"name"_s, measure.name},
                                {u"title"_s, measure.title},
                                {u"definition"_s, measure.definition},
                                {u"unit"_s, measure.unit},
                                {u"now"_s, numberOrNull(measure.value)},
                                {u"numerator"_s, measure.numerator},
                                {u"denominator"_s, measure.denominator}});
    return list;
}

} // namespace holdfast::control
