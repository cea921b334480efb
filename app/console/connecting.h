// What the settings page's connection form asks for: trying an address off the window's thread, and
// keeping it for the next start.
#pragma once

namespace holdfast::settings
{
class Preferences;
class SettingsPage;
} // namespace holdfast::settings

namespace holdfast::console
{

void wireConnection(settings::SettingsPage &page, settings::Preferences &preferences);

} // namespace holdfast::console
