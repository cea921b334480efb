#include "ui/style/theme.h"

#include "ui/style/outlined_style.h"

#include <QApplication>
#include <QFontDatabase>
#include <array>

namespace holdfast::style
{

namespace
{
struct TokenColours {
    Token token;
    QRgb light;
    QRgb dark;
};

// Text tokens keep 4.5:1 against window, base, alternate and raised.
constexpr std::array<TokenColours, 15> tokens{{
    {Token::window, 0xfff3f4f6, 0xff262b31},
    {Token::base, 0xffffffff, 0xff1b1f24},
    {Token::alternate, 0xfff8f9fa, 0xff20252b},
    {Token::raised, 0xffffffff, 0xff2f363e},
    {Token::border, 0xffcbd1d8, 0xff4a545f},
    {Token::text, 0xff1c2126, 0xffe6e9ed},
    {Token::muted, 0xff5a636e, 0xff9aa5b1},
    {Token::accent, 0xff0b5cad, 0xff2f6fb3},
    {Token::onAccent, 0xffffffff, 0xffffffff},
    {Token::good, 0xff1a7037, 0xff5fd37f},
    {Token::bad, 0xffb3261e, 0xffff8a80},
    {Token::attention, 0xff8a4b00, 0xfff0b64a},
    {Token::busy, 0xff0b5cad, 0xff7ab8ff},
    {Token::undoing, 0xff6d35a8, 0xffc9a0ff},
    {Token::stripe, 0xffffc53d, 0xffd99a1c},
}};

Theme inForce = Theme::light; // of the one application; GUI thread only
} // namespace

std::optional<Theme> themeNamed(const QString &name)
{
    if (name == QLatin1String("light"))
        return Theme::light;
    if (name == QLatin1String("dark"))
        return Theme::dark;
    return std::nullopt;
}

QColor colour(Theme theme, Token token)
{
    for (const TokenColours &entry : tokens) {
        if (entry.token == token)
            return QColor(theme == Theme::light ? entry.light : entry.dark);
    }
    Q_UNREACHABLE();
}

QColor colour(Token token) { return colour(inForce, token); }
Theme currentTheme() { return inForce; }

QPalette paletteOf(Theme theme)
{
    const auto of = [theme](Token token) { return colour(theme, token); };
    QPalette palette;
    palette.setColor(QPalette::Window, of(Token::window));
    palette.setColor(QPalette::WindowText, of(Token::text));
    palette.setColor(QPalette::Base, of(Token::base));
    palette.setColor(QPalette::AlternateBase, of(Token::alternate));
    palette.setColor(QPalette::Text, of(Token::text));
    palette.setColor(QPalette::PlaceholderText, of(Token::muted));
    palette.setColor(QPalette::Button, of(Token::raised));
    palette.setColor(QPalette::ButtonText, of(Token::text));
    palette.setColor(QPalette::ToolTipBase, of(Token::raised));
    palette.setColor(QPalette::ToolTipText, of(Token::text));
    palette.setColor(QPalette::Highlight, of(Token::accent));
    palette.setColor(QPalette::HighlightedText, of(Token::onAccent));
    palette.setColor(QPalette::Link, of(Token::busy));
    palette.setColor(QPalette::BrightText, of(Token::bad));
    palette.setColor(QPalette::Light, of(Token::raised));
    palette.setColor(QPalette::Midlight, of(Token::alternate));
    palette.setColor(QPalette::Mid, of(Token::border));
    palette.setColor(QPalette::Dark, of(Token::border));
    palette.setColor(QPalette::Shadow, of(Token::border));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, of(Token::muted));
    return palette;
}

void applyTheme(QApplication &application, Theme theme)
{
    inForce = theme;
    application.setStyle(new OutlinedStyle);
    application.setPalette(paletteOf(theme));
}

bool hasFonts() { return !QFontDatabase::families().isEmpty(); }

} // namespace holdfast::style
