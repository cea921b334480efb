// Starts a run by hand: its input as JSON, and an event id where the workflow does not derive one.
// It stays open until the door has accepted the run, and shows what the door says against it.
#pragma once

#include "ui/bridge/bridge.h"

#include <QDialog>

class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace holdfast::widgets
{
class WrapLabel;
}

namespace holdfast::workflows
{

class StartDialog : public QDialog
{
    Q_OBJECT
public:
    StartDialog(bridge::Bridge &bridge, const QJsonObject &workflow, QWidget *parent);

Q_SIGNALS:
    void started(const QString &run, bool replayed);

private:
    void build();
    void checkInput();
    void start();
    void showProblem(const QString &problem);

    bridge::Bridge &m_bridge;
    const QString m_workflow;
    const int m_version;
    QJsonObject m_read; // the input, where it is an object
    bool m_isBusy = false;
    QPlainTextEdit *m_input = nullptr;
    QLineEdit *m_event = nullptr;
    widgets::WrapLabel *m_problem = nullptr;
    QPushButton *m_start = nullptr;
};

} // namespace holdfast::workflows
