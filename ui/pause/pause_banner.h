// The striped band above every page while something is paused: who, when, why, how much is held and
// what is still on the wire. It cannot be dismissed; it goes when the last pause does.
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pause/pause_state.h"

#include <QMap>
#include <QTimer>
#include <QWidget>

class QVBoxLayout;

namespace holdfast::pause
{

class PauseLine;

class PauseBanner : public QWidget
{
    Q_OBJECT
public:
    explicit PauseBanner(bridge::Bridge &bridge, QWidget *parent = nullptr);

    void refresh(); // shows the marks the bridge has

Q_SIGNALS:
    void appeared(); // where nothing was paused; also told to a screen reader
    void goTo(const QString &page, const QJsonObject &where);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void setPauses(const QVector<PauseState> &pauses);
    void addLine(const PauseState &pause);
    void askKeys(const QString &id);
    void resume(const QString &id);
    void ramp(const QString &id, const QString &what);

    bridge::Bridge &m_bridge;
    QVector<PauseState> m_pauses;
    QMap<QString, PauseLine *> m_lines;
    QVBoxLayout *m_column = nullptr;
    QTimer m_clock; // ages and key windows move without news
};

} // namespace holdfast::pause
