// Where a PostgreSQL run database is and how to reach it. The password is in here and in nothing
// this prints.
#pragma once

#include "model/result.h"

#include <QSqlDatabase>
#include <QString>

namespace holdfast::store
{

struct PostgresAddress {
    QString user;
    QString password;
    QString host; // a folder for a unix socket
    int port = 5432;
    QString database;
    QString sslMode;
    QString sslRootCert;

    // postgresql://user[:password]@host[:port]/database, with ?sslmode, sslrootcert,
    // host=/socket/folder. Off the machine only verify-full is accepted: libpq's default verifies
    // nothing.
    static model::Result<PostgresAddress> parse(const QString &url);

    bool isLocal() const;
    QString describe() const;
    // Sets everything but opens nothing.
    void apply(QSqlDatabase &database) const;
};

} // namespace holdfast::store
