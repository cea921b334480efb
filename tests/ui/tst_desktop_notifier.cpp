// Goal: what begins to wait for a person is said once per kind, together, replaced when it grows
// and taken back when it is stale; success is never said; and without a service nothing breaks.
// Method: a real bus with a notification service written for the test, and a door whose marks the
// test sets.
#include "support/desktop_session.h"
#include "ui/canned_door.h"
#include "ui/desktop/bell.h"
#include "ui/desktop/notifier.h"

#include <QScopeGuard>
#include <QSemaphore>
#include <QSignalSpy>

using namespace holdfast;
using namespace holdfast::tests;
using desktop::Alerts;
using desktop::Bell;
using desktop::Notifier;

namespace
{
const QStringList canAll{u"actions"_s, u"body"_s, u"body-markup"_s};
constexpr desktop::BellPace quick{1, 1};
constexpr desktop::BellPace byHand{3'600'000, 3'600'000}; // the test rings, not a clock

QJsonObject marksOf(const QJsonObject &reviews, const QStringList &breakers = {},
                    const QJsonArray &pauses = {})
{
    return {{u"journal"_s, QDateTime::currentMSecsSinceEpoch()},
            {u"reviews"_s, reviews},
            {u"breakers_open"_s, QJsonArray::fromStringList(breakers)},
            {u"pauses"_s, pauses}};
}

QJsonObject pauseOf(const QString &id, const QString &actor, const QString &target = {})
{
    return {{u"id"_s, id},
            {u"actor"_s, actor},
            {u"target"_s, target.isEmpty() ? QJsonValue() : QJsonValue(target)},
            {u"reason"_s, u"duplicates <b>reported</b>"_s}};
}

desktop::Note titled(const QString &title)
{
    desktop::Note note;
    note.title = title;
    return note;
}

struct Bench {
    Bench()
    {
        if (!QTest::qWaitFor([this] { return notifier.isThere(); }, 10000))
            qFatal("the service was not found");
    }
    void see(const QJsonObject &marks)
    {
        door.answer(u"pulse"_s, marks);
        QSignalSpy changed(&door.bridge(), &bridge::Bridge::changed);
        door.bridge().pulse();
        QVERIFY(changed.wait(10000));
    }
    QStringList titles() const
    {
        QStringList list;
        for (const auto &shown : service.now)
            list << shown.title;
        return list;
    }

    DesktopSession session;
    NotificationService service{session, canAll};
    Notifier notifier;
    CannedDoor door;
};
} // namespace

class DesktopNotifierTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void whatIsThereAtTheStartIsNoNews();
    void manyOfAKindAreOneAlert();
    void itSaysWhatTheAlertSays();
    void ofManyTheNewestIsTold();
    void whatWasDecidedMeanwhileIsNotShown();
    void alertsAreReplacedAndTakenBack();
    void pausesOfOthersAreSaid();
    void aClickOpensThePage();
    void turnedOffItIsSilent();
    void withoutMarkupNothingIsEscaped();
    void aServiceMayComeAndGo();
    void withoutABusNothingBreaks();
    void theEndTakesAllBack();
    void theEndTakesBackWhatWasJustAskedFor();
    void alertsFollowTheMarks_data();
    void alertsFollowTheMarks();
};

void DesktopNotifierTest::whatIsThereAtTheStartIsNoNews()
{
    Bench bench;
    Bell bell(bench.door.bridge(), bench.notifier, u"acme"_s, quick);
    bench.see(marksOf({{u"ambiguous"_s, 4}}, {u"payments"_s}));
    bench.see(marksOf({{u"ambiguous"_s, 4}, {u"approval"_s, 1}}, {u"payments"_s}));
    QTRY_COMPARE(bench.titles(), QStringList{u"An approval is due"_s});
}

