#include "store/disk_reserve.h"

#include <QFile>
#include <QFileInfo>
#include <QStorageInfo>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace holdfast::store
{

bool DiskReserve::isThere() const { return QFileInfo(m_path).size() == bytes; }

bool DiskReserve::take()
{
    if (isThere())
        return true;
    // One that was begun when the disk was nearly full only takes what is needed now.
    release();
    if (QStorageInfo(QFileInfo(m_path).absolutePath()).bytesAvailable() < 2 * bytes)
        return false;
    const int descriptor = ::open(QFile::encodeName(m_path).constData(),
                                  O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (descriptor < 0)
        return false;
    const bool taken = ::posix_fallocate(descriptor, 0, bytes) == 0;
    ::close(descriptor);
    if (!taken)
        release();
    return taken;
}

void DiskReserve::release() { QFile::remove(m_path); }

} // namespace holdfast::store
