// One pause in the banner: two lines of words and the buttons that lead on. The way back is a
// dialog; nothing here lifts a pause at once.
#pragma once

#include "ui/pause/pause_state.h"

#include <QJsonArray>
#include <QWidget>

class QPushButton;

namespace holdfast::widgets
{
class ElidedLabel;
}

namespace holdfast::pause
{

class PauseLine : public QWidget
{
    Q_OBJECT
public:
    explicit PauseLine(QWidget *parent = nullptr);

    void setPause(const PauseState &pause, const QString &actor, model::Instant now);
    void setKeys(const QJsonArray &keys, model::Instant now); // that expire while it is in force
    void setProblem(const QString &problem);
    QString said() const; // all of it, for a screen reader

Q_SIGNALS:
    void detailsWanted();
    void resumeWanted();
    void rampWanted(const QString &what); // hold, go, repause

protected:
    void changeEvent(QEvent *event) override;

private:
    QPushButton *button(const QString &name, const QString &text, const QString &accessible);
    void showCounts();
    QString rampText() const;
    void colour();

    PauseState m_pause;
    QString m_keys;
    QString m_problem;
    widgets::ElidedLabel *m_first = nullptr;
    widgets::ElidedLabel *m_second = nullptr;
    widgets::ElidedLabel *m_ramp = nullptr;
    QPushButton *m_hold = nullptr;
    QPushButton *m_repause = nullptr;
    QPushButton *m_details = nullptr;
    QPushButton *m_resume = nullptr;
    bool m_isColouring = false;
};

} // namespace holdfast::pause
