#include "ui/shell/need_strip.h"

#include "ui/shell/labels.h"
#include "ui/shell/status_look.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace holdfast::shell
{

using namespace Qt::StringLiterals;

NeedStrip::NeedStrip(QWidget *parent) : QFrame(parent)
{
    setObjectName(u"needStrip"_s);
    setAccessibleName(u"What waits for a person"_s);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    m_heading = plainLabel(u"needHeading"_s, u"How much waits for a person"_s);
    QFont heading = m_heading->font();
    heading.setBold(true);
    heading.setPointSizeF(heading.pointSizeF() * 1.2);
    m_heading->setFont(heading);
    column->addWidget(m_heading);
    auto *tiles = new QHBoxLayout;
    column->addLayout(tiles);
    for (const ReviewLook &look : reviewLooks()) {
        m_tiles << addTile(look.kind, look.word);
        tiles->addWidget(m_tiles.last().frame, 1);
    }
}

NeedStrip::Tile NeedStrip::addTile(const QString &kind, const QString &word)
{
    Tile tile{kind, word, new QFrame(this), nullptr, nullptr};
    tile.frame->setFrameShape(QFrame::StyledPanel);
    tile.frame->setAutoFillBackground(true);
    tile.frame->setBackgroundRole(QPalette::Button);
    auto *row = new QHBoxLayout(tile.frame);
    tile.count = plainLabel(u"count_"_s + kind, word);
    QFont figure = tile.count->font();
    figure.setPointSizeF(figure.pointSizeF() * 1.8);
    figure.setBold(true);
    tile.count->setFont(figure);
    tile.title = plainLabel({}, word);
    tile.title->setText(word);
    tile.title->setWordWrap(true);
    row->addWidget(tile.count);
    row->addWidget(tile.title, 1);
    return tile;
}

void NeedStrip::showSnapshot(const Snapshot &snapshot, Theme theme)
{
    const int total = snapshot.reviewTotal;
    const QColor muted = colour(theme, Token::muted);
    const bool isKnown = snapshot.takenAt != model::never;
    if (!isKnown)
        m_heading->setText(u"Not known yet what waits for a person."_s);
    else if (total == 0)
        m_heading->setText(u"Nothing waits for a person."_s);
    else
        m_heading->setText(total == 1 ? u"◆ 1 item waits for a person."_s
                                      : u"◆ %1 items wait for a person."_s.arg(total));
    const bool isCalm = total == 0 || snapshot.isAway;
    setTextColour(m_heading, colour(theme, snapshot.isAway || !isKnown ? Token::muted
                                           : isCalm                    ? Token::text
                                                                       : Token::attention));
    const QString more = total > snapshot.reviewsCounted() ? u"+"_s : QString();
    for (const Tile &tile : m_tiles) {
        const int count = snapshot.reviewsByKind.value(tile.kind);
        tile.count->setText(isKnown ? QString::number(count) + more : u"–"_s);
        tile.frame->setAccessibleName(u"%1: %2"_s.arg(tile.word, tile.count->text()));
        const bool isQuiet = count == 0 || snapshot.isAway;
        setTextColour(tile.count, isQuiet ? muted : colour(theme, Token::attention));
        setTextColour(tile.title, isQuiet ? muted : colour(theme, Token::text));
    }
}

} // namespace holdfast::shell
