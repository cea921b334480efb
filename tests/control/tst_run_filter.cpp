// The filter of lists of runs as text. Goal: what people type is read as they mean it, and a
// mistake is named. Pure text; no database.
#include "control/run_filter.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast;
using control::parseRunFilter;
using control::RunWords;

namespace
{
constexpr model::Instant now = 1'800'000'000'000;

RunWords read(const QString &text)
{
    const auto words = parseRunFilter(text, now);
    if (!words)
        qFatal("%s", qPrintable(words.error().message));
    return *words;
}

QString wrong(const QString &text)
{
    const auto words = parseRunFilter(text, now);
    return words ? QString() : words.error().message;
}
} // namespace

class RunFilterText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void every_word_is_read()
    {
        const RunWords words =
            read(u"status:review,failed  workflow:billing step:pay reason:timeout event:e-1 "
                 "key:k run:r dependency:payments"_s);
        QCOMPARE(words.statuses, (QStringList{u"review"_s, u"failed"_s}));
        QCOMPARE(words.workflow, u"billing"_s);
        QCOMPARE(words.step, u"pay"_s);
        QCOMPARE(words.reason, u"timeout"_s);
        QCOMPARE(words.eventId, u"e-1"_s);
        QCOMPARE(words.key, u"k"_s);
        QCOMPARE(words.runId, u"r"_s);
        QCOMPARE(words.dependency, u"payments"_s);
        QVERIFY(words.ids.isEmpty());
    }

    void nothing_is_no_filter()
    {
        QVERIFY(read(u""_s).statuses.isEmpty());
        QVERIFY(read(u"   "_s).ids.isEmpty());
    }

    void values_may_hold_spaces_colons_and_quotes()
    {
        QCOMPARE(read(u"key:\"invoice 7 \\\"a\\\"\""_s).key, u"invoice 7 \"a\""_s);
        QCOMPARE(read(u"key:invoice:7:8"_s).key, u"invoice:7:8"_s);
        QCOMPARE(read(u"event:\"a b\" step:pay"_s).eventId, u"a b"_s);
    }

    void a_bare_word_is_an_id()
    {
        QCOMPARE(read(u"order-7 status:failed"_s).ids, QStringList{u"order-7"_s});
        QCOMPARE(read(u"\"order:7\""_s).ids, QStringList{u"order:7"_s});
    }

    void times_are_ago_or_fixed()
    {
        QCOMPARE(read(u"since:7d"_s).since, now - 7 * model::day);
        QCOMPARE(read(u"until:90m"_s).until, now - 90 * model::minute);
        QCOMPARE(read(u"since:2026-11-16T08:00:00Z"_s).since,
                 *model::parseInstant(u"2026-11-16T08:00:00Z"_s));
        QCOMPARE(read(u"since:2026-11-16"_s).since, *model::parseInstant(u"2026-11-16"_s));
    }

    void mistakes_are_named()
    {
        QVERIFY(wrong(u"colour:red"_s).contains("colour"_L1));
        QVERIFY(wrong(u"colour:red"_s).contains("dependency"_L1));
        QVERIFY(wrong(u"status:lost"_s).contains("lost"_L1));
        QVERIFY(wrong(u"status:lost"_s).contains("compensation_failed"_L1));
        QVERIFY(wrong(u"since:soon"_s).contains("since:soon"_L1));
        QVERIFY(wrong(u"step:"_s).contains("step:"_L1));
        QVERIFY(wrong(u"status:,"_s).contains("status:,"_L1));
        QVERIFY(wrong(u":x"_s).contains(":x"_L1));
        QVERIFY(wrong(u"key:\"open"_s).contains("not closed"_L1));
        QVERIFY(wrong(u"step:a step:b"_s).contains("twice"_L1));
        QVERIFY(wrong(u"since:1d until:2d"_s).contains("before"_L1));
        QVERIFY(!wrong(QString(1001, u'x')).isEmpty());
    }
};

QTEST_GUILESS_MAIN(RunFilterText)
#include "tst_run_filter.moc"
