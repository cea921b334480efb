#include "ui/desktop/bell.h"

#include "ui/desktop/notifier.h"

#include <QJsonArray>

namespace holdfast::desktop
{

using namespace Qt::StringLiterals;

namespace
{
// They come oldest first and no more than a page of them: of a list that was cut, the newest is not
// known. Instants are written alike, so that they sort as text.
QJsonObject newestOf(const QJsonArray &items, int count)
{
    QJsonObject newest;
    if (items.size() < count)
        return newest;
    for (const QJsonValue &item : items) {
        if (item["opened_at"_L1].toString() >= newest.value("opened_at"_L1).toString())
            newest = item.toObject();
    }
    return newest;
}
} // namespace

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
    if (on)
        return;
    m_pending.clear();
    m_notifier.withdrawAll();
}

void Bell::ringNow()
{
    m_timer.stop();
    ring();
}

void Bell::look()
{
    if (!std::exchange(m_hasLooked, true)) {
        ring(); // learns what there is
        return;
    }
    for (const QString &kind : m_alerts.stale(m_bridge.marks())) {
        m_pending.remove(kind); // it would be shown after it was taken back
        m_notifier.withdraw(kind);
    }
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
        if (alert.page == "review"_L1)
            ask(alert);
        else
            show(alert);
    }
    // What follows within the quiet time is gathered; the timer looks once more at its end.
    if (!news.isEmpty())
        m_timer.start(m_pace.quietMs);
}

void Bell::ask(const Alert &alert)
{
    const int question = ++m_questions;
    m_pending.insert(alert.kind, question);
    const auto answered = [this, alert, question](const auto &reply) {
        if (m_pending.value(alert.kind) != question)
            return;
        m_pending.remove(alert.kind);
        const QJsonArray items = reply ? (*reply)["reviews"_L1].toArray() : QJsonArray();
        if (!reply || !items.isEmpty()) // decided meanwhile, there is nothing to tell
            show(withFacts(alert, newestOf(items, alert.count)));
    };
    m_bridge.ask(u"reviews"_s, {{u"kind"_s, alert.kind}}, this, answered);
}

void Bell::show(const Alert &alert)
{
    const QString body = alert.body.isEmpty() ? m_name : u"%1 (%2)"_s.arg(alert.body, m_name);
    m_notifier.show(alert.kind, {alert.title, body, u"Open"_s, alert.isUrgent, alert.isPassing});
}

} // namespace holdfast::desktop
