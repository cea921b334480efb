// One run database of each kind for tests, empty at the start and gone at the end, with a clock the
// test sets where the database's time is ours (memory, SQLite). Rows for tests are made here too.
#pragma once

#include "ports/clock.h"
#include "ports/store.h"

#include <QTemporaryDir>
#include <atomic>
#include <memory>

namespace holdfast::store
{
struct MemoryDatabase;
}

namespace holdfast::tests
{

class SettableClock : public ports::Clock
{
public:
    model::Instant now() const override { return m_now; }
    model::Millis monotonic() const override { return m_now; }
    void set(model::Instant now) { m_now = now; }
    void advance(model::Millis by) { m_now += by; }

private:
    std::atomic<model::Instant> m_now = 1'800'000'000'000;
};

class StoreFixture
{
public:
    enum class Kind { memory, sqlite, postgres };

    explicit StoreFixture(Kind kind);
    ~StoreFixture();
    Q_DISABLE_COPY_MOVE(StoreFixture)

    static QVector<Kind> available(); // without PostgreSQL where it is not installed
    static QString nameOf(Kind kind);

    Kind kind() const { return m_kind; }
    // A connection that may write, opened. On SQLite there can be only one at a time.
    std::unique_ptr<ports::Store> connect();
    // A second connection: on SQLite a reader.
    std::unique_ptr<ports::Store> connectReader();
    bool hasManyWriters() const { return m_kind != Kind::sqlite; }
    bool hasOwnClock() const { return m_kind != Kind::postgres; }
    SettableClock clock;
    QString url() const { return m_url; }

private:
    Kind m_kind;
    QTemporaryDir m_folder;
    QString m_url;
    std::shared_ptr<store::MemoryDatabase> m_memory;
};

// A queued run, due at once, with its first journal row.
ports::NewRun newRun(const QString &workflow, const QString &eventId, model::Instant at);

} // namespace holdfast::tests
