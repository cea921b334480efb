#include "app/ctl/keychain_secrets.h"

#include <QCoreApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusMetaType>
#include <QDBusObjectPath>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLibrary>
#include <QMap>
#include <QThread>
#include <future>
#include <qt6keychain/keychain.h>

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;
using model::Error;
using model::ErrorKind;
using model::Result;

namespace
{
const QString secretsService = u"holdfast secrets"_s;
// A keychain cannot be asked what it holds in the same way everywhere, so the names stand in an
// entry of their own. No secret can be called that: a name has no space.
const QString namesEntry = u"names of all secrets"_s;
constexpr int searchMs = 1000;

QString reasonOf(const QKeychain::Job &job)
{
    switch (job.error()) {
    case QKeychain::AccessDeniedByUser: return u"it was not unlocked"_s;
    case QKeychain::AccessDenied: return u"it refused"_s;
    case QKeychain::CouldNotDeleteEntry: return u"it did not delete the entry"_s;
    case QKeychain::NoBackendAvailable:
    case QKeychain::NotImplemented: return u"there is none on this machine"_s;
    case QKeychain::NoError:
    case QKeychain::EntryNotFound:
    case QKeychain::OtherError: break;
    }
    const QString more = job.errorString().trimmed();
    return more.isEmpty() ? u"none answers here"_s : more;
}

// GLib ends the whole process when the session bus goes away, which it does when somebody logs out.
// A worker goes on without a keychain. GLib comes with libsecret and only with it, so it is looked
// up and not linked.
void outliveTheBus()
{
    static QLibrary gio(u"gio-2.0"_s, 0);
    static const auto get =
        reinterpret_cast<void *(*)(int, void *, void *)>(gio.resolve("g_bus_get_sync"));
    static const auto setExit =
        reinterpret_cast<void (*)(void *, int)>(gio.resolve("g_dbus_connection_set_exit_on_close"));
    constexpr int sessionBus = 2;
    if (void *bus = get && setExit ? get(sessionBus, nullptr, nullptr) : nullptr)
        setExit(bus, 0); // kept: the next question meets the same one
}

// A locked keychain that nobody unlocked says that there is no such entry. Its attributes can be
// searched all the same, and nobody is asked anything.
bool isThereButLocked(const QString &entry)
{
    const QString name = u"holdfast looks for locked secrets"_s;
    bool isLocked = false;
    {
        qDBusRegisterMetaType<QMap<QString, QString>>();
        QDBusConnection bus = QDBusConnection::connectToBus(QDBusConnection::SessionBus, name);
        QDBusMessage search = QDBusMessage::createMethodCall(
            u"org.freedesktop.secrets"_s, u"/org/freedesktop/secrets"_s,
            u"org.freedesktop.Secret.Service"_s, u"SearchItems"_s);
        search << QVariant::fromValue(
            QMap<QString, QString>{{u"server"_s, secretsService}, {u"user"_s, entry}});
        const QVariantList answer = bus.call(search, QDBus::Block, searchMs).arguments();
        if (answer.size() == 2)
            isLocked = !qdbus_cast<QList<QDBusObjectPath>>(answer.at(1)).isEmpty();
    }
    QDBusConnection::disconnectFromBus(name);
    return isLocked;
}

Error unavailable(const QString &why)
{
    return {ErrorKind::lost, u"the keychain is locked or not there: %1"_s.arg(why)};
}

// Where the keychain answers: one thread for the whole process and until its end. libsecret keeps
// its connection from question to question, and one that was begun on a thread that has ended
// answers nobody.
class KeychainThread
{
public:
    static QObject *home()
    {
        static std::mutex mutex;
        const std::lock_guard lock(mutex);
        if (!s_home) {
            s_thread = new QThread;
            s_home = new QObject;
            s_home->moveToThread(s_thread);
            QObject::connect(s_thread, &QThread::finished, s_home, &QObject::deleteLater);
            s_thread->start();
            qAddPostRoutine(end);
        }
        return s_home;
    }

private:
    // A job that is still under way is deleted with its home: its answer would come through the
    // event loop that has ended.
    static void end()
    {
        s_thread->quit();
        s_thread->wait();
        delete std::exchange(s_thread, nullptr);
        s_home = nullptr;
    }

