#include "ui/review/desk.h"

#include "ui/widgets/times.h"

namespace holdfast::review
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
QString sentence(QString text)
{
    if (text.isEmpty())
        return text;
    text[0] = text.at(0).toUpper();
    return text.endsWith(u'.') ? text : text + u'.';
}

QString fasterText(const QJsonObject &detail, const Decision &decision)
{
    const QString reason = detail.value("reason"_L1).toString();
    return u"%1 was faster with %2 and answered “%3” at %4%5. Your answer “%6” was not "
           "recorded; nothing was sent by you."_s.arg(
               detail.value("decided_by"_L1).toString(), decision.what,
               detail.value("decision"_L1).toString(),
               widgets::shortTime(widgets::instantOf(detail.value("decided_at"_L1))),
               reason.isEmpty() ? QString() : u" (%1)"_s.arg(reason), decision.answer);
}
} // namespace

Desk::Desk(bridge::Bridge &bridge, QObject *parent) : QObject(parent), m_bridge(bridge)
{
    connect(&m_grace, &Grace::changed, this, &Desk::pendingChanged);
    connect(&m_grace, &Grace::due, this, &Desk::send);
}

void Desk::send(const Decision &decision)
{
    m_sending.insert(decision.reviewId);
    Q_EMIT pendingChanged();
    m_bridge.act(decision.operation, decision.arguments, this,
                 [this, decision](const Result<QJsonValue> &answer) {
                     m_sending.remove(decision.reviewId);
                     if (answer)
                         Q_EMIT recorded(decision);
                     else
                         explain(decision, answer.error());
                     Q_EMIT pendingChanged();
                 });
}

// The database knows who decided; the error alone may only know that somebody did.
void Desk::explain(const Decision &decision, const model::Error &error)
{
    const QString plain = u"%1 Your answer “%2” to %3 was not recorded."_s.arg(
        sentence(error.message), decision.answer, decision.what);
    if (error.kind != model::ErrorKind::conflict) {
        Q_EMIT refused(decision, plain);
        return;
    }
    m_bridge.ask(u"review"_s, {{u"review"_s, decision.reviewId}}, this,
                 [this, decision, plain](const Result<QJsonValue> &answer) {
                     const QJsonObject detail = answer ? answer->toObject() : QJsonObject();
                     const bool isDecided = detail.value("decided_by"_L1).isString();
                     Q_EMIT refused(decision, isDecided ? fasterText(detail, decision) : plain);
                 });
}

bool Desk::isPending(const QString &reviewId) const
{
    return m_sending.contains(reviewId) || m_grace.holds(reviewId);
}

QMap<QString, QString> Desk::pendingTexts() const
{
    QMap<QString, QString> texts;
    for (const Grace::Pending &pending : m_grace.pending())
        texts.insert(pending.decision.reviewId,
                     u"◷ sending in %1 s"_s.arg(Grace::secondsLeft(pending)));
    for (const QString &id : m_sending)
        texts.insert(id, u"◷ sending…"_s);
    return texts;
}

} // namespace holdfast::review
