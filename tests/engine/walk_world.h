// The outside world of the random walk, with books of its own: it knows what really happened, and
// nothing of the engine's state. Each effect is booked under its key; a native or natural
// destination books a key once.
#pragma once

#include "engine/engine_words.h"
#include "support/dice.h"

#include <QMap>

namespace holdfast::tests
{

class World
{
public:
    // An attempt reached the destination, or part of the way. Returns how it looks from here.
    Ended write(Dice &dice, const OperationPolicy &policy, const QString &key, bool calm)
    {
        if (calm || dice.percent(45)) {
            book(policy, key);
            return done();
        }
        switch (dice.below(9)) {
        case 0: return unsent("connect_refused");
        case 1: return answered(429);
        // A destination may refuse a key that it has done before: that is no proof of "no".
        case 2: return answered(422);
        case 3: return answered(401);
        default: break;
        }
        if (dice.oneIn(2)) {
            book(policy, key);
            if (dice.oneIn(4))
                return unreadable();
        }
        const int ending = dice.below(4);
        if (ending == 0)
            return answered(dice.oneIn(2) ? 500 : 408);
        return broken(ending == 1 ? "reset" : "timeout");
    }

    // An honest answer, or none.
    Ended verify(Dice &dice, const QString &key, bool calm) const
    {
        if (!calm && dice.percent(30))
            return dice.oneIn(2) ? unclear() : answered(dice.oneIn(3) ? 401 : 503);
        return happened(key) ? found() : absent();
    }

    static Ended read(Dice &dice, bool calm)
    {
        if (calm || dice.percent(60))
            return done();
        return dice.oneIn(4) ? answered(404) : broken("timeout");
    }

    void book(const OperationPolicy &policy, const QString &key)
    {
        const bool once =
            policy.protection == Protection::native || policy.protection == Protection::natural;
        int &count = m_books[key];
        count = once ? 1 : count + 1;
    }

    bool happened(const QString &key) const { return m_books.value(key) > 0; }
    int times(const QString &key) const { return m_books.value(key); }

private:
    QMap<QString, int> m_books;
};

// Workflows of one to five steps of every kind, so that the walk visits combinations nobody thought
// of.
class PolicyDice
{
public:
    explicit PolicyDice(Dice &dice) : m_dice(dice) {}

    Policy workflowOf()
    {
        QVector<StepPolicy> steps;
        const int count = 1 + m_dice.below(5);
        for (int i = 0; i < count; ++i)
            steps.append(step(i));
        Policy policy = workflow(steps, m_dice.oneIn(3) ? minute * (1 + m_dice.below(20)) : 0);
        policy.hasOutputs = m_dice.oneIn(2);
        return policy;
    }

private:
    OperationPolicy action(bool mayRead)
    {
        const Protection protection = Protection(m_dice.below(4));
        const bool verify = protection == Protection::probe || m_dice.oneIn(3);
        const Effect effect = mayRead && m_dice.oneIn(5) ? Effect::read : Effect::write;
        OperationPolicy policy = operationOf(effect, protection, verify);
        policy.kind = m_dice.oneIn(6) ? StepKind::command : StepKind::http;
        policy.dependency = m_dice.oneIn(2) ? QStringLiteral("payments") : QStringLiteral("mail");
        policy.retry.attempts = 1 + m_dice.below(4);
        policy.retry.jitter = m_dice.oneIn(2);
        if (mayRead && effect == Effect::write && m_dice.oneIn(10))
            policy.effect = Effect::destructive;
        if (m_dice.oneIn(8) || policy.effect == Effect::destructive)
            policy.approval = ApprovalPolicy{{}, hour, m_dice.oneIn(2), false};
        return policy;
    }

    StepPolicy special(const QByteArray &name)
    {
        StepPolicy made;
        switch (m_dice.below(3)) {
        case 0: made = kind(name, StepKind::check); break;
        case 1:
            made = kind(name, StepKind::approval);
            made.forward.approval = ApprovalPolicy{{}, hour, m_dice.oneIn(2), false};
            break;
        default:
            made = kind(name, StepKind::wait);
            made.wait.duration = minute;
            if (m_dice.oneIn(2)) {
                made.wait.event = QStringLiteral("paid");
                made.wait.timeout = m_dice.oneIn(2) ? hour : 0;
                made.wait.failOnTimeout = m_dice.oneIn(2);
            }
        }
        return made;
    }

    StepPolicy step(int number)
    {
        const QByteArray name = "s" + QByteArray::number(number);
        StepPolicy made = m_dice.oneIn(6) ? special(name) : stepOf(name.constData(), action(true));
        if (made.forward.effect != Effect::read && m_dice.percent(70))
            made.undo = action(false);
        made.irreversible = !made.undo;
        made.onFailure = m_dice.percent(70) ? OnFailure::compensate : OnFailure(m_dice.below(3));
        made.hasWhen = m_dice.oneIn(6);
        made.detached = m_dice.oneIn(5);
        made.hasSnapshot = made.forward.effect != Effect::read && m_dice.oneIn(5);
        made.shadow = made.forward.effect != Effect::read && m_dice.oneIn(20);
        return made;
    }

    Dice &m_dice;
};

} // namespace holdfast::tests