void DesktopNotifierTest::manyOfAKindAreOneAlert()
{
    Bench bench;
    Bell bell(bench.door.bridge(), bench.notifier, u"acme"_s, byHand);
    bench.see(marksOf({}));
    for (int count = 1; count <= 5; ++count)
        bench.see(marksOf({{u"ambiguous"_s, count}}, {u"mail"_s, u"payments"_s}));
    bell.ringNow();
    QTRY_COMPARE(bench.service.all.size(), 2);
    QStringList titles{bench.service.all.at(0).title, bench.service.all.at(1).title};
    titles.sort();
    QCOMPARE(titles, (QStringList{u"5 ambiguous outcomes wait for you"_s,
                                  u"Breaker open: mail, payments"_s}));
    QVERIFY(bench.service.all.at(0).body.contains(u"(acme)"_s));
    QCOMPARE(bench.service.all.at(0).actions, (QStringList{u"default"_s, u"Open"_s}));
}

// Stage, tries, effect and who is next, as the alert that leaves for others says it.
void DesktopNotifierTest::itSaysWhatTheAlertSays()
{
    const QJsonObject next{{u"who"_s, QJsonArray{u"ops@example.com"_s}},
                           {u"role"_s, u"operator"_s},
                           {u"does"_s, u"finds out whether it happened, and says so"_s}};
    const QJsonObject told{{u"summary"_s, u"billing v3: ambiguous at pay (timeout); nobody knows "
                                          "whether pay happened"_s},
                           {u"direction"_s, u"forward"_s},
                           {u"attempts"_s, 2},
                           {u"next"_s, next}};
    const QJsonObject item{{u"id"_s, u"r2"_s}, {u"evidence"_s, QJsonObject{{u"told"_s, told}}}};
    Bench bench;
    bench.door.answer(u"reviews"_s, {{u"reviews"_s, QJsonArray{item}}});
    Bell bell(bench.door.bridge(), bench.notifier, u"acme"_s, quick);
    bench.see(marksOf({}));
    bench.see(marksOf({{u"ambiguous"_s, 1}}));
    QTRY_COMPARE(bench.titles(), QStringList{told["summary"_L1].toString()});
    const QString body = bench.service.all.last().body;
    QVERIFY2(body.contains(u"Tried 2 times. Next: ops@example.com finds out"_s), qPrintable(body));
}

void DesktopNotifierTest::ofManyTheNewestIsTold()
{
    const auto item = [](const QString &summary, const QString &at) {
        const QJsonObject told{{u"summary"_s, summary}, {u"attempts"_s, 1}};
        return QJsonObject{{u"opened_at"_s, at}, {u"evidence"_s, QJsonObject{{u"told"_s, told}}}};
    };
    const QJsonArray items{item(u"an old one"_s, u"2027-01-04T08:00:00.000Z"_s),
                           item(u"the last one"_s, u"2027-01-06T08:00:00.000Z"_s),
                           item(u"a middle one"_s, u"2027-01-05T08:00:00.000Z"_s)};
    Bench bench;
    bench.door.answer(u"reviews"_s, {{u"reviews"_s, items}});
    Bell bell(bench.door.bridge(), bench.notifier, u"acme"_s, byHand);
    bench.see(marksOf({}));
    bench.see(marksOf({{u"ambiguous"_s, 3}}));
    bell.ringNow();
    QTRY_COMPARE(bench.titles(), QStringList{u"3 ambiguous outcomes wait for you"_s});
    const QString body = bench.service.all.last().body;
    QVERIFY2(body.contains(u"The newest: the last one"_s), qPrintable(body));
    // Of a list that was cut nobody knows which is the newest, and none is called so.
    bench.see(marksOf({{u"ambiguous"_s, 900}}));
    bell.ringNow();
    QTRY_COMPARE(bench.titles(), QStringList{u"900 ambiguous outcomes wait for you"_s});
    QVERIFY(!bench.service.all.last().body.contains(u"The newest"_s));
}

