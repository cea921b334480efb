#include "ui/overview/gate_lines.h"

#include "ui/widgets/elided_label.h"
#include "ui/widgets/times.h"
#include "ui/widgets/token_label.h"

#include <QHBoxLayout>
#include <QJsonArray>
#include <QPushButton>

namespace holdfast::overview
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
constexpr qsizetype linesMax = 4; // the pages have them all

QString pauseText(const QJsonObject &pause, model::Instant now)
{
    const QString target = pause.value("target"_L1).toString();
    const QString depth = pause.value("depth"_L1).toString();
    const QString what = depth == "intake"_L1 ? u"new runs"_s
                         : depth == "all"_L1  ? u"everything"_s
                                              : u"all writes"_s;
    QString text = target.isEmpty() ? what : u"%1 of %2"_s.arg(what, target);
    text +=
        u" · by %1, %2 ago"_s.arg(pause.value("actor"_L1).toString(),
                                  widgets::ageText(widgets::instantOf(pause.value("at"_L1)), now));
    text += u" · “%1”"_s.arg(pause.value("reason"_L1).toString());
    return text + u" · %1 held · %2 in flight"_s.arg(pause.value("held"_L1).toInt())
                      .arg(pause.value("in_flight"_L1).toInt());
}
} // namespace

GateLines::GateLines(QWidget *parent) : QWidget(parent)
{
    setObjectName(u"gates"_s);
    setAccessibleName(u"Pauses and open breakers"_s);
    m_column = new QVBoxLayout(this);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(fontMetrics().averageCharWidth() / 2);
}

QVector<GateLines::Line> GateLines::linesOf(const QJsonObject &marks, model::Instant now)
{
    QVector<Line> lines;
    const QJsonArray pauses = marks.value("pauses"_L1).toArray();
    for (const QJsonValue &pause : pauses)
        lines << Line{u"‖"_s,
                      u"Paused"_s,
                      pauseText(pause.toObject(), now),
                      u"pause"_s,
                      {{u"pause"_s, pause["id"_L1]}}};
    const QJsonArray open = marks.value("breakers_open"_L1).toArray();
    for (const QJsonValue &name : open)
        lines << Line{u"✖"_s,
                      u"Breaker open"_s,
                      name.toString() + u" · nothing is sent to it until a trial succeeds"_s,
                      u"dependencies"_s,
                      {{u"dependency"_s, name}}};
    if (lines.size() > linesMax) {
        const qsizetype more = lines.size() - linesMax + 1;
        lines.resize(linesMax - 1);
        lines << Line{
            u"…"_s, u"%1 more"_s.arg(more), u"pauses and open breakers"_s, u"pause"_s, {}};
    }
    return lines;
}

void GateLines::setMarks(const QJsonObject &marks, model::Instant now)
{
    const QVector<Line> lines = linesOf(marks, now);
    if (lines == m_lines && m_column->count() > 0)
        return;
    // The focus would be lost with the button it is on.
    const bool onlyTexts =
        lines.size() == m_lines.size() &&
        std::equal(lines.begin(), lines.end(), m_lines.begin(), [](const Line &a, const Line &b) {
            return a.word == b.word && a.page == b.page && a.where == b.where;
        });
    m_lines = lines;
    if (onlyTexts && !lines.isEmpty() && m_column->count() == lines.size()) {
        for (int i = 0; i < lines.size(); ++i)
            m_column->itemAt(i)->widget()->findChild<widgets::ElidedLabel *>()->setWhole(
                lines.at(i).text);
        return;
    }
    while (QLayoutItem *item = m_column->takeAt(0)) {
        // It may be the one whose click led here.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (const Line &line : lines)
        addLine(line);
    if (lines.isEmpty() && !marks.isEmpty()) {
        auto *calm = new widgets::TokenLabel(u"No pause is in force and no breaker is open."_s,
                                             Token::muted);
        m_column->addWidget(calm);
    }
}

void GateLines::addLine(const Line &line)
{
    auto *row = new QWidget;
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    auto *word = new widgets::TokenLabel(line.shape + u' ' + line.word,
                                         line.page == "pause"_L1 ? Token::attention : Token::bad);
    word->setSize(1, true);
    layout->addWidget(word);
    auto *text = new widgets::ElidedLabel;
    text->setWhole(line.text);
    text->setAccessibleName(line.word);
    layout->addWidget(text, 1);
    auto *button = new QPushButton(line.page == "pause"_L1 ? u"Details"_s : u"Inspect"_s);
    button->setAccessibleName(u"%1: %2"_s.arg(button->text(), text->text()));
    connect(button, &QPushButton::clicked, this,
            [this, line] { Q_EMIT wanted(line.page, line.where); });
    layout->addWidget(button);
    m_column->addWidget(row);
}

} // namespace holdfast::overview
