// Expressions: whatever the text is, it is judged without running it; what is accepted runs in the
// frozen scope, within its time, and cannot leave it.
#include "contract/evaluator.h"
#include "contract/parser.h"
#include "fuzz/fuzz.h"
#include "model/json.h"

#include <QCoreApplication>

using namespace holdfast;

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static QCoreApplication application(*argc, *argv);
    return 0;
}

namespace
{
QByteArray fileWith(const QString &expression)
{
    // A JSON string is a YAML string, so that no quote ends the value early.
    return "holdfast: 1\nworkflow: fuzz\nversion: 1\nowner: fuzz@example.com\nevent_id: ${ "
           "input.id }\n"
           "input: {type: object}\nsteps:\n  - step: judge\n    check: " +
           model::compactJson(
               QJsonValue(QStringLiteral("${ ") + expression + QStringLiteral(" }"))) +
           "\n";
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // Never destroyed: at exit the watchdog of all evaluators may be gone before it.
    static contract::Evaluator &evaluator = *new contract::Evaluator(20);
    const QString expression = fuzz::textOf(data, size);
    const contract::Parsed parsed =
        contract::parse(QStringLiteral("fuzz.yaml"), fileWith(expression));
    if (contract::hasErrors(parsed.findings) || parsed.workflows.isEmpty())
        return 0;
    contract::Scope scope;
    scope.input = {{QStringLiteral("id"), QStringLiteral("a1")}, {QStringLiteral("amount"), 7}};
    const auto first = evaluator.check(parsed.workflows.first(), 0, scope);
    // What an expression did to the scope must not be seen by the next one.
    const auto second = evaluator.eventId(parsed.workflows.first(), scope.input);
    fuzz::claim(second && *second == QLatin1String("a1"), "the scope is as it was");
    Q_UNUSED(first);
    return 0;
}
