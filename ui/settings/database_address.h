// The address of a run database as a person types it, in parts, and as one text without the
// password: that never stands in an address, so it cannot end up in a file or a title bar.
#pragma once

#include <QString>

namespace holdfast::settings
{

struct DatabaseAddress {
    enum class Kind { sqlite, postgresql };
    Kind kind = Kind::sqlite;
    QString path; // sqlite
    QString host;
    int port = 5432;
    QString database;
    QString user;
    QString rootCertificate; // a file; for servers that are not on this machine

    bool operator==(const DatabaseAddress &) const = default;

    QString url() const;
    // A text that is neither leaves everything as it is by default.
    static DatabaseAddress fromUrl(const QString &url);
    QString problem() const; // one sentence; empty: it can be tried
    bool isLocal() const;
};

} // namespace holdfast::settings
