// What is worth a word on the desktop: something began to wait for a person. One alert per kind,
// however many there are of it, and never one for success. Made from the marks that every page
// shows too, so an alert is never the only place where a fact stands. Pure: marks in, alerts out.
#pragma once

#include <QJsonObject>
#include <QMap>
#include <QSet>
#include <QString>
#include <QVector>

namespace holdfast::desktop
{

struct Alert {
    QString kind; // one at a time of each; a later one takes the place of an earlier one
    QString title;
    QString body;
    QString page;  // that shows it
    int count = 1; // how many of its kind there are
    bool isUrgent = false;
    bool isPassing = false; // not worth keeping once it was seen
};

// The same with what the newest item's own alert says: stage, tries, effect and who is next. Where
// nothing is known of it, as it was.
Alert withFacts(Alert alert, const QJsonObject &item);

class Alerts
{
public:
    // What is new since the last look; the first look only learns what there is, because whoever
    // starts a console looks at it. `self` is the person at this console, whose own pauses are no
    // news to them.
    QVector<Alert> news(const QJsonObject &marks, const QString &self);
    // Kinds whose alert would not be true any more: somebody is at them, or they are over.
    QStringList stale(const QJsonObject &marks);

private:
    QVector<Alert> ofReviews(const QJsonObject &reviews);
    QVector<Alert> ofBreakers(const QStringList &open);
    QVector<Alert> ofPauses(const QJsonArray &pauses, const QString &self);

    bool m_isFirst = true;
    QMap<QString, int> m_reviews; // by kind, as at the last look
    QStringList m_breakers;
    QMap<QString, QString> m_pauses; // title by id
    QMap<QString, int> m_told;       // what the alert that stands speaks of, by its kind
};

} // namespace holdfast::desktop
