// Lifts a pause, slowly on purpose: it shows what waits and how the outside is, has the person type
// what they resume and why, and lets it through by a ramp unless they choose otherwise.
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pause/pause_state.h"

#include <QDialog>

class QLineEdit;
class QPushButton;
class QRadioButton;

namespace holdfast::widgets
{
class TypedWord;
class WrapLabel;
} // namespace holdfast::widgets

namespace holdfast::pause
{

class PreflightView;

class ResumeDialog : public QDialog
{
    Q_OBJECT
public:
    ResumeDialog(bridge::Bridge &bridge, const PauseState &pause, QWidget *parent = nullptr);

Q_SIGNALS:
    void resumed();
    void goTo(const QString &page, const QJsonObject &where);

private:
    QLayout *buildPace();
    QLayout *buildConfirm();
    void check();
    void showState();
    void resumeNow();
    void answered(const model::Result<QJsonValue> &answer);

    bridge::Bridge &m_bridge;
    const PauseState m_pause;
    PreflightView *m_preflight = nullptr;
    QRadioButton *m_ramp = nullptr;
    QRadioButton *m_atOnce = nullptr;
    widgets::TypedWord *m_confirm = nullptr;
    QLineEdit *m_note = nullptr;
    widgets::WrapLabel *m_problem = nullptr;
    QPushButton *m_resume = nullptr;
    bool m_isBusy = false;
};

} // namespace holdfast::pause
