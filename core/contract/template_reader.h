// Turns YAML values into templates: strings are split once into text and expressions, and every
// expression is judged at its place.
#pragma once

#include "contract/expression_check.h"
#include "contract/yaml_reader.h"

namespace holdfast::contract
{

struct ReadContext {
    Report &report;
    ExpressionCheck &expressions;
};

// A scalar; a plain true or 5 is taken as its text.
TextTemplate readTextTemplate(const ReadContext &context, const YamlNode &node, Names allowed);
ValueTemplate readValueTemplate(const ReadContext &context, const YamlNode &node, Names allowed);
QVector<QPair<QString, TextTemplate>> readHeaders(const ReadContext &context, const YamlNode &node,
                                                  Names allowed);

// "a${ b }" in its parts; an error is reported and the rest taken as text.
TextTemplate splitTemplate(Report &report, const QString &text, const Place &place);

} // namespace holdfast::contract
