// Stops things in three seconds: scope from where the person stands, a reason of one key, Enter. It
// asks for no confirmation, because pausing too much is undone by resuming and pausing too late by
// nothing.
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pause/pause_state.h"

#include <QDialog>
#include <QMap>

class QButtonGroup;
class QComboBox;
class QLineEdit;
class QPushButton;
class QRadioButton;

namespace holdfast::widgets
{
class WrapLabel;
}

namespace holdfast::pause
{

class PauseDialog : public QDialog
{
    Q_OBJECT
public:
    explicit PauseDialog(bridge::Bridge &bridge, const PauseScope &preselected = {},
                         QWidget *parent = nullptr);

    PauseScope scope() const;
    QString depth() const;

Q_SIGNALS:
    void paused(const QJsonObject &pause);
    void goTo(const QString &page, const QJsonObject &where);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QLayout *buildScope();
    QLayout *buildDepth();
    QLayout *buildReason();
    QRadioButton *radio(QButtonGroup *group, const QString &name, const QString &text);
    void askNames();
    void fill(QComboBox *names, const QStringList &list, const QString &wanted);
    void choosePreset(int index);
    void showState();
    void pauseNow();
    void answered(const model::Result<QJsonValue> &answer);

    bridge::Bridge &m_bridge;
    const PauseScope m_preselected;
    QButtonGroup *m_scopes = nullptr;
    QButtonGroup *m_depths = nullptr;
    QMap<QString, QRadioButton *> m_scopeButtons;
    QComboBox *m_workflows = nullptr;
    QComboBox *m_dependencies = nullptr;
    QVector<QPushButton *> m_presets;
    QLineEdit *m_reason = nullptr;
    widgets::WrapLabel *m_inFlight = nullptr;
    widgets::WrapLabel *m_problem = nullptr;
    QPushButton *m_pause = nullptr;
    bool m_isBusy = false;
};

} // namespace holdfast::pause
