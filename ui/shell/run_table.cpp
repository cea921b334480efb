#include "ui/shell/run_table.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>

namespace holdfast::shell
{

RunTable::RunTable(QWidget *parent) : QTableView(parent)
{
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false); // Tab leaves the table
    setTextElideMode(Qt::ElideRight);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() * 8 / 5);
    horizontalHeader()->setHighlightSections(false);
}

void RunTable::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy))
        Q_EMIT copyWanted();
    else
        QTableView::keyPressEvent(event);
}

int RunTable::currentTop() const
{
    if (!currentIndex().isValid())
        return -1;
    const QRect rect = visualRect(currentIndex());
    return viewport()->rect().intersects(rect) ? rect.top() : -1;
}

void RunTable::putBack(int top)
{
    if (top < 0 || !currentIndex().isValid())
        return;
    updateGeometries(); // else the scroll bar still has the old range
    const int moved = rowViewportPosition(currentIndex().row()) - top;
    verticalScrollBar()->setValue(verticalScrollBar()->value() + moved);
}

} // namespace holdfast::shell
