// Pages of A4 that fill from the top: headings, sentences and tables go on the next page when one
// is full, a table with its header again, and every page says which it is and of how many. How many
// is known by laying everything out once without drawing. Black on white, whatever the theme.
#pragma once

#include <QFont>
#include <QPainter>
#include <QPdfWriter>
#include <QStringList>
#include <functional>
#include <memory>

namespace holdfast::weekly
{

struct PdfColumn {
    QString title;
    double share = 1; // of the width, against the others
    bool isNumber = false;
};

class PdfSheet
{
public:
    struct Options {
        QString title;                // of the file
        QString footer;               // at the left of every page's foot
        int pages = 0;                // in all; zero lays out without drawing
        std::function<bool()> goesOn; // asked before every row; false stops
    };

    PdfSheet(QIODevice &device, Options options);
    ~PdfSheet();

    bool isDrawing() const { return m_options.pages > 0; }
    bool isStopped() const { return m_isStopped; }
    int pages() const { return m_page; }
    bool end(); // writes what is left; false where the device took it not

    double width() const { return m_width; }
    double millimetres(double count) const;

    void title(const QString &text);
    void heading(const QString &text); // never the last thing on a page
    void text(const QString &text, bool isQuiet = false);
    void warning(const QString &text);
    void gap(double millimetreCount);
    void table(const QVector<PdfColumn> &columns, const QVector<QStringList> &rows);
    // Room of that height on one page, for a picture.
    void picture(double millimetreHeight,
                 const std::function<void(QPainter &painter, const QRectF &area)> &paint);
    // A line to write on, with a word under it.
    void signatureLine(const QString &left, const QString &right);

private:
    enum class Face { title, heading, body, bold, small };

    QFont fontOf(Face face) const;
    void use(Face face);
    double textHeight(const QString &text, Face face, double width, int linesMax) const;
    void drawText(const QRectF &area, const QString &text, Face face, int linesMax, bool isRight,
                  const QColor &ink);
    void paragraph(const QString &text, Face face, const QColor &ink, int linesMax);
    void need(double height); // a new page where there is less than that left
    void newPage();
    void drawFoot();
    void drawRow(const QVector<PdfColumn> &columns, const QStringList &cells, Face face,
                 double height);
    double rowHeight(const QVector<PdfColumn> &columns, const QStringList &cells, Face face) const;

    Options m_options;
    QPdfWriter m_writer;
    std::unique_ptr<QPainter> m_painter;
    double m_width = 0;
    double m_bottom = 0; // where the foot begins
    double m_at = 0;
    int m_page = 1;
    bool m_isStopped = false;
    bool m_hasFailed = false;
};

} // namespace holdfast::weekly
