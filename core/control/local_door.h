// Carries operations out on a store. Belongs to the store's thread.
#pragma once

#include "control/definitions.h"
#include "control/door.h"
#include "control/pause_watch.h"
#include "ports/store.h"

#include <functional>

namespace holdfast::control
{

// What only the program that put everything together knows.
struct Surroundings {
    // How an audit row is hashed; the store's own function, so that writer and verifier cannot
    // disagree.
    std::function<QString(const ports::AuditRow &)> auditHash;
    // Facts for the doctor: database library, owner of the file, program version.
    std::function<QJsonObject()> facts;
    // The next piece of an archive's work, in the name of a person; and where its file is.
    std::function<model::Result<ports::ArchiveStep>(ports::Store &, const QString &archive,
                                                    const QString &actor)>
        archiveStep{};
    QString host{};
};

class LocalDoor : public Door
{
public:
    explicit LocalDoor(ports::Store &store, Surroundings surroundings = {});

    model::Result<QJsonValue> call(const Request &request) override;
    static QStringList operationNames();

private:
    ports::Store &m_store;
    const Surroundings m_surroundings;
    Definitions m_definitions;
    PauseWatch m_pauseWatch;
};

} // namespace holdfast::control
