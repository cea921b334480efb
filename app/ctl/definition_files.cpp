#include "app/ctl/definition_files.h"

#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr qint64 fileMax = 1 << 20;

Result<QStringList> filesOf(const QStringList &paths)
{
    QStringList files;
    for (const QString &path : paths) {
        const QFileInfo info(path);
        if (!info.exists())
            return model::notFound(u"there is no file or folder %1"_s.arg(path));
        if (!info.isDir()) {
            files.append(path);
            continue;
        }
        QStringList found;
        QDirIterator entries(path, {u"*.yaml"_s, u"*.yml"_s}, QDir::Files,
                             QDirIterator::Subdirectories);
        while (entries.hasNext())
            found.append(entries.next());
        if (found.isEmpty())
            return model::notFound(u"%1 holds no *.yaml or *.yml file"_s.arg(path));
        found.sort();
        files += found;
    }
    return files;
}
} // namespace

Result<QJsonObject> readDefinitionFiles(const QStringList &paths)
{
    const auto files = filesOf(paths);
    if (!files)
        return files.error();
    QJsonArray list;
    for (const QString &name : *files) {
        QFile file(name);
        if (!file.open(QIODevice::ReadOnly))
            return model::invalid(u"cannot read %1: %2"_s.arg(name, file.errorString()));
        const QByteArray bytes = file.read(fileMax + 1);
        if (bytes.size() > fileMax)
            return model::invalid(u"%1 is longer than 1 MiB"_s.arg(name));
        const QString text = QString::fromUtf8(bytes);
        if (text.toUtf8() != bytes && !bytes.startsWith("\xef\xbb\xbf"))
            return model::invalid(u"%1 is not UTF-8 text"_s.arg(name));
        list.append(QJsonObject{{u"file"_s, name}, {u"text"_s, text}});
    }
    return QJsonObject{{u"files"_s, list}};
}

} // namespace holdfast::ctl
