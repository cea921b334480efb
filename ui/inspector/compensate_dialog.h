// Compensating a run by hand: first the plan, in the order it will be done, with the exact request
// of each step; then, after a reason and a button that names the effect, how it goes and what came
// of it. What the person decides is bound to the version of the run the plan was made for.
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/inspector/curl_text.h"
#include "ui/inspector/run_story.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;

namespace holdfast::widgets
{
class SteadyTable;
class TypedWord;
class WrapLabel;
} // namespace holdfast::widgets

namespace holdfast::inspector
{

class CodePanel;
class PlanModel;

class CompensateDialog : public QDialog
{
    Q_OBJECT
public:
    CompensateDialog(bridge::Bridge &bridge, const RunStory &story, QWidget *parent = nullptr);

    void setOutgoing(const QMap<QString, Outgoing> &outgoing) { m_outgoing = outgoing; }
    // The run as it is now; shows how far the compensation is.
    void showRun(const RunStory &story);

Q_SIGNALS:
    void said(const QString &message);

private:
    void buildLayout();
    void askPlan();
    void showPlan(const QJsonObject &plan);
    void showRequest();
    void updateButton();
    void start();
    void askCommand();
    void showProgress();
    void showProblem(const QString &problem);

    bridge::Bridge &m_bridge;
    RunStory m_story;
    QMap<QString, Outgoing> m_outgoing;
    PlanModel *m_plan = nullptr;
    widgets::WrapLabel *m_headline = nullptr;
    widgets::SteadyTable *m_table = nullptr;
    CodePanel *m_request = nullptr;
    QLabel *m_reasonLabel = nullptr;
    QLineEdit *m_reason = nullptr;
    widgets::TypedWord *m_typed = nullptr;
    widgets::WrapLabel *m_progress = nullptr;
    widgets::WrapLabel *m_problem = nullptr;
    QPushButton *m_act = nullptr;
    QPushButton *m_close = nullptr;

    qint64 m_version = -1; // the run the plan was made for
    QString m_command;     // empty: nothing has been decided
    QString m_commandState;
    QString m_commandMessage;
    bool m_isBusy = false;
    bool m_isRefused = false; // the engine would not do it, whatever is chosen
    bool m_isAskingCommand = false;
};

} // namespace holdfast::inspector
