// Rings when something begins to wait for a person: looks at what the bridge sees, gathers what
// comes within a moment into one alert per kind, and takes an alert back as soon as it is stale.
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/desktop/alerts.h"

#include <QTimer>

namespace holdfast::desktop
{

class Notifier;

struct BellPace {
    int gatherMs = 1500; // what comes within this is one alert
    int quietMs = 20000; // and after one was raised, within this
};

class Bell : public QObject
{
    Q_OBJECT
public:
    // `name` is that of the workspace: a person may have several.
    Bell(bridge::Bridge &bridge, Notifier &notifier, const QString &name, BellPace pace = {},
         QObject *parent = nullptr);
    ~Bell() override;

    void setOn(bool on);
    void ringNow(); // what was gathered, without waiting for the rest of its time

Q_SIGNALS:
    void pageWanted(const QString &page); // the person chose an alert

private:
    void look();
    void ring();
    void ask(const Alert &alert); // for the facts of its newest item, then shows it
    void show(const Alert &alert);

    bridge::Bridge &m_bridge;
    Notifier &m_notifier;
    const QString m_name;
    const BellPace m_pace;
    Alerts m_alerts;
    QMap<QString, QString> m_pages; // of the alerts, by kind
    QMap<QString, int> m_pending;   // by kind: which question's answer is still to be shown
    int m_questions = 0;
    QTimer m_timer;
    bool m_isOn = true;
    bool m_hasLooked = false;
};

} // namespace holdfast::desktop
