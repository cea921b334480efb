// The sandbox must itself be trustworthy: each fault does what its name says, the books tell the
// truth, and a seed repeats. Spoken to over plain sockets, so that nothing of ours hides what is on
// the wire.
#include "app/sandbox/sandbox.h"
#include "app/sandbox/sandbox_main.h"

#include <QElapsedTimer>
#include <QFile>
#include <QHostAddress>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace holdfast::sandbox;

namespace
{

struct Answer {
    int status = 0; // 0: none
    QByteArray head;
    QByteArray body;
    QJsonObject json() const { return QJsonDocument::fromJson(body).object(); }
};

struct Request {
    QByteArray method;
    QByteArray target;
    QByteArray key = {};
    QByteArray body = {};
};

QByteArray bytesOf(const Request &request)
{
    QByteArray bytes =
        request.method + ' ' + request.target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
    if (!request.key.isEmpty())
        bytes += "Idempotency-Key: " + request.key + "\r\n";
    if (!request.body.isEmpty())
        bytes += "Content-Length: " + QByteArray::number(request.body.size()) + "\r\n";
    return bytes + "\r\n" + request.body;
}

Answer parsed(const QByteArray &bytes)
{
    Answer answer;
    const qsizetype end = bytes.indexOf("\r\n\r\n");
    if (!bytes.startsWith("HTTP/1.1 ") || end < 0)
        return answer;
    answer.status = bytes.mid(9, 3).toInt();
    answer.head = bytes.left(end);
    answer.body = bytes.mid(end + 4);
    return answer;
}

// Sends one request and reads until the other side closes, or for `ms`.
Answer ask(const SandboxThread &sandbox, const Request &request, int ms = 10'000)
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, sandbox.port());
    if (!socket.waitForConnected(5000))
        return {};
    socket.write(bytesOf(request));
    QElapsedTimer timer;
    timer.start();
    while (socket.state() == QAbstractSocket::ConnectedState && timer.elapsed() < ms)
        socket.waitForReadyRead(static_cast<int>(std::max<qint64>(1, ms - timer.elapsed())));
    return parsed(socket.readAll());
}

Request invoice(const QByteArray &key = "k1", const QByteArray &body = R"({"amount":5})")
{
    return {"POST", "/payments/v1/invoices", key, body};
}

const QString invoices = QStringLiteral("/payments/v1/invoices");

} // namespace

class TestSandbox : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aRequestIsBookedAndAnswered();
    void paymentsDedupOnTheKey();
    void paymentsForgetAfterTheirRetention();
    void aKeyUnderWayIsInUse();
    void inventoryDoesNotDedupButCanBeAsked();
    void mailCanNeitherDedupNorBeAsked();
    void contactsAreNatural();
    void objectsCanBeUndone();
    void workThenSilence_data();
    void workThenSilence();
    void silenceWithoutWork_data();
    void silenceWithoutWork();
    void answersThatAreWrong_data();
    void answersThatAreWrong();
    void halfAnAnswer();
    void hugeIsHuge();
    void slowLorisNeverEnds();
    void aDelayActsEvenWhenTheClientLeft();
    void lateActsAfterTheDrop();
    void storedFailureIsReplayed();
    void probesLagAndFail();
    void queuesAreUsedUpAndAlwaysStays();
    void controlOverHttp();
    void limitsHold();
    void connectionsStayOpenBetweenRequests();
    void aResetIsAReset();
    void theCommandServesUntilASignal();
    void usageErrors();
};

void TestSandbox::aRequestIsBookedAndAnswered()
{
    SandboxThread sandbox;
    const Answer answer = ask(sandbox, invoice());
    QCOMPARE(answer.status, 201);
    QCOMPARE(answer.json().value("id").toString(), QStringLiteral("inv_1"));
    QCOMPARE(answer.json().value("key").toString(), QStringLiteral("k1"));
    QCOMPARE(answer.json().value("echo").toObject().value("amount").toInt(), 5);
    const auto requests = sandbox.books().requests();
    QCOMPARE(requests.size(), 1);
    QCOMPARE(requests.first().key, QStringLiteral("k1"));
    QCOMPARE(requests.first().body, QByteArray(R"({"amount":5})"));
    const auto effects = sandbox.books().effects();
    QCOMPARE(effects.size(), 1);
    QCOMPARE(effects.first().service, QStringLiteral("payments"));
    QCOMPARE(effects.first().action, QStringLiteral("invoices.create"));
    QCOMPARE(effects.first().id, QStringLiteral("inv_1"));
    QCOMPARE(ask(sandbox, {"POST", "/nothing/here"}).status, 404);
}

