#include "app/console/door_calls.h"

#include "api/remote_door.h"
#include "app/ctl/database.h"
#include "model/ids.h"
#include "store/file_ownership.h"
#include "store/store_url.h"

namespace holdfast::console
{

using namespace Qt::StringLiterals;
using model::Error;
using model::ErrorKind;
using model::Result;

namespace
{
constexpr model::Millis ownerPatience = 5 * model::second;

control::Request requestOf(const QString &name, const QJsonObject &arguments)
{
    return {model::newId(ports::SystemClock().now()), name, arguments, ctl::currentActor()};
}

class Reader
{
public:
    explicit Reader(const QString &url) : m_url(url) {}

    Result<QJsonValue> call(const QString &name, const QJsonObject &arguments)
    {
        if (const auto ready = open(); !ready)
            return ready.error();
        auto answer = m_door->call(requestOf(name, arguments));
        // The copy of an archive cannot be lost; to open it again is to unpack it again.
        if (!answer && answer.error().kind != ErrorKind::invalid && !ctl::isArchive(m_url)) {
            m_door.reset();
            m_store.reset();
        }
        return answer;
    }

private:
    Result<void> open()
    {
        if (m_door)
            return {};
        auto store = store::openStore(m_url, store::Access::reader);
        if (!store)
            return store.error();
        if (const auto opened = (*store)->open(); !opened)
            return opened;
        m_store = std::move(*store);
        m_door = std::make_unique<control::LocalDoor>(*m_store, ctl::surroundings(m_url));
        return {};
    }

    const QString m_url;
    std::unique_ptr<ports::Store> m_store;
    std::unique_ptr<control::Door> m_door;
};

class Owner
{
public:
    explicit Owner(const QString &url) : m_path(ctl::sqlitePath(url)) {}

    Result<QJsonValue> call(const QString &name, const QJsonObject &arguments)
    {
        if (!m_door) {
            const auto holder = store::FileOwnership::holderOf(m_path);
            if (holder.socket.isEmpty())
                return Error{ErrorKind::lost,
                             u"The process that owned %1 has ended; close and "
                             "open the console to run the engine here."_s.arg(m_path)};
            m_door = std::make_unique<api::RemoteDoor>(holder.socket, ownerPatience);
        }
        auto answer = m_door->call(requestOf(name, arguments));
        if (!answer && answer.error().isRetryable())
            m_door.reset();
        return answer;
    }

private:
    const QString m_path;
    std::unique_ptr<control::Door> m_door;
};
} // namespace

bridge::Call readerCall(const QString &url)
{
    return [reader = std::make_shared<Reader>(url)](const QString &name,
                                                    const QJsonObject &arguments) {
        return reader->call(name, arguments);
    };
}

bridge::Call ownerCall(const QString &url)
{
    return
        [owner = std::make_shared<Owner>(url)](const QString &name, const QJsonObject &arguments) {
            return owner->call(name, arguments);
        };
}

qint64 answeringOwner(const QString &url)
{
    const QString path = ctl::sqlitePath(url);
    if (path.isEmpty())
        return 0;
    const auto holder = store::FileOwnership::holderOf(path);
    if (holder.socket.isEmpty())
        return 0;
    // The lock file outlives its owner, so the name of a socket in it proves nothing.
    return api::RemoteDoor(holder.socket, ownerPatience).connectToOwner() ? holder.pid : 0;
}

} // namespace holdfast::console
