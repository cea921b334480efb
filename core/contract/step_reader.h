// One step of a workflow file.
#pragma once

#include "contract/definition.h"
#include "contract/template_reader.h"

namespace holdfast::contract
{

StepDefinition readStep(const ReadContext &context, const YamlNode &node);

} // namespace holdfast::contract