void TestSandbox::paymentsDedupOnTheKey()
{
    SandboxThread sandbox;
    const Answer first = ask(sandbox, invoice());
    const Answer again = ask(sandbox, invoice());
    QCOMPARE(again.status, 201);
    QCOMPARE(again.body, first.body);
    QVERIFY(again.head.contains("Idempotent-Replayed: true"));
    QCOMPARE(ask(sandbox, invoice("k1", R"({"amount":6})")).status, 422);
    QCOMPARE(sandbox.books().effectCount(), 1);
    QVERIFY(sandbox.books().duplicates().isEmpty());
    const Answer found = ask(sandbox, {"GET", "/payments/v1/invoices?key=k1"});
    QCOMPARE(found.json().value("data").toArray().size(), 1);
    QCOMPARE(
        ask(sandbox, {"GET", "/payments/v1/invoices?key=k2"}).json().value("data").toArray().size(),
        0);
}

void TestSandbox::paymentsForgetAfterTheirRetention()
{
    SandboxThread sandbox;
    sandbox.services().setRetention(0);
    ask(sandbox, invoice());
    ask(sandbox, invoice());
    QCOMPARE(sandbox.books().effectCount(), 2);
    QCOMPARE(sandbox.books().duplicates().size(), 1);
    QCOMPARE(sandbox.books().duplicates().first().count, 2);
}

void TestSandbox::aKeyUnderWayIsInUse()
{
    SandboxThread sandbox;
    QVERIFY(sandbox.faults().push(invoices, {QStringLiteral("late:500")}).ok());
    QCOMPARE(ask(sandbox, invoice()).status, 0);
    QCOMPARE(ask(sandbox, invoice()).status, 409);
    QTRY_COMPARE(sandbox.books().effectCount(), 1);
    QCOMPARE(ask(sandbox, invoice()).status, 201);
    QCOMPARE(sandbox.books().effectCount(), 1);
}

void TestSandbox::inventoryDoesNotDedupButCanBeAsked()
{
    SandboxThread sandbox;
    const Request reserve{"POST", "/inventory/v1/reservations", "r1", "{}"};
    ask(sandbox, reserve);
    ask(sandbox, reserve);
    QCOMPARE(sandbox.books().duplicates().size(), 1);
    const Answer found = ask(sandbox, {"GET", "/inventory/v1/reservations?key=r1"});
    QCOMPARE(found.json().value("data").toArray().size(), 2);
}

void TestSandbox::mailCanNeitherDedupNorBeAsked()
{
    SandboxThread sandbox;
    const Request mail{"POST", "/mail/v1/messages", "m1", R"({"to":"a"})"};
    ask(sandbox, mail);
    ask(sandbox, mail);
    QCOMPARE(sandbox.books().effects(QStringLiteral("mail")).size(), 2);
    QCOMPARE(ask(sandbox, {"GET", "/mail/v1/messages?key=m1"}).status, 405);
}

void TestSandbox::contactsAreNatural()
{
    SandboxThread sandbox;
    const Request put{"PUT", "/crm/v1/contacts/c%201", "p1", R"({"name":"A"})"};
    QCOMPARE(ask(sandbox, put).status, 201);
    QCOMPARE(ask(sandbox, put).status, 200);
    QCOMPARE(sandbox.books().effectCount(), 1);
    QCOMPARE(ask(sandbox, {"GET", "/crm/v1/contacts/c%201"}).json().value("id").toString(),
             QStringLiteral("c 1"));
    QCOMPARE(ask(sandbox, {"DELETE", "/crm/v1/contacts/c%201", "d1"}).status, 200);
    QCOMPARE(ask(sandbox, {"DELETE", "/crm/v1/contacts/c%201", "d1"}).status, 404);
    QCOMPARE(sandbox.books().effectCount(), 2);
}

