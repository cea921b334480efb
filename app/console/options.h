// The console's command line, read before there is a window system to need.
#pragma once

#include "model/result.h"
#include "ui/shell/theme.h"

#include <QStringList>

namespace holdfast::console
{

struct Options {
    QString database; // as given; empty: HOLDFAST_DB or the console's own file
    shell::Theme theme = shell::Theme::light;
    QString tourFolder;
    bool isHelpWanted = false;
};

QString helpText();
model::Result<Options> parseOptions(const QStringList &arguments);

} // namespace holdfast::console
