// Secrets of dependencies in the keychain of the operating system, for both programs and without a
// window. The keychain answers on a thread of its own, which begins with the first question;
// whoever asks waits no longer than the time limit, because a locked keychain asks a person who may
// not be there. Safe on any thread but slow: never ask on a thread that paints.
#pragma once

#include "model/result.h"
#include "model/time.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <mutex>

namespace QKeychain
{
class Job;
}

namespace holdfast::ctl
{

class KeychainSecrets
{
public:
    static constexpr model::Millis unattended = 2000;  // for what is sent: nobody may be there
    static constexpr model::Millis attended = 120'000; // a person sits there and may unlock it
    static constexpr model::Millis freshFor = 10'000;  // an answer, also that there is none

    explicit KeychainSecrets(model::Millis patience = unattended) : m_patience(patience) {}
    Q_DISABLE_COPY_MOVE(KeychainSecrets)

    // No such entry is notFound; any other error says that the keychain is locked or not there.
    // An answer is kept for a moment, so that a locked keychain does not hold up every call.
    model::Result<QByteArray> value(const QString &name);
    model::Result<void> keep(const QString &name, const QByteArray &value);
    // notFound where there was nothing.
    model::Result<void> forget(const QString &name);
    model::Result<QStringList> names();

private:
    struct Remembered {
        model::Result<QByteArray> answer;
        QElapsedTimer since;
    };
    // Makes and starts the job on the keychain's thread and waits for what it came to.
    model::Result<QByteArray> ask(const QString &entry,
                                  const std::function<QKeychain::Job *()> &make);
    model::Result<QByteArray> read(const QString &entry);
    model::Result<void> write(const QString &entry, const QByteArray &value);
    model::Result<void> writeNames(const QStringList &names);

    const model::Millis m_patience;
    std::mutex m_mutex; // of what follows; never held while the keychain is waited for
    std::map<QString, Remembered> m_remembered;
};

// How secrets are looked up in it: for actions::Secrets, which asks when it has looked elsewhere.
std::function<model::Result<QByteArray>(const QString &name)> keychainLookup();

} // namespace holdfast::ctl
