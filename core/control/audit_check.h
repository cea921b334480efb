// Walks the audit from its beginning: every row must follow the one before it in its chain. At the
// places where anchors were taken it compares with what they saw.
#pragma once

#include "control/context.h"

#include <QJsonArray>
#include <QMap>

namespace holdfast::control
{

// What an audit looked like once, kept outside of the database: a chain shows that a row was
// changed, only this shows that the last ones were removed, or all of it written anew.
struct AuditAnchor {
    QString database;
    QString at;
    qint64 seq = 0;
    qint64 rows = 0;
    qint64 chains = 0;
    QString digest; // of the ends of all chains

    QJsonObject toJson() const;
    static Result<AuditAnchor> fromJson(const QJsonValue &json);
};

class AuditCheck
{
public:
    explicit AuditCheck(Context &context) : m_context(context) {}

    // All rows, or those up to this one.
    Result<void> walk(qint64 until, const QVector<AuditAnchor> &anchors = {});
    AuditAnchor anchor() const; // of what was walked
    qint64 rows() const { return m_rows; }
    qint64 chains() const { return m_heads.size(); }
    const QJsonArray &problems() const { return m_problems; }

private:
    struct Head {
        qint64 seq = 0;
        QString hash;
    };
    void add(const ports::AuditRow &row);
    void compare(const AuditAnchor &anchor);
    void complain(const QString &problem);

    Context &m_context;
    QMap<QString, Head> m_heads;
    QJsonArray m_problems;
    qint64 m_rows = 0;
    qint64 m_last = 0;
};

} // namespace holdfast::control
