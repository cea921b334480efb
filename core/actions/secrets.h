// Secret values by name, read at the moment of sending and kept nowhere else: from the environment
// as HOLDFAST_SECRET_NAME, else from a file of NAME=VALUE lines that only its owner may read, else
// from the keychain that the program gives it. A changed file is read again, so a rotated secret
// needs no restart. Safe on any thread.
#pragma once

#include "actions/redactor.h"
#include "model/result.h"

#include <QByteArray>
#include <QString>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

namespace holdfast::actions
{

class Secrets
{
public:
    static constexpr qint64 fileSizeMax = 1 << 20;

    // The demo must never see a real secret, so it looks nowhere but into its own file.
    enum class Places { environmentAndFile, fileOnly };

    // The value of a name; notFound where there is none. It may take a while, within a time limit
    // of its own.
    using Keychain = std::function<model::Result<QByteArray>(const QString &name)>;

    // An empty path means the usual place; no keychain means that none is asked.
    explicit Secrets(const QString &file = {}, Places places = Places::environmentAndFile,
                     Keychain keychain = {});

    static QString defaultFile(); // $XDG_CONFIG_HOME/holdfast/secrets
    const QString &file() const { return m_file; }
    // The names in the environment and in the file; never a value.
    static QStringList namesInEnvironment();
    model::Result<QStringList> namesInFile();

    // The error is one sentence that names the secret and what to do; it never holds a value.
    model::Result<QByteArray> resolve(const QString &name);
    // Knows every value resolved so far and every value in the file.
    std::shared_ptr<const Redactor> redactor() const;

private:
    struct FileState {
        qint64 modifiedNs = -1;
        qint64 size = -1;
        quint64 inode = 0;
        bool operator==(const FileState &) const = default;
    };
    model::Result<QByteArray> resolveHere(const QString &name);
    model::Result<QByteArray> resolveInKeychain(const QString &name);
    model::Result<void> refreshFile();
    model::Result<void> readFile(int descriptor);
    void remember(const QString &name, const QByteArray &value);

    const QString m_file;
    const Places m_places;
    const Keychain m_keychain;
    mutable std::mutex m_mutex;
    FileState m_state;
    std::map<QString, QByteArray> m_inFile;
    QVector<QPair<QString, QByteArray>> m_known; // old values of a rotated secret stay masked
    std::shared_ptr<const Redactor> m_redactor = std::make_shared<Redactor>();
};

} // namespace holdfast::actions
