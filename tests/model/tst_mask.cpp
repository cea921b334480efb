// What is hidden in views and exports. Goal: a secret is known by its name however that is written
// and wherever it stands; what only sounds like one stays readable.
#include "model/mask.h"

#include <QJsonArray>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast;

class Mask : public QObject
{
    Q_OBJECT

private:
    static QString text(const QString &plain)
    {
        return model::masked(QJsonValue(plain)).toString();
    }

private Q_SLOTS:
    void secrets_are_known_by_their_names_data()
    {
        QTest::addColumn<bool>("isSecret");
        for (const char *name : {"token",        "access_token",  "accessToken",
                                 "refreshToken", "authToken",     "AuthToken",
                                 "accesstoken",  "Authorization", "Proxy-Authorization",
                                 "password",     "dbPassword",    "passwd",
                                 "passphrase",   "client_secret", "clientSecret",
                                 "secretKey",    "api_key",       "apiKey",
                                 "APIKey",       "X-Api-Key",     "private_key",
                                 "privateKey",   "Cookie",        "Set-Cookie"})
            QTest::newRow(name) << true;
        for (const char *name : {"key", "idempotency_key", "Idempotency-Key", "keys", "tokens_used",
                                 "max_tokens", "totalTokens", "token_type", "tokenCount", "author",
                                 "pass", "cookie_consent", "id", "owner", "monkey", ""})
            QTest::newRow(*name ? name : "empty") << false;
    }
    void secrets_are_known_by_their_names()
    {
        QFETCH(bool, isSecret);
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        const QString name = tag == "empty"_L1 ? QString() : tag;
        QCOMPARE(model::isSecretName(name), isSecret);
    }

    void members_and_headers_are_masked()
    {
        const QJsonObject object{
            {u"accessToken"_s, u"abc"_s},
            {u"refreshToken"_s, QJsonValue()},
            {u"key"_s, u"pay:17"_s},
            {u"list"_s, QJsonArray{QJsonObject{{u"privateKey"_s, u"abc"_s}}}},
            {u"headers"_s, QJsonArray{QJsonArray{u"Set-Cookie"_s, u"abc"_s},
                                      QJsonArray{u"Accept"_s, u"text/html"_s}}}};
        const QJsonObject shown = model::masked(object);
        QCOMPARE(shown["accessToken"_L1].toString(), u"***"_s);
        QVERIFY(shown["refreshToken"_L1].isNull());
        QCOMPARE(shown["key"_L1].toString(), u"pay:17"_s);
        QCOMPARE(shown["list"_L1][0]["privateKey"_L1].toString(), u"***"_s);
        QCOMPARE(shown["headers"_L1][0][1].toString(), u"***"_s);
        QCOMPARE(shown["headers"_L1][1][1].toString(), u"text/html"_s);
    }

    void texts_are_masked_inside_data()
    {
        QTest::addColumn<QString>("plain");
        QTest::addColumn<QString>("shown");
        QTest::newRow("object") << u"{\"apiKey\":\"abc\",\"x\":1}"_s
                                << u"{\"apiKey\":\"***\",\"x\":1}"_s;
        QTest::newRow("space before")
            << u" \r\n\t{\"apiKey\":\"abc\"}"_s << u"{\"apiKey\":\"***\"}"_s;
        QTest::newRow("list after space")
            << u"\n[{\"passwd\":\"abc\"}]"_s << u"[{\"passwd\":\"***\"}]"_s;
        QTest::newRow("form") << u"client_secret=abc&x=1"_s << u"client_secret=***&x=1"_s;
        QTest::newRow("later in a form")
            << u"grant_type=password&client%5Fsecret=a%20b&refreshToken=c"_s
            << u"grant_type=password&client%5Fsecret=***&refreshToken=***"_s;
        QTest::newRow("address") << u"https://h.example/a?x=1&access_token=abc#part"_s
                                 << u"https://h.example/a?x=1&access_token=***#part"_s;
        QTest::newRow("path") << u"/v1/pay?token=abc"_s << u"/v1/pay?token=***"_s;
        QTest::newRow("two questions") << u"/a?b?token=abc"_s << u"/a?b?token=***"_s;
        for (const QString &same :
             {u"key=pay:17&tokens_used=5"_s, u"a = b"_s, u" { not json"_s, u"  "_s,
              u"x=1&y==&&=z"_s, u"a token=word in a sentence"_s, u" {\"x\": 1}"_s})
            QTest::newRow(qPrintable(u"same: "_s + same)) << same << same;
    }
    void texts_are_masked_inside()
    {
        QFETCH(QString, plain);
        QFETCH(QString, shown);
        QCOMPARE(text(plain), shown);
    }

    void a_definition_keeps_its_references()
    {
        QCOMPARE(model::maskedSource(u"clientSecret: abc\nkey: pay:${ input.id }\n"
                                     "headers: {authToken: ${ secret.crm }}\n"_s),
                 u"clientSecret: ***\nkey: pay:${ input.id }\n"
                 "headers: {authToken: ${ secret.crm }}\n"_s);
    }
};

QTEST_GUILESS_MAIN(Mask)
#include "tst_mask.moc"
