#include "ui/runs/run_table.h"

#include "ui/style/theme.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QPersistentModelIndex>
#include <QPushButton>
#include <QScrollBar>
#include <algorithm>

namespace holdfast::runs
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int aheadRows = 60; // how near the end the next page is asked for

// Fusion brightens a coloured button until its text is hard to read.
class NewsPill : public QPushButton
{
public:
    using QPushButton::QPushButton;

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF body = QRectF(rect()).adjusted(1, 1, -1, -1);
        painter.setPen(style::colour(hasFocus() ? style::Token::text : style::Token::accent));
        painter.setBrush(style::colour(style::Token::accent));
        painter.drawRoundedRect(body, body.height() / 2, body.height() / 2);
        painter.setPen(style::colour(style::Token::onAccent));
        painter.drawText(rect(), Qt::AlignCenter, text());
    }
};
} // namespace

RunTable::RunTable(QWidget *parent) : widgets::SteadyTable(parent)
{
    m_pill = new NewsPill(this);
    m_pill->setObjectName(u"news"_s);
    m_pill->setAccessibleName(u"New runs above"_s);
    m_pill->setCursor(Qt::PointingHandCursor);
    m_pill->hide();
    connect(m_pill, &QPushButton::clicked, this, &RunTable::topWanted);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &RunTable::scrolled);
}

QModelIndex RunTable::anchor() const
{
    const QModelIndex current = currentIndex();
    if (current.isValid() && viewport()->rect().intersects(visualRect(current)))
        return current;
    // At the very top without a current row, what is new is what one wants to see.
    return isAtTop() ? QModelIndex() : indexAt({1, 1});
}

void RunTable::steadily(const std::function<void()> &change)
{
    const QPersistentModelIndex kept(anchor());
    const int top = kept.isValid() ? rowViewportPosition(kept.row()) : 0;
    m_isChanging = true;
    change();
    if (kept.isValid()) {
        updateGeometries(); // else the scroll bar still has the old range
        QScrollBar *bar = verticalScrollBar();
        bar->setValue(bar->value() + rowViewportPosition(kept.row()) - top);
    }
    m_isChanging = false;
    scrolled();
}

// Rows that come in above push the others down, unless there is something below the screen to
// scroll into.
bool RunTable::hasRoomAbove() const
{
    if (!anchor().isValid())
        return true;
    const int height = verticalHeader()->defaultSectionSize() * model()->rowCount();
    return verticalScrollBar()->value() + viewport()->height() <= height;
}

bool RunTable::isAtTop() const { return verticalScrollBar()->value() == 0; }

QVector<int> RunTable::selectedRowNumbers() const
{
    QVector<int> rows;
    if (!selectionModel())
        return rows;
    for (const QModelIndex &index : selectionModel()->selectedRows())
        rows << index.row();
    std::sort(rows.begin(), rows.end());
    return rows;
}

RunTable::Rows RunTable::rowsOnScreen() const
{
    if (!model() || model()->rowCount() == 0)
        return {};
    const int last = rowAt(viewport()->height() - 1);
    return {std::max(rowAt(0), 0), last < 0 ? model()->rowCount() - 1 : last};
}

void RunTable::addUnseen(int count)
{
    m_unseen += count;
    showPill();
}

void RunTable::setWaiting(int count, bool isMore)
{
    m_waiting = count;
    m_isMoreWaiting = isMore;
    showPill();
}

void RunTable::showPill()
{
    const int count = m_unseen + m_waiting;
    m_pill->setVisible(count > 0);
    if (count == 0)
        return;
    m_pill->setText(u"%L1%2 new ↑"_s.arg(count).arg(m_isMoreWaiting ? u"+"_s : QString()));
    m_pill->setAccessibleName(u"%L1 new runs above; go to the top"_s.arg(count));
    placePill();
}

void RunTable::placePill()
{
    m_pill->adjustSize();
    const QRect area = viewport()->geometry();
    m_pill->move(area.left() + area.width() * 5 / 8, area.top() + fontMetrics().height() / 2);
    m_pill->raise();
}

void RunTable::scrolled()
{
    if (m_isChanging || !model())
        return;
    if (isAtTop() && m_unseen > 0) {
        m_unseen = 0;
        showPill();
    }
    const Rows rows = rowsOnScreen();
    if (rows.last >= model()->rowCount() - aheadRows)
        Q_EMIT nearEnd();
    if (rows.first <= aheadRows)
        Q_EMIT nearStart();
}

void RunTable::keyPressEvent(QKeyEvent *event)
{
    const bool isPlain = event->modifiers() == Qt::NoModifier;
    if (isPlain && (event->key() == Qt::Key_J || event->key() == Qt::Key_K)) {
        QKeyEvent arrow(event->type(), event->key() == Qt::Key_J ? Qt::Key_Down : Qt::Key_Up,
                        Qt::NoModifier);
        SteadyTable::keyPressEvent(&arrow);
        return;
    }
    if (isPlain && event->key() == Qt::Key_X && currentIndex().isValid()) {
        selectionModel()->select(currentIndex(),
                                 QItemSelectionModel::Toggle | QItemSelectionModel::Rows);
        return;
    }
    SteadyTable::keyPressEvent(event);
}

void RunTable::resizeEvent(QResizeEvent *event)
{
    SteadyTable::resizeEvent(event);
    placePill();
    scrolled();
}

} // namespace holdfast::runs
