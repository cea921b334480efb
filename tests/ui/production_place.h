// A window on a workspace called acme, of any kind, with one page that dialogs are opened from.
#pragma once

#include "pause_samples.h"
#include "ui/shell/main_window.h"

namespace holdfast::tests
{

class EmptyPage : public shell::Page
{
public:
    explicit EmptyPage(bridge::Bridge &bridge) : Page(bridge, u"empty"_s, u"Empty"_s) {}
    void refresh() override {}
};

struct Place {
    explicit Place(shell::Environment::Kind kind, const QString &name = u"acme"_s)
        : window(door.bridge(), {kind, name}), page(new EmptyPage(door.bridge()))
    {
        serve(door);
        window.addPage(page);
        window.finish();
        window.QWidget::show();
    }

    CannedDoor door;
    shell::MainWindow window;
    EmptyPage *page;
};

} // namespace holdfast::tests
