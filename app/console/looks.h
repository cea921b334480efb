// Which theme the window has: what the command line says, else what the person chose, else what the
// desktop wishes, now and whenever one of them changes.
#pragma once

#include "ui/style/theme.h"

#include <QObject>

class QApplication;

namespace holdfast::desktop
{
class ColourScheme;
}
namespace holdfast::settings
{
class Preferences;
}

namespace holdfast::console
{

class Looks : public QObject
{
    Q_OBJECT
public:
    // Before any theme of ours was applied: the palette of Qt is the desktop's last word then.
    Looks(QApplication &application, settings::Preferences &preferences,
          desktop::ColourScheme &desktop, std::optional<style::Theme> commanded);

    style::Theme theme() const;
    void
    choose(const QString &theme); // light | dark | system; from now on the person's word counts

private:
    void apply();
    void followPreferences();

    QApplication &m_application;
    settings::Preferences &m_preferences;
    desktop::ColourScheme &m_desktop;
    std::optional<style::Theme> m_commanded;
    const style::Theme m_ofQt;
    QString m_chosen; // as last seen; another choice outranks the command line
};

} // namespace holdfast::console
