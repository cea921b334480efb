// Goal: one value of a definition is changed as its author would change it: comments, order and
// everything beside it stay, and a layout that cannot be changed by one line is left alone.
#include "contract/source_edit.h"
#include "definitions.h"

#include <QtTest>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::contract;

class SourceEditTest : public QObject
{
    Q_OBJECT

    static QString text()
    {
        return uR"(# Über die Rechnung
holdfast: 1
workflow: billing
version: 3            # the third
owner: billing@example.com
deadline: 15m
event_id: ${ input.id }
steps:
  - step: charge
    dependency: payments
    effect: write
    key: charge:${ input.id }
    http: {method: POST, path: /v1/charges}
    retry: {attempts: 4, delay: 2s}   # enough
    compensate:
      http: {method: POST, path: /v1/refunds}
  - step: mail
    dependency: mail
    effect: write
    key: "mail:${ input.id }"
    http:
      method: POST
      path: /send
    timeout: "10s"
    retry:
      attempts: 2
    compensate: none
)"_s;
    }

private Q_SLOTS:
    void aValueIsWrittenAnew_data()
    {
        QTest::addColumn<QStringList>("path");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::newRow("at the top, before a comment")
            << QStringList{u"version"_s} << u"4"_s << u"version: 3            #"_s
            << u"version: 4            #"_s;
        QTest::newRow("in a map on one line")
            << QStringList{u"steps"_s, u"charge"_s, u"retry"_s, u"attempts"_s} << u"6"_s
            << u"{attempts: 4, delay: 2s}   # enough"_s << u"{attempts: 6, delay: 2s}   # enough"_s;
        QTest::newRow("in a map of lines")
            << QStringList{u"steps"_s, u"mail"_s, u"retry"_s, u"attempts"_s} << u"4"_s
            << u"      attempts: 2\n"_s << u"      attempts: 4\n"_s;
        QTest::newRow("added to a map on one line")
            << QStringList{u"steps"_s, u"charge"_s, u"retry"_s, u"max_delay"_s} << u"1m"_s
            << u"{attempts: 4, delay: 2s}"_s << u"{max_delay: 1m, attempts: 4, delay: 2s}"_s;
        QTest::newRow("added to a step") << QStringList{u"steps"_s, u"charge"_s, u"timeout"_s}
                                         << u"20s"_s << u"    key: charge:${ input.id }\n"_s
                                         << u"    key: charge:${ input.id }\n    timeout: 20s\n"_s;
        QTest::newRow("in quotes") << QStringList{u"steps"_s, u"mail"_s, u"timeout"_s} << u"20s"_s
                                   << u"    timeout: \"10s\"\n"_s << u"    timeout: 20s\n"_s;
        QTest::newRow("added above what is no line")
            << QStringList{u"steps"_s, u"charge"_s, u"compensate"_s, u"timeout"_s} << u"20s"_s
            << u"      http: {method: POST, path: /v1/refunds}\n"_s
            << u"      timeout: 20s\n      http: {method: POST, path: /v1/refunds}\n"_s;
        QTest::newRow("added with the map around it")
            << QStringList{u"steps"_s, u"charge"_s, u"verify"_s, u"settle_after"_s} << u"5s"_s
            << u"    key: charge:${ input.id }\n"_s
            << u"    key: charge:${ input.id }\n    verify: {settle_after: 5s}\n"_s;
    }
    void aValueIsWrittenAnew()
    {
        QFETCH(QStringList, path);
        QFETCH(QString, value);
        QFETCH(QString, before);
        QFETCH(QString, after);
        QCOMPARE(text().count(before), 1);
        const auto changed = withValue(text(), path, value);
        QVERIFY(changed);
        QCOMPARE(*changed, text().replace(before, after));
    }

    void whatOneLineCannotSayIsLeftAlone_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QStringList>("path");
        QTest::newRow("no YAML") << u"a: [1"_s << QStringList{u"a"_s};
        QTest::newRow("two documents") << u"a: 1\n---\na: 2\n"_s << QStringList{u"a"_s};
        QTest::newRow("a map where a value is") << text() << QStringList{u"steps"_s};
        QTest::newRow("a step that is not there")
            << text() << QStringList{u"steps"_s, u"ship"_s, u"timeout"_s};
        QTest::newRow("compensate: none has no members")
            << text() << QStringList{u"steps"_s, u"mail"_s, u"compensate"_s, u"timeout"_s};
        QTest::newRow("written as a block") << u"a: |\n  x\n"_s << QStringList{u"a"_s};
        QTest::newRow("what an alias repeats")
            << u"a: &x {b: 1}\nc: *x\n"_s << QStringList{u"c"_s, u"b"_s};
        QTest::newRow("what an alias repeats elsewhere")
            << u"a: &x {b: 1}\nc: *x\n"_s << QStringList{u"a"_s, u"b"_s};
        QTest::newRow("nothing") << QString() << QStringList{u"a"_s};
    }
    void whatOneLineCannotSayIsLeftAlone()
    {
        QFETCH(QString, source);
        QFETCH(QStringList, path);
        QVERIFY(!withValue(source, path, u"1"_s));
    }

    void aDiffNamesItsLines()
    {
        auto changed = withValue(text(), {u"version"_s}, u"4"_s);
        changed = withValue(*changed, {u"steps"_s, u"charge"_s, u"timeout"_s}, u"20s"_s);
        QCOMPARE(lineDiff(u"billing.yaml"_s, text(), *changed), uR"(--- billing.yaml
+++ billing.yaml
@@ -2,5 +2,5 @@
 holdfast: 1
 workflow: billing
-version: 3            # the third
+version: 4            # the third
 owner: billing@example.com
 deadline: 15m
@@ -11,4 +11,5 @@
     effect: write
     key: charge:${ input.id }
+    timeout: 20s
     http: {method: POST, path: /v1/charges}
     retry: {attempts: 4, delay: 2s}   # enough
)"_s);
        QCOMPARE(lineDiff(u"billing.yaml"_s, text(), text()), QString());
        // The end of the last line is no line of its own.
        QCOMPARE(lineDiff(u"a.yaml"_s, u"a: 1\nb: 2\n"_s, u"a: 1\nb: 3\n"_s),
                 u"--- a.yaml\n+++ a.yaml\n@@ -1,2 +1,2 @@\n a: 1\n-b: 2\n+b: 3\n"_s);
    }
};

QTEST_GUILESS_MAIN(SourceEditTest)
#include "tst_source_edit.moc"
