// What tests of the weekly page share: a door with a report and its groups behind it, and the way
// to the parts of the page by name.
#pragma once

#include "canned_door.h"
#include "ui/weekly/weekly_page.h"
#include "weekly_samples.h"

#include <QDialog>
#include <QTableView>

namespace holdfast::tests
{

struct WeeklyBench {
    using WeeklyPage = weekly::WeeklyPage;

    static void fill(CannedDoor &door, const QJsonObject &report = sampleReport())
    {
        door.answer(u"report"_s, report);
        door.answer(u"group"_s, [report](const QJsonObject &arguments) {
            for (const QJsonValue &value : report["groups"_L1].toArray()) {
                if (value["id"_L1] != arguments["group"_L1])
                    continue;
                QJsonObject group = value.toObject();
                group.insert(u"versions"_s, QJsonArray{3, 4});
                group.insert(u"grouped_by"_s, QJsonObject{{u"class"_s, u"transient"_s},
                                                          {u"reason"_s, u"rate_limited"_s}});
                group.insert(u"notes"_s,
                             QJsonArray{QJsonObject{{u"at"_s, u"2027-01-10T10:00:00.000Z"_s},
                                                    {u"by"_s, u"grace"_s},
                                                    {u"text"_s, u"asked the vendor"_s}}});
                return QJsonValue(group);
            }
            return QJsonValue(QJsonObject());
        });
        door.answer(u"group_do"_s, sampleGroup(u"g1"_s, u"archived"_s, 51, 12));
        door.answer(u"report_sign"_s, QJsonObject{{u"by"_s, u"ada"_s}});
    }
    static QString text(const QWidget &page, const char *name)
    {
        return page.findChild<QWidget *>(QLatin1String(name))->property("text").toString();
    }
    static bool isShown(const QWidget &page, const char *name)
    {
        return page.findChild<QWidget *>(QLatin1String(name))->isVisibleTo(&page);
    }
    static QTableView *table(const QWidget &page, const char *name)
    {
        return page.findChild<QTableView *>(QLatin1String(name));
    }
    static int rows(const QWidget &page, const char *name)
    {
        return table(page, name)->model()->rowCount();
    }
    // Shown, asked and answered.
    static bool raise(WeeklyPage &page, CannedDoor &door, const QString &section)
    {
        page.resize(1080, 700);
        page.show();
        page.open({{u"section"_s, section}});
        page.refresh();
        return QTest::qWaitFor(
            [&] { return !door.asked(u"report"_s).isEmpty() && !isShown(page, "reading"); });
    }
    static QDialog *dialog(const WeeklyPage &page)
    {
        QDialog *found = nullptr;
        const bool isThere = QTest::qWaitFor([&] {
            found = page.findChild<QDialog *>(u"askDialog"_s);
            return found && found->isVisible();
        });
        return isThere ? found : nullptr;
    }
};

} // namespace holdfast::tests
