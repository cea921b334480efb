// Goal: every store keeps failures by group and run alike, counts them alike, and keeps what people
// decided. Method: one suite for all of them.
#include "store/store_suite.h"

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::ports;
using namespace holdfast::tests;

namespace
{
const QString groupA = u"aaaaaaaaaaaaaaaa"_s;
const QString groupB = u"bbbbbbbbbbbbbbbb"_s;
const QString groupC = u"cccccccccccccccc"_s;

FailureSeen seen(const QString &group, const QString &runId, Instant at, qint64 occurrences = 1,
                 int version = 1)
{
    return {{group, u"billing"_s, u"pay"_s, u"forward"_s, u"transient"_s, u"overloaded"_s,
             u"slow 'ü' down"_s, u"bank"_s, at},
            {group, runId, version, at, at, occurrences}};
}

GroupDecision decision(const QString &group, const QString &act)
{
    GroupDecision made;
    made.group = group;
    made.act = act;
    made.by = u"ada"_s;
    made.at = 5000;
    return made;
}
} // namespace

class ConformanceFailures : public QObject, private StoreSuite
{
    Q_OBJECT

private:
    // As a turn writes them, for a run that is there.
    void write(const QString &runId, const QVector<FailureSeen> &failures,
               const QVector<RunOutcome> &outcomes = {}, qint64 fenceOff = 0)
    {
        OK(m_store->begin());
        const auto row = m_store->run(runId);
        TurnWrites writes;
        RunRow next = **row;
        ++next.seq;
        next.updatedAt = at();
        add(writes, next, (*row)->fence + fenceOff);
        writes.failures = failures;
        writes.outcomes = outcomes;
        const auto fenced = m_store->write(writes);
        OK(fenced);
        QCOMPARE(fenced->contains(runId), fenceOff != 0);
        OK(m_store->commit());
    }
    FailureGroupRow group(const QString &id)
    {
        const auto rows = m_store->failureGroups({id});
        for (const FailureGroupRow &row : rows.value()) {
            if (row.id == id)
                return row;
        }
        return {};
    }
    static qint64 runsIn(const QVector<FailureCount> &counts)
    {
        qint64 runs = 0;
        for (const FailureCount &count : counts)
            runs += count.runs;
        return runs;
    }

private Q_SLOTS:
    void initTestCase_data() { addKinds(); }
    void init() { freshStore(); }
    void cleanup() { dropStore(); }

    void a_run_has_one_row_in_a_group()
    {
        const QString run = start(u"e1"_s).run.runId;
        write(run, {seen(groupA, run, 1000), seen(groupB, run, 1000, 2)});
        write(run, {seen(groupA, run, 2000, 3)});
        const auto rows = m_store->failuresOfRun(run);
        OK(rows);
        QCOMPARE(rows->size(), 2);
        const FailureRow expected{groupA, run, 1, 1000, 2000, 4};
        QCOMPARE(rows->first(), expected);
        QCOMPARE(rows->last().occurrences, 2);
        QCOMPARE(group(groupA).message, u"slow 'ü' down"_s);
        QCOMPARE(group(groupA).dependency, u"bank"_s);
        QCOMPARE(group(groupA).firstAt, Instant(1000));
        // A run of another worker may have been earlier and come later.
        const QString other = start(u"e2"_s).run.runId;
        write(other, {seen(groupA, other, 500)});
        QCOMPARE(group(groupA).firstAt, Instant(500));
        const auto listed = m_store->failuresOfGroup(groupA, 10);
        OK(listed);
        QCOMPARE(listed->size(), 2);
        QCOMPARE(listed->first().runId, run);
        QCOMPARE(listed->first().eventId, u"e1"_s);
        QCOMPARE(m_store->failuresOfGroup(groupA, 1)->size(), 1);
        QVERIFY(m_store->failuresOfRun(u"no-run"_s)->isEmpty());
    }

