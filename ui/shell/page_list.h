// The pages on the left, each with its key and, where something waits, its number.
#pragma once

#include <QListWidget>

namespace holdfast::shell
{

class PageList : public QListWidget
{
    Q_OBJECT
public:
    explicit PageList(QWidget *parent = nullptr);

    void addPage(const QString &name, const QString &title, const QString &icon);
    void setCount(const QString &name, int count);
    void setCurrent(const QString &name);
    QStringList names() const;

    QSize sizeHint() const override;

Q_SIGNALS:
    void chosen(const QString &name);

protected:
    void changeEvent(QEvent *event) override;

private:
    QListWidgetItem *itemOf(const QString &name) const;
    void label(QListWidgetItem *item);
};

} // namespace holdfast::shell
