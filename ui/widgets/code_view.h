// Read-only text in a fixed pitch with line numbers, and marks beside the lines that something was
// found at. It colours YAML or JSON simply; what stands in it is text and nothing else.
#pragma once

#include "ui/style/theme.h"

#include <QMap>
#include <QPlainTextEdit>

namespace holdfast::widgets
{

class CodeHighlighter;

struct LineMark {
    bool isError = false;
    QString message;
};

class CodeView : public QPlainTextEdit
{
    Q_OBJECT
public:
    explicit CodeView(const QString &accessibleName, QWidget *parent = nullptr);

    // Longer text is cut, with a line that says so.
    void setCode(const QString &text);
    // A unified diff: what goes and what comes are told apart by their ground as well as by their
    // sign.
    void setDiff(const QString &text);
    void setMarks(const QMap<int, LineMark> &marks); // by line, from 1
    void goToLine(int line);
    int currentLine() const;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool event(QEvent *event) override;

private:
    friend class LineGutter;
    int gutterWidth() const;
    void paintGutter(const QRect &exposed);
    void placeGutter();
    void markLines();
    QTextEdit::ExtraSelection groundOf(const QTextBlock &block, style::Token token) const;

    QWidget *m_gutter = nullptr;
    CodeHighlighter *m_highlighter = nullptr;
    QMap<int, LineMark> m_marks;
    int m_line = 0; // that was gone to; 0: none
    bool m_isDiff = false;
};

} // namespace holdfast::widgets
