-- Runs and their journals.

-- fragment: run_columns
-- The order row_reader expects.
run_id, workflow, version, event_id, generation, input_hash, status, seq, fence, worker, due,
created_at, started_at, finished_at, updated_at, step, reason, retry_count, compensation_count,
duplicates_prevented, outputs, open

-- fragment: journal_columns
-- The order row_reader expects.
id, run_id, seq, at, worker, fence, entries

-- fragment: run_residue
-- What no index narrows. Where nothing is asked for no column is looked at, and a count stays in its
-- index.
(? = 0 or created_at >= ?) and (? = 0 or created_at < ?)
  and (? = '' or workflow = ?) and (? = '' or step = ?) and (? = '' or reason = ?)
  and (? = '' or instr(?, '|' || workflow || '/' || step || '|') > 0)

-- name: insert_run
-- A second start for the same event inserts nothing: the caller then reads the run that stands, or what stays of
-- it where it was archived.
insert into run ({run_columns})
select ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22
where not exists (select 1 from archived_run where event_id = ?4 and workflow = ?2)
on conflict (event_id, workflow) do nothing

-- name: insert_journal
-- The unique (run_id, seq) is what a re-read after a commit of unknown outcome looks for.
insert into journal (run_id, seq, at, worker, fence, entries) values (?, ?, ?, ?, ?, ?)

-- name: run_by_id
-- One run.
select {run_columns} from run where run_id = ?

-- name: run_by_event
-- The run a source event already has.
select {run_columns} from run where workflow = ? and event_id = ?

-- name: runs_of_event
-- The runs one event id has, one for each workflow at most.
select {run_columns} from run where event_id = ? order by run_id desc

-- name: runs_newest
-- A page of all runs; run ids are ordered by time, so the id is the cursor.
select {run_columns} from run
where run_id < ? and run_id >= ?
  and {run_residue}
order by run_id desc limit ?

-- name: runs_of_status
-- A page of one status. Several statuses are merged by the caller, so each stays an index range. Pairs
-- are compared because only the index of both then gives the order: a planner that has not seen the
-- status would walk all runs instead.
select {run_columns} from run
where (status, run_id) < (?, ?) and (status, run_id) >= (?, ?)
  and {run_residue}
order by status desc, run_id desc limit ?

-- name: runs_of_workflow
-- A page of one workflow.
select {run_columns} from run
where (workflow, run_id) < (?, ?) and (workflow, run_id) >= (?, ?)
  and {run_residue}
order by workflow desc, run_id desc limit ?

-- name: runs_of_reason
-- A page of one reason; the empty reason is left out so that the partial index serves.
select {run_columns} from run
where reason <> '' and (reason, run_id) < (?, ?) and (reason, run_id) >= (?, ?)
  and {run_residue}
order by reason desc, run_id desc limit ?

-- name: count_newest
-- The same, counted no further than asked.
select count(*) from (
    select 1 from run
    where run_id < ? and run_id >= ?
      and {run_residue}
    limit ?) as few

-- name: count_of_status
-- The same, counted no further than asked.
select count(*) from (
    select 1 from run
    where (status, run_id) < (?, ?) and (status, run_id) >= (?, ?)
      and {run_residue}
    order by status desc, run_id desc limit ?) as few

-- name: count_of_workflow
-- The same, counted no further than asked.
select count(*) from (
    select 1 from run
    where (workflow, run_id) < (?, ?) and (workflow, run_id) >= (?, ?)
      and {run_residue}
    order by workflow desc, run_id desc limit ?) as few

-- name: count_of_reason
-- The same, counted no further than asked.
select count(*) from (
    select 1 from run
    where reason <> '' and (reason, run_id) < (?, ?) and (reason, run_id) >= (?, ?)
      and {run_residue}
    order by reason desc, run_id desc limit ?) as few

