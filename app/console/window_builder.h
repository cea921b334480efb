// Puts the pages into the frame: the only place that knows all of them.
#pragma once

#include "ui/shell/main_window.h"

#include <memory>

namespace holdfast::settings
{
class Preferences;
}

namespace holdfast::console
{

// `complete` adds the program's own actions, before the menus are closed.
std::unique_ptr<shell::MainWindow>
buildWindow(bridge::Bridge &bridge, const shell::Environment &environment,
            settings::Preferences &preferences,
            const std::function<void(shell::MainWindow &)> &complete = {});

} // namespace holdfast::console
