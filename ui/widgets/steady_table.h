// A table that does not move under the person's hand: the current row stays where it is on the
// screen when rows come and go above it.
#pragma once

#include <QTableView>

namespace holdfast::widgets
{

class SteadyTable : public QTableView
{
    Q_OBJECT
public:
    explicit SteadyTable(QWidget *parent = nullptr);

    // Remembers where the current row is, changes the model, and puts it back there.
    template <typename Change>
    void changeInPlace(const Change &change)
    {
        const int before = currentTop();
        change();
        putBack(before);
    }

Q_SIGNALS:
    void copyWanted(); // instead of Qt's own copying of one cell

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    int currentTop() const; // -1: there is none on the screen
    void putBack(int top);
};

} // namespace holdfast::widgets
