// Goal: counters and failure rows are what the journal says, after any history, after rebuilding,
// and after rows were damaged and repaired; what people decided outlives all of it. Method: random
// histories through the real door and the real turn on every kind of database, and a recount from
// the journal that shares nothing with the stores.
#include "control/door_bench.h"
#include "engine/failure.h"
#include "engine/fold.h"
#include "runtime/rebuild.h"
#include "support/dice.h"

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
QString workflow()
{
    QString text = oneStepWorkflow();
    text.replace("retry: {attempts: 1, delay: 50ms, backoff: 2, max_delay: 500ms, jitter: full}"_L1,
                 "retry: {attempts: 2, delay: 1ms, backoff: 1, max_delay: 1ms, jitter: full}"_L1);
    text.replace("steps:\n"_L1,
                 "steps:\n  - step: sane\n    check: ${ input.id.indexOf('odd') < 0 }\n"_L1);
    return text;
}

model::CallResult drawn(Dice &dice)
{
    model::CallResult result = DoorBench::succeeds({});
    switch (dice.below(6)) {
    case 0: return DoorBench::timesOut({});
    case 1:
        result.status = 422;
        result.body = R"({"error":{"message":"order )" + QByteArray::number(dice.below(1000)) +
                      R"( is closed"}})";
        return result;
    case 2:
        result.status = 429;
        result.body = "slow down";
        return result;
    case 3: result.status = 503; return result;
    default: return result;
    }
}

// Per (minute, workflow, step, dependency, counter), whoever wrote it.
using Counters = QMap<QString, qint64>;
using Failures = QMap<QString, ports::FailureRow>;

struct Books {
    Counters counters;
    Failures failures;
    bool operator==(const Books &) const = default;
};
} // namespace

