#include "ui/widgets/flow_layout.h"

#include <QWidget>

namespace holdfast::widgets
{

FlowLayout::FlowLayout(int gap, QWidget *parent) : QLayout(parent), m_gap(gap)
{
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() { qDeleteAll(m_items); }

void FlowLayout::addItem(QLayoutItem *item) { m_items << item; }

QLayoutItem *FlowLayout::takeAt(int index)
{
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

int FlowLayout::heightForWidth(int width) const { return lay({0, 0, width, 0}, false); }

QSize FlowLayout::sizeHint() const
{
    int width = 0;
    int height = 0;
    for (const QLayoutItem *item : m_items) {
        if (item->isEmpty())
            continue;
        width += item->sizeHint().width() + m_gap;
        height = std::max(height, item->sizeHint().height());
    }
    return {width, height};
}

QSize FlowLayout::minimumSize() const
{
    QSize widest;
    for (const QLayoutItem *item : m_items)
        widest = widest.expandedTo(item->isEmpty() ? QSize() : item->minimumSize());
    return widest;
}

void FlowLayout::setGeometry(const QRect &area)
{
    QLayout::setGeometry(area);
    lay(area, true);
}

int FlowLayout::lay(const QRect &area, bool places) const
{
    int x = area.left();
    int y = area.top();
    int line = 0;
    for (QLayoutItem *item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize size = item->sizeHint();
        if (x > area.left() && x + size.width() > area.left() + area.width()) {
            x = area.left();
            y += line + m_gap / 2;
            line = 0;
        }
        if (places)
            item->setGeometry({x, y, std::min(size.width(), area.width()), size.height()});
        x += size.width() + m_gap;
        line = std::max(line, size.height());
    }
    return y + line - area.top();
}

} // namespace holdfast::widgets
