// The kinds of item as tabs with their counts; a kind without items keeps its tab, so that nothing
// moves under the hand.
#pragma once

#include "ui/review/review_item.h"

#include <QTabBar>

namespace holdfast::review
{

class KindTabs : public QTabBar
{
    Q_OBJECT
public:
    explicit KindTabs(QWidget *parent = nullptr);

    void setCounts(const QVector<Item> &items);
    QString kind() const; // empty: all
    void setKind(const QString &kind);

Q_SIGNALS:
    void kindChanged();
};

} // namespace holdfast::review
