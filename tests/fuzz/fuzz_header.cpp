// What goes on the wire: whatever a template rendered into path and headers, no byte of it starts a
// new line, a new header or another host.
#include "actions/outgoing.h"
#include "actions/retry_after.h"
#include "fuzz/fuzz.h"

using namespace holdfast;

namespace
{
bool isPrintable(const QByteArray &bytes)
{
    for (const char c : bytes) {
        if (c == '\r' || c == '\n' || c == '\0')
            return false;
    }
    return true;
}
} // namespace

// The input is lines: a path, then name and value in turn.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static actions::Secrets secrets(QStringLiteral("/nonexistent"),
                                    actions::Secrets::Places::fileOnly);
    const QByteArray bytes = fuzz::bytesOf(data, size);
    actions::parseRetryAfter(bytes, model::Instant(1'800'000'000'000));
    const QStringList fields = QString::fromUtf8(bytes).split(QChar(0x1e));
    model::Call call;
    call.runId = QStringLiteral("run");
    call.step = QStringLiteral("step");
    call.key = fields.value(1);
    call.request.method = QStringLiteral("POST");
    call.request.path = fields.value(0);
    for (qsizetype i = 2; i + 1 < fields.size(); i += 2)
        call.request.headers.append({fields.at(i), fields.at(i + 1)});
    contract::Dependency dependency;
    dependency.name = QStringLiteral("bank");
    dependency.url = QStringLiteral("https://bank.example");
    const actions::Outgoing out = actions::prepareOutgoing(call, dependency, secrets);
    if (out.isRefused()) {
        fuzz::claim(!out.detail.isEmpty(), "a refusal says why");
        return 0;
    }
    fuzz::claim(out.url.startsWith("https://bank.example/"), "the host is the dependency's");
    fuzz::claim(isPrintable(out.url) && !out.url.contains(' '), "a path holds no break");
    for (const actions::HeaderLine &line : out.headers) {
        fuzz::claim(isPrintable(line.name) && !line.name.contains(':'), "a name is a token");
        fuzz::claim(isPrintable(line.value), "a value holds no break");
        fuzz::claim(line.name.toLower() != "host", "nobody sets the host");
    }
    return 0;
}
