#include "app/sandbox/services.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QUrlQuery>
#include <algorithm>
#include <array>

namespace holdfast::sandbox
{

struct Collection {
    const char *service;
    const char *name;
    const char *idPrefix;
    const char *action; // what can be done to an object, besides making it
    const char *actedStatus;
    bool isNative;  // dedups on the key
    bool isNatural; // PUT and DELETE at the caller's id
    bool canBeAsked;
};

namespace
{

constexpr std::array collections{
    Collection{"payments", "invoices", "inv_", "void", "void", true, false, true},
    Collection{"payments", "charges", "ch_", "refund", "refunded", true, false, true},
    Collection{"inventory", "reservations", "res_", "release", "released", false, false, true},
    Collection{"inventory", "shipments", "shp_", "", "", false, false, true},
    Collection{"mail", "messages", "msg_", "", "", false, false, false},
    Collection{"crm", "notes", "note_", "", "", false, false, true},
    Collection{"crm", "contacts", "", "", "", false, true, true},
};

qint64 now() { return QDateTime::currentMSecsSinceEpoch(); }

Reply notHere() { return Reply::problem(404, QStringLiteral("There is nothing here.")); }

Reply replayed(Reply reply)
{
    reply.headers.append(qMakePair(QByteArray("Idempotent-Replayed"), QByteArray("true")));
    return reply;
}

} // namespace

struct Services::Place {
    const Collection *collection = nullptr;
    QString id;
    QString action;

