// Items in a row that goes on in the next line when it is full, as words do.
#pragma once

#include <QLayout>
#include <QList>

namespace holdfast::widgets
{

class FlowLayout : public QLayout
{
    Q_OBJECT
public:
    explicit FlowLayout(int gap, QWidget *parent = nullptr);
    ~FlowLayout() override;

    void addItem(QLayoutItem *item) override;
    int count() const override { return int(m_items.size()); }
    QLayoutItem *itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem *takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect &area) override;

private:
    int lay(const QRect &area, bool places) const; // the height it takes

    const int m_gap;
    QList<QLayoutItem *> m_items;
};

} // namespace holdfast::widgets