-- name: bound_newest
-- How far a page may look: the id so many rows further on.
select run_id from run where run_id < ? and run_id >= ?
order by run_id desc limit 1 offset ?

-- name: bound_of_status
-- How far a page may look: the id so many rows further on.
select run_id from run where (status, run_id) < (?, ?) and (status, run_id) >= (?, ?)
order by status desc, run_id desc limit 1 offset ?

-- name: bound_of_workflow
-- How far a page may look: the id so many rows further on.
select run_id from run where (workflow, run_id) < (?, ?) and (workflow, run_id) >= (?, ?)
order by workflow desc, run_id desc limit 1 offset ?

-- name: bound_of_reason
-- How far a page may look: the id so many rows further on.
select run_id from run where reason <> '' and (reason, run_id) < (?, ?) and (reason, run_id) >= (?, ?)
order by reason desc, run_id desc limit 1 offset ?

-- name: run_reasons
-- From one reason to the next by the index, however many runs stand for each.
with recursive found (reason) as (
    select min(reason) from run where reason <> ''
    union all
    select (select min(reason) from run where reason <> '' and reason > found.reason)
    from found where found.reason is not null)
select reason from found where reason is not null limit ?

-- name: runs_page
-- All runs, oldest first, for rebuilding.
select {run_columns} from run where run_id > ? order by run_id limit ?

-- name: open_runs
-- What is in flight. The plus keeps the planner from walking all runs for the order, when the few
-- that are owned have an index of their own.
select {run_columns} from run where worker is not null order by +run_id

-- name: journal_of_run
-- The whole truth about one run.
select {journal_columns} from journal where run_id = ? order by seq

-- name: journal_after
-- What is new since an id; also counts what started since a pause.
select {journal_columns} from journal where id > ? order by id limit ?

-- name: next_due
-- The earliest instant at which a run nobody holds is due.
with recursive {waiting_workflows}
select min((select min(due) from run
            where worker is null and due is not null and workflow = waiting.workflow))
from waiting

-- name: next_lease
-- The earliest expiry among the leases that hold a run; a worker nobody knows has expired.
select min(coalesce((select lease_until from worker where worker.id = run.worker), 0))
from run where worker is not null

-- name: commanded_free_run
-- Whether a pending command waits for a run that nobody holds.
select 1 from command join run on run.run_id = command.run_id
where command.applied_at is null and run.worker is null limit 1

-- name: unsettled_runs
-- What a worker that runs until idle still has to wait for. An approval or an event may be waited for
-- elsewhere, however soon its time-out.
select count(*) from run
where status in ('queued', 'running', 'compensating')
   or (status = 'waiting' and (due is not null or worker is not null)
       and reason not in ('approval_needed', 'event', 'pause'))

-- name: count_runs_not_final
-- Each status from the index alone, and no further than asked.
select column1, (
    select count(*) from (select 1 from run where status = listed.column1 limit ?) as few)
from (values ('queued'), ('running'), ('waiting'), ('review'), ('compensating'), ('held')) as listed

-- name: count_runs_final
-- The same for those that ended.
select column1, (
    select count(*) from (select 1 from run where status = listed.column1 limit ?) as few)
from (values
    ('succeeded'), ('succeeded_partial'), ('failed'), ('compensated'), ('compensation_failed'),
    ('cancelled')) as listed

-- name: count_open_runs
-- Answered from the partial index of owned runs.
select count(*) from run where worker is not null

-- name: replace_run
-- Rebuilding: the projected columns as the journal gives them, whatever stood there.
update run set
    workflow = ?, version = ?, event_id = ?, generation = ?, input_hash = ?, status = ?, seq = ?,
    fence = ?, worker = ?, due = ?, created_at = ?, started_at = ?, finished_at = ?,
    updated_at = ?, step = ?, reason = ?, retry_count = ?, compensation_count = ?,
    duplicates_prevented = ?, outputs = ?, open = ?
where run_id = ?