    explicit Place(const QString &path)
    {
        const QStringList parts = path.split(u'/');
        if (parts.size() < 4 || parts.size() > 6 || parts.at(2) != u"v1")
            return;
        for (const Collection &candidate : collections) {
            if (parts.at(1) == QLatin1String(candidate.service) &&
                parts.at(3) == QLatin1String(candidate.name))
                collection = &candidate;
        }
        id = QUrl::fromPercentEncoding(parts.value(4).toUtf8());
        action = parts.value(5);
    }
    QString name() const
    {
        return QLatin1String(collection->service) + u'/' + QLatin1String(collection->name);
    }
};

std::optional<Reply> Services::begin(const Incoming &incoming)
{
    const std::lock_guard lock(m_mutex);
    const Place place(incoming.path);
    if (!place.collection || !place.collection->isNative || incoming.key.isEmpty())
        return {};
    const std::pair slot(incoming.path, incoming.key);
    const auto found = m_stored.find(slot);
    if (found == m_stored.end() ||
        (found->second.reply && found->second.time + m_retention <= now())) {
        m_stored[slot] = {incoming.body, {}, now()};
        return {};
    }
    if (found->second.body != incoming.body)
        return Reply::problem(422, QStringLiteral("This key was used with another body."));
    if (!found->second.reply)
        return Reply::problem(409, QStringLiteral("A request with this key is in use."));
    return replayed(*found->second.reply);
}

Reply Services::complete(const Incoming &incoming)
{
    const std::lock_guard lock(m_mutex);
    const Place place(incoming.path);
    if (!place.collection)
        return notHere();
    const Reply reply = perform(place, incoming);
    if (const auto stored = m_stored.find({incoming.path, incoming.key});
        stored != m_stored.end()) {
        stored->second.reply = reply;
        stored->second.time = now();
    }
    return reply;
}

Reply Services::failStored(const Incoming &incoming)
{
    const std::lock_guard lock(m_mutex);
    const Reply reply = Reply::problem(500, QStringLiteral("It failed, and the key remembers."));
    if (const auto stored = m_stored.find({incoming.path, incoming.key}); stored != m_stored.end())
        stored->second.reply = reply;
    return reply;
}

Reply Services::look(const Incoming &incoming, int lagMs) const
{
    const std::lock_guard lock(m_mutex);
    const Place place(incoming.path);
    if (!place.collection || !place.action.isEmpty())
        return notHere();
    if (!place.collection->canBeAsked)
        return Reply::problem(405, QStringLiteral("This service cannot be asked."));
    const auto inCollection = m_objects.find(place.name());
    const qint64 visibleUntil = now() - lagMs;
    const auto isVisible = [&](const Object &object) {
        return lagMs == 0 || object.time <= visibleUntil;
    };
    if (!place.id.isEmpty()) {
        if (inCollection == m_objects.end())
            return notHere();
        const auto object = inCollection->second.find(place.id);
        const bool isThere = object != inCollection->second.end() && isVisible(object->second);
        return isThere ? Reply::json(200, asJson(object->second)) : notHere();
    }
    const QUrlQuery query(incoming.target.section(u'?', 1));
    const QString key = query.queryItemValue(QStringLiteral("key"), QUrl::FullyDecoded);
    const QString wanted =
        key.isEmpty() ? query.queryItemValue(QStringLiteral("ref"), QUrl::FullyDecoded) : key;
    QJsonArray data;
    const auto ids = m_byKey.find({place.name(), wanted});
    if (!wanted.isEmpty() && ids != m_byKey.end()) {
        for (const QString &id : ids->second) {
            const auto object = inCollection->second.find(id);
            if (object != inCollection->second.end() && isVisible(object->second))
                data.append(asJson(object->second));
        }
    }
    return Reply::json(200, {{"data", data}});
}

void Services::setRetention(qint64 ms)
{
    const std::lock_guard lock(m_mutex);
    m_retention = ms;
}

void Services::clear()
{
    const std::lock_guard lock(m_mutex);
    m_counters.clear();
    m_objects.clear();
    m_byKey.clear();
    m_stored.clear();
    m_objectCount = 0;
}

Reply Services::perform(const Place &place, const Incoming &incoming)
{
    QJsonValue body;
    if (!incoming.body.isEmpty()) {
        const QJsonDocument document = QJsonDocument::fromJson(incoming.body);
        if (document.isNull())
            return Reply::problem(400, QStringLiteral("The body is not JSON."));
        body = document.isArray() ? QJsonValue(document.array()) : QJsonValue(document.object());
    }
    const bool isPost = incoming.method == u"POST";
    if (isPost && place.id.isEmpty() && !place.collection->isNatural)
        return create(place, incoming, body);
    if (isPost && !place.action.isEmpty())
        return actOn(place, incoming);
    if (place.collection->isNatural && !place.id.isEmpty() && place.action.isEmpty()) {
        if (incoming.method == u"PUT")
            return putContact(place, incoming, body);
        if (incoming.method == u"DELETE")
            return removeContact(place, incoming);
    }
    return Reply::problem(405, QStringLiteral("This cannot be done here."));
}

Reply Services::create(const Place &place, const Incoming &incoming, const QJsonValue &body)
{
    if (m_objectCount >= objectsMax)
        return Reply::problem(507, QStringLiteral("The sandbox is full: reset it."));
    ++m_objectCount;
    const QString prefix = QLatin1String(place.collection->idPrefix);
    Object object;
    object.id = prefix + QString::number(++m_counters[prefix]);
    object.key = incoming.key;
    object.status = QStringLiteral("created");
    object.body = body;
    object.time = now();
    m_objects[place.name()][object.id] = object;
    m_byKey[{place.name(), object.key}].append(object.id);
    book(place, QStringLiteral("create"), object.key, object.id);
    return Reply::json(201, asJson(object));
}

Reply Services::actOn(const Place &place, const Incoming &incoming)
{
    auto &objects = m_objects[place.name()];
    const auto object = objects.find(place.id);
    if (place.action != QLatin1String(place.collection->action) || object == objects.end())
        return notHere();
    object->second.status = QLatin1String(place.collection->actedStatus);
    book(place, place.action, incoming.key, place.id);
    QJsonObject answer = asJson(object->second);
    answer.insert(QLatin1String("key"), incoming.key);
    return Reply::json(200, answer);
}

// Putting the same again changes nothing and is no second effect: that is what natural means.
Reply Services::putContact(const Place &place, const Incoming &incoming, const QJsonValue &body)
{
    auto &objects = m_objects[place.name()];
    const auto found = objects.find(place.id);
    if (found != objects.end() && found->second.body == body)
        return Reply::json(200, asJson(found->second));
    if (found == objects.end() && m_objectCount++ >= objectsMax)
        return Reply::problem(507, QStringLiteral("The sandbox is full: reset it."));
    const bool isNew = found == objects.end();
    const Object object{place.id, incoming.key, QStringLiteral("stored"), body, now()};
    objects[place.id] = object;
    QStringList &ids = m_byKey[{place.name(), incoming.key}];
    if (!ids.contains(place.id))
        ids.append(place.id);
    book(place, QStringLiteral("put"), incoming.key, place.id);
    return Reply::json(isNew ? 201 : 200, asJson(object));
}

Reply Services::removeContact(const Place &place, const Incoming &incoming)
{
    auto &objects = m_objects[place.name()];
    const auto found = objects.find(place.id);
    if (found == objects.end())
        return notHere();
    Object object = found->second;
    object.status = QStringLiteral("removed");
    object.key = incoming.key;
    objects.erase(found);
    --m_objectCount;
    book(place, QStringLiteral("delete"), incoming.key, place.id);
    return Reply::json(200, asJson(object));
}

void Services::book(const Place &place, const QString &action, const QString &key,
                    const QString &id)
{
    m_books.add(EffectRecord{now(), QLatin1String(place.collection->service),
                             QLatin1String(place.collection->name) + u'.' + action, key, id});
}

QJsonObject Services::asJson(const Object &object)
{
    return {
        {"id", object.id}, {"key", object.key}, {"status", object.status}, {"echo", object.body}};
}

} // namespace holdfast::sandbox
