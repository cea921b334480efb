// One page of the window. The window shows one at a time, asks it to refresh when it is shown and
// when something changed while it is, and remembers where it was for back, forward and the next
// session.
#pragma once

#include "ui/bridge/bridge.h"

#include <QJsonObject>
#include <QWidget>

class QAction;

namespace holdfast::shell
{

class Page : public QWidget
{
    Q_OBJECT
public:
    // `name` is what links and the session call it, `title` what the person reads.
    Page(bridge::Bridge &bridge, const QString &name, const QString &title);

    const QString &name() const { return m_name; }
    const QString &title() const { return m_title; }

    // Asks for fresh figures; never blocks. Called when shown and when something changed.
    virtual void refresh() = 0;
    // Goes to a place within the page, for instance {"filter": "status:review"} or {"run": id}.
    virtual void open(const QJsonObject &where) { Q_UNUSED(where); }
    // The place it is at, so that open(where()) leads back to it.
    virtual QJsonObject where() const { return {}; }
    // The widget that gets the focus when the page is shown.
    virtual QWidget *first() { return this; }

Q_SIGNALS:
    void goTo(const QString &page, const QJsonObject &where);
    void placeChanged();               // where() is another now; the window remembers the way back
    void said(const QString &message); // one sentence for the status bar
    void countChanged(int count);      // the number beside its name; zero shows none

protected:
    bridge::Bridge &bridge() const { return m_bridge; }
    // Every action of a page stands in the menu bar too, under `menu` (Edit, View, Run, Review,
    // Tools), and so in the palette and the list of keys.
    QAction *addPageAction(const QString &menu, const QString &text, const QKeySequence &key = {});

private:
    bridge::Bridge &m_bridge;
    const QString m_name;
    const QString m_title;
};

} // namespace holdfast::shell
