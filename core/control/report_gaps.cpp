// What the contracts in force leave open: per step, in words.
#include "control/report.h"
#include "control/workflow_view.h"
#include "model/time.h"

#include <QSet>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

Result<QJsonArray> gapsOf(Context &context)
{
    const auto rows = context.store.workflows();
    if (!rows)
        return rows.error();
    QSet<QString> known;
    QJsonArray list;
    for (const ports::WorkflowRow &row : *rows) {
        // The newest version comes first; older ones end with the runs they have.
        if (known.contains(row.name))
            continue;
        known.insert(row.name);
        const auto definition = context.definitions.workflow(context.store, row.name, row.version);
        if (!definition && definition.error().kind != model::ErrorKind::corrupt)
            return definition.error();
        if (!definition) {
            list.append(QJsonObject{{u"workflow"_s, row.name},
                                    {u"version"_s, row.version},
                                    {u"step"_s, QString()},
                                    {u"gap"_s, u"cannot be read"_s},
                                    {u"why"_s, definition.error().message}});
            continue;
        }
        for (const ContractGap &gap : contractGaps(**definition))
            list.append(QJsonObject{{u"workflow"_s, row.name},
                                    {u"version"_s, row.version},
                                    {u"step"_s, gap.step},
                                    {u"gap"_s, gap.gap},
                                    {u"why"_s, gap.why}});
    }
    return list;
}

} // namespace holdfast::control
