#include "ui/widgets/steady_table.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>

namespace holdfast::widgets
{

SteadyTable::SteadyTable(QWidget *parent) : QTableView(parent)
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

void SteadyTable::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy))
        Q_EMIT copyWanted();
    else
        QTableView::keyPressEvent(event);
}

int SteadyTable::currentTop() const
{
    if (!currentIndex().isValid())
        return -1;
    const QRect rect = visualRect(currentIndex());
    return viewport()->rect().intersects(rect) ? rect.top() : -1;
}

void SteadyTable::putBack(int top)
{
    if (top < 0 || !currentIndex().isValid())
        return;
    updateGeometries(); // else the scroll bar still has the old range
    const int moved = rowViewportPosition(currentIndex().row()) - top;
    verticalScrollBar()->setValue(verticalScrollBar()->value() + moved);
}

} // namespace holdfast::widgets
