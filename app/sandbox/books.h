// The sandbox's own record of what reached it and what it did, kept apart from anything Holdfast
// believes: a request is written down before anything else happens to it, an effect when the work
// is done. Safe on any thread, so that a test can read while the sandbox serves.
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QPair>
#include <QString>
#include <QVector>
#include <mutex>

namespace holdfast::sandbox
{

struct RequestRecord {
    qint64 time = 0; // milliseconds since 1970
    QString method;
    QString path; // with its query
    QString key;
    int attempt = 0;
    QByteArray body;
    QVector<QPair<QString, QString>> headers;
};

struct EffectRecord {
    qint64 time = 0;
    QString service;
    QString action; // "invoices.create", "invoices.void"
    QString key;
    QString id;
};

// An effect that happened more than once for one key: what Holdfast exists to prevent.
struct Duplicate {
    QString service;
    QString action;
    QString key;
    int count = 0;
};

class Books
{
public:
    static constexpr qsizetype recordsMax = 200'000;
    static constexpr qsizetype bodyMax = 64 * 1024;

    void add(RequestRecord record);
    void add(EffectRecord record);
    void clear();

    QVector<RequestRecord> requests() const;
    // Those whose path begins so; without GETs, which change nothing.
    QVector<RequestRecord> writes(const QString &pathPrefix = {}) const;
    QVector<EffectRecord> effects() const;
    QVector<EffectRecord> effects(const QString &service) const;
    QVector<Duplicate> duplicates() const;
    bool hasEffect(const QString &key) const;
    int requestCount() const;
    int effectCount() const;
    quint64 changes() const; // grows with every record
    QJsonObject toJson() const;

private:
    QVector<Duplicate> duplicatesLocked() const;
    QJsonObject totalsLocked() const;

    mutable std::mutex m_mutex;
    QVector<RequestRecord> m_requests;
    QVector<EffectRecord> m_effects;
    quint64 m_changes = 0;
    qint64 m_left = 0; // records beyond the maximum, counted but not kept
};

} // namespace holdfast::sandbox