    void the_outcome_comes_and_goes_with_the_run()
    {
        const QString run = start(u"e1"_s).run.runId;
        const QString other = start(u"e2"_s).run.runId;
        write(run, {seen(groupA, run, 1000), seen(groupB, run, 1000)});
        write(other, {seen(groupA, other, 1000)});
        QCOMPARE(m_store->failuresOfRun(run)->first().outcome, QString());
        write(run, {}, {{run, u"failed"_s}});
        const auto ended = m_store->failuresOfRun(run);
        for (const FailureRow &row : *ended)
            QCOMPARE(row.outcome, u"failed"_s);
        QCOMPARE(m_store->failuresOfRun(other)->first().outcome, QString());
        write(run, {}, {{run, QString()}});
        QCOMPARE(m_store->failuresOfRun(run)->first().outcome, QString());
        // Of a run that never failed there is nothing to say.
        write(other, {}, {{u"01900000-0000-7000-8000-0000000000ff"_s, u"failed"_s}});
    }

    void whoever_is_fenced_off_writes_no_failure()
    {
        const QString run = start(u"e1"_s).run.runId;
        write(run, {seen(groupA, run, 1000)});
        write(run, {seen(groupA, run, 2000), seen(groupB, run, 2000)}, {{run, u"failed"_s}}, 7);
        const auto rows = m_store->failuresOfRun(run);
        QCOMPARE(rows->size(), 1);
        const FailureRow expected{groupA, run, 1, 1000, 1000, 1};
        QCOMPARE(rows->first(), expected);
        QVERIFY(m_store->failureGroups({groupB})->isEmpty());
    }

    void what_is_rolled_back_was_never_there()
    {
        const QString run = start(u"e1"_s).run.runId;
        write(run, {seen(groupA, run, 1000)});
        OK(m_store->begin());
        TurnWrites writes;
        writes.failures = {seen(groupA, run, 2000), seen(groupB, run, 2000)};
        OK(m_store->write(writes));
        GroupDecision note = decision(groupA, u"note"_s);
        note.text = u"x"_s;
        OK(m_store->decideGroup(note));
        m_store->rollback();
        QCOMPARE(m_store->failuresOfRun(run)->size(), 1);
        QCOMPARE(m_store->failuresOfRun(run)->first().occurrences, 1);
        QCOMPARE(group(groupA).note, QString());
        QVERIFY(m_store->groupNotes(groupA)->isEmpty());
    }

    void a_window_is_counted_by_day_group_and_outcome()
    {
        const Instant day = 20'000 * model::day;
        for (int i = 0; i < 6; ++i) {
            const QString run = start(u"e%1"_s.arg(i)).run.runId;
            const Instant when = day + (i / 2) * model::day + 5;
            write(run, {seen(groupA, run, when, 2), seen(groupB, run, when + model::hour)});
            if (i == 0)
                write(run, {}, {{run, u"compensated"_s}});
        }
        const auto counts = m_store->failureCounts(day, day + 2 * model::day);
        OK(counts);
        qint64 runs = 0, occurrences = 0, compensated = 0;
        for (const FailureCount &count : *counts) {
            QVERIFY(count.day == day || count.day == day + model::day);
            runs += count.runs;
            occurrences += count.occurrences;
            compensated += count.outcome == "compensated"_L1 ? count.runs : 0;
        }
        QCOMPARE(runs, 8);
        QCOMPARE(occurrences, 12);
        QCOMPARE(compensated, 2);
        // Windows begin and end anywhere in a day.
        QCOMPARE(runsIn(*m_store->failureCounts(day + 6, day + 5 + model::day)), 2);
        QCOMPARE(runsIn(*m_store->failureCounts(day + 5, day + 6)), 2);
        QCOMPARE(runsIn(*m_store->failureCounts(day + 6, day + 7)), 0);
        QCOMPARE(*m_store->failingRuns(day, day + 2 * model::day), 4);
        const auto both = m_store->failureCountsOf({groupA, groupB}, day, day + 2 * model::day);
        QCOMPARE(runsIn(*both), 4);
        QCOMPARE(runsIn(*m_store->failureCountsOf({groupA}, day, day + 9 * model::day)), 6);
        QCOMPARE(runsIn(*m_store->failureCountsOf({groupC}, day, day + 9 * model::day)), 0);
    }

