// A page of runs on a made-up door, and the few things every test of it does.
#pragma once

#include "runs_door.h"
#include "ui/runs/filter_edit.h"
#include "ui/runs/run_table.h"
#include "ui/runs/runs_model.h"
#include "ui/runs/runs_page.h"

#include <QAction>
#include <QTest>

namespace holdfast::tests
{

struct RunsWindow {
    explicit RunsWindow(qint64 runs) : door(runs), bridge(door.sources()), page(bridge)
    {
        page.resize(1280, 720);
        page.show();
    }

    bool load()
    {
        page.refresh();
        return QTest::qWaitFor([this] { return page.table()->model()->rowCount() > 0; });
    }
    // Asks again and waits until the answer is in.
    bool refresh()
    {
        const qsizetype before = door.asked(u"runs"_s).size();
        page.refresh();
        return QTest::qWaitFor([&] { return door.asked(u"runs"_s).size() > before; }) && settle();
    }
    bool settle()
    {
        bool isAnswered = false;
        bridge.ask(u"views"_s, {}, &page, [&](const auto &) { isAnswered = true; });
        return QTest::qWaitFor([&] { return isAnswered; });
    }
    bool filter(const QString &text)
    {
        auto *edit = page.findChild<runs::FilterEdit *>(u"filter"_s);
        edit->setFocus();
        QTest::keyClicks(edit, text);
        if (!edit->offered().isEmpty())
            QTest::keyClick(edit, Qt::Key_Escape);
        QTest::keyClick(edit, Qt::Key_Return);
        return settle() && settle();
    }
    runs::RunsModel *model() { return qobject_cast<runs::RunsModel *>(page.table()->model()); }
    int topOf(const QString &run) { return page.table()->rowViewportPosition(model()->rowOf(run)); }
    QString text(const QString &name)
    {
        return page.findChild<QWidget *>(name)->property("text").toString();
    }
    QAction *action(const QString &name) { return page.findChild<QAction *>(name); }

    RunsDoor door;
    bridge::Bridge bridge;
    runs::RunsPage page;
};

} // namespace holdfast::tests
