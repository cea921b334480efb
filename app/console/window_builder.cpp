#include "app/console/window_builder.h"

#include "ui/batches/batches_page.h"
#include "ui/dependencies/dependencies_page.h"
#include "ui/inspector/inspector_page.h"
#include "ui/ledger/ledger_page.h"
#include "ui/overview/overview_page.h"
#include "ui/pause/pause_action.h"
#include "ui/pause/pause_banner.h"
#include "ui/pause/pause_page.h"
#include "ui/review/review_page.h"
#include "ui/runs/runs_page.h"
#include "ui/settings/settings_page.h"
#include "ui/weekly/weekly_page.h"
#include "ui/workflows/workflows_page.h"

namespace holdfast::console
{

using namespace Qt::StringLiterals;

namespace
{
// Who looks at one workflow or dependency most likely means that one; the dialog shows the choice.
pause::PauseScope scopeInView(const shell::MainWindow &window)
{
    const shell::Page *page = window.page(window.currentPage());
    if (!page)
        return {};
    const QJsonObject where = page->where();
    for (const QString &scope : {u"workflow"_s, u"dependency"_s}) {
        if (const QString target = where.value(scope).toString(); !target.isEmpty())
            return {scope, target};
    }
    return {};
}
} // namespace

std::unique_ptr<shell::MainWindow>
buildWindow(bridge::Bridge &bridge, const shell::Environment &environment,
            settings::Preferences &preferences,
            const std::function<void(shell::MainWindow &)> &complete)
{
    auto window = std::make_unique<shell::MainWindow>(bridge, environment);
    window->addPage(new overview::OverviewPage(bridge));
    window->addPage(new runs::RunsPage(bridge));
    window->addPage(new review::ReviewPage(bridge));
    window->addPage(new batches::BatchesPage(bridge));
    window->addPage(new weekly::WeeklyPage(bridge));
    window->addPage(new workflows::WorkflowsPage(bridge));
    window->addPage(new dependencies::DependenciesPage(bridge));
    window->addPage(new ledger::LedgerPage(bridge));
    window->addPage(new pause::PausePage(bridge));
    auto *settingsPage = new settings::SettingsPage(bridge, preferences);
    window->addPage(settingsPage);
    window->addPage(new inspector::InspectorPage(bridge), false);
    auto *banner = new pause::PauseBanner(bridge);
    QObject::connect(banner, &pause::PauseBanner::goTo, window.get(), &shell::MainWindow::goTo);
    window->setBanner(banner);
    window->setPauseAction(pause::makePauseAction(
        bridge, window.get(), [view = window.get()] { return scopeInView(*view); }));
    if (complete)
        complete(*window);
    window->finish();
    settingsPage->setShortcuts(window->allActions());
    window->goTo(u"overview"_s, {});
    return window;
}

} // namespace holdfast::console
