#include "ui/weekly/pdf_sheet.h"

#include "ui/widgets/plain_text.h"

#include <QFontMetricsF>
#include <QPageLayout>
#include <QTextLayout>
#include <QTextOption>
#include <cmath>

namespace holdfast::weekly
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int dotsPerInch = 600;
constexpr double inchMillimetres = 25.4;
constexpr double marginSide = 16;
constexpr double marginTop = 15;
constexpr double marginFoot = 13;
constexpr double footHeight = 7;
constexpr int cellLinesMax = 8;
constexpr int paragraphLinesMax = 60;
constexpr qsizetype cellLengthMax = 1000;

const QColor black(0x11, 0x11, 0x11);
const QColor grey(0x55, 0x55, 0x55);
const QColor line(0x99, 0x99, 0x99);
const QColor band(0xee, 0xee, 0xee);
} // namespace

PdfSheet::PdfSheet(QIODevice &device, Options options)
    : m_options(std::move(options)), m_writer(&device)
{
    m_writer.setTitle(m_options.title);
    m_writer.setCreator(u"Holdfast"_s);
    m_writer.setResolution(dotsPerInch);
    m_writer.setPageSize(QPageSize(QPageSize::A4));
    m_writer.setPageMargins({marginSide, marginTop, marginSide, marginFoot},
                            QPageLayout::Millimeter);
    m_width = m_writer.width();
    m_bottom = m_writer.height() - millimetres(footHeight);
    if (!isDrawing())
        return;
    m_painter = std::make_unique<QPainter>();
    m_hasFailed = !m_painter->begin(&m_writer);
    if (!m_hasFailed)
        drawFoot();
}

PdfSheet::~PdfSheet() = default;

bool PdfSheet::end()
{
    if (m_painter && m_painter->isActive())
        m_hasFailed = !m_painter->end() || m_hasFailed;
    return !m_hasFailed;
}

double PdfSheet::millimetres(double count) const { return count / inchMillimetres * dotsPerInch; }

QFont PdfSheet::fontOf(Face face) const
{
    QFont font;
    font.setStyleStrategy(QFont::ForceOutline);
    switch (face) {
    case Face::title: font.setPointSizeF(19); break;
    case Face::heading: font.setPointSizeF(12.5); break;
    case Face::body:
    case Face::bold: font.setPointSizeF(8.5); break;
    case Face::small: font.setPointSizeF(7.5); break;
    }
    font.setBold(face != Face::body && face != Face::small);
    return font;
}

// Lays text out in lines: at words, and inside a word where it is longer than a line. What goes
// beyond the last line ends in an ellipsis.
double PdfSheet::textHeight(const QString &text, Face face, double width, int linesMax) const
{
    const QFontMetricsF metrics(fontOf(face), const_cast<QPdfWriter *>(&m_writer));
    if (metrics.horizontalAdvance(text) <= width)
        return metrics.lineSpacing();
    QTextLayout layout(text, fontOf(face), const_cast<QPdfWriter *>(&m_writer));
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    int lines = 0;
    for (QTextLine next = layout.createLine(); next.isValid() && lines < linesMax;
         next = layout.createLine()) {
        next.setLineWidth(width);
        ++lines;
    }
    layout.endLayout();
    return std::max(1, lines) * metrics.lineSpacing();
}

void PdfSheet::drawText(const QRectF &area, const QString &text, Face face, int linesMax,
                        bool isRight, const QColor &ink)
{
    if (!isDrawing() || text.isEmpty())
        return;
    const QFont font = fontOf(face);
    const QFontMetricsF metrics(font, &m_writer);
    m_painter->setFont(font);
    m_painter->setPen(ink);
    QTextLayout layout(text, font, &m_writer);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    double y = area.top();
    for (int lines = 1;; ++lines, y += metrics.lineSpacing()) {
        QTextLine next = layout.createLine();
        if (!next.isValid())
            break;
        next.setLineWidth(area.width());
        QString words = text.mid(next.textStart(), next.textLength()).trimmed();
        const bool isLast = lines == linesMax;
        if (isLast && next.textStart() + next.textLength() < text.size())
            words = metrics.elidedText(words + u"……"_s, Qt::ElideRight, area.width());
        const QRectF place(area.left(), y, area.width(), metrics.lineSpacing());
        m_painter->drawText(place, (isRight ? Qt::AlignRight : Qt::AlignLeft) | Qt::TextDontClip,
                            words);
        if (isLast)
            break;
    }
    layout.endLayout();
}

void PdfSheet::newPage()
{
    ++m_page;
    m_at = 0;
    if (!isDrawing())
        return;
    m_hasFailed = !m_writer.newPage() || m_hasFailed;
    drawFoot();
}

void PdfSheet::need(double height)
{
    if (m_at > 0 && m_at + height > m_bottom)
        newPage();
}

void PdfSheet::drawFoot()
{
    const double top = m_bottom + millimetres(2);
    m_painter->setPen(QPen(line, millimetres(0.15)));
    m_painter->drawLine(QPointF(0, top), QPointF(m_width, top));
    const QRectF foot(0, top + millimetres(1), m_width, millimetres(4));
    drawText(foot.adjusted(0, 0, -millimetres(35), 0), m_options.footer, Face::small, 1, false,
             grey);
    drawText(foot.adjusted(m_width - millimetres(34), 0, 0, 0),
             u"Page %1 of %2"_s.arg(m_page).arg(m_options.pages), Face::small, 1, true, grey);
}

