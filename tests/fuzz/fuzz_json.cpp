// JSON from outside: what can be read is stored and reads back as the same value, with the same
// hash.
#include "fuzz/fuzz.h"
#include "model/json.h"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const auto value = model::parseJson(fuzz::bytesOf(data, size));
    if (!value)
        return 0;
    const model::JsonLimits roomy{.depth = 64, .bytes = 8 << 20};
    const auto again = model::parseJson(model::compactJson(*value), roomy);
    fuzz::claim(again.ok(), "stored JSON can be read");
    fuzz::claim(*again == *value, "stored JSON is the same value");
    const QByteArray canonical = model::canonicalJson(*value);
    fuzz::claim(model::canonicalJson(*again) == canonical, "the same value has the same hash");
    fuzz::claim(model::parseJson(canonical, roomy).ok(), "canonical JSON can be read");
    return 0;
}