void TestSandbox::objectsCanBeUndone()
{
    SandboxThread sandbox;
    ask(sandbox, invoice());
    const Answer gone = ask(sandbox, {"POST", "/payments/v1/invoices/inv_1/void", "undo:k1"});
    QCOMPARE(gone.status, 200);
    QCOMPARE(gone.json().value("status").toString(), QStringLiteral("void"));
    QCOMPARE(sandbox.books().effects().last().action, QStringLiteral("invoices.void"));
    QCOMPARE(ask(sandbox, {"POST", "/payments/v1/invoices/inv_9/void", "undo:k9"}).status, 404);
    QCOMPARE(ask(sandbox, {"POST", "/payments/v1/invoices/inv_1/refund", "x"}).status, 404);
}

void TestSandbox::workThenSilence_data()
{
    QTest::addColumn<QString>("fault");
    for (const char *fault :
         {"work_then_drop", "work_then_reset", "work_then_hang", "work_then_garbage"})
        QTest::newRow(fault) << QString::fromLatin1(fault);
}

void TestSandbox::workThenSilence()
{
    QFETCH(QString, fault);
    SandboxThread sandbox;
    QVERIFY(sandbox.faults().push(invoices, {fault}).ok());
    const Answer answer = ask(sandbox, invoice(), 300);
    QCOMPARE(answer.status, 0);
    QCOMPARE(sandbox.books().effectCount(), 1);
    QCOMPARE(sandbox.books().requestCount(), 1);
    QCOMPARE(ask(sandbox, invoice()).status, 201);
    QCOMPARE(sandbox.books().effectCount(), 1);
}

void TestSandbox::silenceWithoutWork_data()
{
    QTest::addColumn<QString>("fault");
    for (const char *fault : {"drop", "reset", "hang", "garbage"})
        QTest::newRow(fault) << QString::fromLatin1(fault);
}

void TestSandbox::silenceWithoutWork()
{
    QFETCH(QString, fault);
    SandboxThread sandbox;
    QVERIFY(sandbox.faults().push(invoices, {fault}).ok());
    QCOMPARE(ask(sandbox, invoice(), 300).status, 0);
    QCOMPARE(sandbox.books().requestCount(), 1);
    QCOMPARE(sandbox.books().effectCount(), 0);
}

void TestSandbox::answersThatAreWrong_data()
{
    QTest::addColumn<QString>("fault");
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("effects");
    QTest::addColumn<QByteArray>("contains");
    QTest::newRow("429") << "429" << 429 << 0 << QByteArray("Retry-After: 1");
    QTest::newRow("429:7") << "429:7" << 429 << 0 << QByteArray("Retry-After: 7");
    QTest::newRow("503") << "503" << 503 << 0 << QByteArray();
    QTest::newRow("work_then_500") << "work_then_500" << 500 << 1 << QByteArray();
    QTest::newRow("html200") << "html200" << 200 << 0 << QByteArray("text/html");
    QTest::newRow("redirect") << "redirect:http://127.0.0.1:1/x" << 302 << 0
                              << QByteArray("Location: http://127.0.0.1:1/x");
    QTest::newRow("delay") << "delay:20" << 201 << 1 << QByteArray();
}

void TestSandbox::answersThatAreWrong()
{
    QFETCH(QString, fault);
    QFETCH(int, status);
    QFETCH(int, effects);
    QFETCH(QByteArray, contains);
    SandboxThread sandbox;
    QVERIFY(sandbox.faults().push(invoices, {fault}).ok());
    const Answer answer = ask(sandbox, invoice());
    QCOMPARE(answer.status, status);
    QVERIFY(answer.head.contains(contains));
    QCOMPARE(sandbox.books().effectCount(), effects);
}

void TestSandbox::halfAnAnswer()
{
    SandboxThread sandbox;
    QVERIFY(sandbox.faults()
                .push(invoices, {QStringLiteral("work_then_half"), QStringLiteral("half")})
                .ok());
    for (const int effects : {1, 1}) {
        const Answer answer = ask(sandbox, invoice());
        QVERIFY(answer.status == 200 || answer.status == 201);
        QCOMPARE(answer.body.size(), 5);
        QCOMPARE(sandbox.books().effectCount(), effects);
    }
}

