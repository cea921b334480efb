// Every colour of the console in one table of tokens, for light and dark. Widgets name a token,
// never a colour, so a theme is a column of the table and contrast is tested in one place.
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>
#include <optional>

class QApplication;

namespace holdfast::style
{

enum class Theme { light, dark };

enum class Token {
    window,
    base,
    alternate,
    raised, // tiles and buttons
    border,
    text,
    muted,
    accent,
    onAccent,
    good,
    bad,
    attention, // waits for a person
    busy,
    undoing,
    stripe, // of the pause banner, on `attention`'s ground
};

std::optional<Theme> themeNamed(const QString &name); // light | dark
QColor colour(Theme theme, Token token);
// Of the theme in force. Ask again after QEvent::PaletteChange.
QColor colour(Token token);
Theme currentTheme();
QPalette paletteOf(Theme theme);
// Fusion everywhere, so that every desktop shows what the tests saw.
void applyTheme(QApplication &application, Theme theme);

// Without a font every glyph is an empty box, and Qt says nothing.
bool hasFonts();

} // namespace holdfast::style
