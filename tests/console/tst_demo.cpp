// Goal: the demo's two past weeks are the real engine's work: they fold, add up, did every effect
// once by the sandbox's own books, leave something for a person, and are the same for one seed.
#include "app/console/demo_history.h"
#include "app/console/options.h"
#include "app/ctl/database.h"
#include "model/ids.h"
#include "runtime/rebuild.h"
#include "store/store_url.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

using namespace holdfast;
using namespace Qt::StringLiterals;

namespace
{
constexpr model::Instant until = 1'790'000'000'000;

struct Story {
    explicit Story(quint64 seed, int days = 3)
    {
        console::HistoryPlan plan{folder.filePath(u"demo.db"_s), seed, until, days};
        written = console::writeHistory(plan, world, [](int) { return true; });
        url = u"sqlite:"_s + plan.path;
    }
    QJsonObject call(const QString &name, const QJsonObject &arguments = {})
    {
        ctl::Database database(url);
        const auto answer = database.call(name, arguments);
        if (!answer)
            qFatal("%s: %s", qPrintable(name), qPrintable(answer.error().message));
        return answer->toObject();
    }
    // Everything that is told of a run, but for what a clock or a random id gave it.
    QStringList told()
    {
        QStringList lines;
        QJsonValue cursor;
        do {
            QJsonObject arguments;
            if (cursor.isString())
                arguments.insert(u"cursor"_s, cursor);
            const QJsonObject page = call(u"runs"_s, arguments);
            const QJsonArray runs = page.value(u"runs"_s).toArray();
            for (const QJsonValue &run : runs)
                lines << run[u"event_id"_s].toString() + u' ' + run[u"status"_s].toString() + u' ' +
                             run[u"reason"_s].toString();
            cursor = page.value(u"cursor"_s);
        } while (cursor.isString());
        lines.sort();
        return lines;
    }

    QTemporaryDir folder;
    sandbox::SandboxThread world;
    model::Result<void> written = model::Result<void>();
    QString url;
};
} // namespace

class DemoTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { qputenv("HOLDFAST_SECRET_PAYMENTS_TOKEN", "demo"); }

    void historyAddsUpAndLeavesSomethingToDo()
    {
        Story story(7, 6);
        QVERIFY2(story.written.ok(),
                 story.written ? "" : qPrintable(story.written.error().message));
        const QStringList told = story.told();
        QVERIFY(told.size() > 120);
        for (const QString &status : {u"succeeded"_s, u"compensated"_s, u"failed"_s})
            QVERIFY2(told.join(u'\n').contains(status), qPrintable(status));
        QVERIFY(story.world.books().duplicates().isEmpty());
        QVERIFY(story.world.books().effectCount() > 200);
        QVERIFY(!story.call(u"reviews"_s).value(u"reviews"_s).toArray().isEmpty());
        QVERIFY(story.call(u"audit_verify"_s).value(u"ok"_s).toBool(true));
        auto store = store::openStore(story.url);
        QVERIFY(store.ok() && (*store)->open().ok());
        runtime::Catalog catalog;
        const auto report = runtime::rebuild(**store, catalog, false);
        QVERIFY(report.ok());
        QCOMPARE(report->differences, QStringList());
    }

    void aSeedTellsOneStory()
    {
        Story once(11), again(11), other(12);
        QCOMPARE(once.told(), again.told());
        QVERIFY(once.told() != other.told());
    }

    void itCanBeStopped()
    {
        QTemporaryDir folder;
        sandbox::SandboxThread world;
        int asked = 0;
        const auto written = console::writeHistory({folder.filePath(u"d.db"_s), 7, until, 3}, world,
                                                   [&](int) { return ++asked < 3; });
        QVERIFY(!written.ok());
        QCOMPARE(asked, 3);
    }

    // As the desktop file starts us: with a link alone, and for its two actions.
    void optionsOfTheDesktopFileAreUnderstood()
    {
        const auto link = console::parseOptions({u"holdfast://run/0197"_s});
        QVERIFY(link.ok());
        QCOMPARE(link->link, u"holdfast://run/0197"_s);
        QVERIFY(!console::parseOptions({u"holdfast:other"_s}).ok());
        const auto pause = console::parseOptions({u"--pause"_s});
        QVERIFY(pause.ok() && pause->isPauseWanted);
        QFile desktop(qEnvironmentVariable("HOLDFAST_SOURCE_DIR") +
                      u"/resources/platform/org.holdfast.Console.desktop"_s);
        QVERIFY(desktop.open(QIODevice::ReadOnly));
        int actions = 0;
        const QStringList lines = QString::fromUtf8(desktop.readAll()).split(u'\n');
        for (const QString &line : lines) {
            if (!line.startsWith("Exec=holdfast"_L1))
                continue;
            ++actions;
            QStringList arguments = line.mid(13).split(u' ', Qt::SkipEmptyParts);
            arguments.removeAll(u"%u"_s);
            QVERIFY2(console::parseOptions(arguments).ok(), qPrintable(line));
        }
        QCOMPARE(actions, 3);
    }

    void optionsSayWhatIsWrong_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        QTest::newRow("unknown") << QStringList{u"--colour"_s, u"red"_s} << u"no option --colour"_s;
        QTest::newRow("value missing") << QStringList{u"--db"_s} << u"--db needs a value"_s;
        QTest::newRow("theme") << QStringList{u"--theme=blue"_s} << u"light or dark"_s;
        QTest::newRow("workspace") << QStringList{u"--workspace"_s, u"x"_s} << u"no workspace x"_s;
        QTest::newRow("link") << QStringList{u"--link"_s, u"http://x"_s} << u"holdfast://run/ID"_s;
        QTest::newRow("seed") << QStringList{u"--seed"_s, u"many"_s} << u"--seed is a number"_s;
    }
    void optionsSayWhatIsWrong()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const auto options = console::parseOptions(arguments);
        QVERIFY(!options.ok());
        QVERIFY2(options.error().message.contains(says), qPrintable(options.error().message));
    }
};

QTEST_GUILESS_MAIN(DemoTest)
#include "tst_demo.moc"
