#include "ui/weekly/section_list.h"

#include <QLocale>

namespace holdfast::weekly
{

using namespace Qt::StringLiterals;

namespace
{
enum SectionRole { sectionName = Qt::UserRole, sectionCount, sectionMore };

struct Section {
    QString name;
    QString title;
};

const QVector<Section> &sections()
{
    static const QVector<Section> all{
        {u"changes"_s, u"What changed"_s},      {u"groups"_s, u"Failure groups"_s},
        {u"unresolved"_s, u"Unresolved"_s},     {u"compensations"_s, u"Compensations"_s},
        {u"cost"_s, u"Retry and model cost"_s}, {u"canaries"_s, u"Canary verdicts"_s},
        {u"gaps"_s, u"Contract gaps"_s},        {u"signoff"_s, u"Sign off"_s},
    };
    return all;
}
} // namespace

const QStringList &SectionList::names()
{
    static const QStringList all = [] {
        QStringList list;
        for (const Section &section : sections())
            list << section.name;
        return list;
    }();
    return all;
}

QString SectionList::titleOf(const QString &name)
{
    for (const Section &section : sections()) {
        if (section.name == name)
            return section.title;
    }
    return {};
}

SectionList::SectionList(QWidget *parent) : QListWidget(parent)
{
    setObjectName(u"sections"_s);
    setAccessibleName(u"Sections of the review"_s);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setUniformItemSizes(true);
    for (const Section &section : sections()) {
        auto *item = new QListWidgetItem(this);
        item->setData(sectionName, section.name);
        item->setData(sectionCount, -1);
        Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
        if (section.name != "signoff"_L1)
            flags |= Qt::ItemIsUserCheckable;
        item->setFlags(flags);
        item->setCheckState(Qt::Unchecked);
        item->setSizeHint(QSize(0, fontMetrics().height() * 9 / 5));
        label(item);
    }
    setCurrentRow(0);
    connect(this, &QListWidget::currentItemChanged, this, [this](QListWidgetItem *item) {
        if (item)
            Q_EMIT chosen(item->data(sectionName).toString());
    });
    connect(this, &QListWidget::itemChanged, this, [this](QListWidgetItem *item) {
        label(item);
        Q_EMIT ticksChanged();
    });
}

QListWidgetItem *SectionList::itemOf(const QString &name) const
{
    return item(int(names().indexOf(name)));
}

void SectionList::label(QListWidgetItem *item)
{
    const QSignalBlocker quiet(this);
    const QString title = titleOf(item->data(sectionName).toString());
    const int count = item->data(sectionCount).toInt();
    QString text = u"%1  %2"_s.arg(row(item) + 1).arg(title);
    const QString more = item->data(sectionMore).toBool() ? u"+"_s : QString();
    if (count >= 0)
        text += u"   "_s + QLocale().toString(count) + more;
    item->setText(text);
    QFont face = font();
    face.setBold(count > 0 && item->checkState() == Qt::Unchecked);
    item->setFont(face);
    QString said = title;
    if (count >= 0)
        said += u", %1"_s.arg(count) + (more.isEmpty() ? QString() : u" or more"_s);
    said += item->checkState() == Qt::Checked ? u", done"_s : u", to do"_s;
    item->setData(Qt::AccessibleTextRole, said);
}

void SectionList::setCount(const QString &name, int count, bool hasMore)
{
    QListWidgetItem *item = itemOf(name);
    if (!item ||
        (item->data(sectionCount).toInt() == count && item->data(sectionMore).toBool() == hasMore))
        return;
    const QSignalBlocker quiet(this);
    item->setData(sectionCount, count);
    item->setData(sectionMore, hasMore);
    label(item);
    viewport()->update();
}

void SectionList::setTicks(const QStringList &ticks)
{
    const QSignalBlocker quiet(this);
    for (int i = 0; i < count(); ++i) {
        if (item(i)->data(sectionName).toString() == "signoff"_L1)
            continue;
        const bool isTicked = ticks.contains(item(i)->data(sectionName).toString());
        item(i)->setCheckState(isTicked ? Qt::Checked : Qt::Unchecked);
        label(item(i));
    }
    viewport()->update();
}

void SectionList::setSigned(bool isSigned)
{
    const QSignalBlocker quiet(this);
    QListWidgetItem *item = itemOf(u"signoff"_s);
    item->setCheckState(isSigned ? Qt::Checked : Qt::Unchecked);
    label(item);
    viewport()->update();
}

QStringList SectionList::ticks() const
{
    QStringList ticked;
    for (int i = 0; i < count(); ++i) {
        if (item(i)->checkState() == Qt::Checked)
            ticked << item(i)->data(sectionName).toString();
    }
    return ticked;
}

void SectionList::setCurrent(const QString &name)
{
    if (QListWidgetItem *item = itemOf(name))
        setCurrentItem(item);
}

QString SectionList::current() const
{
    return currentItem() ? currentItem()->data(sectionName).toString() : QString();
}

QSize SectionList::sizeHint() const
{
    QFont bold = font();
    bold.setBold(true);
    return {QFontMetrics(bold).horizontalAdvance(u"MMM5  Retry and model cost   999+"_s),
            fontMetrics().height() * 9 / 5 * count() + 2 * frameWidth()};
}

} // namespace holdfast::weekly
