// The list at the left: two lines an item, worst first, never moving under the hand. J and K walk
// it; letters that no action takes are handed on, so that the page can say why nothing happened.
#pragma once

#include "ui/widgets/steady_table.h"

#include <QStyledItemDelegate>

namespace holdfast::review
{

class ReviewDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
};

class ReviewList : public widgets::SteadyTable
{
    Q_OBJECT
public:
    explicit ReviewList(QWidget *parent = nullptr);

    QString currentId() const;
    void walk(int rows); // down, or up when negative
    // Letters are for answers; they never search.
    void keyboardSearch(const QString &) override {}

Q_SIGNALS:
    void currentIdChanged(const QString &id);
    void openWanted();
    void letterPressed(const QString &letter);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    void changeEvent(QEvent *event) override;

private:
    void fitRows();
};

} // namespace holdfast::review
