// The JSON reader is the border of the product: whatever is hashed, stored or compared came through
// it.
#include "model/json.h"

#include <QJsonDocument>
#include <QTest>
#include <limits>

using namespace holdfast::model;

class JsonTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void validTextIsRead_data();
    void validTextIsRead();
    void badTextIsRefusedWithOffsetAndPointer_data();
    void badTextIsRefusedWithOffsetAndPointer();
    void depthOfAHundredThousandDoesNotOverflowTheStack();
    void numbersThatADoubleCannotHoldAreKeptAsText_data();
    void numbersThatADoubleCannotHoldAreKeptAsText();
    void whatIsStoredReadsBackAsTheSameValue_data();
    void whatIsStoredReadsBackAsTheSameValue();
    void aTextOverTheLimitIsRefused();
    void onlyAnObjectWillDoWhereAnObjectIsAskedFor();
    void keysAreSortedByUtf16AsRfc8785Says();
    void numbersAreWrittenAsEcmaScriptDoes_data();
    void numbersAreWrittenAsEcmaScriptDoes();
    void stringsAreEscapedAsRfc8785Says();
    void whitespaceAndOrderChangeNoHash();
    void compactTextKeepsLargeIntegersExact();
    void anObjectOfManyKeysIsReadInLinearTime();
};

void JsonTest::validTextIsRead_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("canonical");
    QTest::newRow("null") << QByteArray("null") << QByteArray("null");
    QTest::newRow("spaces") << QByteArray(" \t\r\n[ 1 , true ]\n") << QByteArray("[1,true]");
    QTest::newRow("empty object") << QByteArray("{}") << QByteArray("{}");
    QTest::newRow("nested") << QByteArray(R"({"b":[{"c":null}],"a":"x"})")
                            << QByteArray(R"({"a":"x","b":[{"c":null}]})");
    QTest::newRow("escapes") << QByteArray(R"("\"\\\/\b\f\n\r\t\u00e9")")
                             << QByteArray("\"\\\"\\\\/\\b\\f\\n\\r\\t\xC3\xA9\"");
    QTest::newRow("surrogate pair")
        << QByteArray(R"("\ud83d\ude00")") << QByteArray("\"\xF0\x9F\x98\x80\"");
    QTest::newRow("four bytes of UTF-8")
        << QByteArray("\"\xF0\x9F\x98\x80\"") << QByteArray("\"\xF0\x9F\x98\x80\"");
    QTest::newRow("nul escape") << QByteArray(R"("\u0000")") << QByteArray(R"("\u0000")");
    QTest::newRow("minus zero") << QByteArray("-0") << QByteArray("0");
    QTest::newRow("exponent") << QByteArray("1E+2") << QByteArray("100");
}

void JsonTest::validTextIsRead()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, canonical);
    const auto value = parseJson(text);
    QVERIFY2(value.ok(), value.ok() ? "" : qPrintable(value.error().message));
    QCOMPARE(canonicalJson(*value), canonical);
}

void JsonTest::badTextIsRefusedWithOffsetAndPointer_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("offset");
    QTest::addColumn<QString>("pointer");
    const auto row = [](const char *name, const QByteArray &text, int offset,
                        const char *pointer = "") {
        QTest::newRow(name) << text << offset << QString::fromLatin1(pointer);
    };
    row("duplicate keys", R"({"a":{"b":1,"b":2}})", 18, "/a/b");
    row("duplicate keys by escape", R"({"a":1,"\u0061":2})", 18, "/a");
    row("NaN", R"({"x":[NaN]})", 6, "/x/0");
    row("Infinity", "-Infinity", 1);
    row("trailing data", "{} x", 3);
    row("two values", "1 2", 2);
    row("byte order mark", "\xEF\xBB\xBF{}", 0);
    row("lone high surrogate", R"(["\ud800"])", 8, "/0");
    row("lone low surrogate", R"("\udc00")", 7);
    row("high surrogate and text", R"("\ud800x")", 7);
    row("invalid UTF-8", "\"\xFF\"", 1);
    row("overlong UTF-8", "\"\xC0\xAF\"", 1);
    row("surrogate in UTF-8", "\"\xED\xA0\x80\"", 1);
    row("beyond Unicode", "\"\xF4\x90\x80\x80\"", 1);
    row("UTF-8 cut short", "\"\xC3", 1);
    row("control character", QByteArray("\"a\nb\""), 2);
    row("NUL", QByteArray("\"a\0b\"", 5), 2);
    row("empty", "", 0);
    row("comma at the end of an array", "[1,]", 3, "/1");
    row("comma at the end of an object", R"({"a":1,})", 7);
    row("single quotes", "{'a':1}", 1);
    row("no quotes", "{a:1}", 1);
    row("comment", "[1 /* x */]", 3);
    row("leading zero", "01", 2);
    row("plus sign", "+1", 0);
    row("point without digits", "1.", 2);
    row("exponent without digits", "1e", 2);
    row("hexadecimal", "0x1", 1);
    row("word cut short", "tru", 0);
    row("wrong case", "True", 0);
    row("unknown escape", R"("\x41")", 1);
    row("open string", "\"abc", 4);
    row("open array", "[1", 2);
    row("pointer is escaped", R"({"a/b~c":x})", 9, "/a~1b~0c");
}

