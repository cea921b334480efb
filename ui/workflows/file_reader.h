// Reads definition files on a thread of its own: a file may lie on a slow disk or a lost network,
// and the window must not wait for it.
#pragma once

#include <QStringList>
#include <QThread>
#include <QVector>

namespace holdfast::workflows
{

struct DefinitionFile {
    QString name; // without its folder
    QString text;
};

class FileReader : public QThread
{
    Q_OBJECT
public:
    FileReader(const QStringList &paths, QObject *parent);
    ~FileReader() override;

    // After finished(): one sentence, empty when everything was read.
    const QString &problem() const { return m_problem; }
    const QVector<DefinitionFile> &files() const { return m_files; }

protected:
    void run() override;

private:
    const QStringList m_paths;
    QString m_problem;
    QVector<DefinitionFile> m_files;
};

} // namespace holdfast::workflows
