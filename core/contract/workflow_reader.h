// A workflow document.
#pragma once

#include "contract/definition.h"
#include "contract/yaml_reader.h"

namespace holdfast::contract
{

constexpr int stepsMax = 200;

Workflow readWorkflow(Report &report, const YamlDocument &document);

} // namespace holdfast::contract
