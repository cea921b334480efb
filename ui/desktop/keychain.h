// The desktop's keychain: the one place where a password outlives this process. Nothing waits for
// it: the desktop may ask the person to unlock it, and that takes as long as it takes. There is no
// second, weaker place; where no keychain answers, the caller hears so and says so.
#pragma once

#include "model/result.h"

#include <QObject>
#include <functional>

namespace holdfast::desktop
{

class Keychain : public QObject
{
    Q_OBJECT
public:
    using Done = std::function<void(const model::Result<void> &)>;
    using Read = std::function<void(const model::Result<QString> &)>;

    explicit Keychain(QObject *parent = nullptr);

    // Whether one answers; it is asked for an entry that does not exist, which unlocks nothing.
    void probe(QObject *context, Done done);
    // `address` is that of the database, without a password. No such entry is notFound.
    void read(const QString &address, QObject *context, Read read);
    void keep(const QString &address, const QString &password, QObject *context, Done done);
    // It is no mistake when there was nothing to forget.
    void forget(const QString &address, QObject *context, Done done = {});
};

} // namespace holdfast::desktop
