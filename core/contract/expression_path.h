// Most expressions are a plain path such as steps.charge.receipt.id, or compare one with a
// constant. These are resolved on the JSON value itself: no script, no conversion, exact numbers.
#pragma once

#include <QJsonValue>
#include <QString>
#include <QVector>
#include <optional>

namespace holdfast::contract
{

enum class Root { input, steps, run, response, receipt, before, key };
constexpr int rootCount = 7;

struct ExpressionPath {
    struct Segment {
        QString name;
        int index = -1; // an element of a list, where it is not negative
    };
    Root root = Root::input;
    QVector<Segment> segments;

    // Undefined where there is nothing.
    QJsonValue resolve(const QJsonValue &from) const;
};

struct Comparison {
    ExpressionPath path;
    bool isEqual = true; // === or !==
    QJsonValue constant; // number, string or boolean
};

std::optional<Root> rootFromName(const QString &name);
std::optional<ExpressionPath> parsePath(const QString &expression);
std::optional<Comparison> parseComparison(const QString &expression);

} // namespace holdfast::contract