void JsonTest::badTextIsRefusedWithOffsetAndPointer()
{
    QFETCH(QByteArray, text);
    QFETCH(int, offset);
    QFETCH(QString, pointer);
    const auto value = parseJson(text);
    QVERIFY(!value.ok());
    const QString expected = QStringLiteral("at offset %1, at \"%2\":").arg(offset).arg(pointer);
    QVERIFY2(value.error().message.contains(expected), qPrintable(value.error().message));
}

void JsonTest::depthOfAHundredThousandDoesNotOverflowTheStack()
{
    JsonLimits limits;
    limits.depth = std::numeric_limits<int>::max();
    for (const QByteArray &piece : {QByteArray("["), QByteArray("{\"a\":")}) {
        const auto value = parseJson(piece.repeated(100000), limits);
        QVERIFY(!value.ok());
        QVERIFY(value.error().message.contains(QLatin1String("too deeply")));
    }
    QVERIFY(parseJson(QByteArray("[").repeated(64) + QByteArray("]").repeated(64)).ok());
    QVERIFY(!parseJson(QByteArray("[").repeated(65) + QByteArray("]").repeated(65)).ok());
}

void JsonTest::numbersThatADoubleCannotHoldAreKeptAsText_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isText");
    QTest::newRow("2^53") << QByteArray("9007199254740992") << false;
    QTest::newRow("2^53+1") << QByteArray("9007199254740993") << true;
    QTest::newRow("-2^53-1") << QByteArray("-9007199254740993") << true;
    QTest::newRow("40 digits") << QByteArray(40, '9') << true;
    QTest::newRow("1e999") << QByteArray("1e999") << true;
    QTest::newRow("-1e999") << QByteArray("-1e999") << true;
    QTest::newRow("1e300") << QByteArray("1e300") << false;
    QTest::newRow("0.5") << QByteArray("0.5") << false;
}

void JsonTest::numbersThatADoubleCannotHoldAreKeptAsText()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, isText);
    const auto value = parseJson(text);
    QVERIFY(value.ok());
    QCOMPARE(value->isString(), isText);
    if (isText)
        QCOMPARE(value->toString().toUtf8(), text);
    else
        QCOMPARE(value->toDouble(), text.toDouble());
}

// What is stored must not come back as something else: a large double written as digits alone would
// be read as an integer that no number holds.
void JsonTest::whatIsStoredReadsBackAsTheSameValue_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text : {"1e20", "-1e20", "23145623145678901203e0", "9007199254740994.0",
                             "1e21", "9007199254740992", "9007199254740993", "0.5", "-0.0", "1e-7",
                             "[1e15,1e16,123456789012345680000.0]"})
        QTest::newRow(text) << QByteArray(text);
}

void JsonTest::whatIsStoredReadsBackAsTheSameValue()
{
    QFETCH(QByteArray, text);
    const QJsonValue value = *parseJson(text);
    const auto again = parseJson(compactJson(value));
    QVERIFY(again.ok());
    QCOMPARE(*again, value);
    QCOMPARE(again->isString(), value.isString());
    QCOMPARE(canonicalJson(*again), canonicalJson(value));
}

void JsonTest::aTextOverTheLimitIsRefused()
{
    JsonLimits limits;
    limits.bytes = 10;
    QVERIFY(parseJson("[1,2,3,45]", limits).ok());
    QVERIFY(!parseJson("[1,2,3,456]", limits).ok());
}

void JsonTest::onlyAnObjectWillDoWhereAnObjectIsAskedFor()
{
    QVERIFY(parseJsonObject("{\"a\":1}").ok());
    QVERIFY(!parseJsonObject("[1]").ok());
    QVERIFY(!parseJsonObject("null").ok());
}

