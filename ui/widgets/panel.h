// A raised surface with a hairline around it: what belongs together stands on one.
#pragma once

#include <QFrame>

namespace holdfast::widgets
{

class Panel : public QFrame
{
    Q_OBJECT
public:
    explicit Panel(QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace holdfast::widgets
