#include "control/known_facts.h"

#include "control/arguments.h"
#include "control/attempt_text.h"
#include "control/describe.h"
#include "model/json.h"
#include "model/mask.h"

namespace holdfast::control
{

using namespace Qt::StringLiterals;
using model::Direction;
using model::Entry;
using model::EntryKind;

namespace
{
QString by(const Entry &entry) { return entry.actor.isEmpty() ? u"The engine"_s : entry.actor; }

QString withReason(const QString &text, const QString &reason)
{
    return reason.isEmpty() ? text + u'.' : u"%1: %2."_s.arg(text, reasonText(reason));
}

class Facts
{
public:
    Facts(const LoadedRun &loaded, const QString &step) : m_loaded(loaded), m_step(step) {}

    QString text(const Entry &entry) const
    {
        if (entry.step == m_step && !m_step.isEmpty())
            return ofStep(entry);
        return ofRun(entry);
    }

private:
    const model::OperationPolicy *policyOf(const Entry &entry) const
    {
        const model::StepPolicy *policy = m_loaded.stepPolicy(entry.step);
        if (!policy)
            return nullptr;
        return entry.direction == Direction::compensate && policy->undo ? &*policy->undo
                                                                        : &policy->forward;
    }

    QString ofRun(const Entry &entry) const
    {
        if (entry.kind == EntryKind::accepted)
            return u"The run was accepted for event %1."_s.arg(m_loaded.run.eventId);
        if (entry.kind == EntryKind::confirmed && entry.direction == Direction::compensate)
            return u"The compensation of step %1 was confirmed."_s.arg(entry.step);
        if (entry.kind == EntryKind::confirmed)
            return u"Step %1 was confirmed."_s.arg(entry.step);
        if (entry.kind == EntryKind::compensationBegan)
            return withReason(u"The run began to compensate"_s, entry.reason);
        if (entry.kind == EntryKind::cancelAsked)
            return withReason(u"%1 asked to cancel the run"_s.arg(by(entry)), entry.reason);
        if (entry.kind == EntryKind::noted)
            return u"%1 noted: %2"_s.arg(by(entry), entry.detail.value("text"_L1).toString());
        if (entry.kind == EntryKind::finished)
            return u"The run ended as %1."_s.arg(
                reasonText(model::runStatusName(*entry.runStatus)));
        if (entry.kind == EntryKind::reviewClosed)
            return closed(entry);
        return {};
    }

    QString closed(const Entry &entry) const
    {
        const QString decision = entry.detail.value("decision"_L1).toString();
        if (entry.actor.isEmpty())
            return u"An item was closed: %1."_s.arg(reasonText(decision));
        const QString reason = entry.reason.isEmpty() ? QString() : u" ("_s + entry.reason + u')';
        return u"%1 decided: %2%3."_s.arg(by(entry), reasonText(decision), reason);
    }

    QString intent(const Entry &entry) const
    {
        const model::OperationPolicy *policy = policyOf(entry);
        const QString who =
            policy && !policy->dependency.isEmpty() ? policy->dependency : u"the target"_s;
        const model::Step *step = m_loaded.run.find(entry.step);
        switch (entry.direction) {
        case Direction::verify: return u"%1 was asked whether it happened."_s.arg(who);
        case Direction::snapshot: return u"%1 was asked how it is before the write."_s.arg(who);
        case Direction::forward:
        case Direction::compensate: break;
        }
        const bool undo = entry.direction == Direction::compensate;
        const QString request =
            step ? requestText(undo ? step->undo.request : step->forward.request) : QString();
        const QString key = entry.key.isEmpty() ? QString() : u" under key "_s + entry.key;
        return u"Attempt %1%2 began: %3 to %4%5."_s.arg(entry.attempt)
            .arg(undo ? u" of the compensation"_s : QString(), request, who, key);
    }

    QString confirmed(const Entry &entry) const
    {
        const QString source = entry.detail.value("by"_L1).toString();
        if (source == "person"_L1)
            return u"%1 said that it happened."_s.arg(by(entry));
        if (source == "verify"_L1)
            return u"Verify found it: it happened."_s;
        if (source == "late_report"_L1)
            return u"A late answer proves that it happened."_s;
        const QJsonObject receipt = model::masked(entry.detail.value("receipt"_L1).toObject());
        const QString kept =
            receipt.isEmpty()
                ? QString()
                : u" Receipt: "_s + QString::fromUtf8(model::compactJson(receipt)).left(200);
        return whyText(entry, policyOf(entry)) + kept;
    }

    QString gated(const Entry &entry) const
    {
        if (entry.reason == "pause"_L1)
            return u"It waited, because a pause is in force."_s;
        if (entry.reason == "breaker"_L1)
            return u"It waited, because the breaker is open."_s;
        if (entry.reason == "ledger"_L1)
            return u"It waited, because run %1 is using this key."_s.arg(
                entry.detail.value("owner_run"_L1).toString());
        return withReason(u"It waited"_s, entry.reason);
    }

    QString ofStep(const Entry &entry) const
    {
        switch (entry.kind) {
        case EntryKind::intent: return intent(entry);
        case EntryKind::attemptEnded: return whyText(entry, policyOf(entry));
        case EntryKind::confirmed: return confirmed(entry);
        case EntryKind::gated: return gated(entry);
        case EntryKind::snapshotKept: return u"How it was before was kept."_s;
        case EntryKind::retryScheduled:
            return u"A retry was set for %1."_s.arg(momentText(entry.due, entry.at));
        case EntryKind::verifyScheduled:
            return u"A verify was set for %1."_s.arg(momentText(entry.due, entry.at));
        case EntryKind::clearedAbsent:
            return entry.actor.isEmpty() ? u"Verify found that it did not happen."_s
                                         : u"%1 said that it did not happen."_s.arg(by(entry));
        case EntryKind::replayed:
            return u"The ledger had the answer already, from run %1; nothing was sent."_s.arg(
                entry.detail.value("owner_run"_L1).toString());
        case EntryKind::stepFailed: return withReason(u"The step failed"_s, entry.reason);
        case EntryKind::stepSkipped: return withReason(u"The step was left out"_s, entry.reason);
        case EntryKind::reviewOpened:
            return withReason(u"It was put before a person"_s, entry.reason);
        case EntryKind::approved: return u"%1 approved the request."_s.arg(by(entry));
        case EntryKind::waiting: return u"The step began to wait."_s;
        case EntryKind::compensationWaived: return u"%1 waived the compensation."_s.arg(by(entry));
        case EntryKind::reopened: return u"%1 took it up again."_s.arg(by(entry));
        case EntryKind::lateReport: return u"A worker that had lost the run reported late."_s;
        case EntryKind::accepted:
        case EntryKind::stepStarted:
        case EntryKind::prepared:
        case EntryKind::reviewClosed:
        case EntryKind::compensationBegan:
        case EntryKind::cancelAsked:
        case EntryKind::noted:
        case EntryKind::finished: return ofRun(entry);
        }
        Q_UNREACHABLE();
    }

    const LoadedRun &m_loaded;
    const QString m_step;
};
} // namespace

QJsonArray knownFacts(const LoadedRun &loaded, const QString &step)
{
    const Facts facts(loaded, step);
    QJsonArray list;
    for (const JournaledEntry &item : loaded.journal) {
        if (const QString text = facts.text(item.entry); !text.isEmpty())
            list.append(QJsonObject{{u"at"_s, instantJson(item.entry.at)}, {u"text"_s, text}});
    }
    return list;
}

} // namespace holdfast::control
