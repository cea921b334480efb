// The hand on the demo's world: faults by preset, runs by the dozen, and what the sandbox's own
// books say happened, beside what a blind client did against a twin with the same faults.
#pragma once

#include "app/console/demo.h"

#include <QDockWidget>

class QLabel;

namespace holdfast::console
{

class DemoPanel : public QDockWidget
{
    Q_OBJECT
public:
    DemoPanel(Demo &demo, QWidget *parent);

    void refresh();

private:
    QWidget *buildFaults();
    QWidget *buildRuns();

    Demo &m_demo;
    QTimer m_timer;
    QLabel *m_ours = nullptr;
    QLabel *m_blind = nullptr;
    QLabel *m_faults = nullptr;
};

} // namespace holdfast::console
