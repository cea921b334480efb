// I5: the same key is always sent with the same bytes, whichever attempt, worker or run sends it.
#include "simulation/checkers/all.h"

#include "simulation/outside.h"

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;

void checkSameBytes(Evidence &evidence)
{
    for (const auto &[key, calls] : evidence.writes) {
        const QByteArray first = bytesOf(evidence.record.sent.at(calls.first()).call.request);
        for (const int index : calls) {
            if (bytesOf(evidence.record.sent.at(index).call.request) != first)
                evidence.add("I5", u"%1 was sent with other bytes"_s.arg(key.second));
        }
    }
}

} // namespace holdfast::simulation
