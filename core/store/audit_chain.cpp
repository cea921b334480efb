#include "store/audit_chain.h"

#include "model/json.h"

namespace holdfast::store
{

QString auditHash(const ports::AuditRow &row)
{
    // Instants and counters go in as text: JSON numbers are doubles.
    const QJsonArray fields{row.previous,
                            row.chain,
                            QString::number(row.chainSeq),
                            QString::number(row.at),
                            row.actor,
                            row.action,
                            row.subject,
                            row.body};
    return model::sha256Hex(model::canonicalJson(QJsonValue(fields)));
}

} // namespace holdfast::store