// The count goes down while the items are being asked for: the pulse that says so was asked first.
void DesktopNotifierTest::whatWasDecidedMeanwhileIsNotShown()
{
    Bench bench;
    const auto gate = std::make_shared<QSemaphore>();
    const auto opened = qScopeGuard([gate] { gate->release(9); });
    bench.door.answer(u"reviews"_s, {{u"reviews"_s, QJsonArray{QJsonObject{{u"id"_s, u"r1"_s}}}}});
    Bell bell(bench.door.bridge(), bench.notifier, u"acme"_s, byHand);
    bench.see(marksOf({}));
    bench.see(marksOf({{u"ambiguous"_s, 1}}));
    const QJsonObject none = marksOf({});
    bench.door.answer(u"pulse"_s, [gate, none](const QJsonObject &) {
        gate->acquire();
        return QJsonValue(none);
    });
    QSignalSpy changed(&bench.door.bridge(), &bridge::Bridge::changed);
    bench.door.bridge().pulse();
    bell.ringNow(); // asks for the item; answers come in the order of the questions
    gate->release();
    QVERIFY(changed.wait(10000));
    bench.see(marksOf({}, {u"mail"_s})); // its answer came after that of the item
    QCOMPARE(bench.door.asked(u"reviews"_s).size(), 1);
    bell.ringNow();
    QTRY_COMPARE(bench.service.all.size(), 1);
    QCOMPARE(bench.titles(), QStringList{u"Breaker open: mail"_s});
}

void DesktopNotifierTest::alertsAreReplacedAndTakenBack()
{
    Bench bench;
    Bell bell(bench.door.bridge(), bench.notifier, u"acme"_s, quick);
    bench.see(marksOf({}));
    bench.see(marksOf({{u"ambiguous"_s, 1}}));
    QTRY_COMPARE(bench.titles(), QStringList{u"An ambiguous outcome waits for you"_s});
    const uint first = bench.service.all.last().id;
    bench.see(marksOf({{u"ambiguous"_s, 3}}));
    QTRY_COMPARE(bench.titles(), QStringList{u"3 ambiguous outcomes wait for you"_s});
    QCOMPARE(bench.service.all.last().replaces, first);
    bench.see(marksOf({{u"ambiguous"_s, 2}})); // somebody is at them
    QTRY_COMPARE(bench.service.closed, QVector<uint>{first});
    QVERIFY(bench.service.now.isEmpty());
    bench.see(marksOf({{u"ambiguous"_s, 3}})); // a new one is news again
    QTRY_COMPARE(bench.service.now.size(), 1);
}

void DesktopNotifierTest::pausesOfOthersAreSaid()
{
    Bench bench;
    Bell bell(bench.door.bridge(), bench.notifier, u"acme"_s, quick);
    bench.see(marksOf({}));
    bench.see(marksOf({}, {}, {pauseOf(u"p1"_s, u"ada"_s)})); // our own
    bench.see(
        marksOf({}, {}, {pauseOf(u"p1"_s, u"ada"_s), pauseOf(u"p2"_s, u"grace"_s, u"mail"_s)}));
    QTRY_COMPARE(bench.titles(), QStringList{u"Paused: mail, by grace"_s});
    QCOMPARE(bench.service.all.size(), 1);
    // The service reads markup, and a reason is nobody's markup.
    QCOMPARE(bench.service.all.first().body, u"duplicates &lt;b&gt;reported&lt;/b&gt; (acme)"_s);
    bench.see(marksOf({}, {}, {pauseOf(u"p1"_s, u"ada"_s)}));
    QTRY_COMPARE(bench.titles(), QStringList{u"Resumed: mail"_s});
    QCOMPARE(bench.service.all.last().hints.value(u"transient"_s).toBool(), true);
}

