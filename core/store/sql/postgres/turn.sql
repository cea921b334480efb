-- What a turn claims and writes: one statement per kind, however many runs.

-- fragment: claim_commanded
-- Runs nobody holds for which a person or a late report left a command.
select {run_columns} from holdfast.run
where worker is null
  and run_id in (select run_id from holdfast.command where applied_at is null)
limit ?::integer for update skip locked

-- fragment: waiting_workflows
-- The workflows that have runs with a due instant: one step in the index for each, however many runs.
waiting (workflow) as (
    select min(workflow) from holdfast.run where worker is null and due is not null
    union all
    select (select min(run.workflow) from holdfast.run as run
            where run.worker is null and run.due is not null and run.workflow > waiting.workflow)
    from waiting where waiting.workflow is not null)

-- name: claim_runs
-- for: worker
-- returns: setof holdfast.run
-- Locks on the one table, each part by its own index; rows others hold are skipped, not waited for.
-- The columns come out of the locking parts themselves: those are the versions that were locked. What is due is shared
-- evenly between the workflows that have any, so that one with a long queue keeps no other waiting.
-- A worker whose runs are taken over cannot renew its lease until that is committed, and one that is renewing it at this
-- moment keeps its runs: a lease is not both over and running.
with recursive commanded as materialized ({claim_commanded}),
missing as materialized (
    select distinct worker as id from holdfast.run
    where worker is not null and worker not in (
        select id from holdfast.worker
        where lease_until >= (extract(epoch from clock_timestamp()) * 1000)::bigint)),
gone as materialized (
    select id from holdfast.worker
    where id = any (array(select id collate "default" from missing))
      and lease_until < (extract(epoch from clock_timestamp()) * 1000)::bigint
    for share skip locked),
orphaned as materialized (
    select {run_columns} from holdfast.run
    where worker = any (array(
        select id from gone union all
        select id from missing where not exists (select from holdfast.worker where worker.id = missing.id collate "default")))
    limit ?::integer for update skip locked),
{waiting_workflows},
ready as materialized (
    select workflow, at.now_ms, 1 + (at.most - 1) / count(*) over () as share
    from waiting, (select ?::bigint as now_ms, ?::integer as most) as at
    where exists (select from holdfast.run as run where run.worker is null and run.workflow = waiting.workflow
                  and run.due <= at.now_ms)),
due_runs as materialized (
    select picked.* from ready cross join lateral (
        select {run_columns} from holdfast.run
        where worker is null and workflow = ready.workflow and due <= ready.now_ms
        order by due limit ready.share for update skip locked) as picked)
select * from commanded union all select * from orphaned
union all (select * from due_runs order by due)

-- name: claim_only_commanded
-- for: worker
-- returns: setof holdfast.run
-- For applying a decision where no worker lives.
{claim_commanded}

-- name: journals_of_runs
-- The journals of all claimed runs at once.
select {journal_columns} from holdfast.journal where run_id = any (?::uuid[]) order by run_id, seq

-- name: write_runs
-- for: worker
-- returns: setof uuid
-- The fence and the version must be what the writer saw; a zombie changes nothing, and what does
-- not come back was fenced off.
update holdfast.run as kept
set status = v.status, seq = v.seq, fence = v.fence, worker = v.worker, due = v.due,
    started_at = v.started_at, finished_at = v.finished_at, updated_at = v.updated_at,
    step = v.step, reason = v.reason, retry_count = v.retry_count,
    compensation_count = v.compensation_count, duplicates_prevented = v.duplicates_prevented,
    outputs = v.outputs, open = v.open
from unnest(
    ?::uuid[], ?::bigint[], ?::text[], ?::integer[], ?::bigint[], ?::text[], ?::bigint[],
    ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::integer[], ?::integer[],
    ?::integer[], ?::text[], ?::text[])
    as v (run_id, fence_expected, status, seq, fence, worker, due, started_at, finished_at,
          updated_at, step, reason, retry_count, compensation_count, duplicates_prevented, outputs,
          open)
where kept.run_id = v.run_id and kept.fence = v.fence_expected and kept.seq = v.seq - 1
returning kept.run_id

-- name: lock_unchanged_runs
-- for: worker
-- returns: setof uuid
-- Whoever is taking one of them over is waited for; then it does not come back.
select kept.run_id from holdfast.run as kept
join unnest(?::uuid[], ?::bigint[], ?::integer[]) as v (run_id, fence, seq)
    on kept.run_id = v.run_id and kept.fence = v.fence and kept.seq = v.seq
for share of kept

-- name: release_runs
-- for: worker
-- Nothing changed but when to look again.
update holdfast.run as kept set due = v.due
from unnest(?::uuid[], ?::bigint[], ?::bigint[]) as v (run_id, fence, due)
where kept.run_id = v.run_id and kept.fence = v.fence and kept.worker is null
  and kept.due is distinct from v.due

-- name: insert_journals
-- for: worker
-- The unique (run_id, seq) is what a re-read after a commit of unknown outcome looks for.
insert into holdfast.journal (run_id, seq, at, worker, fence, entries)
select * from unnest(
    ?::uuid[], ?::integer[], ?::bigint[], ?::text[], ?::bigint[], ?::text[])
