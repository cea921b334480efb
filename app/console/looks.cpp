#include "app/console/looks.h"

#include "ui/desktop/colour_scheme.h"
#include "ui/settings/preferences.h"

#include <QApplication>

namespace holdfast::console
{

Looks::Looks(QApplication &application, settings::Preferences &preferences,
             desktop::ColourScheme &desktop, std::optional<style::Theme> commanded)
    : m_application(application), m_preferences(preferences), m_desktop(desktop),
      m_commanded(commanded),
      m_ofQt(application.palette().color(QPalette::Window).lightness() < 128 ? style::Theme::dark
                                                                             : style::Theme::light),
      m_chosen(preferences.theme())
{
    style::applyTheme(m_application, theme());
    connect(&m_preferences, &settings::Preferences::changed, this, &Looks::followPreferences);
    connect(&m_desktop, &desktop::ColourScheme::changed, this, &Looks::apply);
}

style::Theme Looks::theme() const
{
    if (m_commanded)
        return *m_commanded;
    if (const auto chosen = style::themeNamed(m_preferences.theme()))
        return *chosen;
    return m_desktop.wish().value_or(m_ofQt);
}

void Looks::choose(const QString &theme)
{
    m_commanded.reset();
    m_preferences.setTheme(theme);
    apply();
}

void Looks::followPreferences()
{
    if (m_chosen != m_preferences.theme())
        m_commanded.reset();
    m_chosen = m_preferences.theme();
    apply();
}

// A theme is applied to every widget there is; the same one again would only cost.
void Looks::apply()
{
    if (style::currentTheme() != theme())
        style::applyTheme(m_application, theme());
}

} // namespace holdfast::console
