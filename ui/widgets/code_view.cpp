#include "ui/widgets/code_view.h"

#include "ui/widgets/code_highlighter.h"

#include <QFontDatabase>
#include <QHelpEvent>
#include <QPainter>
#include <QTextBlock>
#include <QToolTip>

namespace holdfast::widgets
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
constexpr qsizetype lengthMax = 200'000;

// Lines stay lines; whatever else is invisible or turns the text around shows as its code point.
QString visible(const QString &text)
{
    QString shown;
    for (const uint code : text.left(lengthMax).toUcs4()) {
        const QChar::Category category = QChar::category(code);
        const bool isHidden = category == QChar::Other_Control || category == QChar::Other_Format ||
                              category == QChar::Separator_Line ||
                              category == QChar::Separator_Paragraph;
        if (code == U'\n' || code == U'\t' || !isHidden)
            shown += QString::fromUcs4(reinterpret_cast<const char32_t *>(&code), 1);
        else if (code != U'\r')
            shown += u"[U+%1]"_s.arg(code, 4, 16, QLatin1Char('0')).toUpper();
    }
    if (text.size() > lengthMax)
        shown += u"\n… %1 more characters are not shown."_s.arg(text.size() - lengthMax);
    return shown;
}
} // namespace

// The strip with the numbers; it only forwards to the view, which knows the lines.
class LineGutter : public QWidget
{
public:
    explicit LineGutter(CodeView *view) : QWidget(view), m_view(view) {}

protected:
    void paintEvent(QPaintEvent *event) override { m_view->paintGutter(event->rect()); }

private:
    CodeView *m_view;
};

CodeView::CodeView(const QString &accessibleName, QWidget *parent) : QPlainTextEdit(parent)
{
    setAccessibleName(accessibleName);
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(true);
    setUndoRedoEnabled(false);
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(font().pointSizeF());
    setFont(fixed);
    m_gutter = new LineGutter(this);
    m_highlighter = new CodeHighlighter(document());
    connect(this, &QPlainTextEdit::blockCountChanged, this, &CodeView::placeGutter);
    connect(this, &QPlainTextEdit::updateRequest, m_gutter, [this](const QRect &area, int moved) {
        if (moved != 0)
            m_gutter->scroll(0, moved);
        else
            m_gutter->update(0, area.y(), m_gutter->width(), area.height());
    });
    placeGutter();
}

void CodeView::setCode(const QString &text)
{
    const QString shown = visible(text);
    if (shown != toPlainText()) {
        m_line = 0;
        setPlainText(shown);
    }
    markLines();
}

void CodeView::setDiff(const QString &text)
{
    m_isDiff = true;
    placeGutter();
    setCode(text.endsWith(u'\n') ? text.chopped(1) : text);
}

void CodeView::setMarks(const QMap<int, LineMark> &marks)
{
    m_marks = marks;
    markLines();
    m_gutter->update();
}

void CodeView::markLines()
{
    QList<QTextEdit::ExtraSelection> lines;
    if (const QTextBlock block = document()->findBlockByNumber(m_line - 1);
        m_line > 0 && block.isValid() && !m_marks.contains(m_line))
        lines << groundOf(block, Token::busy);
    for (auto mark = m_marks.constBegin(); mark != m_marks.constEnd(); ++mark) {
        const QTextBlock block = document()->findBlockByNumber(mark.key() - 1);
        if (!block.isValid())
            continue;
        lines << groundOf(block, mark->isError ? Token::bad : Token::attention);
    }
    for (QTextBlock block = document()->begin(); m_isDiff && block.isValid();
         block = block.next()) {
        const QString text = block.text();
        const bool isHead = text.startsWith("---"_L1) || text.startsWith("+++"_L1);
        if (!isHead && text.startsWith(u'+'))
            lines << groundOf(block, Token::good);
        else if (!isHead && text.startsWith(u'-'))
            lines << groundOf(block, Token::bad);
    }
    setExtraSelections(lines);
}

QTextEdit::ExtraSelection CodeView::groundOf(const QTextBlock &block, Token token) const
{
    QColor ground = style::colour(token);
    ground.setAlphaF(0.14F);
    QTextEdit::ExtraSelection line;
    line.cursor = QTextCursor(block);
    line.format.setBackground(ground);
    line.format.setProperty(QTextFormat::FullWidthSelection, true);
    return line;
}

void CodeView::goToLine(int line)
{
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (!block.isValid())
        return;
    QTextCursor cursor(block);
    cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    cursor.setPosition(block.position(), QTextCursor::KeepAnchor);
    setTextCursor(cursor);
    centerCursor();
    m_line = line;
    markLines();
}

int CodeView::currentLine() const { return textCursor().blockNumber() + 1; }

int CodeView::gutterWidth() const
{
    // The lines of a diff have numbers of their own, and they are not those of the file.
    if (m_isDiff)
        return 0;
    const int digits = int(QString::number(std::max(10, blockCount())).size());
    return fontMetrics().horizontalAdvance(u'9') * (digits + 4);
}

void CodeView::placeGutter()
{
    setViewportMargins(gutterWidth(), 0, 0, 0);
    const QRect inside = contentsRect();
    m_gutter->setGeometry(inside.left(), inside.top(), gutterWidth(), inside.height());
}

void CodeView::resizeEvent(QResizeEvent *event)
{
    QPlainTextEdit::resizeEvent(event);
    placeGutter();
}

void CodeView::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !m_highlighter)
        return;
    m_highlighter->rehighlight();
    markLines();
}

bool CodeView::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QPlainTextEdit::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QPoint inside = viewport()->mapFrom(this, help->pos());
    const int line = cursorForPosition({1, inside.y()}).blockNumber() + 1;
    if (m_marks.contains(line))
        QToolTip::showText(help->globalPos(), Qt::convertFromPlainText(m_marks.value(line).message),
                           this);
    else
        QToolTip::hideText();
    return true;
}

void CodeView::paintGutter(const QRect &exposed)
{
    QPainter painter(m_gutter);
    painter.setFont(font());
    painter.fillRect(exposed, style::colour(Token::alternate));
    const int width = m_gutter->width();
    const int cell = fontMetrics().horizontalAdvance(u'9');
    painter.setPen(style::colour(Token::border));
    painter.drawLine(width - 1, exposed.top(), width - 1, exposed.bottom());
    const int tall = fontMetrics().lineSpacing(); // the last block is taller than its line
    QTextBlock block = firstVisibleBlock();
    QRectF area = blockBoundingGeometry(block).translated(contentOffset());
    while (block.isValid() && area.top() <= exposed.bottom()) {
        const int line = block.blockNumber() + 1;
        if (const auto mark = m_marks.constFind(line); mark != m_marks.constEnd()) {
            painter.setPen(style::colour(mark->isError ? Token::bad : Token::attention));
            painter.drawText(QRectF(0, area.top(), cell * 2, tall), Qt::AlignCenter,
                             mark->isError ? u"✖"_s : u"▲"_s);
        } else {
            painter.setPen(style::colour(Token::muted));
        }
        painter.drawText(QRectF(0, area.top(), width - cell, tall),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(line));
        block = block.next();
        area = blockBoundingGeometry(block).translated(contentOffset());
    }
}

} // namespace holdfast::widgets
