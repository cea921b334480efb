// SW19: what we send is signed as Standard Webhooks says, and is a CloudEvent as well. Judged by
// the published vector, by vectors that were computed elsewhere, and by Python's own HMAC over what
// arrived on a socket.
#include "actions/raw_server.h"
#include "actions/webhook_courier.h"
#include "actions/webhook_signature.h"
#include "ports/alert.h"
#include "support/store_fixture.h"

#include <QTest>
#include <condition_variable>

using namespace Qt::StringLiterals;
using namespace holdfast;

namespace
{
const QByteArray secretA = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const QByteArray secretB = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const QByteArray id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
constexpr qint64 seconds = 1614265330;

QByteArray headerOf(const QByteArray &request, const QByteArray &name)
{
    for (const QByteArray &line : request.left(request.indexOf("\r\n\r\n")).split('\n')) {
        if (line.toLower().startsWith(name.toLower() + ':'))
            return line.mid(name.size() + 1).trimmed();
    }
    return {};
}

QByteArray bodyOf(const QByteArray &request)
{
    return request.mid(request.indexOf("\r\n\r\n") + 4);
}

// What a receiver would compute, by other means than ours.
QByteArray pythonSignature(const QByteArray &secret, const QByteArray &request)
{
    QProcess python;
    python.start(u"python3"_s,
                 {u"-c"_s,
                  u"import sys, hmac, hashlib, base64\n"
                  "key = base64.b64decode(sys.argv[1])\n"
                  "head = (sys.argv[2] + '.' + sys.argv[3] + '.').encode()\n"
                  "mac = hmac.new(key, head + sys.stdin.buffer.read(), hashlib.sha256)\n"
                  "print('v1,' + base64.b64encode(mac.digest()).decode())"_s,
                  QString::fromLatin1(secret.mid(6)),
                  QString::fromLatin1(headerOf(request, "webhook-id")),
                  QString::fromLatin1(headerOf(request, "webhook-timestamp"))});
    python.write(bodyOf(request));
    python.closeWriteChannel();
    python.waitForFinished();
    return python.readAllStandardOutput().trimmed();
}

class Results
{
public:
    explicit Results(actions::WebhookCourier &courier) : m_courier(courier)
    {
        courier.onResult([this] {
            const std::lock_guard lock(m_mutex);
            m_news.notify_one();
        });
    }
    ports::ParcelResult next()
    {
        std::unique_lock lock(m_mutex);
        m_news.wait_for(lock, std::chrono::seconds(60), [this] { return m_courier.hasResults(); });
        const auto results = m_courier.takeResults();
        return results.isEmpty() ? ports::ParcelResult{} : results.first();
    }

private:
    actions::WebhookCourier &m_courier;
    std::mutex m_mutex;
    std::condition_variable m_news;
};
} // namespace

class Webhook : public QObject
{
    Q_OBJECT

private:
    tests::SettableClock m_clock;
    std::shared_ptr<actions::Secrets> m_secrets = std::make_shared<actions::Secrets>();

