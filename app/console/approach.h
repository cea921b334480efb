// What has to be found out about an address before a console is opened on it. Blocks for seconds:
// never on the window's thread.
#pragma once

#include "model/result.h"

#include <QString>

namespace holdfast::console
{

struct Approach {
    QString url;      // as given, maybe with a password
    QString actor;    // who the person is to this database
    qint64 owner = 0; // the process that owns the file already; 0: the engine can run here
};

// Opens the database as the engine will, creating and migrating where that is due, and lets go of
// it again: a mistake is so said where the address was typed, before anything is given up for it.
model::Result<Approach> approach(const QString &url);
// The same for a database that is waited for if it is away.
model::Result<Approach> approachUntried(const QString &url);
// Only reads: nothing is created and no lock is taken. One sentence, or why not.
model::Result<QString> tried(const QString &url);

QString withPassword(const QString &url, const QString &password);
QString withoutPassword(const QString &url);

} // namespace holdfast::console
