// The list of runs. Rows come and go without moving what a person looks at; J and K go down and up,
// and a pill says how many runs have come in above the screen.
#pragma once

#include "ui/widgets/steady_table.h"

#include <QVector>
#include <functional>

class QPushButton;

namespace holdfast::runs
{

class RunTable : public widgets::SteadyTable
{
    Q_OBJECT
public:
    explicit RunTable(QWidget *parent = nullptr);

    // Changes the model with the current row, or else the topmost, staying where it is.
    void steadily(const std::function<void()> &change);
    // Whether rows may come in at the top without moving the current one.
    bool hasRoomAbove() const;
    bool isAtTop() const;
    QVector<int> selectedRowNumbers() const;
    struct Rows {
        int first = 0;
        int last = -1;
    };
    Rows rowsOnScreen() const;

    // Asks for the rows that are needed to fill the screen, after the model started over.
    void look() { scrolled(); }
    // Runs that came in above the screen, until the person has scrolled to them.
    void addUnseen(int count);
    // Runs that wait to come in, because they would move the current row; `isMore`: at least so
    // many.
    void setWaiting(int count, bool isMore = false);
    int waiting() const { return m_waiting; }

    void keyboardSearch(const QString &) override {} // letters are keys of this list

Q_SIGNALS:
    void nearEnd();
    void nearStart();
    void topWanted();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void scrolled();
    void showPill();
    void placePill();
    QModelIndex anchor() const;

    QPushButton *m_pill = nullptr;
    int m_unseen = 0;
    int m_waiting = 0;
    bool m_isMoreWaiting = false;
    bool m_isChanging = false;
};

} // namespace holdfast::runs
