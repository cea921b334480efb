// One step of a workflow as a box: what it does, to whom, under which key, how it is protected and
// how it is made up for. A button, so that keys and screen readers reach it like anything else.
#pragma once

#include "ui/style/theme.h"

#include <QAbstractButton>
#include <QJsonObject>

namespace holdfast::workflows
{

class StepBox : public QAbstractButton
{
    Q_OBJECT
public:
    explicit StepBox(const QJsonObject &step, QWidget *parent = nullptr);

    QString step() const { return m_step.value(QLatin1String("step")).toString(); }
    int line() const { return m_step.value(QLatin1String("line")).toInt(); }
    bool isCompensable() const; // a way back is declared
    int heightFor(int width) const;

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    struct Line {
        QString text;
        style::Token token = style::Token::text;
        bool isFixed = false; // in the fixed pitch of code
    };
    void makeLines();
    void paintHead(QPainter &painter, const QRect &area) const;

    const QJsonObject m_step;
    QVector<Line> m_lines; // below the head
};

} // namespace holdfast::workflows
