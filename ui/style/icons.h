// Our own icons, drawn in the colour of text of the theme in force.
#pragma once

#include <QIcon>
#include <QString>

namespace holdfast::style
{

// An unknown name gives an empty icon. Ask again after a change of theme.
QIcon icon(const QString &name);

} // namespace holdfast::style
