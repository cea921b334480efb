#include "contract/input_schema.h"

#include "model/json.h"

#include <QHash>
#include <QMutex>
#include <QStringList>

// Without this the library ends the process over a schema it cannot use.
#define VALIJSON_USE_EXCEPTIONS 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wswitch-enum"
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"
#include <valijson/adapters/qtjson_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#pragma GCC diagnostic pop

namespace holdfast::contract
{

namespace
{
constexpr int schemasMax = 256;
constexpr int messagesMax = 5;
// std::regex, which the validator uses, recurses once per character and would overflow the stack.
constexpr qsizetype matchedTextMax = 4096;

bool mentions(const QJsonValue &schema, const QStringList &keywords)
{
    if (schema.isArray()) {
        const QJsonArray array = schema.toArray();
        for (const QJsonValue item : array) {
            if (mentions(item, keywords))
                return true;
        }
    }
    const QJsonObject object = schema.toObject();
    for (auto member = object.constBegin(); member != object.constEnd(); ++member) {
        if (keywords.contains(member.key()) || mentions(member.value(), keywords))
            return true;
    }
    return false;
}

bool hasLongText(const QJsonValue &value)
{
    if (value.isString())
        return value.toString().size() > matchedTextMax;
    if (value.isArray()) {
        const QJsonArray array = value.toArray();
        for (const QJsonValue item : array) {
            if (hasLongText(item))
                return true;
        }
    }
    if (!value.isObject())
        return false;
    const QJsonObject object = value.toObject();
    for (auto member = object.constBegin(); member != object.constEnd(); ++member) {
        if (member.key().size() > matchedTextMax || hasLongText(member.value()))
            return true;
    }
    return false;
}

// The library names a place as <root>, ["lines"], [0]; people know JSON pointers.
QString pointerOf(const std::vector<std::string> &context)
{
    QString pointer;
    for (const std::string &part : context) {
        QString segment = QString::fromStdString(part);
        if (!segment.startsWith(QLatin1Char('[')))
            continue;
        segment = segment.mid(1, segment.size() - 2);
        if (segment.startsWith(QLatin1Char('"')))
            segment = segment.mid(1, segment.size() - 2);
        segment.replace(QLatin1Char('~'), QLatin1String("~0"));
        segment.replace(QLatin1Char('/'), QLatin1String("~1"));
        pointer += QLatin1Char('/') + segment;
    }
    return pointer;
}

QString describe(valijson::ValidationResults &results)
{
    QStringList messages;
    valijson::ValidationResults::Error problem;
    while (results.popError(problem) && messages.size() < messagesMax)
        messages.append(
            QStringLiteral("\"%1\": %2")
                .arg(pointerOf(problem.context), QString::fromStdString(problem.description)));
    return messages.join(QLatin1String("; "));
}
} // namespace

struct InputSchema::Private {
    valijson::Schema schema;
    valijson::Validator validator;
    bool matchesText = false;
    QMutex mutex;
};

InputSchema::InputSchema() : d(std::make_unique<Private>()) {}
InputSchema::~InputSchema() = default;

model::Result<std::shared_ptr<InputSchema>> InputSchema::compile(const QJsonObject &schema)
{
    std::shared_ptr<InputSchema> compiled(new InputSchema);
    try {
        const QJsonValue root(schema);
        valijson::SchemaParser parser;
        parser.populateSchema(valijson::adapters::QtJsonAdapter(root), compiled->d->schema);
    } catch (const std::exception &problem) {
        return model::invalid(
            QStringLiteral("the schema cannot be used: %1").arg(QString::fromUtf8(problem.what())));
    }
    compiled->d->matchesText =
        mentions(schema, {QStringLiteral("pattern"), QStringLiteral("patternProperties"),
                          QStringLiteral("format")});
    return compiled;
}

model::Result<std::shared_ptr<InputSchema>> InputSchema::cached(const QString &name,
                                                                const QJsonObject &schema)
{
    static QMutex mutex;
    static QHash<QString, std::shared_ptr<InputSchema>> schemas;
    {
        const QMutexLocker lock(&mutex);
        if (const auto found = schemas.constFind(name); found != schemas.constEnd())
            return *found;
    }
    auto compiled = compile(schema);
    if (!compiled)
        return compiled;
    const QMutexLocker lock(&mutex);
    if (schemas.size() >= schemasMax)
        schemas.clear();
    schemas.insert(name, *compiled);
    return compiled;
}

model::Result<void> InputSchema::validate(const QJsonValue &value)
{
    if (d->matchesText && hasLongText(value))
        return model::invalid(
            QStringLiteral("the schema matches text by pattern or format, and a text is longer "
                           "than %1 characters")
                .arg(matchedTextMax));
    const QMutexLocker lock(&d->mutex);
    try {
        const valijson::adapters::QtJsonAdapter adapter(value);
        if (d->validator.validate(d->schema, adapter, nullptr))
            return {};
        valijson::ValidationResults results;
        d->validator.validate(d->schema, adapter, &results);
        return model::invalid(describe(results));
    } catch (const std::exception &problem) {
        return model::invalid(QStringLiteral("the input cannot be checked: %1")
                                  .arg(QString::fromUtf8(problem.what())));
    }
}

} // namespace holdfast::contract
