// YAML that is malformed, ambiguous or hostile is refused with its line and column, and never with
// a crash.
#include "contract/definitions.h"
#include "contract/yaml_reader.h"
#include "model/json.h"

#include <QTest>

using namespace holdfast;
using namespace holdfast::contract;
using namespace holdfast::tests;

class YamlTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void badYamlIsRefusedAtItsPlace_data();
    void badYamlIsRefusedAtItsPlace();
    void aliasesMayNotExpandWithoutEnd();
    void anAliasWithinTheLimitIsExpanded();
    void deepNestingDoesNotOverflowTheStack_data();
    void deepNestingDoesNotOverflowTheStack();
    void aFileOverOneMebibyteIsRefused();
    void textThatIsNotUtf8IsRefused();
    void onlyJsonWordsAndNumbersHaveAType_data();
    void onlyJsonWordsAndNumbersHaveAType();
    void oneBrokenDocumentDoesNotHideTheNext();
    void columnsCountCharactersNotBytes();
    void noBytesCrashTheReader();
};

void YamlTest::badYamlIsRefusedAtItsPlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("column");
    const auto row = [](const char *name, const QByteArray &text, const char *rule, int line,
                        int column) {
        QTest::newRow(name) << text << QString::fromLatin1(rule) << line << column;
    };
    row("malformed", "a: [1, 2\nb: 3\n", "yaml", 0, 0);
    row("unbalanced", "a: }\n", "yaml", 1, 4);
    row("tab in the indentation", "a:\n\tb: 1\n", "tab", 2, 1);
    row("tab after spaces", "a:\n  \tb: 1\n", "tab", 2, 3);
    row("duplicate key", "a: 1\nb: 2\na: 3\n", "duplicate_key", 3, 1);
    row("duplicate key in flow", "x: {a: 1, a: 2}\n", "duplicate_key", 1, 11);
    row("duplicate key, quoted", "a: 1\n\"a\": 2\n", "duplicate_key", 2, 1);
    row("custom tag", "a: !run rm\n", "tag", 1, 4);
    row("standard tag", "a: !!str 5\n", "tag", 1, 4);
    row("tag on a map", "a: !m {b: 1}\n", "tag", 1, 4);
    row("merge key", "a: &a {b: 1}\nc:\n  <<: *a\n", "merge_key", 3, 3);
    row("alias inside its own anchor", "a: &a [*a]\n", "alias", 1, 8);
    row("unknown alias", "a: *b\n", "yaml", 1, 0);
    row("list as a key", "? [a]\n: 1\n", "key_not_text", 1, 3);
    row("directive", "%YAML 1.1\n---\na: 1\n", "directive", 1, 1);
    row("control character", "a: \"\x01\"\n", "control_character", 1, 5);
}

void YamlTest::badYamlIsRefusedAtItsPlace()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, rule);
    QFETCH(int, line);
    QFETCH(int, column);
    Report report(QStringLiteral("test.yaml"));
    readYaml(text, report);
    QVERIFY(hasFinding(report.findings(), rule, line, column));
}

void YamlTest::aliasesMayNotExpandWithoutEnd()
{
    QByteArray laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 10; ++i) {
        const QByteArray before = "*a" + QByteArray::number(i - 1);
        laughs += "a" + QByteArray::number(i) + ": &a" + QByteArray::number(i) + " [" +
                  (before + ", ").repeated(9) + before + "]\n";
    }
    Report report(QStringLiteral("test.yaml"));
    QVERIFY(readYaml(laughs, report).isEmpty());
    QVERIFY(hasFinding(report.findings(), QStringLiteral("alias_bomb")));
}

void YamlTest::anAliasWithinTheLimitIsExpanded()
{
    Report report(QStringLiteral("test.yaml"));
    const auto documents = readYaml("a: &x {b: 1}\nc: *x\n", report);
    QCOMPARE(documents.size(), 1);
    QCOMPARE(model::canonicalJson(documents.first().root->toJson()),
             QByteArray(R"({"a":{"b":1},"c":{"b":1}})"));
}

void YamlTest::deepNestingDoesNotOverflowTheStack_data()
{
    QTest::addColumn<QByteArray>("piece");
    QTest::newRow("brackets") << QByteArray("[");
    QTest::newRow("braces") << QByteArray("{");
    QTest::newRow("maps") << QByteArray("{a: ");
    QTest::newRow("dashes") << QByteArray("- ");
    QTest::newRow("question marks") << QByteArray("? ");
    QTest::newRow("pairs in lists") << QByteArray("[a: ");
}

