#include "ui/workflows/file_reader.h"

#include <QFile>
#include <QFileInfo>

namespace holdfast::workflows
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qint64 sizeMax = 1 << 20;
}

FileReader::FileReader(const QStringList &paths, QObject *parent) : QThread(parent), m_paths(paths)
{
}

FileReader::~FileReader() { wait(); }

void FileReader::run()
{
    for (const QString &path : m_paths) {
        const QString name = QFileInfo(path).fileName();
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly)) {
            m_problem = u"%1 could not be read: %2."_s.arg(name, file.errorString());
            return;
        }
        const QByteArray bytes = file.read(sizeMax + 1);
        if (bytes.size() > sizeMax) {
            m_problem = u"%1 is larger than 1 MiB, which no definition file is."_s.arg(name);
            return;
        }
        m_files << DefinitionFile{name, QString::fromUtf8(bytes)};
    }
}

} // namespace holdfast::workflows