void DesktopNotifierTest::aClickOpensThePage()
{
    Bench bench;
    Bell bell(bench.door.bridge(), bench.notifier, u"acme"_s, quick);
    QSignalSpy wanted(&bell, &Bell::pageWanted);
    bench.see(marksOf({}));
    bench.see(marksOf({}, {u"payments"_s}));
    QTRY_COMPARE(bench.service.now.size(), 1);
    Q_EMIT bench.service.ActionInvoked(999, u"default"_s); // of another program
    Q_EMIT bench.service.ActionInvoked(bench.service.all.last().id, u"default"_s);
    QTRY_COMPARE(wanted.size(), 1);
    QCOMPARE(wanted.first().first().toString(), u"dependencies"_s);
}

void DesktopNotifierTest::turnedOffItIsSilent()
{
    Bench bench;
    Bell bell(bench.door.bridge(), bench.notifier, u"acme"_s, quick);
    bench.see(marksOf({}));
    bench.see(marksOf({{u"tripwire"_s, 1}}));
    QTRY_COMPARE(bench.titles(), QStringList{u"A tripwire went off"_s});
    bell.setOn(false);
    QTRY_VERIFY(bench.service.now.isEmpty());
    bench.see(marksOf({{u"tripwire"_s, 2}}));
    bench.see(marksOf({{u"tripwire"_s, 3}}));
    bell.setOn(true);
    bench.see(marksOf({{u"tripwire"_s, 3}, {u"compensation_failed"_s, 1}}));
    QTRY_COMPARE(bench.titles(), QStringList{u"A compensation failed"_s});
    QCOMPARE(bench.service.all.size(), 2);
    QCOMPARE(bench.service.all.last().hints.value(u"urgency"_s).toInt(), 2);
}

void DesktopNotifierTest::withoutMarkupNothingIsEscaped()
{
    DesktopSession session;
    NotificationService service(session, {u"body"_s});
    Notifier notifier;
    QTRY_VERIFY(notifier.isThere());
    notifier.show(u"a"_s, {u"title"_s, u"1 < 2"_s, u"Open"_s, false, false});
    QTRY_COMPARE(service.all.size(), 1);
    QCOMPARE(service.all.first().body, u"1 < 2"_s);
    QCOMPARE(service.all.first().actions, QStringList()); // it has no buttons
    // While an answer is under way: the newest is shown, and a withdrawn one does not stay.
    notifier.show(u"b"_s, titled(u"one"_s));
    notifier.show(u"b"_s, titled(u"two"_s));
    notifier.show(u"b"_s, titled(u"three"_s));
    notifier.show(u"c"_s, titled(u"never"_s));
    notifier.withdraw(u"c"_s);
    QTRY_COMPARE(service.all.last().title, u"three"_s);
    QTRY_COMPARE(service.now.size(), 2);
    QVERIFY(service.all.size() <= 4); // title, one, never, three
}

void DesktopNotifierTest::aServiceMayComeAndGo()
{
    DesktopSession session;
    Notifier notifier;
    QTRY_COMPARE(notifier.problem(), u"No notification service answers on this desktop."_s);
    notifier.show(u"a"_s, titled(u"nobody sees this"_s));
    {
        NotificationService service(session, canAll);
        QTRY_VERIFY(notifier.isThere());
        QCOMPARE(notifier.problem(), QString());
        notifier.show(u"a"_s, titled(u"seen"_s));
        QTRY_COMPARE(service.now.size(), 1);
        QCOMPARE(service.all.size(), 1);
    }
    QTRY_VERIFY(!notifier.isThere());
    QVERIFY(notifier.problem().contains(u"has ended"_s));
    NotificationService again(session, canAll);
    QTRY_VERIFY(notifier.isThere());
    notifier.show(u"a"_s, titled(u"seen"_s));
    QTRY_COMPARE(again.now.size(), 1);
    QCOMPARE(again.all.first().replaces, 0u); // ids of the old one mean nothing here
}

void DesktopNotifierTest::withoutABusNothingBreaks()
{
    const QByteArray before = qgetenv("DBUS_SESSION_BUS_ADDRESS");
    qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus");
    Notifier notifier;
    QSignalSpy changed(&notifier, &Notifier::stateChanged);
    QVERIFY(changed.wait(10000));
    QVERIFY(notifier.problem().contains(u"no session bus"_s));
    notifier.show(u"a"_s, titled(u"x"_s));
    notifier.withdraw(u"a"_s);
    notifier.withdrawAll();
    qputenv("DBUS_SESSION_BUS_ADDRESS", before);
}