    static inline QThread *s_thread = nullptr;
    static inline QObject *s_home = nullptr; // lives on that thread
};

Result<QByteArray> outcomeOf(const QKeychain::Job &job)
{
    if (job.error() == QKeychain::EntryNotFound) {
        return isThereButLocked(job.key()) ? unavailable(u"it was not unlocked"_s)
                                           : model::notFound(u"the keychain has no such secret"_s);
    }
    if (job.error() != QKeychain::NoError)
        return unavailable(reasonOf(job));
    const auto *read = qobject_cast<const QKeychain::ReadPasswordJob *>(&job);
    return read ? read->binaryData() : QByteArray();
}
} // namespace

Result<QByteArray> KeychainSecrets::ask(const QString &entry,
                                        const std::function<QKeychain::Job *()> &make)
{
    QObject *owner = KeychainThread::home();
    const auto promise = std::make_shared<std::promise<Result<QByteArray>>>();
    auto answer = promise->get_future();
    QMetaObject::invokeMethod(owner, [owner, entry, make, promise] {
        QKeychain::Job *job = make();
        job->setParent(owner);
        job->setKey(entry);
        job->setInsecureFallback(false); // a file in plain text is no keychain
        QObject::connect(job, &QKeychain::Job::finished, job, [promise](QKeychain::Job *ended) {
            promise->set_value(outcomeOf(*ended));
        });
        outliveTheBus();
        job->start();
    });
    if (answer.wait_for(std::chrono::milliseconds(m_patience)) != std::future_status::ready)
        return unavailable(u"no answer within %1 seconds"_s.arg(m_patience / 1000));
    return answer.get();
}

Result<QByteArray> KeychainSecrets::read(const QString &entry)
{
    return ask(entry, [] { return new QKeychain::ReadPasswordJob(secretsService); });
}

Result<void> KeychainSecrets::write(const QString &entry, const QByteArray &value)
{
    const auto written = ask(entry, [value] {
        auto *job = new QKeychain::WritePasswordJob(secretsService);
        job->setBinaryData(value);
        return job;
    });
    return written ? Result<void>() : Result<void>(written.error());
}

Result<QByteArray> KeychainSecrets::value(const QString &name)
{
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_remembered.find(name);
        if (found != m_remembered.end() && found->second.since.elapsed() < freshFor)
            return found->second.answer;
    }
    const auto answer = read(name);
    const std::lock_guard lock(m_mutex);
    Remembered &remembered =
        m_remembered.insert_or_assign(name, Remembered{answer, {}}).first->second;
    remembered.since.start();
    return answer;
}

Result<QStringList> KeychainSecrets::names()
{
    const auto text = read(namesEntry);
    if (!text && text.error().kind == ErrorKind::notFound)
        return QStringList();
    if (!text)
        return text.error();
    QStringList names;
    const QJsonArray list = QJsonDocument::fromJson(*text).array();
    for (const QJsonValue &name : list)
        names << name.toString();
    return names;
}

Result<void> KeychainSecrets::writeNames(const QStringList &names)
{
    return write(namesEntry,
                 QJsonDocument(QJsonArray::fromStringList(names)).toJson(QJsonDocument::Compact));
}

// The name comes first: what is named and not there can be removed, what is there and not named
// would be forgotten.
Result<void> KeychainSecrets::keep(const QString &name, const QByteArray &value)
{
    auto listed = names();
    if (!listed)
        return listed.error();
    if (!listed->contains(name)) {
        listed->append(name);
        listed->sort();
        if (const auto named = writeNames(*listed); !named)
            return named;
    }
    return write(name, value);
}

Result<void> KeychainSecrets::forget(const QString &name)
{
    auto listed = names();
    if (!listed)
        return listed.error();
    const auto there = read(name);
    if (!there && there.error().kind != ErrorKind::notFound)
        return there.error();
    const bool wasNamed = listed->removeAll(name) > 0;
    if (!there && !wasNamed)
        return there.error();
    if (there) {
        const auto gone =
            ask(name, [] { return new QKeychain::DeletePasswordJob(secretsService); });
        if (!gone)
            return gone.error();
    }
    return wasNamed ? writeNames(*listed) : Result<void>();
}

std::function<Result<QByteArray>(const QString &)> keychainLookup()
{
    return [keychain = std::make_shared<KeychainSecrets>()](const QString &name) {
        return keychain->value(name);
    };
}

} // namespace holdfast::ctl
