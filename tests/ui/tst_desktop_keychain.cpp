// Goal: a password goes into a real keychain and comes back, nothing waits for it, and where none
// answers the caller is told so instead of it being written somewhere else. Method: a bus of our
// own, first without and then with gnome-keyring's secret service on it.
#include "support/desktop_session.h"
#include "ui/desktop/keychain.h"

#include <QDirIterator>
#include <QElapsedTimer>

using namespace holdfast;
using namespace holdfast::tests;
using desktop::Keychain;
using model::Result;

namespace
{
const QString address = u"postgresql://ada@db.example:6000/runs?sslmode=verify-full"_s;
const QString password = u"s3cret:/@ \"ü"_s;
} // namespace

class DesktopKeychainTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void withoutAServiceItIsSaid();
    void aPasswordIsKeptReadAndForgotten();
    void itIsNowhereInPlainText();
    void anAnswerForNobodyIsDropped();

private:
    // Waits for the answer of one call.
    template <typename Value>
    Result<Value> answer(const std::function<void(std::function<void(const Result<Value> &)>)> &ask)
    {
        std::optional<Result<Value>> got;
        ask([&](const Result<Value> &value) { got = value; });
        if (got) // it came before we could wait: something waited
            qFatal("the keychain was waited for");
        if (!QTest::qWaitFor([&] { return got.has_value(); }, 20000))
            return model::Error{model::ErrorKind::busy, u"no answer"_s};
        return *got;
    }
    Result<void> probe()
    {
        return answer<void>([this](auto done) { m_keychain.probe(this, done); });
    }
    Result<QString> read()
    {
        return answer<QString>([this](auto done) { m_keychain.read(address, this, done); });
    }
    Result<void> keep()
    {
        return answer<void>([this](auto done) { m_keychain.keep(address, password, this, done); });
    }
    Result<void> forget()
    {
        return answer<void>([this](auto done) { m_keychain.forget(address, this, done); });
    }

    DesktopSession m_session;
    QProcess m_daemon;
    Keychain m_keychain;
};

void DesktopKeychainTest::initTestCase()
{
    for (const char *name : {"XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME"})
        qputenv(name, m_session.folder.path().toUtf8());
    qunsetenv("DISPLAY"); // nobody is here to answer a prompt
}

void DesktopKeychainTest::cleanupTestCase()
{
    m_daemon.kill();
    m_daemon.waitForFinished();
}

void DesktopKeychainTest::withoutAServiceItIsSaid()
{
    const auto there = probe();
    QVERIFY(!there.ok());
    QVERIFY2(there.error().message.startsWith(u"No keychain answers here"_s),
             qPrintable(there.error().message));
    const auto kept = keep();
    QVERIFY(!kept.ok());
    QVERIFY(!read().ok());
    QVERIFY(!forget().ok());
}

void DesktopKeychainTest::aPasswordIsKeptReadAndForgotten()
{
    m_daemon.start(u"gnome-keyring-daemon"_s,
                   {u"--foreground"_s, u"--unlock"_s, u"--components=secrets"_s});
    m_daemon.write("password of the keychain");
    m_daemon.closeWriteChannel();
    QTRY_VERIFY_WITH_TIMEOUT(m_session.has(u"org.freedesktop.secrets"_s), 20000);
    const auto there = probe();
    QVERIFY2(there.ok(), qPrintable(there.error().message));
    const auto before = read();
    QVERIFY(!before.ok());
    QCOMPARE(before.error().kind, model::ErrorKind::notFound);
    const auto kept = keep();
    QVERIFY2(kept.ok(), qPrintable(kept.error().message));
    const auto back = read();
    QVERIFY(back.ok());
    QCOMPARE(*back, password);
}

void DesktopKeychainTest::itIsNowhereInPlainText()
{
    QDirIterator files(m_session.folder.path(), QDir::Files | QDir::Hidden,
                       QDirIterator::Subdirectories);
    int seen = 0;
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly))
            continue; // a socket
        ++seen;
        QVERIFY2(!file.readAll().contains("s3cret"), qPrintable(file.fileName()));
    }
    QVERIFY(seen > 0);
    QVERIFY(forget().ok());
    QVERIFY(forget().ok()); // there is nothing left to forget
    QCOMPARE(read().error().kind, model::ErrorKind::notFound);
}

void DesktopKeychainTest::anAnswerForNobodyIsDropped()
{
    auto gone = std::make_unique<QObject>();
    bool isCalled = false;
    m_keychain.read(address, gone.get(), [&](const auto &) { isCalled = true; });
    gone.reset();
    QVERIFY(!read().ok()); // asked later, answered later
    QVERIFY(!isCalled);
}

QTEST_GUILESS_MAIN(DesktopKeychainTest)
#include "tst_desktop_keychain.moc"
