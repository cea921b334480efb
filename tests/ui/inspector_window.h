// An inspector on a made-up door, and the few things every test of it does.
#pragma once

#include "inspector_story.h"
#include "ui/inspector/detail_tabs.h"
#include "ui/inspector/inspector_page.h"
#include "ui/inspector/timeline.h"

#include <QAbstractItemView>
#include <QTest>

namespace holdfast::tests
{

struct InspectorWindow {
    explicit InspectorWindow(const QJsonObject &show)
        : door(show), bridge(door.sources()), page(bridge)
    {
        page.resize(1280, 760);
        page.show();
        page.activateWindow();
    }
    bool open()
    {
        page.open({{u"run"_s, u"0197c3aa-51d2-7e31-9c40-6f2be1a7d0e2"_s}});
        return QTest::qWaitFor([this] { return !page.story().isEmpty(); }) && settle();
    }
    bool refresh()
    {
        page.refresh();
        return settle() && settle();
    }
    bool settle()
    {
        bool isAnswered = false;
        bridge.ask(u"pulse"_s, {}, &page, [&](const auto &) { isAnswered = true; });
        return QTest::qWaitFor([&] { return isAnswered; });
    }
    template <typename T = QWidget>
    T *find(const QString &name)
    {
        return page.findChild<T *>(name);
    }
    QString text(const QString &name) { return find(name)->property("text").toString(); }
    QAbstractItemView *table() { return find<QAbstractItemView>(u"attemptTable"_s); }

    StoryDoor door;
    bridge::Bridge bridge;
    inspector::InspectorPage page;
};

} // namespace holdfast::tests
