#include "ui/style/icons.h"

#include "ui/style/theme.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

// Resources of a static library are there only once somebody asks; the macro needs the global
// scope.
static void useIcons() { Q_INIT_RESOURCE(icons); }

namespace holdfast::style
{

using namespace Qt::StringLiterals;

namespace
{
QPixmap drawn(const QByteArray &svg, const QColor &ink, int size)
{
    QByteArray coloured = svg;
    coloured.replace("currentColor", ink.name().toLatin1());
    QSvgRenderer renderer(coloured);
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    return pixmap;
}
} // namespace

QIcon icon(const QString &name)
{
    useIcons();
    QFile file(u":/icons/%1.svg"_s.arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray svg = file.readAll();
    QIcon icon;
    for (const int size : {16, 24, 32, 48, 64}) {
        icon.addPixmap(drawn(svg, colour(Token::text), size), QIcon::Normal);
        icon.addPixmap(drawn(svg, colour(Token::onAccent), size), QIcon::Selected);
        icon.addPixmap(drawn(svg, colour(Token::muted), size), QIcon::Disabled);
    }
    return icon;
}

} // namespace holdfast::style
