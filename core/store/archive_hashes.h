// What an archive says of its tables: how many rows each has and the SHA-256 of all of them, each
// row as canonical JSON on a line of its own, in the order in which runs and their rows are read.
#pragma once

#include "ports/archive.h"

#include <QCryptographicHash>
#include <map>
#include <memory>

namespace holdfast::store
{

class ArchiveHashes
{
public:
    ArchiveHashes();

    void add(const ports::WholeRun &run);
    void add(const ports::ArchiveDefinitions &definitions);
    qint64 runs() const { return m_tables.at(QStringLiteral("run")).rows; }
    QJsonObject counts() const;
    QJsonObject hashes() const;

private:
    struct Table {
        qint64 rows = 0;
        std::unique_ptr<QCryptographicHash> hash;
    };
    void addRow(const char *table, const QVariantList &values);

    std::map<QString, Table> m_tables;
};

} // namespace holdfast::store
