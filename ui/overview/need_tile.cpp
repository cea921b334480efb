#include "ui/overview/need_tile.h"

#include "ui/style/theme.h"
#include "ui/widgets/times.h"

#include <QEvent>
#include <QLocale>
#include <QPainter>
#include <array>

namespace holdfast::overview
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
struct Shape {
    const char *kind;
    const char16_t *shape;
};
constexpr std::array<Shape, 6> shapes{{{"ambiguous", u"◆"},
                                       {"approval", u"☑"},
                                       {"compensation_failed", u"▲"},
                                       {"conflict", u"≠"},
                                       {"dead_letter", u"✖"},
                                       {"tripwire", u"⚑"}}};

QString shapeOf(const QString &kind)
{
    for (const Shape &entry : shapes) {
        if (kind == QLatin1String(entry.kind))
            return QString::fromUtf16(entry.shape);
    }
    return u"?"_s;
}

// A failed compensation and a dead letter are harm done; the rest is a question.
Token tokenOf(const QString &kind)
{
    return kind == "compensation_failed"_L1 || kind == "dead_letter"_L1 ? Token::bad
                                                                        : Token::attention;
}
} // namespace

NeedTile::NeedTile(const QString &kind, const QString &word, QWidget *parent)
    : QAbstractButton(parent), m_kind(kind), m_word(word), m_shape(shapeOf(kind))
{
    setObjectName(u"tile_"_s + kind);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFigures(-1, model::never, 0);
}

QString NeedTile::countText() const { return m_count < 0 ? u"–"_s : QLocale().toString(m_count); }

void NeedTile::setFigures(qint64 count, model::Instant oldest, model::Instant now)
{
    m_count = count;
    m_age = count > 0 && oldest != model::never ? widgets::ageText(oldest, now) : QString();
    setAccessibleName(m_count < 0 ? u"%1: not known yet"_s.arg(m_word)
                                  : u"%1: %2"_s.arg(m_word, countText()));
    setAccessibleDescription(m_age.isEmpty() ? QString() : u"oldest "_s + m_age);
    update();
}

QSize NeedTile::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 22, fontMetrics().height() * 4};
}

QSize NeedTile::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 14, sizeHint().height()};
}

bool NeedTile::event(QEvent *event)
{
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave)
        update();
    return QAbstractButton::event(event);
}

void NeedTile::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isQuiet = m_count <= 0;
    const QColor ink = style::colour(isQuiet ? Token::muted : tokenOf(m_kind));
    const bool isHot = underMouse() || hasFocus();
    painter.setPen(QPen(isHot     ? style::colour(Token::busy)
                        : isQuiet ? style::colour(Token::border)
                                  : ink,
                        hasFocus() ? 2 : 1));
    painter.setBrush(style::colour(Token::raised));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);

    const int unit = fontMetrics().averageCharWidth();
    const QRect inside = rect().adjusted(unit * 2, unit, -unit * 3 / 2, -unit);
    painter.setPen(ink);
    const QString title = m_shape + u"  "_s + m_word;
    painter.drawText(inside, Qt::AlignTop | Qt::AlignLeft,
                     fontMetrics().elidedText(title, Qt::ElideRight, inside.width()));
    QFont figure = font();
    figure.setPointSizeF(figure.pointSizeF() * 1.9);
    figure.setBold(!isQuiet);
    painter.setFont(figure);
    painter.drawText(inside, Qt::AlignBottom | Qt::AlignLeft, countText());
    const int taken = QFontMetrics(figure).horizontalAdvance(countText()) + unit;
    painter.setFont(font());
    painter.setPen(style::colour(Token::muted));
    const int rest = inside.width() - taken;
    QString age = u"oldest "_s + m_age;
    if (fontMetrics().horizontalAdvance(age) > rest)
        age = m_age;
    if (!m_age.isEmpty())
        painter.drawText(inside.adjusted(taken, 0, 0, -unit / 2), Qt::AlignBottom | Qt::AlignRight,
                         fontMetrics().elidedText(age, Qt::ElideRight, rest));
}

} // namespace holdfast::overview
