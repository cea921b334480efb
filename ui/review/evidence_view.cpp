#include "ui/review/evidence_view.h"

#include "model/json.h"
#include "ui/style/theme.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/times.h"

#include <QDateTime>
#include <QEvent>
#include <QFontDatabase>
#include <QJsonDocument>
#include <QScrollBar>
#include <QTextTable>

namespace holdfast::review
{

using namespace Qt::StringLiterals;
using style::Token;
using widgets::plainText;

namespace
{
constexpr qsizetype textMax = 2000; // of one fact
constexpr qsizetype bodyMax = 20000;

QTextCharFormat ink(Token token, bool isBold = false)
{
    QTextCharFormat format;
    format.setForeground(style::colour(token));
    format.setFontWeight(isBold ? QFont::Bold : QFont::Normal);
    return format;
}

QTextCharFormat fixed(Token token)
{
    QTextCharFormat format = ink(token);
    format.setFontFamilies({QFontDatabase::systemFont(QFontDatabase::FixedFont).family()});
    return format;
}

QTextBlockFormat spaced(qreal top, qreal bottom)
{
    QTextBlockFormat format;
    format.setTopMargin(top);
    format.setBottomMargin(bottom);
    return format;
}

// Line breaks of our own making stay; everything in between is made safe line by line.
QString plainLines(const QString &text)
{
    QStringList lines;
    for (const QString &line : text.left(bodyMax).split(u'\n'))
        lines << plainText(line, textMax);
    return lines.join(u'\n');
}

// Facts of one run often lie within a second.
QString momentText(model::Instant instant)
{
    if (instant == model::never)
        return {};
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(instant);
    const bool isToday = time.date() == QDate::currentDate();
    return time.toString(isToday ? u"HH:mm:ss.zzz"_s : u"d MMM HH:mm:ss"_s);
}

QString bodyText(const QJsonObject &request)
{
    const QString body = request.value("body"_L1).toString();
    const QJsonDocument document = QJsonDocument::fromJson(body.toUtf8());
    if (document.isNull())
        return body.isEmpty() ? request.value("body_base64"_L1).toString() : body;
    return QString::fromUtf8(document.toJson(QJsonDocument::Indented)).trimmed();
}
} // namespace

EvidenceView::EvidenceView(QWidget *parent) : QTextEdit(parent)
{
    setObjectName(u"evidence"_s);
    setAccessibleName(u"Question and evidence"_s);
    setReadOnly(true);
    setAcceptRichText(false);
    setUndoRedoEnabled(false);
    setFrameShape(QFrame::NoFrame);
    setTabChangesFocus(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    document()->setDocumentMargin(0);
}

QSize EvidenceView::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 60, fontMetrics().height() * 14};
}

void EvidenceView::setDetail(const QJsonObject &detail)
{
    if (detail == m_detail)
        return;
    const bool isSame = detail.value("id"_L1) == m_detail.value("id"_L1);
    const int scrolled = verticalScrollBar()->value();
    m_detail = detail;
    write();
    verticalScrollBar()->setValue(isSame ? scrolled : 0);
}

void EvidenceView::changeEvent(QEvent *event)
{
    QTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        write();
}

void EvidenceView::write()
{
    clear();
    if (m_detail.isEmpty())
        return;
    QTextCursor cursor(document());
    cursor.setBlockFormat(spaced(0, fontMetrics().height() / 3.0));
    QTextCharFormat large = ink(Token::text, true);
    large.setFontPointSize(font().pointSizeF() * 1.35);
    cursor.insertText(plainText(m_detail.value("question"_L1).toString(), 400), large);
    writeDecided(cursor);
    writeKnown(cursor);
    writeChecks(cursor);
    writeRequest(cursor);
    writeFooter(cursor);
}

void EvidenceView::writeHeading(QTextCursor &cursor, const QString &text)
{
    const qreal line = fontMetrics().height();
    cursor.movePosition(QTextCursor::End);
    cursor.insertBlock(spaced(line * 0.7, line * 0.2));
    QTextCharFormat format = ink(Token::muted, true);
    format.setFontLetterSpacing(108);
    cursor.insertText(text, format);
}

