// Definition files: any bytes give definitions or findings with a place, and what is accepted can
// be linted and turned into policies.
#include "contract/parser.h"
#include "fuzz/fuzz.h"

#include <QCoreApplication>

using namespace holdfast;

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static QCoreApplication application(*argc, *argv);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const contract::Parsed parsed =
        contract::parse(QStringLiteral("fuzz.yaml"), fuzz::bytesOf(data, size));
    QMap<QString, contract::Dependency> known;
    for (const contract::Dependency &dependency : parsed.dependencies) {
        contract::policyOf(dependency);
        known.insert(dependency.name, dependency);
    }
    for (const contract::Workflow &workflow : parsed.workflows) {
        contract::lint(workflow, known);
        const model::Policy policy = contract::policyOf(workflow, known);
        fuzz::claim(policy.steps.size() == workflow.steps.size(), "each step has its policy");
        Q_UNUSED(contract::validateInput(workflow, {}));
    }
    for (const contract::Finding &finding : parsed.findings)
        fuzz::claim(!finding.message.isEmpty() && finding.line >= 0, "a finding has its place");
    return 0;
}
