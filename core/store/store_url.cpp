#include "store/store_url.h"

#include "store/archive_store.h"
#include "store/postgres_store.h"
#include "store/sqlite_store.h"

namespace holdfast::store
{

using model::Result;

Result<std::unique_ptr<ports::Store>> openStore(const QString &url, Access access,
                                                const ports::Clock *clock)
{
    using Answer = std::unique_ptr<ports::Store>;
    if (url.startsWith(QLatin1String("sqlite:"))) {
        const QString path = url.mid(7);
        if (path.isEmpty() || path == QLatin1String(":memory:"))
            return model::invalid(QStringLiteral("%1 names no file; write sqlite:PATH").arg(url));
        return Answer(std::make_unique<SqliteStore>(
            path, access == Access::writer ? SqliteStore::Mode::writer : SqliteStore::Mode::reader,
            clock));
    }
    if (url.startsWith(QLatin1String("archive:"))) {
        if (url.size() == 8)
            return model::invalid(QStringLiteral("%1 names no file; write archive:FILE").arg(url));
        return Answer(std::make_unique<ArchiveStore>(url.mid(8)));
    }
    if (url.startsWith(QLatin1String("postgresql:")) ||
        url.startsWith(QLatin1String("postgres:"))) {
        const Result<PostgresAddress> address = PostgresAddress::parse(url);
        if (!address)
            return address.error();
        return Answer(std::make_unique<PostgresStore>(*address, access == Access::writer
                                                                    ? PostgresStore::Mode::writer
                                                                    : PostgresStore::Mode::reader));
    }
    return model::invalid(QStringLiteral("the address of a run database is sqlite:PATH, "
                                         "postgresql://user@host/database or archive:FILE"));
}

} // namespace holdfast::store