void TestSandbox::hugeIsHuge()
{
    SandboxThread sandbox;
    QVERIFY(sandbox.faults().push(invoices, {QStringLiteral("huge")}).ok());
    QVERIFY(ask(sandbox, invoice(), 20'000).body.size() > 10'000'000);
}

void TestSandbox::slowLorisNeverEnds()
{
    SandboxThread sandbox;
    QVERIFY(sandbox.faults().push(invoices, {QStringLiteral("slow_loris")}).ok());
    const Answer answer = ask(sandbox, invoice(), 500);
    QCOMPARE(answer.status, 200);
    QVERIFY(answer.body.size() < 20);
}

void TestSandbox::aDelayActsEvenWhenTheClientLeft()
{
    SandboxThread sandbox;
    QVERIFY(sandbox.faults().push(invoices, {QStringLiteral("delay:300")}).ok());
    QCOMPARE(ask(sandbox, invoice(), 50).status, 0);
    QTRY_COMPARE(sandbox.books().effectCount(), 1);
}

void TestSandbox::lateActsAfterTheDrop()
{
    SandboxThread sandbox;
    const QString path = QStringLiteral("/inventory/v1/reservations");
    QVERIFY(sandbox.faults().push(path, {QStringLiteral("late:300")}).ok());
    QCOMPARE(ask(sandbox, {"POST", "/inventory/v1/reservations", "r1", "{}"}).status, 0);
    const Answer early = ask(sandbox, {"GET", "/inventory/v1/reservations?key=r1"});
    QCOMPARE(early.json().value("data").toArray().size(), 0);
    QTRY_COMPARE(sandbox.books().effectCount(), 1);
}

void TestSandbox::storedFailureIsReplayed()
{
    SandboxThread sandbox;
    QVERIFY(sandbox.faults().push(invoices, {QStringLiteral("stored_500")}).ok());
    QCOMPARE(ask(sandbox, invoice()).status, 500);
    QCOMPARE(ask(sandbox, invoice()).status, 500);
    QCOMPARE(ask(sandbox, invoice("k2")).status, 201);
    QCOMPARE(sandbox.books().effectCount(), 1);
}

void TestSandbox::probesLagAndFail()
{
    SandboxThread sandbox;
    const Request look{"GET", "/payments/v1/invoices?key=k1"};
    QVERIFY(sandbox.faults().always(invoices, QStringLiteral("probe_lag:500")).ok());
    QCOMPARE(ask(sandbox, invoice()).status, 201);
    QCOMPARE(ask(sandbox, look).json().value("data").toArray().size(), 0);
    QTRY_COMPARE(ask(sandbox, look).json().value("data").toArray().size(), 1);
    QVERIFY(sandbox.faults().push(invoices, {QStringLiteral("probe_down")}).ok());
    QCOMPARE(ask(sandbox, invoice()).status, 201);
    QCOMPARE(ask(sandbox, look).status, 500);
    QCOMPARE(ask(sandbox, look).status, 200);
}

void TestSandbox::queuesAreUsedUpAndAlwaysStays()
{
    SandboxThread sandbox;
    QVERIFY(sandbox.faults().push(invoices, {QStringLiteral("500"), QStringLiteral("502")}).ok());
    QVERIFY(sandbox.faults().always(invoices, QStringLiteral("503")).ok());
    for (const int status : {500, 502, 503, 503})
        QCOMPARE(ask(sandbox, invoice()).status, status);
    QVERIFY(sandbox.faults().always(invoices, {}).ok());
    QCOMPARE(ask(sandbox, invoice()).status, 201);
}

void TestSandbox::controlOverHttp()
{
    SandboxThread sandbox;
    const QByteArray script = R"({"queue":{"/payments/v1/invoices":["work_then_drop",503]},
                                  "always":{"/mail":"500"}})";
    QCOMPARE(ask(sandbox, {"PUT", "/_sandbox/faults", {}, script}).status, 200);
    const QJsonObject plan = ask(sandbox, {"GET", "/_sandbox/faults"}).json();
    QCOMPARE(plan.value("queue").toObject().value(invoices).toArray().size(), 2);
    QCOMPARE(ask(sandbox, invoice()).status, 0);
    QCOMPARE(ask(sandbox, invoice()).status, 503);
    QCOMPARE(
        ask(sandbox, {"POST", "/_sandbox/faults", {}, R"({"always":{"/x":"explode"}})"}).status,
        400);
    const QJsonObject books = ask(sandbox, {"GET", "/_sandbox/books"}).json();
    QCOMPARE(books.value("requests").toArray().size(), 2);
    QCOMPARE(books.value("effects").toArray().size(), 1);
    QCOMPARE(
        books.value("totals").toObject().value("payments").toObject().value("requests").toInt(), 2);
    QVERIFY(books.value("duplicates").toArray().isEmpty());
    QCOMPARE(ask(sandbox, {"PUT", "/_sandbox/settings", {}, R"({"retention_ms":5})"}).status, 200);
    QCOMPARE(ask(sandbox, {"POST", "/_sandbox/reset"}).status, 200);
    QCOMPARE(sandbox.books().requestCount(), 0);
    QCOMPARE(ask(sandbox, {"POST", "/mail/v1/messages", "m", "{}"}).status, 201);
}

