#include "ui/shell/page_list.h"

#include "ui/style/icons.h"

#include <QEvent>

namespace holdfast::shell
{

using namespace Qt::StringLiterals;

namespace
{
enum Role { nameRole = Qt::UserRole, titleRole, iconRole, countRole };
constexpr int countMax = 999;
} // namespace

PageList::PageList(QWidget *parent) : QListWidget(parent)
{
    setObjectName(u"pages"_s);
    setAccessibleName(u"Pages"_s);
    setFrameShape(QFrame::NoFrame);
    setUniformItemSizes(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    setSpacing(1);
    connect(this, &QListWidget::currentItemChanged, this, [this](QListWidgetItem *item) {
        if (item)
            Q_EMIT chosen(item->data(nameRole).toString());
    });
}

void PageList::addPage(const QString &name, const QString &title, const QString &icon)
{
    auto *item = new QListWidgetItem(this);
    item->setData(nameRole, name);
    item->setData(titleRole, title);
    item->setData(iconRole, icon);
    item->setData(countRole, 0);
    item->setSizeHint(QSize(0, fontMetrics().height() * 2));
    label(item);
}

void PageList::setCount(const QString &name, int count)
{
    QListWidgetItem *item = itemOf(name);
    if (!item || item->data(countRole).toInt() == count)
        return;
    item->setData(countRole, count);
    label(item);
}

void PageList::setCurrent(const QString &name)
{
    if (QListWidgetItem *item = itemOf(name)) {
        setCurrentItem(item);
        return;
    }
    const QSignalBlocker quiet(this);
    setCurrentItem(nullptr);
}

QStringList PageList::names() const
{
    QStringList names;
    for (int row = 0; row < count(); ++row)
        names << item(row)->data(nameRole).toString();
    return names;
}

QListWidgetItem *PageList::itemOf(const QString &name) const
{
    for (int row = 0; row < count(); ++row) {
        if (item(row)->data(nameRole).toString() == name)
            return item(row);
    }
    return nullptr;
}

void PageList::label(QListWidgetItem *item)
{
    const QString title = item->data(titleRole).toString();
    const int number = item->data(countRole).toInt();
    const QString shown = number > countMax ? u"%1+"_s.arg(countMax) : QString::number(number);
    item->setText(number > 0 ? u"%1   %2"_s.arg(title, shown) : title);
    item->setIcon(style::icon(item->data(iconRole).toString()));
    QFont face = font();
    face.setBold(number > 0);
    item->setFont(face);
    item->setData(Qt::AccessibleTextRole,
                  number > 0 ? u"%1, %2 waiting"_s.arg(title, shown) : title);
}

// Icons are drawn in the ink of the theme.
void PageList::changeEvent(QEvent *event)
{
    QListWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange)
        return;
    for (int row = 0; row < count(); ++row)
        label(item(row));
}

QSize PageList::sizeHint() const
{
    QFont bold = font();
    bold.setBold(true);
    return {QFontMetrics(bold).horizontalAdvance(u"Dependencies   999+MMMM"_s), 300};
}

} // namespace holdfast::shell
