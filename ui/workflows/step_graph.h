// The steps of a workflow from top to bottom, in the order they run; at the right, dashed, the way
// back: compensations run upwards, from the last confirmed effect to the first.
#pragma once

#include <QJsonArray>
#include <QWidget>

class QButtonGroup;

namespace holdfast::workflows
{

class StepBox;

class StepGraph : public QWidget
{
    Q_OBJECT
public:
    explicit StepGraph(QWidget *parent = nullptr);

    void setSteps(const QJsonArray &steps);
    void select(int line); // the step that stands at or before this line
    const QVector<StepBox *> &boxes() const { return m_boxes; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void chosen(int line); // of the definition

protected:
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void place();
    int gap() const;
    int lane() const; // room for the way back
    int heightOfAll() const;
    void paintWayBack(QPainter &painter) const;

    QVector<StepBox *> m_boxes;
    QButtonGroup *m_group = nullptr;
};

} // namespace holdfast::workflows
