#include "ui/review/receipt_text.h"

#include "model/json.h"

namespace holdfast::review
{

using namespace Qt::StringLiterals;

model::Result<QJsonObject> receiptFrom(const QString &text)
{
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty())
        return model::invalid(u"Enter the id you found, or {} when there is none."_s);
    const bool isPlainId = !trimmed.startsWith(u'{') && !trimmed.startsWith(u'[') &&
                           !trimmed.startsWith(u'"') && !trimmed.contains(u' ');
    if (isPlainId)
        return QJsonObject{{u"id"_s, trimmed}};
    const auto object = model::parseJsonObject(trimmed.toUtf8());
    if (!object)
        return model::invalid(
            u"This is no id and no JSON object: %1."_s.arg(object.error().message));
    return *object;
}

} // namespace holdfast::review
