#include "ui/review/kind_tabs.h"

#include <QMap>

namespace holdfast::review
{

using namespace Qt::StringLiterals;

KindTabs::KindTabs(QWidget *parent) : QTabBar(parent)
{
    setObjectName(u"kinds"_s);
    setAccessibleName(u"Kinds of item"_s);
    setExpanding(false);
    setDrawBase(false);
    setUsesScrollButtons(true);
    addTab(u"All"_s);
    for (const KindLook &look : kindLooks())
        addTab(look.many);
    setCounts({});
    connect(this, &QTabBar::currentChanged, this, &KindTabs::kindChanged);
}

void KindTabs::setCounts(const QVector<Item> &items)
{
    QMap<QString, int> counts;
    for (const Item &item : items)
        ++counts[item.kind];
    setTabText(0, u"All %1"_s.arg(items.size()));
    const auto &looks = kindLooks();
    for (int i = 0; i < looks.size(); ++i) {
        const KindLook &look = looks.at(i);
        const QString text = u"%1 %2 %3"_s.arg(look.shape, look.many).arg(counts.value(look.kind));
        setTabText(i + 1, text);
        setAccessibleTabName(i + 1, u"%1: %2"_s.arg(look.many).arg(counts.value(look.kind)));
    }
}

QString KindTabs::kind() const
{
    return currentIndex() <= 0 ? QString() : kindLooks().at(currentIndex() - 1).kind;
}

void KindTabs::setKind(const QString &kind)
{
    const auto &looks = kindLooks();
    int index = 0;
    for (int i = 0; i < looks.size(); ++i) {
        if (looks.at(i).kind == kind)
            index = i + 1;
    }
    setCurrentIndex(index);
}

} // namespace holdfast::review
