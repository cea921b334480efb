#include "ui/shell/page.h"

#include <QAction>

namespace holdfast::shell
{

using namespace Qt::StringLiterals;

Page::Page(bridge::Bridge &bridge, const QString &name, const QString &title)
    : m_bridge(bridge), m_name(name), m_title(title)
{
    setObjectName(name);
    setAccessibleName(title);
}

QAction *Page::addPageAction(const QString &menu, const QString &text, const QKeySequence &key)
{
    auto *action = new QAction(text, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setProperty("menu", menu);
    addAction(action);
    return action;
}

} // namespace holdfast::shell
