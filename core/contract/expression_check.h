// Judges every expression when a file is read, so that a name nobody knows is found before it is
// deployed and not in the middle of a run. Needs a QCoreApplication, because QJSEngine does.
#pragma once

#include "contract/expression_scan.h"
#include "contract/report.h"

#include <QFlags>
#include <QSet>
#include <memory>
#include <optional>

namespace holdfast::contract
{

// The names that exist at one place of a definition.
enum class Name {
    input = 1,
    steps = 2,
    run = 4,
    response = 8,
    receipt = 16,
    before = 32,
    key = 64,
    secret = 128,
};
Q_DECLARE_FLAGS(Names, Name)
Q_DECLARE_OPERATORS_FOR_FLAGS(Names)

class ExpressionCheck
{
public:
    explicit ExpressionCheck(Report &report);
    ~ExpressionCheck();

    // Which steps an expression may name from here on: those that come before it.
    void allowStep(const QString &step) { m_steps.insert(step); }
    // An input schema that admits no other members makes a misspelt one an error.
    void closeInput(const QSet<QString> &members) { m_input = members; }

    void check(const TextTemplate &text, Names allowed);

private:
    void checkExpression(const QString &expression, const Place &place, Names allowed);
    void checkUse(const ExpressionScan::Use &use, const Place &place, Names allowed);
    void checkStep(const ExpressionScan::Use &use, const Place &place);
    void checkSyntax(const QString &expression, const Place &place);

    struct Engine;
    Report &m_report;
    QSet<QString> m_steps;
    std::optional<QSet<QString>> m_input;
    std::unique_ptr<Engine> m_engine;
};

// Whether the language itself offers this name in our frozen scope.
bool isBuiltin(const QString &name);

// How an expression becomes a function; the same text for checking and for running it.
QString functionSource(const QString &expression);

} // namespace holdfast::contract
