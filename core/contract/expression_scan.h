// Reads the text of a JavaScript expression without running it: where it ends, which names it uses
// from outside, and along which members. Best effort where JavaScript is not regular, and strict
// where it matters: brackets must balance, so an expression cannot close the function it is
// compiled into.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace holdfast::contract
{

struct ExpressionScan {
    // `steps.a.receipt["id"]` is {steps, a, receipt, id}; a computed member ends the path.
    struct Use {
        QStringList path;
        bool endsComputed = false;
    };

    static constexpr qsizetype lengthMax = 4096;
    static constexpr int depthMax = 64;

    QVector<Use> uses; // of names that the expression does not declare itself
    QString error;     // empty: it can be read

    bool usesName(const QString &name) const;
};

ExpressionScan scanExpression(const QString &expression);

// The index of the `}` that closes an expression whose text begins at `from`; -1: it is not closed.
qsizetype expressionEnd(const QString &text, qsizetype from);

} // namespace holdfast::contract
