// I23: every act that the door acknowledged has exactly one audit row, of acts that leave nothing
// to fold there are no more rows than people asked for, and the chains verify when they are
// computed again.
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
// Acts that leave nothing to fold. Sent twice, each acts once; of one that was never answered
// nobody knows whether there is a row.
void checkDirectActs(Evidence &evidence)
{
    static const QMap<QString, QString> written{{u"resume"_s, u"resume"_s},
                                                {u"ramp"_s, u"ramp"_s},
                                                {u"breaker"_s, u"breaker"_s},
                                                {u"batch_start"_s, u"batch"_s},
                                                {u"batch_do"_s, u"batch"_s}};
    using Who = std::pair<QString, QString>;
    std::map<Who, std::set<QString>> acknowledged;
    std::map<Who, std::set<QString>> possible;
    for (const Act &act : evidence.record.acts) {
        if (!written.contains(act.name))
            continue;
        const Who who{act.actor, written.value(act.name)};
        if (act.acknowledged)
            acknowledged[who].insert(act.id);
        if (!act.refused)
            possible[who].insert(act.id);
    }
    std::map<Who, int> rows;
    for (const ports::AuditRow &row : evidence.database.audit)
        ++rows[{row.actor, row.action}];
    for (const auto &[who, ids] : possible) {
        const int least = int(acknowledged[who].size());
        const int most = int(ids.size());
        const int there = rows[who];
        if (there < least || there > most)
            evidence.add("I23", u"%1 did %2 %3 to %4 times, and the audit has %5"_s
                                    .arg(who.first, who.second)
                                    .arg(least)
                                    .arg(most)
                                    .arg(there));
    }
}
} // namespace

void checkAudit(Evidence &evidence)
{
    checkChains(evidence);
    checkDirectActs(evidence);
    std::map<QString, int> rows; // by command, pause or run
    for (const ports::AuditRow &row : evidence.database.audit) {
        const QJsonObject body = QJsonDocument::fromJson(row.body.toUtf8()).object();
        const QString command = body.value("command"_L1).toString();
        ++rows[command.isEmpty() ? row.action + u' ' + row.subject : command];
    }
    for (const Act &act : evidence.record.acts) {
        if (!act.acknowledged)
            continue;
        const bool isCommand = evidence.database.commands.count(act.id) && !act.runId.isEmpty();
        if (isCommand && rows[act.id] != 1)
            evidence.add(
                "I23", u"%1 by %2 has %3 audit rows"_s.arg(act.name, act.actor).arg(rows[act.id]));
        if (act.name == "pause"_L1 && rows[u"pause "_s + act.id] != 1)
            evidence.add("I23", u"a pause by %1 is not in the audit"_s.arg(act.actor));
    }
    for (const Acknowledged &start : evidence.record.starts) {
        if (rows[u"start "_s + start.runId] != 1)
            evidence.add("I23", u"the start of %1 is not in the audit"_s.arg(start.eventId));
    }
}

} // namespace holdfast::simulation
