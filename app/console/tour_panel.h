// Things to try in the demo, each ticked by what really happened in the database, never by a click
// on the list. It can be skipped and brought back.
#pragma once

#include "ui/bridge/bridge.h"

#include <QDockWidget>
#include <QTimer>
#include <QVector>

class QGridLayout;
class QLabel;

namespace holdfast::settings
{
class Preferences;
}

namespace holdfast::widgets
{
class TokenLabel;
}

namespace holdfast::console
{

class TourPanel : public QDockWidget
{
    Q_OBJECT
public:
    enum Task { finishRuns, seeReplay, settle, pauseAndResume, compensate, signWeek, taskCount };

    TourPanel(bridge::Bridge &bridge, settings::Preferences &preferences, QWidget *parent);

    bool isDone(Task task) const { return m_rows.at(task).isDone; }
    // The run a person has before them; seeing a replay means looking at one.
    void setSeenRun(const QString &run);
    void bringBack(); // after it was skipped or closed

Q_SIGNALS:
    void goTo(const QString &page, const QJsonObject &where);

private:
    struct Row {
        widgets::TokenLabel *mark = nullptr;
        QLabel *title = nullptr;
        QString how; // it is done, or was done
        bool isDone = false;
    };
    void build();
    void addTask(QGridLayout &grid, Task task, const QString &title, const QString &how);
    void show(Task task); // leads to where it is done
    void showReplay();
    void look();
    void askRuns();
    void askAudit();
    void takeAudit(const QJsonArray &rows);
    void checkCompensated(const QString &run);
    void setHow(Task task, const QString &how);
    void setDone(Task task, const QString &how = {});
    void paint();

    bridge::Bridge &m_bridge;
    settings::Preferences &m_preferences;
    const model::Instant m_began;
    QVector<Row> m_rows{taskCount};
    widgets::TokenLabel *m_next = nullptr; // how the first open task is done
    QLabel *m_summary = nullptr;
    QTimer m_soon; // several changes are one look
};

} // namespace holdfast::console
