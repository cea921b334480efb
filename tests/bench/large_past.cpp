#include "bench/large_past.h"

#include "app/console/demo_history.h"
#include "bench/bench_support.h"
#include "bench/bulk_table.h"
#include "bench/stencil.h"
#include "ports/clock.h"
#include "store/store_url.h"

#include <QHash>
#include <QSqlDatabase>
#include <QSqlField>
#include <QSqlRecord>
#include <algorithm>
#include <array>

namespace holdfast::bench
{

using namespace Qt::StringLiterals;
using model::Instant;
using model::Millis;

namespace
{
constexpr int playedDays = 14;
constexpr Millis openAge = model::day; // what is older and still open would have been settled
constexpr Millis dueLater = 365 * model::day;
constexpr int systemAudits = 3000;
constexpr quint64 seedsMax = 8;

// Where copies run: the same steps under three names.
const std::array<QString, 3> regions{QString(), u"-eu"_s, u"-us"_s};

// What a group is; what people decide about it is left out.
const QStringList groupColumns{u"id"_s,        u"workflow"_s,   u"step"_s,
                               u"direction"_s, u"class"_s,      u"reason"_s,
                               u"message"_s,   u"dependency"_s, u"first_at"_s};

struct TableShape {
    QString name;
    QString owner; // the column that names the run
    QStringList columns;
    QStringList types; // PostgreSQL's
};

struct PlayedRow {
    int table = 0;
    QVector<Stencil> cells;
};

struct PlayedRun {
    Copy original;
    Instant createdAt = model::never;
    bool isSettled = false; // it ended, and nobody is asked about it
    QVector<PlayedRow> rows;
};

struct PlayedCounter {
    Instant minute = model::never;
    QString workflow, step, dependency, worker, counter;
    qint64 value = 0;
};

// The two weeks as they stand in their file.
class Played
{
public:
    Played(const QString &path, Instant until);
    ~Played() { QSqlDatabase::removeDatabase(u"played"_s); }
    Q_DISABLE_COPY_MOVE(Played)

