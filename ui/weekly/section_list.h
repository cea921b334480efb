// The guided pass: eight sections in order, each with a tick a person sets and the number of things
// in it.
#pragma once

#include <QListWidget>
#include <QStringList>

namespace holdfast::weekly
{

class SectionList : public QListWidget
{
    Q_OBJECT
public:
    static const QStringList &names(); // as links and the session call them
    static QString titleOf(const QString &name);

    explicit SectionList(QWidget *parent = nullptr);

    // -1: not known; with more, at least so many.
    void setCount(const QString &name, int count, bool hasMore = false);
    void setTicks(const QStringList &ticks); // says nothing
    QStringList ticks() const;
    // Ticked because the week is signed, not because somebody clicked it.
    void setSigned(bool isSigned);
    void setCurrent(const QString &name);
    QString current() const;

    QSize sizeHint() const override;

Q_SIGNALS:
    void chosen(const QString &name);
    void ticksChanged();

private:
    QListWidgetItem *itemOf(const QString &name) const;
    void label(QListWidgetItem *item);
};

} // namespace holdfast::weekly
