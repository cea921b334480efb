// Text with ${ expressions }: split without loss.
#include "contract/template_reader.h"
#include "fuzz/fuzz.h"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const QString text = fuzz::textOf(data, size);
    contract::Report report(QStringLiteral("fuzz.yaml"));
    const contract::TextTemplate parts = contract::splitTemplate(report, text, {1, 1});
    for (const auto &part : parts.parts) {
        if (part.isExpression)
            contract::scanExpression(part.text);
    }
    if (!report.findings().isEmpty())
        return 0;
    contract::Report second(QStringLiteral("fuzz.yaml"));
    const contract::TextTemplate again =
        contract::splitTemplate(second, parts.source(), parts.place);
    fuzz::claim(second.findings().isEmpty(), "a template as written can be read again");
    fuzz::claim(again.parts.size() == parts.parts.size(), "a template keeps its parts");
    for (qsizetype i = 0; i < parts.parts.size(); ++i)
        fuzz::claim(again.parts.at(i).isExpression == parts.parts.at(i).isExpression &&
                        again.parts.at(i).text == parts.parts.at(i).text,
                    "a part keeps its text");
    return 0;
}
