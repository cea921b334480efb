// Under the list: what is selected, the way to everything that matches, and the acts on it.
#pragma once

#include <QVector>
#include <QWidget>

class QAction;
class QPushButton;

namespace holdfast::widgets
{
class TokenLabel;
}

namespace holdfast::runs
{

class SelectionBar : public QWidget
{
    Q_OBJECT
public:
    // A button for each act; it follows the action.
    SelectionBar(const QVector<QAction *> &acts, QAction *selectAll, QWidget *parent = nullptr);

    // `all` as in "all 1,204 that match"; `offersAll`: there is more than is selected.
    void showSelection(const QString &selected, const QString &all, bool offersAll);
    QString text() const;

private:
    widgets::TokenLabel *m_text = nullptr;
    QPushButton *m_all = nullptr;
};

} // namespace holdfast::runs
