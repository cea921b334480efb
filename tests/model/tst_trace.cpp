// Goal: what others send as a trace is read as W3C Trace Context says and no looser, and the ids of
// a run follow from the run alone. Method: the examples of the specification and near misses.
#include "model/trace.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast::model;

class Trace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void a_traceparent_is_read_strictly_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isOne");
        QTest::addColumn<bool>("isSampled");
        const QString ids = u"0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331"_s;
        const auto row = [](const char *name, const QString &text, bool isOne, bool isSampled) {
            QTest::newRow(name) << text << isOne << isSampled;
        };
        row("sampled", u"00-"_s + ids + u"-01"_s, true, true);
        row("not sampled", u"00-"_s + ids + u"-00"_s, true, false);
        row("unknown flags", u"00-"_s + ids + u"-0a"_s, true, false);
        row("a later version", u"cc-"_s + ids + u"-01"_s, true, true);
        row("a later version with more", u"cc-"_s + ids + u"-01-what-the-future"_s, true, true);
        row("a later version run together", u"cc-"_s + ids + u"-01.what"_s, false, false);
        row("version ff", u"ff-"_s + ids + u"-01"_s, false, false);
        row("00 with more", u"00-"_s + ids + u"-01-more"_s, false, false);
        row("00 with a dash", u"00-"_s + ids + u"-01-"_s, false, false);
        row("upper case", u"00-"_s + ids.toUpper() + u"-01"_s, false, false);
        row("trace of zeros", u"00-"_s + QString(32, u'0') + u"-b7ad6b7169203331-01"_s, false,
            false);
        row("parent of zeros", u"00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01"_s, false,
            false);
        row("short", u"00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333-01"_s, false, false);
        row("no dashes", u"00_"_s + ids + u"_01"_s, false, false);
        row("no hex", u"00-"_s + ids + u"-0x"_s, false, false);
        row("spaces", u" 00-"_s + ids + u"-01"_s, false, false);
        row("empty", {}, false, false);
    }
    void a_traceparent_is_read_strictly()
    {
        QFETCH(QString, text);
        QFETCH(bool, isOne);
        QFETCH(bool, isSampled);
        const auto context = parseTraceparent(text);
        QCOMPARE(context.has_value(), isOne);
        if (!isOne)
            return;
        QCOMPARE(context->traceId, u"0af7651916cd43dd8448eb211c80319c"_s);
        QCOMPARE(context->parentId, u"b7ad6b7169203331"_s);
        QCOMPARE(context->isSampled, isSampled);
    }

    // Written down, so that no change of the program gives a run under way other ids.
    void ids_follow_from_the_run()
    {
        const TraceContext own = traceOf(u"run-1"_s, {});
        QCOMPARE(traceparentFor(own, attemptSpanId(u"run-1"_s, u"make"_s, Direction::forward, 1)),
                 u"00-d244783d1599a7646d13500cfef9c2b3-c8d79fa96476542c-01"_s);
        QVERIFY(parseTraceparent(traceparentFor(own, runSpanId(u"run-1"_s))));
        QSet<QString> ids{runSpanId(u"run-1"_s), runSpanId(u"run-2"_s),
                          decisionSpanId(u"run-1"_s, 1), decisionSpanId(u"run-1"_s, 2)};
        int made = 4;
        for (const Direction direction :
             {Direction::forward, Direction::verify, Direction::compensate, Direction::snapshot}) {
            for (const QString &step : {u"make"_s, u"make1"_s}) {
                for (const int attempt : {1, 2, 11}) {
                    ids.insert(attemptSpanId(u"run-1"_s, step, direction, attempt));
                    ++made;
                }
            }
        }
        QCOMPARE(ids.size(), made);
    }

    void a_trace_that_came_in_is_kept()
    {
        const QString came = u"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"_s;
        const TraceContext context = traceOf(u"run-1"_s, came);
        QCOMPARE(context.parentId, u"b7ad6b7169203331"_s);
        QCOMPARE(traceparentFor(context, u"00f067aa0ba902b7"_s),
                 u"00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-00"_s);
    }
};

QTEST_GUILESS_MAIN(Trace)
#include "tst_trace.moc"
