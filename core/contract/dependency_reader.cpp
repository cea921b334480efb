#include "contract/dependency_reader.h"

#include "contract/fields.h"
#include "contract/operation_reader.h"
#include "contract/origin.h"
#include "model/json.h"

namespace holdfast::contract
{

namespace
{
constexpr int countMax = 1000000;

void readUrl(Report &report, Fields &fields, Dependency &dependency)
{
    const YamlNode *node = fields.find("url");
    dependency.url = fields.text("url");
    if (!node || dependency.url.isEmpty())
        return;
    const Origin origin = parseOrigin(dependency.url);
    if (!origin.error.isEmpty())
        report.error(node->place, "url", origin.error);
    else if (origin.scheme == QLatin1String("http") && !origin.isLoopback())
        report.warning(node->place, "plain_http",
                       QStringLiteral("plain http to another host: requests and credentials can "
                                      "be read and changed on the way"));
}

void readIdempotency(Report &report, Fields &fields, Dependency &dependency)
{
    const YamlNode *node = fields.find("idempotency");
    if (!node)
        return;
    Fields inner(report, *node, QStringLiteral("idempotency"));
    inner.require("protection");
    const auto word = inner.word("protection", {QStringLiteral("native"), QStringLiteral("natural"),
                                                QStringLiteral("probe"), QStringLiteral("none")});
    dependency.protection =
        model::protectionFromName(word.value_or(QString())).value_or(model::Protection::none);
    dependency.keyHeader = inner.text("header", dependency.keyHeader);
    for (const QChar character : std::as_const(dependency.keyHeader)) {
        if (character.unicode() > 0x7E ||
            (!character.isLetterOrNumber() && character != QLatin1Char('-') &&
             character != QLatin1Char('_'))) {
            report.error(node->place, "header_name",
                         QStringLiteral("'header' is not a header's name"));
            break;
        }
    }
    dependency.retention = inner.duration("retention").value_or(0);
    inner.refuseUnknown();
    if (dependency.protection == model::Protection::native && dependency.retention == 0)
        report.warning(node->place, "native_retention",
                       QStringLiteral("how long does '%1' remember a key? Without 'retention', "
                                      "24h is assumed")
                           .arg(dependency.name));
}

void readBreaker(Report &report, Fields &fields, Dependency &dependency)
{
    const YamlNode *node = fields.find("breaker");
    if (!node)
        return;
    Fields inner(report, *node, QStringLiteral("breaker"));
    model::BreakerPolicy &breaker = dependency.breaker;
    breaker.failures = inner.integer("failures", 1, countMax).value_or(breaker.failures);
    breaker.within = inner.duration("within").value_or(breaker.within);
    breaker.openFor = inner.duration("open_for").value_or(breaker.openFor);
    inner.refuseUnknown();
}

// "20/s" or "600/m", as a whole number a second.
std::optional<int> parseRate(const QString &text)
{
    const QStringList parts = text.split(QLatin1Char('/'));
    bool isNumber = false;
    const int count = parts.value(0).toInt(&isNumber);
    if (parts.size() != 2 || !isNumber || count < 1 || count > countMax)
        return std::nullopt;
    if (parts.at(1) == QLatin1String("s"))
        return count;
    if (parts.at(1) == QLatin1String("m") && count >= 60)
        return count / 60;
    return std::nullopt;
}

void readLimit(Report &report, Fields &fields, Dependency &dependency)
{
    const YamlNode *node = fields.find("limit");
    if (!node)
        return;
    Fields inner(report, *node, QStringLiteral("limit"));
    model::LimitPolicy &limit = dependency.limit;
    limit.concurrency = inner.integer("concurrency", 1, countMax).value_or(limit.concurrency);
    if (const YamlNode *rate = inner.find("rate")) {
        const auto parsed =
            rate->kind == YamlNode::Kind::text ? parseRate(rate->text) : std::nullopt;
        if (!parsed)
            report.error(rate->place, "rate",
                         QStringLiteral("'rate' must be a rate such as 20/s, at least 1/s"));
        limit.ratePerSecond = parsed.value_or(0);
    }
    if (const YamlNode *ratio = inner.find("retry_ratio")) {
        const double share = ratio->literal.toDouble(-1);
        if (ratio->kind != YamlNode::Kind::number || share < 0 || share > 1)
            report.error(ratio->place, "wrong_type",
                         QStringLiteral("'retry_ratio' must be a number from 0 to 1"));
        else
            limit.retryRatioPercent = qRound(share * 100);
    }
    inner.refuseUnknown();
}
} // namespace

Dependency readDependency(Report &report, const YamlDocument &document)
{
    const YamlNode &root = *document.root;
    Dependency dependency;
    dependency.file = report.file();
    dependency.source = document.source;
    dependency.place = root.place;
    dependency.hash = model::sha256Hex(model::canonicalJson(root.toJson()));
    ExpressionCheck expressions(report);
    const ReadContext context{report, expressions};
    Fields fields(report, root, QStringLiteral("a dependency"));
    fields.require("holdfast");
    fields.integer("holdfast", 1, 1);
    dependency.name = fields.text("dependency");
    if (!isName(dependency.name))
        report.error(
            fields.find("dependency")->place, "name",
            QStringLiteral("a dependency's name is a-z, then a-z, 0-9, _ and -, at most 63"));
    fields.require("owner");
    dependency.owner = fields.text("owner");
    readUrl(report, fields, dependency);
    if (const YamlNode *headers = fields.find("headers"))
        dependency.headers = readHeaders(context, *headers, Name::secret);
    readIdempotency(report, fields, dependency);
    if (const YamlNode *classify = fields.find("classify")) {
        const ClassifyRules rules = readClassify(context, *classify, Name::response);
        dependency.classify = rules.rules;
        dependency.classifyWhen = rules.when;
    }
    readBreaker(report, fields, dependency);
    readLimit(report, fields, dependency);
    dependency.allowPrivate = fields.boolean("allow_private").value_or(false);
    fields.refuseUnknown();
    return dependency;
}

} // namespace holdfast::contract