    void each_act_changes_one_thing()
    {
        const QString run = start(u"e1"_s).run.runId;
        write(run, {seen(groupA, run, 1000)});
        GroupDecision act = decision(groupA, u"resolve"_s);
        act.version = 4;
        QVERIFY(*m_store->decideGroup(act));
        act = decision(groupA, u"assign"_s);
        act.owner = u"team \"x\""_s;
        QVERIFY(*m_store->decideGroup(act));
        act = decision(groupA, u"tag"_s);
        act.tags = {u"config"_s, u"weird, \"tag\""_s};
        QVERIFY(*m_store->decideGroup(act));
        for (const QString &text : {u"first"_s, u"second"_s}) {
            act = decision(groupA, u"note"_s);
            act.text = text;
            QVERIFY(*m_store->decideGroup(act));
        }
        FailureGroupRow row = group(groupA);
        QCOMPARE(row.disposition, u"resolved"_s);
        QCOMPARE(row.resolvedVersion, 4);
        QCOMPARE(row.decidedBy, u"ada"_s);
        QCOMPARE(row.owner, u"team \"x\""_s);
        QCOMPARE(row.tags, (QStringList{u"config"_s, u"weird, \"tag\""_s}));
        QCOMPARE(row.note, u"second"_s);
        QCOMPARE(m_store->groupNotes(groupA)->size(), 2);
        QCOMPARE(m_store->groupNotes(groupA)->first().text, u"first"_s);
        QVERIFY(*m_store->decideGroup(decision(groupA, u"archive"_s)));
        QCOMPARE(group(groupA).disposition, u"archived"_s);
        QCOMPARE(group(groupA).resolvedVersion, 0);
        QVERIFY(*m_store->decideGroup(decision(groupA, u"reopen"_s)));
        QCOMPARE(group(groupA).disposition, QString());
        QVERIFY(!*m_store->decideGroup(decision(groupC, u"archive"_s)));
    }

    void groups_are_merged_without_chains()
    {
        const QString run = start(u"e1"_s).run.runId;
        write(run, {seen(groupA, run, 1000), seen(groupB, run, 1000), seen(groupC, run, 1000)});
        const auto merge = [&](const QString &from, const QString &into) {
            GroupDecision act = decision(from, u"merge"_s);
            act.into = into;
            return *m_store->decideGroup(act);
        };
        QVERIFY(!merge(groupA, groupA));
        QVERIFY(!merge(groupA, u"dddddddddddddddd"_s));
        QVERIFY(merge(groupA, groupB));
        QVERIFY(!merge(groupB, groupA));
        QVERIFY(!merge(groupC, groupA));
        QVERIFY(merge(groupB, groupC));
        QCOMPARE(group(groupA).mergedInto, groupC);
        QCOMPARE(m_store->failureGroups({groupC})->size(), 3);
        QVERIFY(*m_store->decideGroup(decision(groupA, u"unmerge"_s)));
        QVERIFY(!*m_store->decideGroup(decision(groupA, u"unmerge"_s)));
        QCOMPARE(group(groupA).mergedInto, QString());
        QCOMPARE(group(groupB).mergedInto, groupC);
    }

