// One field that finds anything: every action of the menus, pages, workflows, and by exact id or
// key the run or the ledger entry. Ctrl+K.
#pragma once

#include "ui/bridge/bridge.h"

#include <QDialog>
#include <QVector>

class QAction;
class QLineEdit;
class QListWidget;

namespace holdfast::shell
{

class Palette : public QDialog
{
    Q_OBJECT
public:
    // `actions` are offered when they are enabled at that moment.
    Palette(bridge::Bridge &bridge, const QVector<QAction *> &actions, QWidget *parent);

Q_SIGNALS:
    void goTo(const QString &page, const QJsonObject &where);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Find {
        QString text;
        QString hint;
        QAction *action = nullptr;
        QString page;
        QJsonObject where;
    };
    void search(const QString &text);
    void askDoor(const QString &text);
    void add(const Find &find);
    void choose();

    bridge::Bridge &m_bridge;
    QVector<QAction *> m_actions;
    QVector<Find> m_workflows;
    QVector<Find> m_found;
    QLineEdit *m_text = nullptr;
    QListWidget *m_list = nullptr;
    int m_turn = 0; // answers to an older text are dropped
};

// Every word of `text` begins a word of `in`, in any order, or stands inside it.
bool matches(const QString &in, const QString &text);

} // namespace holdfast::shell
