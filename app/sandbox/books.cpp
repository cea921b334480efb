#include "app/sandbox/books.h"

#include <QJsonArray>
#include <algorithm>
#include <map>
#include <tuple>

namespace holdfast::sandbox
{

namespace
{

QString serviceOf(const QString &path) { return path.section(u'/', 1, 1).section(u'?', 0, 0); }

QJsonObject asJson(const RequestRecord &record)
{
    QJsonObject headers;
    for (const auto &[name, value] : record.headers)
        headers.insert(name, value);
    return {{"time", record.time},       {"method", record.method},
            {"path", record.path},       {"key", record.key},
            {"attempt", record.attempt}, {"body", QString::fromUtf8(record.body)},
            {"headers", headers}};
}

QJsonObject asJson(const EffectRecord &record)
{
    return {{"time", record.time},
            {"service", record.service},
            {"action", record.action},
            {"key", record.key},
            {"id", record.id}};
}

} // namespace

void Books::add(RequestRecord record)
{
    const std::lock_guard lock(m_mutex);
    ++m_changes;
    record.body.truncate(bodyMax);
    if (m_requests.size() < recordsMax)
        m_requests.append(std::move(record));
    else
        ++m_left;
}

void Books::add(EffectRecord record)
{
    const std::lock_guard lock(m_mutex);
    ++m_changes;
    if (m_effects.size() < recordsMax)
        m_effects.append(std::move(record));
    else
        ++m_left;
}

void Books::clear()
{
    const std::lock_guard lock(m_mutex);
    ++m_changes;
    m_requests.clear();
    m_effects.clear();
    m_left = 0;
}

QVector<RequestRecord> Books::requests() const
{
    const std::lock_guard lock(m_mutex);
    return m_requests;
}

QVector<RequestRecord> Books::writes(const QString &pathPrefix) const
{
    const std::lock_guard lock(m_mutex);
    QVector<RequestRecord> found;
    std::copy_if(m_requests.begin(), m_requests.end(), std::back_inserter(found),
                 [&](const RequestRecord &r) {
                     return r.method != u"GET" && r.path.startsWith(pathPrefix);
                 });
    return found;
}

QVector<EffectRecord> Books::effects() const
{
    const std::lock_guard lock(m_mutex);
    return m_effects;
}

QVector<EffectRecord> Books::effects(const QString &service) const
{
    const std::lock_guard lock(m_mutex);
    QVector<EffectRecord> found;
    std::copy_if(m_effects.begin(), m_effects.end(), std::back_inserter(found),
                 [&](const EffectRecord &e) { return e.service == service; });
    return found;
}

QVector<Duplicate> Books::duplicates() const
{
    const std::lock_guard lock(m_mutex);
    return duplicatesLocked();
}

bool Books::hasEffect(const QString &key) const
{
    const std::lock_guard lock(m_mutex);
    return std::any_of(m_effects.cbegin(), m_effects.cend(),
                       [&key](const EffectRecord &effect) { return effect.key == key; });
}

int Books::requestCount() const
{
    const std::lock_guard lock(m_mutex);
    return static_cast<int>(m_requests.size());
}

int Books::effectCount() const
{
    const std::lock_guard lock(m_mutex);
    return static_cast<int>(m_effects.size());
}

quint64 Books::changes() const
{
    const std::lock_guard lock(m_mutex);
    return m_changes;
}

QJsonObject Books::toJson() const
{
    const std::lock_guard lock(m_mutex);
    QJsonArray requests;
    for (const RequestRecord &record : m_requests)
        requests.append(asJson(record));
    QJsonArray effects;
    for (const EffectRecord &record : m_effects)
        effects.append(asJson(record));
    QJsonArray duplicates;
    for (const Duplicate &d : duplicatesLocked()) {
        duplicates.append(QJsonObject{
            {"service", d.service}, {"action", d.action}, {"key", d.key}, {"count", d.count}});
    }
    return {{"requests", requests},
            {"effects", effects},
            {"duplicates", duplicates},
            {"totals", totalsLocked()},
            {"records_left_out", m_left}};
}

// An effect without a key cannot be told from another one, so it never counts as a duplicate.
QVector<Duplicate> Books::duplicatesLocked() const
{
    std::map<std::tuple<QString, QString, QString>, int> counts;
    for (const EffectRecord &e : m_effects) {
        if (!e.key.isEmpty())
            ++counts[{e.service, e.action, e.key}];
    }
    QVector<Duplicate> found;
    for (const auto &[what, count] : counts) {
        if (count > 1)
            found.append({std::get<0>(what), std::get<1>(what), std::get<2>(what), count});
    }
    return found;
}

QJsonObject Books::totalsLocked() const
{
    struct Total {
        int requests = 0;
        int effects = 0;
        int duplicates = 0;
    };
    std::map<QString, Total> totals;
    for (const RequestRecord &record : m_requests)
        ++totals[serviceOf(record.path)].requests;
    for (const EffectRecord &record : m_effects)
        ++totals[record.service].effects;
    for (const Duplicate &duplicate : duplicatesLocked())
        totals[duplicate.service].duplicates += duplicate.count - 1;
    QJsonObject result;
    for (const auto &[service, total] : totals) {
        result.insert(service, QJsonObject{{"requests", total.requests},
                                           {"effects", total.effects},
                                           {"duplicates", total.duplicates}});
    }
    return result;
}

} // namespace holdfast::sandbox