class Recount : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<DoorBench> m_bench;

    QStringList runs()
    {
        QStringList ids;
        const auto rows = m_bench->store->runsPage(QString(), 10'000);
        for (const ports::RunRow &row : *rows)
            ids.append(row.runId);
        return ids;
    }
    Books kept()
    {
        Books books;
        const auto rollups = m_bench->store->rollups(1, std::numeric_limits<qint64>::max());
        for (const ports::RollupRow &row : rollups.value()) {
            for (auto count = row.counts.cbegin(); count != row.counts.cend(); ++count)
                books.counters[u"%1 %2 %3"_s.arg(row.minute).arg(row.step, count.key())] += *count;
        }
        for (const QString &run : runs()) {
            const auto rows = m_bench->store->failuresOfRun(run);
            for (const ports::FailureRow &row : *rows)
                books.failures.insert(row.groupId + run, row);
        }
        return books;
    }
    // Row by row, by the words of the journal.
    Books told()
    {
        Books books;
        for (const QString &runId : runs()) {
            model::Run run;
            const auto journal = m_bench->store->journal(runId);
            for (const ports::JournalRow &row : *journal) {
                const model::Entries entries = model::entriesFromJson(row.entries);
                for (const model::Entry &entry : entries) {
                    const bool wasOver = model::isFinal(run.status);
                    engine::fold(run, entry);
                    count(run, entry, wasOver, books.counters);
                }
                for (const engine::Failure &failure : engine::failuresOf(run, entries, {})) {
                    auto &kept = books.failures[failure.group + runId];
                    if (kept.occurrences == 0)
                        kept = {failure.group, runId, run.version, failure.at, failure.at, 0};
                    ++kept.occurrences;
                    kept.lastAt = failure.at;
                }
            }
            for (ports::FailureRow &row : books.failures) {
                if (row.runId == runId && model::isFinal(run.status))
                    row.outcome = model::runStatusName(run.status);
            }
        }
        return books;
    }
    static void count(const model::Run &run, const model::Entry &entry, bool wasOver,
                      Counters &counters)
    {
        using model::EntryKind;
        const QString at = u"%1 %2 "_s.arg(entry.at - entry.at % model::minute).arg(entry.step);
        const bool undo = entry.direction == model::Direction::compensate;
        if (entry.kind == EntryKind::intent) {
            ++counters[at + u"attempts"_s];
            if (entry.attempt > 1 && entry.direction != model::Direction::verify)
                ++counters[at + u"retries"_s];
        } else if (entry.kind == EntryKind::attemptEnded &&
                   entry.failureClass != model::FailureClass::none) {
            ++counters[at + model::failureClassName(entry.failureClass)];
        } else if (entry.kind == EntryKind::confirmed) {
            ++counters[at + (undo ? u"compensated"_s : u"confirmed"_s)];
            if (entry.detail.contains("by"_L1))
                ++counters[at + u"duplicates_prevented"_s];
            if (entry.step != "sane"_L1) // a check has no effect
                ++counters[at + u"effects"_s];
        } else if (entry.kind == EntryKind::replayed) {
            ++counters[at + u"duplicates_prevented"_s];
            if (undo)
                ++counters[at + u"compensated"_s];
        } else if (entry.kind == EntryKind::stepFailed && undo) {
            ++counters[at + u"compensation_failed"_s];
        } else if (entry.kind == EntryKind::stepFailed) {
            const QStringList byPeople{u"not_started"_s, u"cancelled"_s, u"dismissed"_s};
            if (!entry.actor.isEmpty() || byPeople.contains(entry.reason))
                return;
            ++counters[at + u"failed"_s];
            ++counters[at + u"failed:"_s + entry.reason];
        } else if (entry.kind == EntryKind::reviewOpened) {
            if (!entry.detail.value("again"_L1).toBool())
                ++counters[at + u"reviews"_s];
        } else if (entry.kind == EntryKind::reviewClosed) {
            const QString decision = entry.detail.value("decision"_L1).toString();
            ++counters[at + u"reviews_closed"_s];
            if (!entry.actor.isEmpty() && decision != "dismiss"_L1)
                ++counters[at + u"reviews_needed"_s];
        } else if (entry.kind == EntryKind::reopened ||
                   entry.kind == EntryKind::compensationBegan) {
            if (wasOver)
                ++counters[at + u"runs_reopened"_s];
        } else if (entry.kind == EntryKind::accepted) {
            ++counters[at + u"runs_started"_s];
        } else if (entry.kind == EntryKind::finished) {
            ++counters[at + u"runs_"_s + model::runStatusName(*entry.runStatus)];
            counters[at + u"duration_ms"_s] += entry.at - run.createdAt;
            if (run.retryCount >= 5)
                ++counters[at + u"runs_stormy"_s];
        }
    }
    // Some of these are refused, as they would be to a person.
    void interfere(Dice &dice)
    {
        const QStringList all = runs();
        const QString run = all.at(dice.below(int(all.size())));
        const QString acts[] = {u"cancel"_s, u"retry"_s, u"compensate"_s};
        const QJsonObject why{{u"run"_s, run}, {u"reason"_s, u"dice"_s}};
        const auto done = m_bench->call(qPrintable(acts[dice.below(3)]), why);
        Q_UNUSED(done);
        const QJsonArray reviews = m_bench->reviews();
        if (reviews.isEmpty())
            return;
        const QString verdicts[] = {u"happened"_s, u"absent"_s, u"retry"_s, u"dismiss"_s};
        const auto resolved = m_bench->call(
            "resolve", {{u"review"_s, reviews.at(dice.below(int(reviews.size())))["id"_L1]},
                        {u"verdict"_s, verdicts[dice.below(4)]},
                        {u"receipt"_s, QJsonObject{{u"id"_s, u"by-hand"_s}}},
                        {u"reason"_s, u"dice"_s}});
        Q_UNUSED(resolved);
    }
    void play(quint64 seed)
    {
        Dice dice(seed);
        m_bench->deploy(workflow());
        for (int round = 0; round < 12; ++round) {
            for (int i = 0; i < 3; ++i)
                m_bench->start(u"%1-%2-%3"_s.arg(seed).arg(round).arg(i) +
                               (dice.oneIn(5) ? u"odd"_s : QString()));
            m_bench->run([&dice](const model::Call &) { return drawn(dice); });
            interfere(dice);
            m_bench->fixture.clock.advance(dice.between(1, model::hour));
        }
        m_bench->run([&dice](const model::Call &) { return drawn(dice); });
    }
    void compare()
    {
        const Books is = kept();
        const Books says = told();
        for (auto count = says.counters.cbegin(); count != says.counters.cend(); ++count) {
            if (is.counters.value(count.key()) != *count)
                qWarning("%s is %lld, not %lld", qPrintable(count.key()),
                         is.counters.value(count.key()), *count);
        }
        QCOMPARE(is.counters, says.counters);
        QCOMPARE(is.failures.keys(), says.failures.keys());
        QVERIFY(is == says);
    }
    runtime::RebuildReport rebuild(bool repair)
    {
        runtime::Catalog catalog;
        const auto report = runtime::rebuild(*m_bench->store, catalog, repair);
        if (!report)
            qFatal("%s", qPrintable(report.error().message));
        for (const QString &difference : report->differences.mid(0, repair ? 0 : 5))
            qWarning("%s", qPrintable(difference));
        return *report;
    }

private Q_SLOTS:
    void initTestCase_data()
    {
        QTest::addColumn<int>("kind");
        for (const StoreFixture::Kind kind : StoreFixture::available())
            QTest::newRow(qPrintable(StoreFixture::nameOf(kind))) << int(kind);
    }
    void init()
    {
        QFETCH_GLOBAL(int, kind);
        m_bench = std::make_unique<DoorBench>(StoreFixture::Kind(kind));
    }
    void cleanup() { m_bench.reset(); }

    void counters_and_failures_are_what_the_journal_says_data()
    {
        QTest::addColumn<quint64>("seed");
        for (const quint64 seed : {1ULL, 2ULL, 3ULL, 4ULL})
            QTest::addRow("seed %llu", seed) << quint64(seed);
    }
    void counters_and_failures_are_what_the_journal_says()
    {
        QFETCH(quint64, seed);
        play(seed);
        compare();
        QVERIFY2(kept().failures.size() > 5, "the dice made too few failures");
        QCOMPARE(rebuild(false).differenceCount, 0);
        QCOMPARE(rebuild(true).differenceCount, 0);
        compare();
    }

    void what_is_damaged_is_found_and_repaired()
    {
        play(7);
        const QVector<ports::FailureRow> rows = kept().failures.values();
        const QString group = rows.first().groupId;
        m_bench->ok("group_do",
                    {{u"group"_s, group}, {u"act"_s, u"assign"_s}, {u"owner"_s, u"ann"_s}});
        // One run has lost its rows, one has too many and another has a wrong one.
        ports::Store &store = *m_bench->store;
        QVERIFY(store.replaceFailures(rows.first().runId, {}).ok());
        const ports::FailureGroupRow made{
            u"ffffffffffffffff"_s, u"one"_s,     u"make"_s, u"forward"_s,
            u"transient"_s,        u"made_up"_s, u""_s};
        ports::FailureRow wrong = rows.last();
        wrong.groupId = made.id;
        wrong.occurrences = 99;
        QVERIFY(store.replaceFailures(rows.last().runId, {{made, wrong}}).ok());
        QVERIFY(store.replaceRollups({}).ok());
        QVERIFY(rebuild(true).repaired);
        compare();
        QCOMPARE(rebuild(false).differenceCount, 0);
        QCOMPARE(m_bench->ok("group", {{u"group"_s, group}})["owner"_L1].toString(), u"ann"_s);
    }
};

QTEST_GUILESS_MAIN(Recount)
#include "tst_recount.moc"
