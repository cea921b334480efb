#include "ui/workflows/step_box.h"

#include "ui/widgets/plain_text.h"
#include "ui/widgets/times.h"

#include <QEvent>
#include <QFontDatabase>
#include <QPainter>

namespace holdfast::workflows
{

using namespace Qt::StringLiterals;
using style::Token;
using widgets::plainText;

namespace
{
struct EffectLook {
    QString text;
    Token token;
};

EffectLook effectLook(const QString &effect)
{
    if (effect == "write"_L1)
        return {u"● write"_s, Token::busy};
    if (effect == "destructive"_L1)
        return {u"▲ destructive"_s, Token::bad};
    return {u"○ read"_s, Token::muted};
}

// A check, an approval and a wait touch nothing outside.
bool callsOutside(const QString &kind)
{
    return kind == "http"_L1 || kind == "command"_L1 || kind == "llm"_L1;
}

QString callText(const QJsonObject &step)
{
    QStringList parts;
    if (const QString retry = step.value("retry"_L1).toString(); !retry.isEmpty())
        parts << retry;
    if (step.value("timeout_ms"_L1).toDouble() > 0)
        parts << u"time-out "_s + widgets::durationText(step.value("timeout_ms"_L1).toInteger());
    return parts.join(u" · "_s);
}

QString gateText(const QJsonObject &step)
{
    QStringList parts;
    if (step.value("approval"_L1).toBool())
        parts << u"☑ approval first"_s;
    if (step.value("when"_L1).toBool())
        parts << u"◇ only when its condition holds"_s;
    if (step.value("detached"_L1).toBool())
        parts << u"detached"_s;
    const QString failing = step.value("on_failure"_L1).toString();
    if (!failing.isEmpty() && failing != "compensate"_L1)
        parts << u"on failure: "_s + failing;
    return parts.join(u" · "_s);
}
} // namespace

StepBox::StepBox(const QJsonObject &step, QWidget *parent) : QAbstractButton(parent), m_step(step)
{
    setObjectName(u"step_"_s + this->step());
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    makeLines();
    setAccessibleName(plainText(this->step()));
    QStringList read{plainText(m_step.value("kind"_L1).toString())};
    for (const Line &line : m_lines)
        read << line.text;
    setAccessibleDescription(read.join(u", "_s));
    setToolTip(read.join(u'\n').toHtmlEscaped().replace(u'\n', u"<br>"_s));
}

bool StepBox::isCompensable() const
{
    const QString way = m_step.value("compensate"_L1).toString();
    return !way.isEmpty() && !way.startsWith(u"none"_s);
}

void StepBox::makeLines()
{
    if (const QString gates = gateText(m_step); !gates.isEmpty())
        m_lines << Line{gates, Token::attention};
    const QString dependency = m_step.value("dependency"_L1).toString();
    QStringList to;
    if (!dependency.isEmpty())
        to << u"→ "_s + plainText(dependency, 80);
    if (const QString level = m_step.value("protection"_L1).toString(); !level.isEmpty())
        to << u"protection "_s + plainText(level, 40);
    if (m_step.value("verify"_L1).toBool())
        to << u"can verify"_s;
    if (!to.isEmpty())
        m_lines << Line{to.join(u" · "_s), Token::text};
    if (const QString key = m_step.value("key"_L1).toString(); !key.isEmpty())
        m_lines << Line{plainText(key, 200), Token::text, true};
    if (const QString call = callText(m_step); !call.isEmpty())
        m_lines << Line{plainText(call, 200), Token::muted};
    const QString way = m_step.value("compensate"_L1).toString();
    if (!way.isEmpty())
        m_lines << Line{u"↩ "_s + plainText(way, 200),
                        isCompensable() ? Token::undoing : Token::muted};
}

int StepBox::heightFor(int) const
{
    const int padding = fontMetrics().averageCharWidth() * 2;
    return int(m_lines.size() + 1) * fontMetrics().lineSpacing() + padding +
           (m_lines.isEmpty() ? 0 : padding / 4);
}

QSize StepBox::sizeHint() const
{
    const int width = fontMetrics().averageCharWidth() * 44;
    return {width, heightFor(width)};
}

bool StepBox::event(QEvent *event)
{
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave)
        update();
    return QAbstractButton::event(event);
}

void StepBox::paintHead(QPainter &painter, const QRect &area) const
{
    const QString kind = m_step.value("kind"_L1).toString();
    const EffectLook effect = effectLook(m_step.value("effect"_L1).toString());
    const QFontMetrics metrics = fontMetrics();
    int right = area.right();
    const auto fromRight = [&](const QString &text, Token token) {
        painter.setPen(style::colour(token));
        const int width = metrics.horizontalAdvance(text);
        painter.drawText(QRect(right - width, area.top(), width + 1, metrics.lineSpacing()),
                         Qt::AlignVCenter, text);
        right -= width + metrics.averageCharWidth() * 2;
    };
    painter.setFont(font());
    if (callsOutside(kind))
        fromRight(effect.text, effect.token);
    fromRight(plainText(kind, 20), Token::muted);
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(style::colour(Token::text));
    const int room = right - area.left();
    painter.drawText(QRect(area.left(), area.top(), room, metrics.lineSpacing()), Qt::AlignVCenter,
                     QFontMetrics(bold).elidedText(plainText(step()), Qt::ElideRight, room));
}

void StepBox::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int unit = fontMetrics().averageCharWidth();
    const bool isHot = underMouse() || hasFocus() || isChecked();
    QPen edge(style::colour(isHot ? Token::busy : Token::border),
              isChecked() || hasFocus() ? 2 : 1);
    if (m_step.value("detached"_L1).toBool())
        edge.setStyle(Qt::DashLine);
    painter.setPen(edge);
    painter.setBrush(style::colour(Token::raised));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    QRect area = rect().adjusted(unit * 3 / 2, unit, -unit * 3 / 2, 0);
    paintHead(painter, area);
    area.translate(0, fontMetrics().lineSpacing() + unit / 2);
    for (const Line &line : m_lines) {
        painter.setFont(line.isFixed ? QFontDatabase::systemFont(QFontDatabase::FixedFont)
                                     : font());
        painter.setPen(style::colour(line.token));
        const QRect place(area.left(), area.top(), area.width(), fontMetrics().lineSpacing());
        painter.drawText(
            place, Qt::AlignVCenter,
            painter.fontMetrics().elidedText(line.text, Qt::ElideRight, place.width()));
        area.translate(0, fontMetrics().lineSpacing());
    }
}

} // namespace holdfast::workflows
