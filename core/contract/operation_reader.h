// Reads what a step and its compensation have in common: the call, its key, receipt, retry and
// verify.
#pragma once

#include "contract/definition.h"
#include "contract/fields.h"
#include "contract/template_reader.h"

namespace holdfast::contract
{

// Names that exist for the call itself; its receipt, verify and classify see `response` too.
struct OperationNames {
    Names key;
    Names call;
};

constexpr Names withResponse(Names names) { return names | Name::response; }

// The keys http, command, dependency, key, ttl, timeout, receipt, retry, verify, protection,
// classify and approval of `fields`. What is required is the caller's business.
void readOperation(const ReadContext &context, Fields &fields, const OperationNames &names,
                   OperationTemplate &operation);

std::optional<HttpTemplate> readHttp(const ReadContext &context, const YamlNode &node, Names names);
std::optional<LlmTemplate> readLlm(const ReadContext &context, const YamlNode &node, Names names);
model::ApprovalPolicy readApproval(const ReadContext &context, const YamlNode &node);
ValueTemplate readReceipt(const ReadContext &context, const YamlNode &node, Names names);

struct ClassifyRules {
    QVector<model::ClassifyRule> rules;
    QVector<TextTemplate> when; // parallel; empty where a rule has none
};
ClassifyRules readClassify(const ReadContext &context, const YamlNode &node, Names names);

} // namespace holdfast::contract
