// Which JSON Schema (draft-07) keywords we accept. The validator ignores what it does not know, so
// a keyword that would silently check nothing is refused when the file is read.
#pragma once

#include "contract/yaml_reader.h"

namespace holdfast::contract
{

void checkSchema(Report &report, const YamlNode &schema);

} // namespace holdfast::contract
