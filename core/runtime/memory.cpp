#include "runtime/memory.h"

#include "model/json.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace holdfast::runtime
{

using namespace Qt::StringLiterals;
using ports::StoreMark;

namespace
{
constexpr qint64 memoryMax = 1 << 20;

// Numbers as text: JSON has doubles only.
qint64 numberIn(const QJsonValue &mark, QLatin1String name)
{
    return mark[name].toString().toLongLong();
}
} // namespace

Memory::Memory(const QString &file) : m_file(file) { load(); }

// A file that cannot be read is as good as none: whoever lost it knows nothing, which is no reason
// to stop.
void Memory::load()
{
    QFile file(m_file);
    if (m_file.isEmpty() || !file.open(QIODevice::ReadOnly))
        return;
    const auto parsed = model::parseJson(file.read(memoryMax));
    const QJsonObject marks = parsed ? parsed->toObject() : QJsonObject();
    for (auto mark = marks.constBegin(); mark != marks.constEnd(); ++mark) {
        m_marks.insert(mark.key(), {mark.key(), (*mark)["incarnation"_L1].toString(),
                                    numberIn(*mark, "journal"_L1), numberIn(*mark, "audit"_L1)});
    }
}

QString Memory::contradiction(const StoreMark &now) const
{
    const auto seen = m_marks.constFind(now.database);
    if (now.database.isEmpty() || seen == m_marks.constEnd())
        return {};
    if (now.journal < seen->journal || now.audit < seen->audit) {
        return u"it ends at journal row %1 and audit row %2, but rows %3 and %4 were seen"_s
            .arg(now.journal)
            .arg(now.audit)
            .arg(seen->journal)
            .arg(seen->audit);
    }
    if (now.incarnation != seen->incarnation) {
        return u"its server is another (%1, formerly %2): a restore or a failover"_s.arg(
            now.incarnation, seen->incarnation);
    }
    return {};
}

void Memory::keep(const StoreMark &mark)
{
    if (mark.database.isEmpty() || m_marks.value(mark.database) == mark)
        return;
    load(); // what others of this user's processes know of other databases
    m_marks.insert(mark.database, mark);
    save();
}

void Memory::save() const
{
    if (m_file.isEmpty() || !QDir().mkpath(QFileInfo(m_file).path()))
        return;
    QJsonObject marks;
    for (const StoreMark &mark : m_marks) {
        marks.insert(mark.database, QJsonObject{{u"incarnation"_s, mark.incarnation},
                                                {u"journal"_s, QString::number(mark.journal)},
                                                {u"audit"_s, QString::number(mark.audit)}});
    }
    QSaveFile file(m_file);
    if (!file.open(QIODevice::WriteOnly))
        return;
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    file.write(model::compactJson(marks));
    file.commit();
}

} // namespace holdfast::runtime
