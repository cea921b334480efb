// What a process remembers of a database beyond the database itself: which one it was and how far
// it had come. A database that is behind its memory was restored from a backup, or its server
// failed over to a copy that lagged; what was sent since then is unknown to it, and it would send
// it again. Belongs to one thread.
#pragma once

#include "ports/store.h"

#include <QMap>

namespace holdfast::runtime
{

class Memory
{
public:
    // In a file that outlives the process; empty: in this process alone.
    explicit Memory(const QString &file);

    // Why this is not the database we knew, for a person; empty: it is, or we never met.
    QString contradiction(const ports::StoreMark &now) const;
    // From here on this is what we know. Best effort: what is not kept is not noticed.
    void keep(const ports::StoreMark &mark);

private:
    void load();
    void save() const;

    const QString m_file;
    QMap<QString, ports::StoreMark> m_marks; // by database
};

} // namespace holdfast::runtime
