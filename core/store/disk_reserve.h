// Space kept beside a run database for the day the disk is full: given up, it lets what is already
// under way be written down. It comes back when twice as much is free.
#pragma once

#include <QString>

namespace holdfast::store
{

class DiskReserve
{
public:
    static constexpr qint64 bytes = 8 << 20;

    explicit DiskReserve(const QString &database) : m_path(database + QStringLiteral("-reserve")) {}

    bool take();
    void release();
    bool isThere() const;

private:
    const QString m_path;
};

} // namespace holdfast::store
