// Masks known secret values in whatever came back, in the forms in which a service may echo them.
// An immutable value: made when the set of known secrets changes, then read by any thread.
#pragma once

#include <QByteArray>
#include <QPair>
#include <QString>
#include <QVector>

namespace holdfast::actions
{

class Redactor
{
public:
    // Shorter values are not masked: they would blank out ordinary text and give themselves away by
    // it.
    static constexpr qsizetype valueSizeMin = 4;

    Redactor() = default;
    // Pairs of name and value.
    explicit Redactor(const QVector<QPair<QString, QByteArray>> &secrets);

    bool isEmpty() const { return m_patterns.isEmpty(); }
    // With isCut the end of the text was lost, and the beginning of a secret at its end is masked
    // too.
    QByteArray redacted(const QByteArray &text, bool isCut = false) const;
    QString redacted(const QString &text) const;

private:
    struct Pattern {
        QByteArray text;
        QByteArray mask;
    };
    void add(const QByteArray &text, const QByteArray &mask);

    QVector<Pattern>
        m_patterns; // longest first, so that a mask never leaves the tail of a longer form
};

} // namespace holdfast::actions
