// The real window on a real database, put together as the program does it, with a stop watch. It
// belongs to the GUI thread and turns the event loop itself while it waits.
#pragma once

#include "app/console/workspace.h"
#include "bench/figures.h"
#include "ui/settings/preferences.h"
#include "ui/shell/main_window.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <functional>
#include <memory>

namespace holdfast::bench
{

// Milliseconds: by the clock, and what of it this process took from the processors.
struct Took {
    double clock = 0;
    double processor = 0;
};

class StopWatch
{
public:
    StopWatch();
    Took took() const;

private:
    QElapsedTimer m_timer;
    double m_processor = 0;
};

class WindowProbe
{
public:
    explicit WindowProbe(const QString &url);
    ~WindowProbe();
    Q_DISABLE_COPY_MOVE(WindowProbe)

    // Shows the window, and waits until its first page is filled and painted.
    Took show();
    // From asking for a place until all it shows is there and painted.
    Took open(const QString &page, const QJsonObject &where);
    // The same for a place that has to show rows; an empty one ends the process.
    Took openFilled(const QString &page, const QJsonObject &where);

    void measureShow(Figures &figures);
    void measurePages(Figures &figures);
    void measureFilters(Figures &figures);
    void measureScrolling(Figures &figures);

private:
    struct Look {
        qsizetype rows = 0;
        qsizetype widgets = 0;
        QString first; // of each table
        bool operator==(const Look &) const = default;
    };
    Look lookOf(const QString &page) const;
    QJsonObject ask(const QString &name, const QJsonObject &arguments);
    void waitFor(const QString &what, const std::function<bool()> &isTrue);
    Took fill(const QString &page, const StopWatch &watch, const Look &before);

    QTemporaryDir m_home;
    settings::Preferences m_preferences;
    console::Workspace m_workspace;
    std::unique_ptr<shell::MainWindow> m_window;
};

// Of this process.
qint64 residentMegabytes();

} // namespace holdfast::bench
