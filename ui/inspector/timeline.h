// A run drawn to scale: one row for each step, a bar for each attempt, marks for verifications,
// thin lines for waits. Bars are chosen with the mouse or the arrow keys. The table of attempts
// beside it holds the same for those who cannot see it.
#pragma once

#include "ui/inspector/run_story.h"
#include "ui/inspector/time_scale.h"

#include <QAbstractScrollArea>

namespace holdfast::inspector
{

class Timeline : public QAbstractScrollArea
{
    Q_OBJECT
public:
    explicit Timeline(QWidget *parent = nullptr);

    void setStory(const RunStory &story, model::Instant now);
    void setNow(model::Instant now); // bars that are open grow
    void select(int attempt);        // -1: none
    int selected() const { return m_selected; }
    // Where an attempt is drawn, within the viewport; for tests and tool tips.
    QRect barOf(int attempt) const;
    int attemptAt(const QPoint &point) const; // -1: none
    QString describe(int attempt) const;      // one line

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void chosen(int attempt);
    void opened(int attempt); // Enter or a double click

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    void rescale();
    void choose(int attempt);
    int neighbour(int direction) const;  // in the same row
    int nearest(int rowDirection) const; // in the next row that has one
    int axisHeight() const;
    int rowHeight() const;
    int namesWidth() const;
    int rowTop(int row) const; // within the viewport
    QString tipAt(const QPoint &point) const;

    void paintAxis(QPainter &painter) const;
    void paintGaps(QPainter &painter) const;
    void paintName(QPainter &painter, int row) const;
    void paintWaits(QPainter &painter) const;
    void paintBar(QPainter &painter, int attempt) const;
    void paintBarText(QPainter &painter, int attempt) const;

    RunStory m_story;
    model::Instant m_now = 0;
    TimeScale m_scale;
    int m_selected = -1;
};

} // namespace holdfast::inspector