void TestSandbox::limitsHold()
{
    SandboxThread sandbox;
    QCOMPARE(ask(sandbox, {"POST", QByteArray("/") + QByteArray(40'000, 'x')}).status, 431);
    QCOMPARE(ask(sandbox, {"POST", "/x", {}, QByteArray(2'000'000, 'x')}).status, 413);
    QCOMPARE(ask(sandbox, {"no", "sense"}).status, 400);
    QCOMPARE(sandbox.books().requestCount(), 0);
    QCOMPARE(ask(sandbox, invoice("k", "not json")).status, 400);
}

void TestSandbox::connectionsStayOpenBetweenRequests()
{
    SandboxThread sandbox;
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, sandbox.port());
    QVERIFY(socket.waitForConnected());
    const QByteArray one =
        "POST /mail/v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}";
    socket.write(one + one);
    QByteArray bytes;
    while (bytes.count("HTTP/1.1 201") < 2 && socket.waitForReadyRead(5000))
        bytes += socket.readAll();
    QCOMPARE(bytes.count("HTTP/1.1 201"), 2);
    QCOMPARE(sandbox.books().effectCount(), 2);
}

void TestSandbox::aResetIsAReset()
{
    // Plain sockets: Qt calls a reset a close.
    SandboxThread sandbox;
    for (const char *fault : {"reset", "drop"}) {
        QVERIFY(sandbox.faults().push(invoices, {QLatin1String(fault)}).ok());
        const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(sandbox.port());
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        QCOMPARE(::connect(descriptor, reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
        const QByteArray bytes = bytesOf(invoice());
        QCOMPARE(::send(descriptor, bytes.constData(), static_cast<size_t>(bytes.size()), 0),
                 bytes.size());
        char byte = 0;
        const ssize_t count = ::recv(descriptor, &byte, 1, 0);
        const int error = errno;
        ::close(descriptor);
        QCOMPARE(count, qstrcmp(fault, "reset") == 0 ? -1 : 0);
        if (count < 0)
            QCOMPARE(error, ECONNRESET);
    }
}

void TestSandbox::theCommandServesUntilASignal()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("books.json"));
    QTimer::singleShot(0, this, [] { ::kill(::getpid(), SIGTERM); });
    QCOMPARE(sandboxMain(
                 {QStringLiteral("--port"), QStringLiteral("0"), QStringLiteral("--books"), file}),
             0);
    QFile books(file);
    QVERIFY(books.open(QIODevice::ReadOnly));
    QVERIFY(QJsonDocument::fromJson(books.readAll()).object().contains(QLatin1String("effects")));
}

void TestSandbox::usageErrors()
{
    QCOMPARE(sandboxMain({QStringLiteral("--port"), QStringLiteral("many")}), 2);
    QCOMPARE(sandboxMain({QStringLiteral("--chaos"), QStringLiteral("101")}), 2);
    QCOMPARE(sandboxMain({QStringLiteral("stray")}), 2);
    QCOMPARE(sandboxMain({QStringLiteral("--unknown")}), 2);
}

QTEST_GUILESS_MAIN(TestSandbox)
#include "tst_sandbox.moc"
