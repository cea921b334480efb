// The pause button: always there, always pausing. It never turns into its opposite, so that a
// second click in a panic cannot start anything.
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pause/pause_state.h"

#include <functional>

class QAction;
class QWidget;

namespace holdfast::pause
{

// `context` says what the person is looking at, so that the dialog can offer it first.
QAction *makePauseAction(bridge::Bridge &bridge, QWidget *parent,
                         std::function<PauseScope()> context = {});

} // namespace holdfast::pause
