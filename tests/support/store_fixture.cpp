#include "support/store_fixture.h"

#include "model/ids.h"
#include "store/memory_store.h"
#include "store/store_url.h"
#include "support/postgres_server.h"

namespace holdfast::tests
{

StoreFixture::StoreFixture(Kind kind) : m_kind(kind)
{
    switch (kind) {
    case Kind::memory: m_memory = std::make_shared<store::MemoryDatabase>(); break;
    case Kind::sqlite:
        m_url = QStringLiteral("sqlite:") + m_folder.filePath(QStringLiteral("runs.sqlite"));
        break;
    case Kind::postgres: m_url = PostgresServer::shared()->createDatabase(); break;
    }
}

StoreFixture::~StoreFixture()
{
    if (m_kind == Kind::postgres)
        PostgresServer::shared()->dropDatabase(m_url);
}

QVector<StoreFixture::Kind> StoreFixture::available()
{
    QVector<Kind> kinds{Kind::memory, Kind::sqlite};
    // For quick rounds while working on something else.
    if (!qEnvironmentVariableIsSet("HOLDFAST_TEST_WITHOUT_POSTGRES") && PostgresServer::shared())
        kinds.append(Kind::postgres);
    return kinds;
}

QString StoreFixture::nameOf(Kind kind)
{
    switch (kind) {
    case Kind::memory: return QStringLiteral("memory");
    case Kind::sqlite: return QStringLiteral("sqlite");
    case Kind::postgres: return QStringLiteral("postgres");
    }
    Q_UNREACHABLE();
}

std::unique_ptr<ports::Store> StoreFixture::connect()
{
    std::unique_ptr<ports::Store> store;
    if (m_kind == Kind::memory) {
        store = std::make_unique<store::MemoryStore>(&clock, m_memory);
    } else {
        auto opened = store::openStore(m_url, store::Access::writer, &clock);
        if (!opened)
            qFatal("%s", qPrintable(opened.error().message));
        store = std::move(*opened);
    }
    if (const auto opened = store->open(); !opened)
        qFatal("%s", qPrintable(opened.error().message));
    return store;
}

std::unique_ptr<ports::Store> StoreFixture::connectReader()
{
    if (m_kind != Kind::sqlite)
        return connect();
    auto made = store::openStore(m_url, store::Access::reader, &clock);
    std::unique_ptr<ports::Store> store = std::move(*made);
    if (const auto opened = store->open(); !opened)
        qFatal("%s", qPrintable(opened.error().message));
    return store;
}

ports::NewRun newRun(const QString &workflow, const QString &eventId, model::Instant at)
{
    ports::NewRun made;
    made.run.runId = model::newId(at);
    made.run.workflow = workflow;
    made.run.version = 1;
    made.run.eventId = eventId;
    made.run.inputHash = QStringLiteral("hash");
    made.run.seq = 1;
    made.run.due = at;
    made.run.createdAt = at;
    made.run.updatedAt = at;
    made.journal.runId = made.run.runId;
    made.journal.seq = 1;
    made.journal.at = at;
    made.journal.entries = QByteArrayLiteral("[{\"kind\":\"accepted\"}]");
    return made;
}

} // namespace holdfast::tests
