// The fake services themselves: payments dedups on the key, crm contacts are natural, inventory and
// notes can be asked by key, mail can do neither. They write every effect into the books. Safe on
// any thread.
#pragma once

#include "app/sandbox/books.h"
#include "app/sandbox/message.h"

#include <QHash>
#include <QJsonValue>
#include <QStringList>
#include <map>
#include <mutex>
#include <optional>

namespace holdfast::sandbox
{

class Services
{
public:
    static constexpr qint64 retentionDefault = 24LL * 3600 * 1000;
    static constexpr size_t objectsMax = 200'000;

    explicit Services(Books &books) : m_books(books) {}

    // A write in two halves, so that it can take its time. The first may have the answer already:
    // of an earlier request with this key, that one is under way, or that its body was another.
    std::optional<Reply> begin(const Incoming &incoming);
    Reply complete(const Incoming &incoming);
    // Remembers a failure for the key, as some payment services do.
    Reply failStored(const Incoming &incoming);
    // A read; effects younger than `lagMs` are not seen yet.
    Reply look(const Incoming &incoming, int lagMs) const;

    void setRetention(qint64 ms);
    void clear();

private:
    struct Object {
        QString id;
        QString key;
        QString status;
        QJsonValue body;
        qint64 time = 0;
    };
    struct Stored {
        QByteArray body;
        std::optional<Reply> reply; // absent: under way
        qint64 time = 0;
    };
    struct Place; // a path, taken apart
    Reply perform(const Place &place, const Incoming &incoming);
    Reply create(const Place &place, const Incoming &incoming, const QJsonValue &body);
    Reply actOn(const Place &place, const Incoming &incoming);
    Reply putContact(const Place &place, const Incoming &incoming, const QJsonValue &body);
    Reply removeContact(const Place &place, const Incoming &incoming);
    void book(const Place &place, const QString &action, const QString &key, const QString &id);
    static QJsonObject asJson(const Object &object);

    Books &m_books;
    mutable std::mutex m_mutex;
    qint64 m_retention = retentionDefault;
    std::map<QString, int> m_counters;
    // By "service/collection", then by id.
    std::map<QString, std::map<QString, Object>> m_objects;
    // By "service/collection" and key: the ids made for it.
    std::map<std::pair<QString, QString>, QStringList> m_byKey;
    std::map<std::pair<QString, QString>, Stored> m_stored;
    size_t m_objectCount = 0;
};

} // namespace holdfast::sandbox
