// A dependency document.
#pragma once

#include "contract/definition.h"
#include "contract/yaml_reader.h"

namespace holdfast::contract
{

Dependency readDependency(Report &report, const YamlDocument &document);

} // namespace holdfast::contract
