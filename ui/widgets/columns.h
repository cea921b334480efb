// Widths of columns in characters of the table's own font, so that they follow the scale of the
// screen and never depend on what happens to stand in the first rows.
#pragma once

#include <QHeaderView>
#include <QTableView>
#include <QVector>

namespace holdfast::widgets
{

// Zero: the column takes what is left.
inline void setColumnWidths(QTableView &table, const QVector<int> &characters)
{
    QHeaderView *header = table.horizontalHeader();
    header->setStretchLastSection(false);
    header->setMinimumSectionSize(table.fontMetrics().averageCharWidth() * 3);
    for (int column = 0; column < characters.size(); ++column) {
        if (characters.at(column) == 0) {
            header->setSectionResizeMode(column, QHeaderView::Stretch);
            continue;
        }
        header->setSectionResizeMode(column, QHeaderView::Interactive);
        header->resizeSection(column,
                              characters.at(column) * table.fontMetrics().averageCharWidth());
    }
}

} // namespace holdfast::widgets
