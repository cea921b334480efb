#include "ui/desktop/keychain.h"

#include <QPointer>
#include <QTimer>
#include <memory>
#include <qt6keychain/keychain.h>

namespace holdfast::desktop
{

using namespace Qt::StringLiterals;
using model::Error;
using model::ErrorKind;
using model::Result;

namespace
{
const QString service = u"holdfast"_s;
const QString probeEntry = u"is there a keychain"_s;
constexpr int probeMs = 5000; // an answer that needs no person

Error errorOf(const QKeychain::Job &job)
{
    switch (job.error()) {
    case QKeychain::EntryNotFound:
        return model::notFound(u"The keychain has no password for this database."_s);
    case QKeychain::AccessDeniedByUser: return model::refused(u"The keychain was not unlocked."_s);
    case QKeychain::AccessDenied: return model::refused(u"The keychain refused."_s);
    case QKeychain::CouldNotDeleteEntry:
        return model::refused(u"The keychain did not delete the password."_s);
    case QKeychain::NoBackendAvailable:
    case QKeychain::NotImplemented:
        return {ErrorKind::unsupported, u"There is no keychain on this desktop."_s};
    case QKeychain::NoError:
    case QKeychain::OtherError: break;
    }
    const QString more = job.errorString().trimmed();
    return {ErrorKind::lost, more.isEmpty() ? u"No keychain answers here."_s
                                            : u"No keychain answers here (%1)."_s.arg(more)};
}

// Belongs to nobody and deletes itself when it has ended: libsecret answers it whether anybody
// still wants to know or not.
void start(QKeychain::Job *job, const QString &entry,
           const std::function<void(QKeychain::Job *)> &finished)
{
    job->setKey(entry);
    job->setInsecureFallback(false); // a file in plain text is no keychain
    QObject::connect(job, &QKeychain::Job::finished, job, finished);
    job->start();
}
} // namespace

Keychain::Keychain(QObject *parent) : QObject(parent) {}

void Keychain::probe(QObject *context, Done done)
{
    const auto once = [isAnswered = std::make_shared<bool>(false), guard = QPointer(context),
                       done = std::move(done)](const Result<void> &answer) {
        if (!std::exchange(*isAnswered, true) && guard)
            done(answer);
    };
    QTimer::singleShot(probeMs, this, [once] {
        once(Error{ErrorKind::lost, u"The keychain of this desktop does not answer."_s});
    });
    start(new QKeychain::ReadPasswordJob(service), probeEntry, [once](QKeychain::Job *job) {
        const bool isThere =
            job->error() == QKeychain::NoError || job->error() == QKeychain::EntryNotFound;
        once(isThere ? Result<void>() : Result<void>(errorOf(*job)));
    });
}

void Keychain::read(const QString &address, QObject *context, Read read)
{
    start(new QKeychain::ReadPasswordJob(service), address,
          [guard = QPointer(context), read = std::move(read)](QKeychain::Job *job) {
              if (!guard)
                  return;
              if (job->error() != QKeychain::NoError)
                  read(errorOf(*job));
              else
                  read(static_cast<QKeychain::ReadPasswordJob *>(job)->textData());
          });
}

void Keychain::keep(const QString &address, const QString &password, QObject *context, Done done)
{
    auto *job = new QKeychain::WritePasswordJob(service);
    job->setTextData(password);
    start(job, address, [guard = QPointer(context), done = std::move(done)](QKeychain::Job *ended) {
        if (guard && done)
            done(ended->error() == QKeychain::NoError ? Result<void>()
                                                      : Result<void>(errorOf(*ended)));
    });
}

void Keychain::forget(const QString &address, QObject *context, Done done)
{
    start(new QKeychain::DeletePasswordJob(service), address,
          [guard = QPointer(context), done = std::move(done)](QKeychain::Job *job) {
              const bool isGone =
                  job->error() == QKeychain::NoError || job->error() == QKeychain::EntryNotFound;
              if (guard && done)
                  done(isGone ? Result<void>() : Result<void>(errorOf(*job)));
          });
}

} // namespace holdfast::desktop
