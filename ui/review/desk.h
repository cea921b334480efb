// Where answers leave the page: they wait out their grace, are sent once, and come back as recorded
// or refused. A refusal is put in words: who was faster and with what, or what moved.
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/review/grace.h"

#include <QMap>
#include <QSet>

namespace holdfast::review
{

class Desk : public QObject
{
    Q_OBJECT
public:
    explicit Desk(bridge::Bridge &bridge, QObject *parent = nullptr);

    // With time to take it back.
    void decide(const Decision &decision) { m_grace.add(decision); }
    // At once: what decides nothing needs no grace.
    void send(const Decision &decision);

    Grace &grace() { return m_grace; }
    bool isPending(const QString &reviewId) const;
    // What the list says about items on their way, by item.
    QMap<QString, QString> pendingTexts() const;

Q_SIGNALS:
    void recorded(const holdfast::review::Decision &decision);
    void refused(const holdfast::review::Decision &decision, const QString &sentence);
    void pendingChanged();

private:
    void explain(const Decision &decision, const model::Error &error);

    bridge::Bridge &m_bridge;
    Grace m_grace;
    QSet<QString> m_sending;
};

} // namespace holdfast::review
