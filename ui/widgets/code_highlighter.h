// Colours keys, comments and expressions of our definition files, and JSON well enough. Colours
// are asked for as lines are coloured: rehighlight() after a change of theme.
#pragma once

#include <QSyntaxHighlighter>

namespace holdfast::widgets
{

class CodeHighlighter : public QSyntaxHighlighter
{
    Q_OBJECT
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString &text) override;
};

} // namespace holdfast::widgets
