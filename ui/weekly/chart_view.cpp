#include "ui/weekly/chart_view.h"

#include "ui/widgets/columns.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/token_label.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace holdfast::weekly
{

using namespace Qt::StringLiterals;
using style::Token;

class ChartCanvas : public QWidget
{
public:
    explicit ChartCanvas(ChartView *view) : m_view(view)
    {
        setMinimumSize(fontMetrics().averageCharWidth() * 30, fontMetrics().height() * 9);
        setFocusPolicy(Qt::StrongFocus); // a screen reader stops here and reads the description
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        if (m_view->m_model->rowCount() == 0) {
            painter.setPen(style::colour(Token::muted));
            painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, m_view->m_emptyText);
        } else if (m_view->m_paint) {
            m_view->m_paint(painter, QRectF(rect()).adjusted(2, 2, -2, -2));
        }
        if (hasFocus()) {
            painter.setPen(style::colour(Token::busy));
            painter.drawRect(rect().adjusted(0, 0, -1, -1));
        }
    }

private:
    ChartView *m_view;
};

ChartView::ChartView(const QString &title, const QString &objectName,
                     const QVector<widgets::JsonColumn> &columns, QWidget *parent)
    : Panel(parent)
{
    setObjectName(objectName);
    m_model = new widgets::JsonTableModel(
        columns, [](const QJsonObject &row) { return row["identity"_L1].toString(); }, this);
    m_table = new widgets::SteadyTable;
    m_table->setObjectName(objectName + u"Table"_s);
    m_table->setAccessibleName(title + u" as a table"_s);
    m_table->setModel(m_model);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_canvas = new ChartCanvas(this);
    m_canvas->setObjectName(objectName + u"Canvas"_s);
    m_canvas->setAccessibleName(title);
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_canvas);
    m_stack->addWidget(m_table);
    m_toggle = new QToolButton;
    m_toggle->setObjectName(objectName + u"Toggle"_s);
    m_toggle->setText(u"Table"_s);
    m_toggle->setAccessibleName(title + u" as a table"_s);
    m_toggle->setCheckable(true);
    m_toggle->setAutoRaise(true);
    m_toggle->setFocusPolicy(Qt::StrongFocus);
    connect(m_toggle, &QToolButton::toggled, this, [this](bool shown) {
        m_stack->setCurrentIndex(shown ? 1 : 0);
        m_toggle->setText(shown ? u"Chart"_s : u"Table"_s);
    });
    const int unit = fontMetrics().averageCharWidth();
    auto *top = new QHBoxLayout;
    top->addWidget(widgets::heading(title));
    top->addStretch();
    top->addWidget(m_toggle);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(unit * 2, unit, unit * 2, unit);
    column->setSpacing(unit / 2);
    column->addLayout(top);
    column->addWidget(m_stack, 1);
}

void ChartView::show(const QJsonArray &rows, const QString &description, Paint paint)
{
    QJsonArray named;
    for (qsizetype i = 0; i < rows.size(); ++i) {
        QJsonObject row = rows.at(i).toObject();
        row.insert(u"identity"_s, QString::number(i));
        named << row;
    }
    m_table->changeInPlace([&] { m_model->setRows(named); });
    m_paint = std::move(paint);
    m_canvas->setAccessibleDescription(description);
    m_canvas->update();
}

} // namespace holdfast::weekly