void JsonTest::keysAreSortedByUtf16AsRfc8785Says()
{
    // The example of RFC 8785, section 3.2.3.
    const auto value =
        parseJson(R"({"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew",)"
                  R"("1":"One","\ud83d\ude00":"Emoji","\u0080":"Control",)"
                  R"("\u00f6":"Latin"})");
    QVERIFY(value.ok());
    QCOMPARE(canonicalJson(*value),
             QByteArray("{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\xC2\x80\":\"Control\","
                        "\"\xC3\xB6\":\"Latin\",\"\xE2\x82\xAC\":\"Euro Sign\","
                        "\"\xF0\x9F\x98\x80\":\"Emoji\",\"\xEF\xAC\xB3\":\"Hebrew\"}"));
}

void JsonTest::numbersAreWrittenAsEcmaScriptDoes_data()
{
    QTest::addColumn<double>("number");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("zero") << 0.0 << QByteArray("0");
    QTest::newRow("minus zero") << -0.0 << QByteArray("0");
    QTest::newRow("least") << 5e-324 << QByteArray("5e-324");
    QTest::newRow("most") << 1.7976931348623157e308 << QByteArray("1.7976931348623157e+308");
    QTest::newRow("2^68") << 295147905179352830000.0 << QByteArray("295147905179352830000");
    QTest::newRow("1e21") << 1e21 << QByteArray("1e+21");
    QTest::newRow("1e20") << 1e20 << QByteArray("100000000000000000000");
    QTest::newRow("9007199254740994") << 9007199254740994.0 << QByteArray("9007199254740994");
    QTest::newRow("1e-6") << 1e-6 << QByteArray("0.000001");
    QTest::newRow("1e-7") << 1e-7 << QByteArray("1e-7");
    QTest::newRow("fraction") << 333333333.33333329 << QByteArray("333333333.3333333");
    QTest::newRow("negative") << -12.5 << QByteArray("-12.5");
    QTest::newRow("1.5e-9") << 1.5e-9 << QByteArray("1.5e-9");
}

void JsonTest::numbersAreWrittenAsEcmaScriptDoes()
{
    QFETCH(double, number);
    QFETCH(QByteArray, text);
    QCOMPARE(canonicalJson(QJsonValue(number)), text);
}

void JsonTest::stringsAreEscapedAsRfc8785Says()
{
    const auto value = parseJson(R"("\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"\/")");
    QVERIFY(value.ok());
    QCOMPARE(canonicalJson(*value), QByteArray("\"\xE2\x82\xAC$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\""));
}

void JsonTest::whitespaceAndOrderChangeNoHash()
{
    const auto one = parseJson(R"({"a":1.0,"b":[1,2]})");
    const auto two = parseJson("{ \"b\" : [ 1, 2 ],\n \"a\" : 1 }");
    QVERIFY(one.ok() && two.ok());
    QCOMPARE(sha256Hex(canonicalJson(*one)), sha256Hex(canonicalJson(*two)));
    QCOMPARE(sha256Hex("abc"), QStringLiteral("ba7816bf8f01cfea414140de5dae2223"
                                              "b00361a396177a9cb410ff61f20015ad"));
}

void JsonTest::compactTextKeepsLargeIntegersExact()
{
    const qint64 large = std::numeric_limits<qint64>::max() - 1;
    QCOMPARE(compactJson(QJsonObject{{QStringLiteral("n"), large}}),
             QByteArray("{\"n\":9223372036854775806}"));
    QCOMPARE(compactJson(QJsonArray{1, QStringLiteral("a")}), QByteArray("[1,\"a\"]"));
    QCOMPARE(compactJson(QJsonValue(QStringLiteral("a"))), QByteArray("\"a\""));
}

void JsonTest::anObjectOfManyKeysIsReadInLinearTime()
{
    // Keys in falling order are the worst case of an insertion into a sorted array. The count is
    // what matters here: with quadratic work the test would take minutes and run into its time
    // limit.
    QByteArray text = "{";
    for (int i = 99999; i >= 0; --i)
        text += "\"" + QByteArray::number(i) + "\":0,";
    text.back() = '}';
    JsonLimits limits;
    limits.bytes = text.size();
    const auto value = parseJson(text, limits);
    QVERIFY(value.ok());
    QCOMPARE(value->toObject().size(), 100000);
}

QTEST_GUILESS_MAIN(JsonTest)
#include "tst_json.moc"