void EvidenceView::writeDecided(QTextCursor &cursor)
{
    const QString by = m_detail.value("decided_by"_L1).toString();
    if (by.isEmpty())
        return;
    const QString reason = m_detail.value("reason"_L1).toString();
    cursor.insertBlock(spaced(0, 0));
    cursor.insertText(u"✔ Decided by %1 as %2, %3%4"_s.arg(
                          plainText(by), plainText(m_detail.value("decision"_L1).toString()),
                          widgets::shortTime(widgets::instantOf(m_detail.value("decided_at"_L1))),
                          reason.isEmpty() ? u"."_s : u": “%1”."_s.arg(plainText(reason, textMax))),
                      ink(Token::good, true));
}

void EvidenceView::writeKnown(QTextCursor &cursor)
{
    const QJsonArray known = m_detail.value("known"_L1).toArray();
    if (known.isEmpty())
        return;
    writeHeading(cursor, u"WHAT WE KNOW"_s);
    QTextTableFormat format;
    format.setBorder(0);
    format.setCellPadding(1);
    format.setCellSpacing(0);
    format.setMargin(0);
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    format.setColumnWidthConstraints(
        {QTextLength(QTextLength::FixedLength, fontMetrics().averageCharWidth() * 17),
         QTextLength(QTextLength::VariableLength, 0)});
    QTextTable *table = cursor.insertTable(int(known.size()), 2, format);
    for (int row = 0; row < known.size(); ++row) {
        const QJsonValue fact = known.at(row);
        const QString at = momentText(widgets::instantOf(fact["at"_L1]));
        table->cellAt(row, 0).firstCursorPosition().insertText(at.isEmpty() ? u"•"_s : at,
                                                               ink(Token::muted));
        table->cellAt(row, 1).firstCursorPosition().insertText(
            plainText(fact["text"_L1].toString(), textMax), ink(Token::text));
    }
}

void EvidenceView::writeChecks(QTextCursor &cursor)
{
    const QJsonArray checks = m_detail.value("check"_L1).toArray();
    if (checks.isEmpty())
        return;
    writeHeading(cursor, u"WHAT TO CHECK"_s);
    for (const QJsonValue &check : checks) {
        QTextBlockFormat block = spaced(0, 1);
        block.setLeftMargin(fontMetrics().averageCharWidth() * 2);
        block.setTextIndent(-block.leftMargin());
        cursor.insertBlock(block);
        cursor.insertText(u"☐ "_s + plainText(check.toString(), textMax), ink(Token::text));
    }
}

void EvidenceView::writeRequest(QTextCursor &cursor)
{
    const QJsonObject evidence = m_detail.value("evidence"_L1).toObject();
    const QJsonObject request = evidence.value("request"_L1).toObject();
    if (request.isEmpty() || m_detail.value("payloads"_L1).isObject())
        return;
    const bool isApproval = m_detail.value("kind"_L1) == "approval"_L1;
    writeHeading(cursor, isApproval ? u"THE EXACT REQUEST"_s : u"REQUEST"_s);
    QString first =
        request.value("method"_L1).toString() + u' ' + request.value("path"_L1).toString();
    QStringList argv;
    for (const QJsonValue &part : request.value("argv"_L1).toArray())
        argv << part.toString();
    if (!argv.isEmpty())
        first = argv.join(u' ');
    cursor.insertBlock(spaced(0, 2));
    cursor.insertText(plainText(first.trimmed(), textMax), fixed(Token::text));
    if (const QString body = bodyText(request); !body.isEmpty()) {
        cursor.insertBlock(spaced(0, 2));
        cursor.insertText(plainLines(body), fixed(Token::text));
    }
    const QString hash = evidence.value("hash"_L1).toString();
    if (!isApproval || hash.isEmpty())
        return;
    cursor.insertBlock(spaced(2, 2));
    cursor.insertText(u"SHA-256 "_s, ink(Token::muted));
    cursor.insertText(plainText(hash), fixed(Token::muted));
    cursor.insertBlock(spaced(0, 0));
    cursor.insertText(u"An approval is of exactly these bytes; should they change, it is void."_s,
                      ink(Token::muted));
}

void EvidenceView::writeFooter(QTextCursor &cursor)
{
    const int similar = m_detail.value("similar"_L1).toInt();
    if (similar <= 0)
        return;
    cursor.movePosition(QTextCursor::End);
    cursor.insertBlock(spaced(fontMetrics().height() * 0.7, 0));
    cursor.insertText(similar == 1 ? u"1 similar item is open."_s
                                   : u"%1 similar items are open."_s.arg(similar),
                      ink(Token::muted));
}

} // namespace holdfast::review
