// The door to a run database, wherever it is: in this process when the file is free or the database
// is shared, else through the socket of the process that owns the file. Blocks; belongs to one
// thread.
#pragma once

#include "control/local_door.h"
#include "model/result.h"
#include "ports/clock.h"
#include "ports/store.h"

#include <memory>

namespace holdfast::ctl
{

// --db, HOLDFAST_DB, or the console's own file.
QString databaseUrl(const QString &given);
// The path of a SQLite file; empty: the database is a shared one.
QString sqlitePath(const QString &url);
// A file of old runs, which is only read.
bool isArchive(const QString &url);
// Who acts: on a shared database its login, else the login this process runs under.
QString currentActor(const QString &url = {});
// Where this user's processes write down how far the databases had come that they know.
QString memoryFile();
control::Surroundings surroundings(const QString &url);

class Database
{
public:
    static constexpr model::Millis patience =
        10 * model::second; // for another short command to end

    explicit Database(const QString &url);
    ~Database();

    // Sent again with the same id when the owner of the file dies in between.
    model::Result<QJsonValue> call(const QString &name, const QJsonObject &arguments);
    // The same for a command on a run, and sees to it that it is applied: by the worker that lives,
    // or here in a turn that sends nothing. The answer tells how far it got.
    model::Result<QJsonValue> act(const QString &name, const QJsonObject &arguments);
    // For what needs more than a door. Opens; an error where another process owns the file.
    model::Result<ports::Store *> store();
    // Others may use a SQLite file until the next call.
    void letGo();

private:
    model::Result<QJsonValue> call(const control::Request &request);
    model::Result<control::Door *> door();
    model::Result<control::Door *> openOnce();
    model::Result<bool> workerLives();
    model::Result<QJsonValue> await(const QString &command);

    const QString m_url;
    ports::SystemClock m_clock;
    std::unique_ptr<ports::Store> m_store;
    std::unique_ptr<control::Door> m_door;
};

} // namespace holdfast::ctl
