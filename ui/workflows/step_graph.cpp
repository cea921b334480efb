#include "ui/workflows/step_graph.h"

#include "ui/style/theme.h"
#include "ui/workflows/step_box.h"

#include <QButtonGroup>
#include <QPainter>

namespace holdfast::workflows
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
constexpr qsizetype stepsMax = 500; // a longer one is read in its text

void paintHead(QPainter &painter, const QPointF &tip, const QPointF &back, double size)
{
    const QPointF side(back.y() * size * 0.6, back.x() * size * 0.6);
    painter.drawPolygon(QPolygonF{tip, tip + back * size + side, tip + back * size - side});
}
} // namespace

StepGraph::StepGraph(QWidget *parent) : QWidget(parent)
{
    setObjectName(u"graph"_s);
    setAccessibleName(u"Steps of the workflow"_s);
    m_group = new QButtonGroup(this);
    m_group->setExclusive(true);
}

int StepGraph::gap() const { return fontMetrics().height() * 5 / 4; }
int StepGraph::lane() const { return fontMetrics().averageCharWidth() * 4; }

void StepGraph::setSteps(const QJsonArray &steps)
{
    qDeleteAll(m_boxes);
    m_boxes.clear();
    for (const QJsonValue &step : steps) {
        if (m_boxes.size() == stepsMax)
            break;
        auto *box = new StepBox(step.toObject(), this);
        connect(box, &StepBox::clicked, this, [this, box] { Q_EMIT chosen(box->line()); });
        m_group->addButton(box);
        m_boxes << box;
        box->show();
    }
    place();
    updateGeometry();
    update();
}

void StepGraph::select(int line)
{
    StepBox *found = nullptr;
    for (StepBox *box : m_boxes) {
        if (box->line() <= line)
            found = box;
    }
    if (found)
        found->setChecked(true);
}

int StepGraph::heightOfAll() const
{
    int height = gap();
    for (const StepBox *box : m_boxes)
        height += box->heightFor(width()) + gap();
    return height;
}

QSize StepGraph::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 48 + lane(), heightOfAll()};
}

QSize StepGraph::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 30 + lane(), heightOfAll()};
}

void StepGraph::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    place();
}

void StepGraph::place()
{
    const int margin = fontMetrics().averageCharWidth();
    const int wide = std::min(width() - lane() - margin, fontMetrics().averageCharWidth() * 70);
    int y = gap() / 2;
    for (StepBox *box : m_boxes) {
        box->setGeometry(margin, y, wide, box->heightFor(wide));
        y += box->height() + gap();
    }
}

void StepGraph::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double head = gap() / 3.0;
    painter.setPen(QPen(style::colour(Token::muted), 1));
    painter.setBrush(style::colour(Token::muted));
    for (qsizetype i = 1; i < m_boxes.size(); ++i) {
        const QRect above = m_boxes.at(i - 1)->geometry();
        const QPointF from(above.center().x(), above.bottom() + 1);
        const QPointF to(from.x(), m_boxes.at(i)->geometry().top());
        painter.drawLine(from, to);
        paintHead(painter, to, {0, -1}, head);
    }
    paintWayBack(painter);
}

// From each step that can be made up for to the one before it that can, and out at the top.
void StepGraph::paintWayBack(QPainter &painter) const
{
    const QColor colour = style::colour(Token::undoing);
    const double head = gap() / 3.0;
    const StepBox *below = nullptr;
    for (auto box = m_boxes.crbegin(); box != m_boxes.crend(); ++box) {
        if (!(*box)->isCompensable())
            continue;
        if (below) {
            const QRect from = below->geometry();
            const QRect to = (*box)->geometry();
            const double out = from.right() + lane() * 0.6;
            const QPointF start(from.right() + 1, from.center().y());
            const QPointF end(to.right() + 1, to.center().y() + head);
            painter.setPen(QPen(colour, 1, Qt::DashLine));
            painter.drawPolyline(QPolygonF{start, {out, start.y()}, {out, end.y()}, end});
            painter.setPen(QPen(colour, 1));
            painter.setBrush(colour);
            paintHead(painter, end, {1, 0}, head);
        }
        below = *box;
    }
}

} // namespace holdfast::workflows
