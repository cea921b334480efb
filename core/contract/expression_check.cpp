#include "contract/expression_check.h"

#include "contract/expression_path.h"

#include <QHash>
#include <QJSEngine>

namespace holdfast::contract
{

struct ExpressionCheck::Engine {
    QJSEngine js;
};

namespace
{
std::optional<Name> nameFrom(const QString &text)
{
    static const QHash<QString, Name> names = {
        {QStringLiteral("input"), Name::input},     {QStringLiteral("steps"), Name::steps},
        {QStringLiteral("run"), Name::run},         {QStringLiteral("response"), Name::response},
        {QStringLiteral("receipt"), Name::receipt}, {QStringLiteral("before"), Name::before},
        {QStringLiteral("key"), Name::key},         {QStringLiteral("secret"), Name::secret}};
    const auto found = names.constFind(text);
    return found == names.constEnd() ? std::nullopt : std::optional<Name>(*found);
}

QString whyNotHere(Name name)
{
    if (name == Name::secret)
        return QStringLiteral("'secret' exists only in the headers of a dependency");
    if (name == Name::response)
        return QStringLiteral("'response' exists only in receipt, verify, snapshot and classify");
    if (name == Name::receipt)
        return QStringLiteral("'receipt' exists only in compensate; "
                              "name another step's as steps.NAME.receipt");
    return QString();
}
} // namespace

ExpressionCheck::ExpressionCheck(Report &report) : m_report(report) {}
ExpressionCheck::~ExpressionCheck() = default;

void ExpressionCheck::check(const TextTemplate &text, Names allowed)
{
    for (const auto &part : text.parts) {
        if (part.isExpression)
            checkExpression(part.text, text.place, allowed);
    }
}

void ExpressionCheck::checkExpression(const QString &expression, const Place &place, Names allowed)
{
    const ExpressionScan scan = scanExpression(expression);
    if (!scan.error.isEmpty()) {
        m_report.error(place, "expression",
                       QStringLiteral("the expression '%1' cannot be read: %2")
                           .arg(expression.left(80), scan.error));
        return;
    }
    const int before = int(m_report.findings().size());
    for (const auto &use : scan.uses)
        checkUse(use, place, allowed);
    if (!m_report.hasErrorsSince(before) && !parsePath(expression))
        checkSyntax(expression, place);
}

void ExpressionCheck::checkUse(const ExpressionScan::Use &use, const Place &place, Names allowed)
{
    const QString &text = use.path.first();
    const auto name = nameFrom(text);
    if (!name) {
        if (text == QLatin1String("Math") && use.path.value(1) == QLatin1String("random"))
            m_report.error(place, "unknown_name",
                           QStringLiteral("Math.random does not exist in expressions"));
        else if (!isBuiltin(text))
            m_report.error(place, "unknown_name", QStringLiteral("unknown name '%1'").arg(text));
        return;
    }
    if (!allowed.testFlag(*name)) {
        const QString why = whyNotHere(*name);
        m_report.error(place, "name_not_here",
                       why.isEmpty() ? QStringLiteral("'%1' does not exist here").arg(text) : why);
        return;
    }
    if (*name == Name::steps)
        checkStep(use, place);
    if (*name == Name::input && m_input && use.path.size() > 1 &&
        !m_input->contains(use.path.at(1)))
        m_report.error(place, "unknown_input",
                       QStringLiteral("the input schema has no '%1' and admits no other members")
                           .arg(use.path.at(1)));
}

void ExpressionCheck::checkStep(const ExpressionScan::Use &use, const Place &place)
{
    if (use.path.size() < 2) {
        m_report.error(place, "unknown_step",
                       QStringLiteral("'steps' must be followed by a step's name"));
        return;
    }
    if (!m_steps.contains(use.path.at(1))) {
        m_report.error(place, "unknown_step",
                       QStringLiteral("no step '%1' comes before this").arg(use.path.at(1)));
        return;
    }
    const QString member = use.path.value(2);
    if (use.path.size() > 2 && member != QLatin1String("receipt") &&
        member != QLatin1String("before") && member != QLatin1String("status"))
        m_report.error(
            place, "unknown_name",
            QStringLiteral("a step has receipt, before and status, not '%1'").arg(member));
}

void ExpressionCheck::checkSyntax(const QString &expression, const Place &place)
{
    if (!m_engine)
        m_engine = std::make_unique<Engine>();
    const QJSValue compiled = m_engine->js.evaluate(functionSource(expression));
    if (compiled.isError())
        m_report.error(place, "expression",
                       QStringLiteral("the expression '%1' is not JavaScript: %2")
                           .arg(expression.left(80), compiled.toString().left(200)));
}

bool isBuiltin(const QString &name)
{
    static const QSet<QString> names = {QStringLiteral("JSON"),
                                        QStringLiteral("Math"),
                                        QStringLiteral("String"),
                                        QStringLiteral("Number"),
                                        QStringLiteral("Array"),
                                        QStringLiteral("Object"),
                                        QStringLiteral("Boolean"),
                                        QStringLiteral("RegExp"),
                                        QStringLiteral("Map"),
                                        QStringLiteral("Set"),
                                        QStringLiteral("parseInt"),
                                        QStringLiteral("parseFloat"),
                                        QStringLiteral("isNaN"),
                                        QStringLiteral("isFinite"),
                                        QStringLiteral("undefined"),
                                        QStringLiteral("NaN"),
                                        QStringLiteral("Infinity"),
                                        QStringLiteral("Error"),
                                        QStringLiteral("encodeURI"),
                                        QStringLiteral("decodeURI"),
                                        QStringLiteral("TypeError"),
                                        QStringLiteral("RangeError"),
                                        QStringLiteral("encodeURIComponent"),
                                        QStringLiteral("decodeURIComponent")};
    return names.contains(name);
}

// Not in strict mode: there the engine turns calls in tail position into jumps that it never
// interrupts. What strict mode would refuse fails anyway, because everything an expression can
// reach is frozen.
QString functionSource(const QString &expression)
{
    return QStringLiteral("(function(input,steps,run,response,receipt,before,key){return (") +
           expression + QStringLiteral("\n);})");
}

} // namespace holdfast::contract