    void a_resolved_group_regresses_in_its_version_or_a_later_one()
    {
        const QString run = start(u"e1"_s).run.runId;
        const QString other = start(u"e2"_s).run.runId;
        write(run, {seen(groupA, run, 1000, 1, 3)});
        GroupDecision act = decision(groupA, u"resolve"_s);
        act.version = 3;
        QVERIFY(*m_store->decideGroup(act));
        QVERIFY(m_store->regressedGroups({groupA})->isEmpty());
        const QString old = start(u"e3"_s).run.runId;
        write(old, {seen(groupA, old, 9000, 1, 2)});
        QVERIFY(m_store->regressedGroups({groupA})->isEmpty());
        write(other, {seen(groupB, other, 9000, 1, 4)});
        QVERIFY(m_store->regressedGroups({groupA, groupB})->isEmpty());
        act = decision(groupB, u"merge"_s);
        act.into = groupA;
        QVERIFY(*m_store->decideGroup(act));
        QCOMPARE(*m_store->regressedGroups({groupA, groupB}), QStringList{groupA});
        QCOMPARE(*m_store->failureVersions(groupA), (QVector<int>{2, 3}));
    }

    void rebuilding_keeps_what_people_decided()
    {
        const QString run = start(u"e1"_s).run.runId;
        write(run, {seen(groupA, run, 1000), seen(groupB, run, 1000)});
        QVERIFY(*m_store->decideGroup(decision(groupA, u"archive"_s)));
        FailureSeen right = seen(groupA, run, 900, 7);
        right.group.message = u"as the journal says"_s;
        right.failure.outcome = u"failed"_s;
        OK(m_store->replaceFailures(run, {right}));
        QCOMPARE(*m_store->failuresOfRun(run), QVector<FailureRow>{right.failure});
        QCOMPARE(group(groupA).disposition, u"archived"_s);
        QCOMPARE(group(groupA).message, u"as the journal says"_s);
        QCOMPARE(group(groupA).firstAt, Instant(900));
        OK(m_store->replaceFailures(run, {}));
        QVERIFY(m_store->failuresOfRun(run)->isEmpty());
        QCOMPARE(group(groupA).disposition, u"archived"_s);
    }

    void runs_are_listed_by_group()
    {
        QStringList runs;
        for (int i = 0; i < 5; ++i) {
            const QString run = start(u"e%1"_s.arg(i)).run.runId;
            runs.prepend(run);
            write(run,
                  i % 2 ? QVector<FailureSeen>{seen(groupA, run, 1000)}
                        : QVector<FailureSeen>{seen(groupA, run, 1000), seen(groupB, run, 1000)});
        }
        RunFilter filter;
        filter.groups = {groupB};
        const auto idsOf = [](const Result<QVector<RunRow>> &rows) {
            QStringList ids;
            for (const RunRow &row : rows.value())
                ids.append(row.runId);
            return ids;
        };
        QCOMPARE(idsOf(m_store->runs(filter)), (QStringList{runs[0], runs[2], runs[4]}));
        QCOMPARE(m_store->countRuns(filter, 100)->count, 3);
        filter.groups = {groupA, groupB};
        QCOMPARE(idsOf(m_store->runs(filter)), runs);
        QCOMPARE(m_store->countRuns(filter, 100)->count, 5);
        filter.limit = 2;
        const auto page = m_store->runPage(filter);
        OK(page);
        QCOMPARE(page->rows.size(), 2);
        filter.cursor = page->cursor;
        QCOMPARE(m_store->runPage(filter)->rows.first().runId, runs[2]);
        filter = {};
        filter.groups = {groupB};
        filter.statuses = {u"failed"_s};
        QVERIFY(m_store->runs(filter)->isEmpty());
        filter.statuses = {u"queued"_s, u"failed"_s};
        QCOMPARE(m_store->runs(filter)->size(), 3);
        filter = {};
        filter.groups = {groupB};
        filter.eventId = u"e1"_s;
        QVERIFY(m_store->runs(filter)->isEmpty());
        filter.eventId = u"e2"_s;
        QCOMPARE(m_store->runs(filter)->size(), 1);
    }
};

QTEST_GUILESS_MAIN(ConformanceFailures)
#include "tst_conformance_failures.moc"
