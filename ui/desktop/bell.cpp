#include "ui/desktop/bell.h"

#include "ui/desktop/notifier.h"

namespace holdfast::desktop
{

using namespace Qt::StringLiterals;

Bell::Bell(bridge::Bridge &bridge, Notifier &notifier, const QString &name, BellPace pace,
           QObject *parent)
    : QObject(parent), m_bridge(bridge), m_notifier(notifier), m_name(name), m_pace(pace)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Bell::ring);
    connect(&m_bridge, &bridge::Bridge::changed, this, &Bell::look);
    connect(&m_notifier, &Notifier::activated, this, [this](const QString &kind) {
        if (m_pages.contains(kind))
            Q_EMIT pageWanted(m_pages.value(kind));
    });
}

Bell::~Bell() { m_notifier.withdrawAll(); }

void Bell::setOn(bool on)
{
    if (on && !m_isOn) // what came in between is no news now
        m_alerts.news(m_bridge.marks(), m_bridge.actor());
    m_isOn = on;
    if (!on)
        m_notifier.withdrawAll();
}

void Bell::look()
{
    if (!std::exchange(m_hasLooked, true)) {
        ring(); // learns what there is
        return;
    }
    for (const QString &kind : m_alerts.stale(m_bridge.marks()))
        m_notifier.withdraw(kind);
    if (!m_timer.isActive())
        m_timer.start(m_pace.gatherMs);
}

void Bell::ring()
{
    const QVector<Alert> news = m_alerts.news(m_bridge.marks(), m_bridge.actor());
    for (const Alert &alert : news) {
        m_pages.insert(alert.kind, alert.page);
        if (!m_isOn)
            continue;
        const QString body = alert.body.isEmpty() ? m_name : u"%1 (%2)"_s.arg(alert.body, m_name);
        m_notifier.show(alert.kind,
                        {alert.title, body, u"Open"_s, alert.isUrgent, alert.isPassing});
    }
    // What follows within the quiet time is gathered; the timer looks once more at its end.
    if (!news.isEmpty())
        m_timer.start(m_pace.quietMs);
}

} // namespace holdfast::desktop