void PdfSheet::paragraph(const QString &text, Face face, const QColor &ink, int linesMax)
{
    const QString safe = widgets::plainText(text, 4000);
    const double height = textHeight(safe, face, m_width, linesMax);
    need(std::min(height, m_bottom));
    drawText({0, m_at, m_width, height}, safe, face, linesMax, false, ink);
    m_at += height;
}

void PdfSheet::title(const QString &text) { paragraph(text, Face::title, black, 2); }

void PdfSheet::heading(const QString &text)
{
    need(millimetres(28)); // with the first rows of what follows
    if (m_at > 0)
        gap(5);
    paragraph(text, Face::heading, black, 2);
    gap(1.2);
}

void PdfSheet::text(const QString &text, bool isQuiet)
{
    paragraph(text, Face::body, isQuiet ? grey : black, paragraphLinesMax);
}

void PdfSheet::warning(const QString &text)
{
    const QString safe = widgets::plainText(text, 2000);
    const double pad = millimetres(1.5);
    const double height = textHeight(safe, Face::bold, m_width - 2 * pad, 10) + 2 * pad;
    need(height);
    if (isDrawing()) {
        m_painter->setPen(QPen(black, millimetres(0.4)));
        m_painter->setBrush(Qt::NoBrush);
        m_painter->drawRect(QRectF(0, m_at, m_width, height));
    }
    drawText({pad, m_at + pad, m_width - 2 * pad, height}, safe, Face::bold, 10, false, black);
    m_at += height + millimetres(1.5);
}

void PdfSheet::gap(double millimetreCount)
{
    m_at = std::min(m_at + millimetres(millimetreCount), m_bottom);
}

double PdfSheet::rowHeight(const QVector<PdfColumn> &columns, const QStringList &cells,
                           Face face) const
{
    double shares = 0;
    for (const PdfColumn &column : columns)
        shares += column.share;
    const double pad = millimetres(1);
    double height = 0;
    for (qsizetype i = 0; i < columns.size(); ++i) {
        const double width = m_width * columns.at(i).share / shares - 2 * pad;
        height = std::max(height, textHeight(cells.value(i), face, width, cellLinesMax));
    }
    return height + millimetres(1.2);
}

void PdfSheet::drawRow(const QVector<PdfColumn> &columns, const QStringList &cells, Face face,
                       double height)
{
    double shares = 0;
    for (const PdfColumn &column : columns)
        shares += column.share;
    const double pad = millimetres(1);
    double x = 0;
    for (qsizetype i = 0; i < columns.size(); ++i) {
        const double width = m_width * columns.at(i).share / shares;
        drawText({x + pad, m_at + millimetres(0.6), width - 2 * pad, height}, cells.value(i), face,
                 cellLinesMax, columns.at(i).isNumber, black);
        x += width;
    }
    m_at += height;
    if (!isDrawing())
        return;
    m_painter->setPen(QPen(line, millimetres(0.12)));
    m_painter->drawLine(QPointF(0, m_at), QPointF(m_width, m_at));
}

void PdfSheet::table(const QVector<PdfColumn> &columns, const QVector<QStringList> &rows)
{
    QStringList titles;
    for (const PdfColumn &column : columns)
        titles << column.title;
    const double headerHeight = rowHeight(columns, titles, Face::bold);
    const auto drawHeader = [&] {
        if (isDrawing())
            m_painter->fillRect(QRectF(0, m_at, m_width, headerHeight), band);
        drawRow(columns, titles, Face::bold, headerHeight);
    };
    bool isFirst = true;
    for (const QStringList &row : rows) {
        if (m_isStopped || (m_options.goesOn && !m_options.goesOn())) {
            m_isStopped = true;
            return;
        }
        QStringList cells;
        for (const QString &cell : row)
            cells << widgets::plainText(cell, cellLengthMax);
        const double height = rowHeight(columns, cells, Face::body);
        const int before = m_page;
        need(isFirst ? headerHeight + height : height);
        if (isFirst || m_page != before)
            drawHeader();
        isFirst = false;
        drawRow(columns, cells, Face::body, height);
    }
}

void PdfSheet::picture(double millimetreHeight,
                       const std::function<void(QPainter &painter, const QRectF &area)> &paint)
{
    const double height = millimetres(millimetreHeight);
    need(height);
    if (isDrawing()) {
        m_painter->save();
        m_painter->setFont(fontOf(Face::small));
        paint(*m_painter, QRectF(0, m_at, m_width, height));
        m_painter->restore();
    }
    m_at += height;
}

void PdfSheet::signatureLine(const QString &left, const QString &right)
{
    need(millimetres(22));
    gap(14);
    const double half = m_width * 0.46;
    if (isDrawing()) {
        m_painter->setPen(QPen(black, millimetres(0.2)));
        for (const double x : {0.0, m_width - half})
            m_painter->drawLine(QPointF(x, m_at), QPointF(x + half, m_at));
    }
    gap(1);
    drawText({0, m_at, half, millimetres(5)}, left, Face::small, 1, false, grey);
    drawText({m_width - half, m_at, half, millimetres(5)}, right, Face::small, 1, false, grey);
    gap(5);
}

} // namespace holdfast::weekly
