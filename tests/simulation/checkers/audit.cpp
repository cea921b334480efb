// I23: every act that the door acknowledged has exactly one audit row, every row belongs to an act,
// and the chains verify when they are computed again.
#include "simulation/checkers/all.h"

#include <set>

#include "store/audit_chain.h"

#include <QJsonDocument>

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;

namespace
{
void checkChains(Evidence &evidence)
{
    std::map<QString, std::pair<qint64, QString>> heads;
    for (const ports::AuditRow &row : evidence.database.audit) {
        auto &[seq, hash] = heads[row.chain];
        if (row.chainSeq != seq + 1 || row.previous != hash || row.hash != store::auditHash(row))
            evidence.add("I23", u"the audit chain is broken at row %1"_s.arg(row.seq));
        seq = row.chainSeq;
        hash = row.hash;
    }
}
} // namespace

void checkAudit(Evidence &evidence)
{
    checkChains(evidence);
    std::map<QString, int> rows; // by command, pause or run
    for (const ports::AuditRow &row : evidence.database.audit) {
        const QJsonObject body = QJsonDocument::fromJson(row.body.toUtf8()).object();
        const QString command = body.value("command"_L1).toString();
        ++rows[command.isEmpty() ? row.action + u' ' + row.subject : command];
    }
    std::set<QString> runs;
    for (const Act &act : evidence.record.acts) {
        if (!act.acknowledged)
            continue;
        const bool isCommand = evidence.database.commands.count(act.id) && !act.runId.isEmpty();
        if (isCommand && rows[act.id] != 1)
            evidence.add(
                "I23", u"%1 by %2 has %3 audit rows"_s.arg(act.name, act.actor).arg(rows[act.id]));
        if (act.name == "pause"_L1 && rows[u"pause "_s + act.id] != 1)
            evidence.add("I23", u"a pause by %1 is not in the audit"_s.arg(act.actor));
        if (act.name == "batch_start"_L1 && rows[u"batch "_s + act.id] == 0)
            evidence.add("I23", u"a batch of %1 is not in the audit"_s.arg(act.actor));
    }
    for (const Acknowledged &start : evidence.record.starts) {
        if (rows[u"start "_s + start.runId] != 1)
            evidence.add("I23", u"the start of %1 is not in the audit"_s.arg(start.eventId));
    }
}

} // namespace holdfast::simulation
