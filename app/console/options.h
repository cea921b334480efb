// The console's command line.
#pragma once

#include "model/result.h"
#include "ui/style/theme.h"

#include <QString>
#include <QStringList>
#include <optional>

namespace holdfast::console
{

struct Options {
    QString database;  // --db
    QString workspace; // --workspace; "demo" is the demo
    QString page;
    QString link;
    std::optional<style::Theme> theme; // else what was chosen last
    QString tourFolder;
    QString reportFile; // --report-pdf: draws standard input into it and exits
    quint64 seed = 7;
    bool isPauseWanted = false; // --pause: opens with the pause dialog
    bool isHelpWanted = false;
};

model::Result<Options> parseOptions(const QStringList &arguments);
QString helpText();

} // namespace holdfast::console
