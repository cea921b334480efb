// A first draft of a run's input from what the definition says it needs: the required names with
// empty values. It saves typing and promises nothing; the door checks what is sent.
#pragma once

#include <QString>

namespace holdfast::workflows
{

QString inputDraft(const QString &source);

} // namespace holdfast::workflows
