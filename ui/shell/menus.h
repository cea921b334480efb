// The menu bar: every action of the window and of its pages stands in it, which is where the
// palette, the list of keys and a screen reader find them.
#pragma once

#include <QKeySequence>
#include <QMap>
#include <QObject>
#include <QString>
#include <QVector>
#include <functional>

class QAction;
class QMenu;
class QMenuBar;

namespace holdfast::shell
{

class Page;

class Menus : public QObject
{
    Q_OBJECT
public:
    explicit Menus(QMenuBar *bar);

    QAction *add(const QString &menu, const QString &text, const QKeySequence &key,
                 const std::function<void()> &act);
    void adopt(const QString &menu, QAction *action);
    void adoptPage(Page *page);
    void addSeparator(const QString &menu);
    // A page's actions can be used while it is shown.
    void setCurrent(const Page *page);
    QVector<QAction *> actions() const { return m_actions; }
    QMenu *menu(const QString &name) const { return m_menus.value(name); }

private:
    QMap<QString, QMenu *> m_menus;
    QVector<QAction *> m_actions;
    QMap<const Page *, QVector<QAction *>> m_ofPages;
};

} // namespace holdfast::shell