void YamlTest::deepNestingDoesNotOverflowTheStack()
{
    QFETCH(QByteArray, piece);
    Report report(QStringLiteral("test.yaml"));
    QVERIFY(readYaml(piece.repeated(100000), report).isEmpty());
    QVERIFY(hasErrors(report.findings()));
}

void YamlTest::aFileOverOneMebibyteIsRefused()
{
    Report report(QStringLiteral("test.yaml"));
    QVERIFY(readYaml("# " + QByteArray(1 << 20, 'x'), report).isEmpty());
    QVERIFY(hasFinding(report.findings(), QStringLiteral("too_large")));
}

void YamlTest::textThatIsNotUtf8IsRefused()
{
    for (const QByteArray &text : {QByteArray("a: \xFF\n"), QByteArray("a: \xC3\n"),
                                   QByteArray("\xFF\xFE"
                                              "a\0",
                                              4)}) {
        Report report(QStringLiteral("test.yaml"));
        QVERIFY(readYaml(text, report).isEmpty());
        QVERIFY(hasFinding(report.findings(), QStringLiteral("not_utf8")));
    }
}

void YamlTest::onlyJsonWordsAndNumbersHaveAType_data()
{
    QTest::addColumn<QByteArray>("scalar");
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char *scalar, const char *json) {
        QTest::newRow(scalar) << QByteArray(scalar) << QByteArray(json);
    };
    row("true", "true");
    row("false", "false");
    row("null", "null");
    row("5", "5");
    row("-1.5e3", "-1500");
    row("yes", "\"yes\"");
    row("no", "\"no\"");
    row("on", "\"on\"");
    row("True", "\"True\"");
    row("~", "\"~\"");
    row("NULL", "\"NULL\"");
    row("0o7", "\"0o7\"");
    row("0x1f", "\"0x1f\"");
    row("007", "\"007\"");
    row("1_000", "\"1_000\"");
    row("+1", "\"+1\"");
    row(".5", "\".5\"");
    row(".inf", "\".inf\"");
    row(".nan", "\".nan\"");
    row("12:30", "\"12:30\"");
    row("2026-01-01", "\"2026-01-01\"");
    row("9007199254740993", "\"9007199254740993\"");
    row("\"5\"", "\"5\"");
    row("'true'", "\"true\"");
    row("\"null\"", "\"null\"");
}

void YamlTest::onlyJsonWordsAndNumbersHaveAType()
{
    QFETCH(QByteArray, scalar);
    QFETCH(QByteArray, json);
    Report report(QStringLiteral("test.yaml"));
    const auto documents = readYaml("a: " + scalar + "\n", report);
    QCOMPARE(documents.size(), 1);
    QCOMPARE(model::canonicalJson(documents.first().root->member(QStringLiteral("a"))->toJson()),
             json);
}

void YamlTest::oneBrokenDocumentDoesNotHideTheNext()
{
    Report report(QStringLiteral("test.yaml"));
    const auto documents = readYaml("a: 1\n---\nb: }\n---\nc: 1\nc: 2\n", report);
    QCOMPARE(documents.size(), 2);
    QVERIFY(hasFinding(report.findings(), QStringLiteral("yaml"), 3, 4));
    QVERIFY(hasFinding(report.findings(), QStringLiteral("duplicate_key"), 6, 1));
    QCOMPARE(documents.first().source, QStringLiteral("a: 1"));
}

void YamlTest::columnsCountCharactersNotBytes()
{
    Report report(QStringLiteral("test.yaml"));
    readYaml("x: {\"\xC3\xA4\xC3\xB6\": 1, b: 1, b: 2}\n", report);
    QVERIFY(hasFinding(report.findings(), QStringLiteral("duplicate_key"), 1, 20));
}

void YamlTest::noBytesCrashTheReader()
{
    // A fixed walk through mutations of a good file: every finding is welcome, a crash is not.
    const QByteArray good = dependencyText() + "---\n" + workflowText(chargeText());
    const QByteArray bytes = "[]{}:,-?&*!|>'\"%@`#\n \t\0~<$\\x9\xC3\xFF";
    quint32 state = 12345;
    const auto next = [&state](qsizetype bound) {
        state = state * 1664525 + 1013904223;
        return qsizetype((state >> 8) % quint32(bound));
    };
    for (int round = 0; round < 2000; ++round) {
        QByteArray text = good;
        for (qsizetype changes = 1 + next(4); changes > 0; --changes)
            text[next(text.size())] = bytes.at(next(bytes.size()));
        const Parsed parsed = parse(QStringLiteral("test.yaml"), text);
        for (const Finding &finding : parsed.findings)
            QVERIFY(finding.line >= 1 && finding.column >= 1);
    }
}

QTEST_GUILESS_MAIN(YamlTest)
#include "tst_yaml.moc"
