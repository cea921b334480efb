// A compiled JSON Schema. The only file that knows the validator's library.
#pragma once

#include "model/result.h"

#include <QJsonObject>
#include <QJsonValue>
#include <memory>

namespace holdfast::contract
{

class InputSchema
{
public:
    // The compiled schemas are shared by all threads; validating one is not safe from two at once,
    // so each compiled schema has a lock of its own.
    static model::Result<std::shared_ptr<InputSchema>> compile(const QJsonObject &schema);
    // The same, from a cache by the text of the schema.
    static model::Result<std::shared_ptr<InputSchema>> cached(const QString &name,
                                                              const QJsonObject &schema);
    ~InputSchema();

    // The error names the JSON pointer and what was expected there; every failing place, up to a
    // few.
    model::Result<void> validate(const QJsonValue &value);

private:
    struct Private;
    InputSchema();
    std::unique_ptr<Private> d;
};

} // namespace holdfast::contract
