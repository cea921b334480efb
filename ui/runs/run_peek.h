// One run at a glance below the list: the verdict and where its steps stand, while the list keeps
// the focus. Follows the current row; a person who wants more opens the run.
#pragma once

#include "ui/widgets/panel.h"

#include <QJsonObject>

namespace holdfast::bridge
{
class Bridge;
}

namespace holdfast::widgets
{
class ElidedLabel;
class FlowLayout;
class TokenLabel;
class WrapLabel;
} // namespace holdfast::widgets

namespace holdfast::runs
{

class RunPeek : public widgets::Panel
{
    Q_OBJECT
public:
    explicit RunPeek(bridge::Bridge &bridge, QWidget *parent = nullptr);

    void showRun(const QString &runId); // empty: no run is current
    void refresh();

private:
    void read(const QJsonObject &run);
    void showProblem(const QString &why);
    void setSteps(const QJsonArray &steps);

    bridge::Bridge &m_bridge;
    QString m_runId;
    bool m_isAsking = false;
    widgets::TokenLabel *m_status = nullptr;
    widgets::ElidedLabel *m_event = nullptr;
    widgets::WrapLabel *m_verdict = nullptr;
    QWidget *m_steps = nullptr;
    widgets::FlowLayout *m_flow = nullptr;
};

} // namespace holdfast::runs
