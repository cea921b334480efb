// I1a and I1b: after an attempt that may have happened, a service that cannot recognise our key
// gets the request again only when a person said so, or when it was asked, said no, and was asked
// late enough to know.
#include "simulation/checkers/all.h"

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;

namespace
{
bool mayHaveHappened(const SentCall &sent)
{
    return sent.told == Told::unsure || sent.told == Told::nothing || sent.told == Told::done;
}

// An attempt of before, handed over when nobody wanted it any more, and no byte of it left.
bool isStale(const SentCall &sent, const SentCall &before)
{
    return sent.leftAt == model::never && sent.call.runId == before.call.runId &&
           sent.call.step == before.call.step && sent.call.direction == before.call.direction &&
           sent.call.attempt < before.call.attempt;
}

struct Denials {
    bool any = false;
    bool conclusive = false;
};

Denials denialsBetween(const Evidence &evidence, const SentCall &first, const SentCall &second,
                       Millis settleAfter)
{
    Denials denials;
    for (const Asked &asked : evidence.record.asked) {
        if (asked.found || asked.order < first.order || asked.order > second.order ||
            asked.key != first.call.key || asked.service != first.call.dependency)
            continue;
        denials.any = true;
        denials.conclusive = denials.conclusive || asked.at >= first.at + settleAfter;
    }
    return denials;
}
} // namespace

void checkNoBlindResend(Evidence &evidence)
{
    for (const auto &[key, calls] : evidence.writes) {
        if (key.first != "mail"_L1 && key.first != "depot"_L1)
            continue;
        int last = calls.first();
        for (const int index : calls.mid(1)) {
            const SentCall &first = evidence.record.sent.at(last);
            const SentCall &second = evidence.record.sent.at(index);
            if (isStale(second, first))
                continue;
            last = index;
            if (!mayHaveHappened(first) ||
                evidence.sentAgainByPeople(first.call.runId, first.call.step, first.call.direction,
                                           {first.order, second.order}) > 0)
                continue;
            const RunFacts *run = evidence.run(first.call.runId);
            const auto *policy =
                run ? evidence.stage.operation(run->workflow, first.call.step, first.call.direction)
                    : nullptr;
            const Denials denials =
                denialsBetween(evidence, first, second, policy ? policy->settleAfter : Millis(0));
            const bool probes = key.first == "depot"_L1;
            if (probes && denials.conclusive)
                continue;
            if (probes && denials.any)
                evidence.add("I1b",
                             u"%1 was sent again after a no that came too early"_s.arg(key.second));
            else
                evidence.add("I1a", u"%1 was sent again blindly"_s.arg(key.second));
        }
    }
}

} // namespace holdfast::simulation