    QVector<TableShape> tables;
    QVector<PlayedRun> runs;
    QVector<PlayedCounter> counters;
    QVector<QVariantList> groups; // groupColumns
    Instant until = model::never;

private:
    void readShape(QSqlDatabase &database, const QString &table, const QString &owner);
    void readRuns(QSqlDatabase &database);
    void readCounters(QSqlDatabase &database);
    void readGroups(QSqlDatabase &database);
};

// Groups are kept apart by workflow, so the copies in a region have groups of their own.
QString groupIn(const QString &id, int region) { return QChar(u'a' + region) + id.mid(1); }

Played::Played(const QString &path, Instant now) : until(now)
{
    QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"played"_s);
    database.setDatabaseName(path);
    if (!database.open())
        die(u"the two weeks cannot be read"_s);
    readShape(database, u"run"_s, u"run_id"_s);
    readShape(database, u"journal"_s, u"run_id"_s);
    readShape(database, u"ledger"_s, u"run_id"_s);
    readShape(database, u"review"_s, u"run_id"_s);
    readShape(database, u"failure"_s, u"run_id"_s);
    readShape(database, u"audit"_s, u"chain"_s);
    readShape(database, u"audit_head"_s, u"chain"_s);
    readRuns(database);
    readCounters(database);
    readGroups(database);
}

void Played::readShape(QSqlDatabase &database, const QString &table, const QString &owner)
{
    TableShape shape{table, owner, {}, {}};
    const QSqlRecord record = database.record(table);
    for (int i = 0; i < record.count(); ++i) {
        const QString name = record.fieldName(i);
        // The database numbers these itself.
        if ((table == "journal"_L1 && name == "id"_L1) || (table == "audit"_L1 && name == "seq"_L1))
            continue;
        const bool isNumber = record.field(i).metaType().id() == QMetaType::LongLong ||
                              record.field(i).metaType().id() == QMetaType::Int;
        shape.columns << name;
        shape.types << (name == "run_id"_L1 ? u"uuid"_s : isNumber ? u"bigint"_s : u"text"_s);
    }
    tables << shape;
}

void Played::readRuns(QSqlDatabase &database)
{
    const Stencil::Span span{until - (playedDays + 2) * model::day, until + dueLater};
    QSqlQuery list(u"select run_id, event_id, workflow, created_at, finished_at is not null and "
                   "not exists (select 1 from review where review.run_id = run.run_id and "
                   "decided_at is null) from run where worker is null order by created_at"_s,
                   database);
    while (list.next()) {
        PlayedRun run;
        run.original = {list.value(0).toString(), list.value(1).toString(),
                        list.value(2).toString(), 0};
        run.createdAt = list.value(3).toLongLong();
        run.isSettled = list.value(4).toBool();
        for (int table = 0; table < tables.size(); ++table) {
            const TableShape &shape = tables.at(table);
            QSqlQuery rows(database);
            rows.prepare(u"select %1 from %2 where %3 = ?"_s.arg(shape.columns.join(u','),
                                                                 shape.name, shape.owner));
            rows.addBindValue(run.original.runId);
            if (!rows.exec())
                die(u"cannot read "_s + shape.name);
            while (rows.next()) {
                PlayedRow row{table, {}};
                for (int i = 0; i < shape.columns.size(); ++i)
                    row.cells.append(Stencil(rows.value(i), run.original, span));
                run.rows << row;
            }
        }
        runs << run;
    }
    if (runs.size() < 100)
        die(u"the two weeks hold too few runs"_s);
}

void Played::readCounters(QSqlDatabase &database)
{
    QSqlQuery rows(u"select minute, workflow, step, dependency, worker, counter, value "
                   "from rollup"_s,
                   database);
    while (rows.next())
        counters << PlayedCounter{rows.value(0).toLongLong(), rows.value(1).toString(),
                                  rows.value(2).toString(),   rows.value(3).toString(),
                                  rows.value(4).toString(),   rows.value(5).toString(),
                                  rows.value(6).toLongLong()};
}

void Played::readGroups(QSqlDatabase &database)
{
    QSqlQuery rows(u"select %1 from failure_group"_s.arg(groupColumns.join(u',')), database);
    while (rows.next()) {
        QVariantList row;
        for (int i = 0; i < groupColumns.size(); ++i)
            row << rows.value(i);
        groups << row;
    }
}

class LargePast
{
public:
    LargePast(const PastPlan &plan, const Played &played)
        : m_plan(plan), m_played(played),
          m_copies(int((plan.runs + played.runs.size() - 1) / played.runs.size()))
    {
    }
    void write();

private:
    struct Planned {
        Instant at = model::never;
        int run = 0;
        int copy = 0;
    };
    Millis shiftOf(int copy) const;
    QVector<Planned> planned() const;
    void writeRuns(const QSqlDatabase &database);
    void writeCounters(const QSqlDatabase &database);
    void writeGroups(const QSqlDatabase &database);
    QVariantList rowOf(const PlayedRow &played, const Copy &copy, int region) const;

