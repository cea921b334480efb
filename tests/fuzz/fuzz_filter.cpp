// The filter of a list of runs, as typed.
#include "control/run_filter.h"
#include "fuzz/fuzz.h"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const QString text = fuzz::textOf(data, size);
    const auto words = control::parseRunFilter(text, model::Instant(1'800'000'000'000));
    if (!words) {
        fuzz::claim(!words.error().message.isEmpty(), "a refused filter says why");
        return 0;
    }
    const QStringList known = control::runStatusNames();
    for (const QString &status : words->statuses)
        fuzz::claim(known.contains(status), "only known statuses are asked for");
    for (const QString &id : words->ids)
        fuzz::claim(!id.isEmpty(), "an id is not empty");
    return 0;
}