    static ports::Parcel parcel(const QString &url, const QStringList &secrets)
    {
        const ports::OutboxRow row{u"0190-7-0"_s,
                                   1'800'000'000'000,
                                   u"run.failed"_s,
                                   u"0190"_s,
                                   {{u"workflow"_s, u"billing"_s}, {u"event_id"_s, u"o-1"_s}}};
        return {{u"desk"_s, url, secrets}, row.id, 1, ports::eventBody(row, u"db"_s)};
    }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("HOLDFAST_SECRET_HOOK_A", secretA);
        qputenv("HOLDFAST_SECRET_HOOK_B", secretB);
        qputenv("HOLDFAST_SECRET_HOOK_SHORT", "whsec_AAEC");
    }

    void signatures_are_the_published_ones_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("secret");
        QTest::addColumn<QByteArray>("signature");
        const QByteArray first = "{\"test\": 2432232314}";
        QTest::newRow("published")
            << first << secretA << QByteArray("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        QTest::newRow("raw bytes") << QByteArray("{\"test\":2432232314}") << secretA
                                   << QByteArray("v1,Vif40peJBP7Iyl0XGmu61n4MwdrcHov5CFREBpE0svs=");
        QTest::newRow("line feed") << QByteArray(first + '\n') << secretA
                                   << QByteArray("v1,FIt3hYjPQCdyuyMOw+0dZwwjGRAx1Il4CsgdFnOmrcc=");
        QTest::newRow("empty") << QByteArray() << secretA
                               << QByteArray("v1,v48jdbgvh29KJz2Qc+ghw8G6vG3nAKnujWBg8oM/62A=");
        QTest::newRow("UTF-8") << QByteArray("{\"name\":\"Zo\xc3\xab\"}") << secretA
                               << QByteArray("v1,3Y0uOXEca2zsElJwlDVR3YZoq8JPNDFNFfgiXf6SB8Y=");
        QTest::newRow("other secret")
            << first << secretB << QByteArray("v1,O4Gjv1HqPqsMrjmczoggs/sWA8gZD0VyHG+fLh4+ktI=");
    }
    void signatures_are_the_published_ones()
    {
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, secret);
        QFETCH(QByteArray, signature);
        const auto key = actions::webhookKey(secret);
        QVERIFY(key.ok());
        QCOMPARE(actions::webhookSignature(*key, id, seconds, body), signature);
        QCOMPARE(*actions::webhookKey(secret.mid(6)), *key); // with and without its prefix
    }

    void a_key_has_24_to_64_bytes()
    {
        for (const QByteArray &bad :
             {QByteArray(), QByteArray("whsec_"), QByteArray(23, 'x').toBase64(),
              QByteArray(65, 'x').toBase64(), QByteArray("not base64 !!")})
            QVERIFY(!actions::webhookKey(bad).ok());
        QVERIFY(actions::webhookKey(QByteArray(24, 'x').toBase64()).ok());
        QVERIFY(actions::webhookKey(QByteArray(64, 'x').toBase64()).ok());
    }

    void it_arrives_signed_with_both_secrets_and_with_a_new_time_for_each_try()
    {
        test::RawServer server([](const test::RawClient &client, const QByteArray &) {
            client.write(test::answer("204 No Content", {}));
        });
        actions::WebhookCourier courier(m_clock, m_secrets);
        Results results(courier);
        const auto sent =
            parcel(server.origin() + u"/hooks/holdfast?x=1"_s, {u"HOOK_A"_s, u"HOOK_B"_s});
        courier.send(sent);
        QVERIFY(results.next().isDelivered());
        m_clock.advance(5000);
        courier.send(sent);
        QVERIFY(results.next().isDelivered());
        QCOMPARE(server.requestCount(), 2);
        const QByteArray one = server.requests().at(0), two = server.requests().at(1);
        QVERIFY(one.startsWith("POST /hooks/holdfast?x=1 HTTP/1.1"));
        QVERIFY(headerOf(one, "content-type").startsWith("application/cloudevents+json"));
        QCOMPARE(headerOf(one, "webhook-id"), QByteArray("0190-7-0"));
        QCOMPARE(headerOf(two, "webhook-id"), headerOf(one, "webhook-id"));
        QCOMPARE(bodyOf(two), bodyOf(one));
        QCOMPARE(headerOf(two, "webhook-timestamp").toLongLong(),
                 headerOf(one, "webhook-timestamp").toLongLong() + 5);
        for (const QByteArray &request : {one, two}) {
            const QByteArray both =
                pythonSignature(secretA, request) + ' ' + pythonSignature(secretB, request);
            QCOMPARE(headerOf(request, "webhook-signature"), both);
        }
        QVERIFY(!one.contains(secretA.mid(6)));
        QCOMPARE(courier.underWay(), 0);
    }

    // The body is a CloudEvent, and the payload of Standard Webhooks at the same time.
    void the_body_is_both()
    {
        const QJsonObject event =
            QJsonDocument::fromJson(parcel(u"http://127.0.0.1"_s, {}).body).object();
        QCOMPARE(event["specversion"_L1].toString(), u"1.0"_s);
        QCOMPARE(event["type"_L1].toString(), u"holdfast.run.failed"_s);
        QCOMPARE(event["source"_L1].toString(), u"urn:holdfast:db"_s);
        QCOMPARE(event["subject"_L1].toString(), u"0190"_s);
        QCOMPARE(event["correlationid"_L1].toString(), u"o-1"_s);
        QCOMPARE(event["timestamp"_L1], event["time"_L1]);
        QVERIFY(QDateTime::fromString(event["time"_L1].toString(), Qt::ISODateWithMs).isValid());
        QCOMPARE(event["data"_L1]["workflow"_L1].toString(), u"billing"_s);
        static const QRegularExpression attribute(u"^[a-z0-9]{1,20}$"_s);
        for (const QString &name : event.keys()) {
            QVERIFY2(attribute.match(name).hasMatch(), qPrintable(name));
            QVERIFY2(event[name].isObject() || !event[name].toString().isEmpty(), qPrintable(name));
        }
    }

    void what_must_not_be_sent_is_not()
    {
        actions::WebhookCourier courier(m_clock, m_secrets);
        Results results(courier);
        const QStringList secrets{u"HOOK_A"_s};
        for (const QString &url :
             {u"http://user@127.0.0.1/x"_s, u"ftp://127.0.0.1"_s, u"http://127.1/x"_s,
              u"http://10.0.0.1/x"_s, u"http://169.254.169.254/latest"_s}) {
            auto sent = parcel(url, secrets);
            courier.send(sent);
            const auto result = results.next();
            QVERIFY2(result.error.startsWith("address_forbidden"_L1), qPrintable(result.error));
        }
        // What this worker cannot sign another may: that is no failure of the receiver's.
        for (const auto &[name, error] : {std::pair{u"HOOK_SHORT"_s, u"secret_unusable"_s},
                                          std::pair{u"NOBODY_KNOWS"_s, u"secret_missing"_s}}) {
            courier.send(parcel(u"http://127.0.0.1:9/x"_s, {name}));
            const auto result = results.next();
            QVERIFY2(result.error.startsWith(error), qPrintable(result.error));
            QCOMPARE(result.status, ports::heldBack);
        }
        courier.send(parcel(u"http://127.0.0.1:9/x"_s, secrets));
        QCOMPARE(results.next().status, 0); // tried, and nobody was there
    }

    void a_redirect_is_not_followed_and_a_silent_receiver_times_out()
    {
        test::RawServer other([](const test::RawClient &client, const QByteArray &) {
            client.write(test::answer("200 OK", {}));
        });
        test::RawServer server([&](const test::RawClient &client, const QByteArray &request) {
            if (request.startsWith("POST /away"))
                client.write(
                    test::answer("307 Away", {}, "Location: " + other.origin().toUtf8() + "\r\n"));
            else
                client.waitForClose();
        });
        actions::WebhookCourier courier(m_clock, m_secrets, {}, 200);
        Results results(courier);
        courier.send(parcel(server.origin() + u"/away"_s, {u"HOOK_A"_s}));
        QCOMPARE(results.next().status, 307);
        QCOMPARE(other.requestCount(), 0);
        courier.send(parcel(server.origin() + u"/silent"_s, {u"HOOK_A"_s}));
        QVERIFY(results.next().error.startsWith("timeout"_L1));
        QCOMPARE(server.requestCount(), 2);
    }

    void tries_follow_the_schedule_and_end()
    {
        const QVector<model::Millis> expected{5'000,      300'000,    1'800'000,
                                              7'200'000,  18'000'000, 36'000'000,
                                              50'400'000, 72'000'000, 86'400'000};
        constexpr model::Instant now = 1'800'000'000'000;
        ports::DeliveryRow row;
        row.state = u"waiting"_s;
        for (int attempt = 1; attempt <= 9; ++attempt) {
            const auto next =
                ports::afterTry(row, {u"e"_s, u"t"_s, attempt, 500, u"answered 500"_s}, now);
            QCOMPARE(next.state, u"waiting"_s);
            QCOMPARE(next.nextAt - now, expected.at(attempt - 1));
        }
        QCOMPARE(ports::afterTry(row, {u"e"_s, u"t"_s, 10, 500, u"answered 500"_s}, now).state,
                 u"given_up"_s);
        const auto asked =
            ports::afterTry(row, {u"e"_s, u"t"_s, 1, 503, u"answered 503"_s, 60'000}, now);
        QCOMPARE(asked.nextAt - now, 60'000);
        QCOMPARE(ports::afterTry(row, {u"e"_s, u"t"_s, 1, 410, u"answered 410"_s}, now).state,
                 u"given_up"_s);
        QCOMPARE(ports::afterTry(row, {u"e"_s, u"t"_s, 3, 202, {}}, now).state, u"delivered"_s);
        const auto held =
            ports::afterTry(row, {u"e"_s, u"t"_s, 10, ports::heldBack, u"secret_missing"_s}, now);
        QCOMPARE(held.state, u"waiting"_s); // even where it would have been the last
        QCOMPARE(held.nextAt - now, ports::heldBackFor);
    }
};

QTEST_GUILESS_MAIN(Webhook)
#include "tst_webhook.moc"
