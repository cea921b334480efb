#include "runtime/whole_run.h"

#include "engine/fold.h"

#include <algorithm>

namespace holdfast::runtime
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int auditPage = 1000;
constexpr int wholeMax = 1'000'000; // rows of one kind that a run may have

model::Run folded(const QVector<ports::JournalRow> &journal)
{
    model::Run run;
    for (const ports::JournalRow &row : journal) {
        for (const model::Entry &entry : model::entriesFromJson(row.entries))
            engine::fold(run, entry);
        run.seq = row.seq;
    }
    return run;
}

// As bytes, which is how every database can be told to order.
template <typename Row, typename Key>
void sortBy(QVector<Row> &rows, Key key)
{
    std::sort(rows.begin(), rows.end(),
              [&](const Row &a, const Row &b) { return key(a) < key(b); });
}

Result<void> readKeys(ports::Store &store, ports::WholeRun &whole)
{
    const auto rows = ports::ledgerOfRun(store, folded(whole.journal));
    if (!rows)
        return rows.error();
    whole.ledger = *rows;
    const auto key = [](const ports::LedgerRow &row) {
        return std::pair(row.key.toUtf8(), row.operation.toUtf8());
    };
    sortBy(whole.ledger, key);
    const auto isSame = [&](const auto &a, const auto &b) { return key(a) == key(b); };
    whole.ledger.erase(std::unique(whole.ledger.begin(), whole.ledger.end(), isSame),
                       whole.ledger.end());
    return {};
}

Result<void> readAudit(ports::Store &store, ports::WholeRun &whole)
{
    ports::AuditFilter filter;
    filter.chain = whole.run.runId;
    filter.limit = auditPage;
    do {
        const auto page = store.auditOf(filter);
        if (!page)
            return page.error();
        whole.audit += page->rows;
        filter.before = page->before;
    } while (filter.before != 0);
    std::reverse(whole.audit.begin(), whole.audit.end());
    return {};
}

Result<void> readPeople(ports::Store &store, ports::WholeRun &whole)
{
    ports::ReviewFilter filter;
    filter.runId = whole.run.runId;
    filter.onlyOpen = false;
    filter.limit = wholeMax;
    const auto reviews = store.reviews(filter);
    if (!reviews)
        return reviews.error();
    const auto commands = store.commandsOf(whole.run.runId);
    if (!commands)
        return commands.error();
    whole.reviews = *reviews;
    whole.commands = *commands;
    sortBy(whole.reviews, [](const auto &row) { return std::pair(row.openedAt, row.id.toUtf8()); });
    sortBy(whole.commands, [](const auto &row) { return std::pair(row.at, row.id.toUtf8()); });
    return {};
}
} // namespace

Result<std::optional<ports::WholeRun>> wholeRun(ports::Store &store, const QString &runId)
{
    using Answer = std::optional<ports::WholeRun>;
    const auto row = store.run(runId);
    if (!row)
        return row.error();
    const auto journal = store.journal(runId);
    if (!journal)
        return journal.error();
    if (!*row || journal->isEmpty() || journal->last().seq != (*row)->seq)
        return Answer();
    ports::WholeRun whole;
    whole.run = **row;
    whole.journal = *journal;
    if (const auto done = readKeys(store, whole); !done)
        return done.error();
    const bool isProcessing =
        std::any_of(whole.ledger.cbegin(), whole.ledger.cend(),
                    [](const auto &key) { return key.status == "processing"_L1; });
    if (isProcessing)
        return Answer();
    if (const auto done = readPeople(store, whole); !done)
        return done.error();
    if (const auto done = readAudit(store, whole); !done)
        return done.error();
    return Answer(whole);
}

Result<void> Definitions::addDependency(ports::Store &store, const Named &named)
{
    if (m_dependencies.count(named))
        return {};
    const auto row = store.dependency(named.first, named.second);
    if (!row)
        return row.error();
    if (*row)
        m_dependencies[named] = **row;
    return {};
}

Result<void> Definitions::add(ports::Store &store, const ports::WholeRun &whole)
{
    const Named named{whole.run.workflow, whole.run.version};
    if (!m_workflows.count(named)) {
        const auto row = store.workflow(named.first, named.second);
        if (!row)
            return row.error();
        if (*row)
            m_workflows[named] = **row;
    }
    const model::Run run = folded(whole.journal);
    for (const ports::JournalRow &row : whole.journal) {
        for (const model::Entry &entry : model::entriesFromJson(row.entries)) {
            const model::Step *step = run.find(entry.step);
            if (entry.dependencyRevision == 0 || !step)
                continue;
            const bool isUndo = entry.direction == model::Direction::compensate;
            // An operation begins with the name of its dependency.
            const QString operation = (isUndo ? step->undo : step->forward).operation;
            if (const auto done =
                    addDependency(store, {operation.section(u' ', 0, 0), entry.dependencyRevision});
                !done)
                return done;
        }
    }
    return {};
}

Result<ports::ArchiveDefinitions> Definitions::rows(ports::Store &store)
{
    const auto newest = store.dependencies();
    if (!newest)
        return newest.error();
    for (const ports::DependencyRow &row : *newest)
        m_dependencies[{row.name, row.revision}] = row;
    ports::ArchiveDefinitions rows;
    for (const auto &[named, row] : m_workflows)
        rows.workflows.append(row);
    for (const auto &[named, row] : m_dependencies)
        rows.dependencies.append(row);
    return rows;
}

} // namespace holdfast::runtime
