// The columns of journal, ledger and notes, as the inspector shows them.
#pragma once

#include "ui/widgets/json_table_model.h"
#include "ui/widgets/steady_table.h"

namespace holdfast::inspector
{

QVector<widgets::JsonColumn> journalColumns();
QVector<widgets::JsonColumn> ledgerColumns();
QVector<widgets::JsonColumn> noteColumns();

// `widths` in letters; the last column takes what is left.
widgets::SteadyTable *recordTable(const QString &objectName, const QString &accessibleName,
                                  QAbstractItemModel *model, const QVector<int> &widths);

} // namespace holdfast::inspector
