#include "store/postgres_listener.h"

#include <QEventLoop>
#include <QSqlDriver>
#include <QSqlQuery>
#include <QTimer>

namespace holdfast::store
{

namespace
{
// A dead connection gives no signal, so the listener asks now and then.
constexpr int checkInterval = 2000;
const QString channel = QStringLiteral("holdfast_ready");
} // namespace

PostgresListener::PostgresListener(const PostgresAddress &address, std::function<void()> callback)
    : m_address(address), m_callback(std::move(callback))
{
}

PostgresListener::~PostgresListener() { stop(); }

void PostgresListener::start()
{
    if (m_thread)
        return;
    m_thread.reset(QThread::create([this] { listen(); }));
    m_thread->start();
}

void PostgresListener::stop()
{
    if (!m_thread)
        return;
    m_thread->requestInterruption();
    m_thread->quit();
    m_thread->wait();
    m_thread.reset();
}

void PostgresListener::listen()
{
    const QString name = QStringLiteral("holdfast_listener_%1").arg(quintptr(this), 0, 16);
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), name);
        m_address.apply(database);
        QObject::connect(database.driver(), &QSqlDriver::notification, database.driver(),
                         [this] { m_callback(); });
        const auto check = [&] {
            if (database.isOpen() && QSqlQuery(database).exec(QStringLiteral("select 1")))
                return;
            database.close(); // forgets the old subscription, which died with the connection
            if (database.open() && database.driver()->subscribeToNotification(channel))
                m_callback();
        };
        QEventLoop loop;
        QTimer timer;
        // The thread may be told to stop before the loop runs.
        QObject::connect(&timer, &QTimer::timeout, &loop, [&] {
            if (QThread::currentThread()->isInterruptionRequested())
                loop.quit();
            else
                check();
        });
        timer.start(checkInterval);
        check();
        if (!QThread::currentThread()->isInterruptionRequested())
            loop.exec();
        database.close();
    }
    QSqlDatabase::removeDatabase(name);
}

} // namespace holdfast::store