void DesktopNotifierTest::theEndTakesAllBack()
{
    DesktopSession session;
    NotificationService service(session, canAll);
    {
        Notifier notifier;
        QTRY_VERIFY(notifier.isThere());
        notifier.show(u"a"_s, titled(u"one"_s));
        notifier.show(u"b"_s, titled(u"two"_s));
        QTRY_COMPARE(service.now.size(), 2);
        // A click reaches the slot only once its id is known here.
        QSet<QString> known;
        connect(&notifier, &Notifier::activated, this,
                [&known](const QString &slot) { known.insert(slot); });
        const auto areKnown = [&] {
            for (const uint id : service.now.keys())
                Q_EMIT service.ActionInvoked(id, u"default"_s);
            return known.size() == 2;
        };
        QTRY_VERIFY(areKnown());
    }
    QTRY_VERIFY(service.now.isEmpty());
}

// The service has not even answered with the id yet.
void DesktopNotifierTest::theEndTakesBackWhatWasJustAskedFor()
{
    DesktopSession session;
    NotificationService service(session, canAll);
    {
        Notifier notifier;
        QTRY_VERIFY(notifier.isThere());
        notifier.show(u"a"_s, titled(u"one"_s));
    }
    QTRY_COMPARE(service.closed.size(), 1);
    QCOMPARE(service.all.size(), 1);
    QVERIFY(service.now.isEmpty());
}

void DesktopNotifierTest::alertsFollowTheMarks_data()
{
    QTest::addColumn<QJsonObject>("before");
    QTest::addColumn<QJsonObject>("after");
    QTest::addColumn<QStringList>("titles");
    const QJsonObject none = marksOf({});
    QTest::newRow("nothing") << none << none << QStringList();
    QTest::newRow("dead letters wait for the weekly review")
        << none << marksOf({{u"dead_letter"_s, 3}, {u"conflict"_s, 1}}) << QStringList();
    QTest::newRow("less is no news")
        << marksOf({{u"approval"_s, 3}}) << marksOf({{u"approval"_s, 2}}) << QStringList();
    QTest::newRow("a breaker that closed")
        << marksOf({}, {u"a"_s, u"b"_s}) << marksOf({}, {u"b"_s}) << QStringList();
    QTest::newRow("another breaker")
        << marksOf({}, {u"a"_s}) << marksOf({}, {u"b"_s}) << QStringList{u"Breaker open: b"_s};
    QTest::newRow("many breakers") << none << marksOf({}, {u"a"_s, u"b"_s, u"c"_s, u"d"_s, u"e"_s})
                                   << QStringList{u"Breaker open: a, b, c and 2 more"_s};
    QTest::newRow("everything is paused") << none << marksOf({}, {}, {pauseOf(u"p"_s, u"grace"_s)})
                                          << QStringList{u"Paused: everything, by grace"_s};
    QTest::newRow("resumed by anyone") << marksOf({}, {}, {pauseOf(u"p"_s, u"ada"_s)}) << none
                                       << QStringList{u"Resumed: everything"_s};
}

void DesktopNotifierTest::alertsFollowTheMarks()
{
    QFETCH(QJsonObject, before);
    QFETCH(QJsonObject, after);
    QFETCH(QStringList, titles);
    Alerts alerts;
    QVERIFY(alerts.news(before, u"ada"_s).isEmpty());
    QStringList found;
    for (const desktop::Alert &alert : alerts.news(after, u"ada"_s))
        found << alert.title;
    QCOMPARE(found, titles);
    QVERIFY(alerts.news(after, u"ada"_s).isEmpty()); // once is enough
}

QTEST_MAIN(DesktopNotifierTest)
#include "tst_desktop_notifier.moc"
