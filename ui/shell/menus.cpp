#include "ui/shell/menus.h"

#include "ui/shell/page.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>

namespace holdfast::shell
{

using namespace Qt::StringLiterals;

Menus::Menus(QMenuBar *bar) : QObject(bar)
{
    const QString titles[] = {u"&File"_s,   u"&Edit"_s,  u"&View"_s,     u"&Run"_s,
                              u"Re&view"_s, u"&Tools"_s, u"&Settings"_s, u"&Help"_s};
    for (const QString &title : titles)
        m_menus.insert(QString(title).remove(u'&'), bar->addMenu(title));
}

QAction *Menus::add(const QString &menu, const QString &text, const QKeySequence &key,
                    const std::function<void()> &act)
{
    auto *action = new QAction(text, this);
    action->setShortcut(key);
    connect(action, &QAction::triggered, this, [act] { act(); });
    adopt(menu, action);
    return action;
}

void Menus::adopt(const QString &menu, QAction *action)
{
    Q_ASSERT(m_menus.contains(menu));
    m_menus.value(menu)->addAction(action);
    m_actions.append(action);
}

void Menus::adoptPage(Page *page)
{
    for (QAction *action : page->actions()) {
        const QString menu = action->property("menu").toString();
        if (!m_menus.contains(menu))
            continue;
        adopt(menu, action);
        m_ofPages[page].append(action);
    }
}

void Menus::addSeparator(const QString &menu) { m_menus.value(menu)->addSeparator(); }

void Menus::setCurrent(const Page *page)
{
    for (auto entry = m_ofPages.cbegin(); entry != m_ofPages.cend(); ++entry) {
        for (QAction *action : entry.value())
            action->setVisible(entry.key() == page);
    }
}

} // namespace holdfast::shell
