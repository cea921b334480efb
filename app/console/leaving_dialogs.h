// What a person is asked and told when they leave: closing the window while its engine runs, and
// quitting while attempts are under way. Neither blocks; both answer by signal.
#pragma once

#include <QDialog>
#include <QTimer>
#include <functional>

class QCheckBox;

namespace holdfast::widgets
{
class TokenLabel;
}

namespace holdfast::console
{

class CloseQuestion : public QDialog
{
    Q_OBJECT
public:
    // `hides` is whether there is a place to come back from; else the window is minimised.
    CloseQuestion(int inFlight, bool hides, QWidget *parent);

Q_SIGNALS:
    void answered(const QString &choice, bool always); // keep | quit

private:
    QCheckBox *m_always = nullptr;
};

class DrainNotice : public QDialog
{
    Q_OBJECT
public:
    // `inFlight` must answer at once; it is asked several times a second.
    DrainNotice(std::function<int()> inFlight, QWidget *parent);
    void reject() override {} // there is only one way to hurry, and it has a name

Q_SIGNALS:
    void forced();

private:
    void look();

    std::function<int()> m_inFlight;
    widgets::TokenLabel *m_state = nullptr;
    QTimer m_timer;
};

} // namespace holdfast::console