    const PastPlan m_plan;
    const Played &m_played;
    const int m_copies;
};

// Whole minutes, because counters are kept by the minute.
Millis LargePast::shiftOf(int copy) const
{
    const Millis span = (m_plan.days - playedDays) * model::day;
    return span * copy / m_copies / model::minute * model::minute;
}

QVector<LargePast::Planned> LargePast::planned() const
{
    QVector<Planned> list;
    list.reserve(m_plan.runs);
    for (int copy = 0; list.size() < m_plan.runs; ++copy) {
        const Millis shift = shiftOf(copy);
        for (int run = 0; run < m_played.runs.size() && list.size() < m_plan.runs; ++run) {
            const PlayedRun &played = m_played.runs.at(run);
            if (played.isSettled || shift < openAge)
                list.append({played.createdAt - shift, run, copy});
        }
    }
    std::sort(list.begin(), list.end(), [](const Planned &a, const Planned &b) {
        return std::tie(a.at, a.run, a.copy) < std::tie(b.at, b.run, b.copy);
    });
    return list;
}

QVariantList LargePast::rowOf(const PlayedRow &played, const Copy &copy, int region) const
{
    const TableShape &shape = m_played.tables.at(played.table);
    QVariantList row;
    row.reserve(played.cells.size());
    for (const Stencil &cell : played.cells)
        row << cell.print(copy);
    if (shape.name == "run"_L1) {
        QVariant &due = row[shape.columns.indexOf("due"_L1)];
        if (!due.isNull())
            due = due.toLongLong() + dueLater;
    } else if (shape.name == "ledger"_L1) {
        // The janitor has been there.
        const QVariant &expires = row.at(shape.columns.indexOf("expires_at"_L1));
        if (!expires.isNull() && expires.toLongLong() < m_played.until)
            row[shape.columns.indexOf("status"_L1)] = u"expired"_s;
    } else if (shape.name == "failure"_L1) {
        QVariant &group = row[shape.columns.indexOf("group_id"_L1)];
        group = groupIn(group.toString(), region);
        row[shape.columns.indexOf("day"_L1)] =
            row.at(shape.columns.indexOf("first_at"_L1)).toLongLong() / model::day;
    }
    if (!m_plan.url.startsWith("sqlite:"_L1)) {
        for (QVariant &cell : row) {
            if (cell.typeId() == QMetaType::QByteArray)
                cell = QString::fromUtf8(cell.toByteArray());
        }
    }
    return row;
}

void LargePast::writeRuns(const QSqlDatabase &database)
{
    std::vector<std::unique_ptr<BulkTable>> tables;
    for (const TableShape &shape : m_played.tables)
        tables.push_back(
            std::make_unique<BulkTable>(database, shape.name, shape.columns, shape.types));
    qint64 number = 0;
    for (const Planned &next : planned()) {
        const PlayedRun &played = m_played.runs.at(next.run);
        const int region = next.copy % int(regions.size());
        ++number;
        const QString at = u"%1"_s.arg(next.at, 12, 16, QChar(u'0'));
        const Copy copy{u"%1-%2-7%3-8000-%4"_s.arg(at.left(8), at.right(4))
                            .arg(next.run % 4096, 3, 16, QChar(u'0'))
                            .arg(number, 12, 16, QChar(u'0')),
                        played.original.eventId.left(2) + u"%1"_s.arg(1'000'000 + number),
                        played.original.workflow + regions.at(std::size_t(region)),
                        shiftOf(next.copy)};
        for (const PlayedRow &row : played.rows)
            tables.at(row.table)->add(rowOf(row, copy, region));
    }
    for (const auto &table : tables)
        table->flush();
}

// First seen when the first copy was.
void LargePast::writeGroups(const QSqlDatabase &database)
{
    QStringList types(groupColumns.size() - 1, u"text"_s);
    types << u"bigint"_s;
    BulkTable table(database, u"failure_group"_s, groupColumns, types);
    for (const QVariantList &group : m_played.groups) {
        for (int region = 0; region < int(regions.size()); ++region) {
            QVariantList row = group;
            row[0] = groupIn(row.at(0).toString(), region);
            row[1] = row.at(1).toString() + regions.at(std::size_t(region));
            row.last() = row.last().toLongLong() - shiftOf(m_copies - 1);
            table.add(row);
        }
    }
    table.flush();
}

void LargePast::writeCounters(const QSqlDatabase &database)
{
    // A counter's name without its minute is a small number, so that all of them fit and sort fast.
    struct Sum {
        quint32 minute = 0;
        quint16 name = 0;
        qint64 value = 0;
    };
    QVector<QVariantList> names;
    QHash<QString, quint16> known;
    QVector<std::array<quint16, 3>> nameOf;
    for (const PlayedCounter &counter : m_played.counters) {
        std::array<quint16, 3> numbers{};
        for (std::size_t region = 0; region < regions.size(); ++region) {
            const QStringList name{counter.workflow + regions.at(region), counter.step,
                                   counter.dependency, counter.worker, counter.counter};
            const auto found = known.constFind(name.join(u'\n'));
            numbers[region] = found != known.constEnd() ? *found : quint16(names.size());
            if (found == known.constEnd()) {
                known.insert(name.join(u'\n'), numbers[region]);
                names << QVariantList(name.begin(), name.end());
            }
        }
        nameOf << numbers;
    }
    std::vector<Sum> sums;
    sums.reserve(std::size_t(m_copies) * std::size_t(m_played.counters.size()));
    for (int copy = 0; copy < m_copies; ++copy) {
        for (qsizetype i = 0; i < m_played.counters.size(); ++i) {
            const Instant at = m_played.counters.at(i).minute - shiftOf(copy);
            sums.push_back({quint32(at / model::minute), nameOf.at(i)[copy % regions.size()],
                            m_played.counters.at(i).value});
        }
    }
    const auto key = [](const Sum &sum) { return quint64(sum.minute) << 16 | sum.name; };
    std::sort(sums.begin(), sums.end(),
              [&key](const Sum &a, const Sum &b) { return key(a) < key(b); });
    BulkTable table(
        database, u"rollup"_s,
        {u"minute"_s, u"workflow"_s, u"step"_s, u"dependency"_s, u"worker"_s, u"counter"_s,
         u"value"_s},
        {u"bigint"_s, u"text"_s, u"text"_s, u"text"_s, u"text"_s, u"text"_s, u"bigint"_s});
    for (std::size_t i = 0; i < sums.size();) {
        qint64 value = 0;
        std::size_t end = i;
        for (; end < sums.size() && key(sums[end]) == key(sums[i]); ++end)
            value += sums[end].value;
        table.add(QVariantList{qint64(sums[i].minute) * model::minute} + names.at(sums[i].name) +
                  QVariantList{value});
        i = end;
    }
    table.flush();
}

void LargePast::write()
{
    {
        QSqlDatabase database = openForFilling(m_plan.url, u"filling"_s);
        const bool isFile = m_plan.url.startsWith("sqlite:"_L1);
        runSql(database, u"begin"_s);
        writeGroups(database);
        writeRuns(database);
        writeCounters(database);
        runSql(database, u"commit"_s);
        // As the server's own housekeeping would have done since.
        if (!isFile)
            runSql(database, u"vacuum analyze"_s);
        else
            runSql(database, u"pragma journal_mode=wal"_s);
        database.close();
    }
    QSqlDatabase::removeDatabase(u"filling"_s);
}

// What is there once: definitions under every name, pauses, breakers, and a system's audit.
void writeOnce(ports::Store &from, ports::Store &to)
{
    QStringList documents;
    for (const ports::DependencyRow &row : must(from.dependencies()))
        documents << row.source;
    for (const ports::WorkflowRow &row : must(from.workflows())) {
        for (const QString &region : regions)
            documents << QString(row.source)
                             .replace(u"workflow: "_s + row.name,
                                      u"workflow: "_s + row.name + region);
    }
    deploy(to, documents.join(u"\n---\n"_s).toUtf8());
    for (const ports::BreakerRow &row : must(from.breakers()))
        must(to.setBreaker(row));
    for (ports::PauseRow row : must(from.pauses(false))) {
        must(to.addPause(row));
        row.liftedBy = u"ada"_s;
        row.liftedReason = u"They report all clear."_s;
        must(to.liftPauses(row.scope, row.target, {}, row));
    }
    QVector<ports::AuditRow> audits = must(from.audit(0, 100'000));
    audits.removeIf([](const ports::AuditRow &row) { return row.chain != "system"_L1; });
    must(to.begin());
    for (int i = 0; i < systemAudits; ++i) {
        ports::AuditRow row = audits.at(i % audits.size());
        row.at -= (systemAudits - i) * model::minute;
        must(to.appendAudit(row));
    }
    must(to.commit());
}

// Not every seed leaves a run whose outcome a person has to find out; a few are tried.
console::HistoryPlan playTwoWeeks(const QString &folder)
{
    console::HistoryPlan history;
    history.until = ports::SystemClock().now();
    history.days = playedDays;
    for (history.seed = 1;; ++history.seed) {
        history.path = folder + u"/played-%1.db"_s.arg(history.seed);
        {
            sandbox::SandboxThread world;
            must(console::writeHistory(history, world, [](int) { return true; }));
        }
        const auto store =
            must(store::openStore(u"sqlite:"_s + history.path, store::Access::reader));
        must(store->open());
        if (history.seed == seedsMax || must(store->counts()).runsByStatus.value(u"review"_s) > 0)
            return history;
    }
}
} // namespace

void writeLargePast(const PastPlan &plan)
{
    const console::HistoryPlan history = playTwoWeeks(plan.scratch);
    const QString played = u"sqlite:"_s + history.path;
    auto to = must(store::openStore(plan.url));
    must(to->open());
    to.reset();
    LargePast(plan, Played(history.path, history.until)).write();
    auto from = must(store::openStore(played, store::Access::reader));
    must(from->open());
    to = must(store::openStore(plan.url));
    must(to->open());
    writeOnce(*from, *to);
    // A worker has done this hour by hour.
    while (must(to->sumHours(history.until, 24)) > 0)
        ;
}

} // namespace holdfast::bench
