// What stands where, what is wrong with it, and what is safe to do.
#include "control/access.h"
#include "control/arguments.h"
#include "control/context.h"

#include <QJsonArray>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr model::Millis lateAfter = 30 * model::second;

struct Findings {
    QJsonArray list;

    void add(const QString &severity, const QString &what, const QString &safe)
    {
        list.append(QJsonObject{{u"severity"_s, severity}, {u"what"_s, what}, {u"safe"_s, safe}});
    }
};

QJsonObject countsJson(const QMap<QString, qint64> &counts)
{
    QJsonObject json;
    for (auto count = counts.constBegin(); count != counts.constEnd(); ++count)
        json.insert(count.key(), count.value());
    return json;
}

bool isAlive(const ports::WorkerRow &worker, model::Instant now)
{
    return worker.state != "gone"_L1 && worker.leaseUntil > now;
}

// A worker takes the reserve before anything else and gives it up for one reason only.
QString workerState(Context &context, const ports::WorkerRow &worker, model::Instant now)
{
    const bool isShort = isAlive(worker, now) && !context.store.hasReserve();
    return isShort ? u"disk_full"_s : worker.state;
}

Result<int> addWorkers(Context &context, model::Instant now, QJsonObject &answer,
                       Findings &findings)
{
    const auto rows = context.store.workers();
    if (!rows)
        return rows.error();
    int alive = 0;
    for (const ports::WorkerRow &row : *rows)
        alive += isAlive(row, now) ? 1 : 0;
    answer.insert(u"workers_alive"_s, alive);
    const bool isShort = alive > 0 && !context.store.hasReserve();
    answer.insert(u"disk_full"_s, isShort);
    if (isShort)
        findings.add(u"warning"_s,
                     u"the disk of %1 is full; what is under way is written down, nothing new is "
                     "sent"_s.arg(context.store.describe()),
                     u"free space on that disk; it goes on by itself, and nothing is lost"_s);
    return alive;
}

Result<void> addDue(Context &context, model::Instant now, int alive, QJsonObject &answer,
                    Findings &findings)
{
    const auto due = context.store.nextDue();
    if (!due)
        return due.error();
    answer.insert(u"oldest_due"_s, instantJson(*due));
    if (*due == model::never || *due + lateAfter > now)
        return {};
    if (alive == 0)
        findings.add(
            u"warning"_s,
            u"runs are due since %1 and no worker is running"_s.arg(model::instantText(*due)),
            u"start `holdfastctl worker` or open the console; nothing is lost meanwhile"_s);
    else
        findings.add(
            u"warning"_s,
            u"runs are due since %1 and the workers do not keep up"_s.arg(model::instantText(*due)),
            u"look at `workers` and at limits of dependencies; another worker is safe to "
            "add on PostgreSQL"_s);
    return {};
}

Result<void> addGates(Context &context, QJsonObject &answer, Findings &findings)
{
    const auto breakers = context.store.breakers();
    if (!breakers)
        return breakers.error();
    QJsonArray open;
    for (const ports::BreakerRow &row : *breakers) {
        if (row.state == "closed"_L1)
            continue;
        open.append(row.dependency);
        findings.add(u"warning"_s,
                     u"the breaker of %1 is %2 (%3)"_s.arg(row.dependency, row.state, row.reason),
                     u"it tries again by itself; look at the dependency first"_s);
    }
    answer.insert(u"breakers_open"_s, open);
    const auto pauses = context.store.pauses(true);
    if (!pauses)
        return pauses.error();
    answer.insert(u"pauses"_s, pauses->size());
    for (const ports::PauseRow &row : *pauses)
        findings.add(u"notice"_s,
                     u"%1 paused %2 since %3: %4"_s.arg(
                         row.actor, row.target.isEmpty() ? row.scope : row.target,
                         model::instantText(row.at), row.reason),
                     u"`holdfastctl pauses` shows what it holds; `resume` lifts it"_s);
    return {};
}

Result<void> addCounts(Context &context, int alive, QJsonObject &answer, Findings &findings)
{
    const auto counts = context.store.counts();
    if (!counts)
        return counts.error();
    qint64 reviewCount = 0;
    for (const qint64 count : counts->openReviewsByKind)
        reviewCount += count;
    answer.insert(u"runs"_s, countsJson(counts->runsByStatus));
    answer.insert(u"runs_counted_to"_s, ports::StoreCounts::countedMax);
    answer.insert(u"reviews"_s, reviewCount);
    answer.insert(u"pending_commands"_s, counts->pendingCommands);
    answer.insert(u"in_flight"_s, counts->inFlight);
    if (reviewCount > 0)
        findings.add(
            u"notice"_s, u"%1 items wait for a person"_s.arg(reviewCount),
            u"`holdfastctl reviews` lists them; nothing is sent again until somebody decides"_s);
    if (counts->pendingCommands > 0 && alive == 0)
        findings.add(u"warning"_s,
                     u"%1 decisions are recorded and not applied"_s.arg(counts->pendingCommands),
                     u"start a worker; recorded decisions are kept"_s);
    return {};
}
} // namespace

Result<QJsonValue> summary(Context &context)
{
    QJsonObject answer;
    Findings unused;
    if (const auto added = addCounts(context, 1, answer, unused); !added)
        return added.error();
    return QJsonValue(answer);
}

Result<QJsonValue> workers(Context &context)
{
    const auto rows = context.store.workers();
    if (!rows)
        return rows.error();
    const auto now = context.store.now();
    if (!now)
        return now.error();
    QJsonArray list;
    for (const ports::WorkerRow &row : *rows) {
        list.append(QJsonObject{{u"id"_s, row.id},
                                {u"host"_s, row.host},
                                {u"pid"_s, row.pid},
                                {u"program_version"_s, row.programVersion},
                                {u"started_at"_s, instantJson(row.startedAt)},
                                {u"lease_until"_s, instantJson(row.leaseUntil)},
                                {u"state"_s, workerState(context, row, *now)},
                                {u"alive"_s, isAlive(row, *now)}});
    }
    return QJsonValue(QJsonObject{{u"workers"_s, list}});
}

Result<QJsonValue> doctor(Context &context)
{
    QJsonObject answer{{u"database"_s, context.store.describe()}};
    Findings findings;
    const auto schema = context.store.schemaVersion();
    if (!schema)
        return schema.error();
    answer.insert(u"schema"_s, *schema);
    if (const ports::Rights rights = context.store.rights(); !rights.login.isEmpty()) {
        const QJsonObject who = rightsJson(rights);
        answer.insert(u"login"_s, rights.login);
        answer.insert(u"roles"_s, rights.isOwner ? QJsonArray{u"owner"_s} : who["roles"_L1]);
    }
    if (context.surroundings.facts) {
        const QJsonObject facts = context.surroundings.facts();
        for (auto fact = facts.constBegin(); fact != facts.constEnd(); ++fact)
            answer.insert(fact.key(), fact.value());
    }
    const auto now = context.store.now();
    if (!now)
        return now.error();
    answer.insert(u"now"_s, instantJson(*now));
    const auto alive = addWorkers(context, *now, answer, findings);
    if (!alive)
        return alive.error();
    if (const auto added = addDue(context, *now, *alive, answer, findings); !added)
        return added.error();
    if (const auto added = addGates(context, answer, findings); !added)
        return added.error();
    if (const auto added = addCounts(context, *alive, answer, findings); !added)
        return added.error();
    answer.insert(u"problems"_s, findings.list);
    return QJsonValue(answer);
}

} // namespace holdfast::control
