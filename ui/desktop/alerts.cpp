#include "ui/desktop/alerts.h"

#include <QJsonArray>
#include <algorithm>

namespace holdfast::desktop
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qsizetype namesMax = 3;

struct KindText {
    const char *kind;
    QString one;
    QString many; // %1 is how many
    QString body;
    bool isUrgent;
};

const QVector<KindText> &kindTexts()
{
    static const QVector<KindText> texts{
        {"ambiguous", u"An ambiguous outcome waits for you"_s,
         u"%1 ambiguous outcomes wait for you"_s,
         u"Nothing is sent again until somebody decides."_s, false},
        {"approval", u"An approval is due"_s, u"%1 approvals are due"_s,
         u"The step is not sent without one."_s, false},
        {"compensation_failed", u"A compensation failed"_s, u"%1 compensations failed"_s,
         u"An effect still stands that should have been made up for."_s, true},
        {"tripwire", u"A tripwire went off"_s, u"%1 tripwires went off"_s,
         u"What it guards is paused until somebody looked."_s, true},
    };
    return texts;
}

QStringList breakersIn(const QJsonObject &marks)
{
    QStringList names;
    const QJsonArray list = marks.value("breakers_open"_L1).toArray();
    for (const QJsonValue &name : list)
        names << name.toString();
    names.sort();
    return names;
}

QString someOf(const QStringList &names)
{
    if (names.size() <= namesMax)
        return names.join(u", "_s);
    return u"%1 and %2 more"_s.arg(names.mid(0, namesMax).join(u", "_s))
        .arg(names.size() - namesMax);
}

QString scopeOf(const QJsonObject &pause)
{
    const QString target = pause.value("target"_L1).toString();
    return target.isEmpty() ? u"everything"_s : target;
}
QString triesText(const QJsonObject &told)
{
    const int attempts = told.value("attempts"_L1).toInt();
    if (attempts == 0)
        return u"Nothing was sent yet."_s;
    return attempts == 1 ? u"Tried once."_s : u"Tried %1 times."_s.arg(attempts);
}

QString nextText(const QJsonObject &told)
{
    const QJsonObject next = told.value("next"_L1).toObject();
    QStringList who;
    const QJsonArray names = next.value("who"_L1).toArray();
    for (const QJsonValue &name : names)
        who << name.toString();
    const QString whom = who.isEmpty() ? u"an "_s + next.value("role"_L1).toString() : someOf(who);
    return u"Next: %1 %2."_s.arg(whom, next.value("does"_L1).toString());
}
} // namespace

Alert withFacts(Alert alert, const QJsonObject &item)
{
    const QJsonObject evidence = item.value("evidence"_L1).toObject();
    const QJsonObject told = evidence.value("told"_L1).toObject();
    const QString why = evidence.value("why"_L1).toString();
    if (told.isEmpty()) {
        if (!why.isEmpty())
            alert.body = u"%1. %2"_s.arg(why, alert.body);
        return alert;
    }
    const QString summary = told.value("summary"_L1).toString();
    const bool undoes = told.value("direction"_L1).toString() == "compensate"_L1;
    const QString stage = undoes ? u"While compensating. "_s : QString();
    const QString facts = stage + triesText(told) + u' ' + nextText(told);
    if (alert.count == 1) {
        alert.title = summary;
        alert.body = facts;
    } else {
        alert.body = u"The newest: %1. %2"_s.arg(summary, facts);
    }
    return alert;
}

QVector<Alert> Alerts::ofReviews(const QJsonObject &reviews)
{
    QVector<Alert> alerts;
    for (const KindText &text : kindTexts()) {
        const QString kind = QLatin1String(text.kind);
        const int count = reviews.value(kind).toInt();
        if (count > m_reviews.value(kind)) {
            alerts << Alert{kind,      count == 1 ? text.one : text.many.arg(count),
                            text.body, u"review"_s,
                            count,     text.isUrgent};
            m_told.insert(kind, count);
        }
        m_reviews.insert(kind, count);
    }
    return alerts;
}

QVector<Alert> Alerts::ofBreakers(const QStringList &open)
{
    const bool isNews = std::any_of(open.begin(), open.end(), [this](const QString &name) {
        return !m_breakers.contains(name);
    });
    m_breakers = open;
    if (!isNews)
        return {};
    m_told.insert(u"breaker"_s, int(open.size()));
    return {{u"breaker"_s, u"Breaker open: %1"_s.arg(someOf(open)),
             u"Runs that need it wait; it is tried again by itself."_s, u"dependencies"_s}};
}

QVector<Alert> Alerts::ofPauses(const QJsonArray &pauses, const QString &self)
{
    QMap<QString, QString> now;
    QVector<Alert> alerts;
    for (const QJsonValue &value : pauses) {
        const QJsonObject pause = value.toObject();
        const QString id = pause.value("id"_L1).toString();
        const QString actor = pause.value("actor"_L1).toString();
        now.insert(id, scopeOf(pause));
        if (m_pauses.contains(id) || actor == self)
            continue;
        alerts = {{u"pause"_s, u"Paused: %1, by %2"_s.arg(scopeOf(pause), actor),
                   pause.value("reason"_L1).toString(), u"pause"_s}};
        m_told.insert(u"pause"_s, int(pauses.size()));
    }
    QStringList lifted;
    for (auto old = m_pauses.cbegin(); old != m_pauses.cend(); ++old) {
        if (!now.contains(old.key()))
            lifted << *old;
    }
    m_pauses = now;
    if (!lifted.isEmpty() && alerts.isEmpty()) {
        alerts = {{u"pause"_s, u"Resumed: %1"_s.arg(someOf(lifted)),
                   now.isEmpty() ? u"No pause is active."_s
                                 : u"Still paused: %1."_s.arg(someOf(now.values())),
                   u"pause"_s, 1, false, true}};
        m_told.remove(u"pause"_s);
    }
    return alerts;
}

QVector<Alert> Alerts::news(const QJsonObject &marks, const QString &self)
{
    QVector<Alert> alerts = ofReviews(marks.value("reviews"_L1).toObject()) +
                            ofBreakers(breakersIn(marks)) +
                            ofPauses(marks.value("pauses"_L1).toArray(), self);
    if (!std::exchange(m_isFirst, false))
        return alerts;
    m_told.clear();
    return {};
}

QStringList Alerts::stale(const QJsonObject &marks)
{
    QStringList kinds;
    const QJsonObject reviews = marks.value("reviews"_L1).toObject();
    for (auto told = m_told.cbegin(); told != m_told.cend(); ++told) {
        int now = reviews.value(told.key()).toInt();
        if (told.key() == "breaker"_L1)
            now = int(breakersIn(marks).size());
        else if (told.key() == "pause"_L1)
            now = int(marks.value("pauses"_L1).toArray().size());
        if (now < *told)
            kinds << told.key();
    }
    for (const QString &kind : std::as_const(kinds))
        m_told.remove(kind);
    // What went down since may come up again, and is news then.
    for (auto review = m_reviews.begin(); review != m_reviews.end(); ++review)
        *review = std::min(*review, reviews.value(review.key()).toInt());
    return kinds;
}

} // namespace holdfast::desktop
