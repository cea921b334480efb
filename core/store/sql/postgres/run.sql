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
(?::bigint = 0 or created_at >= ?) and (?::bigint = 0 or created_at < ?)
  and (?::text = '' or workflow = ?) and (?::text = '' or step = ?) and (?::text = '' or reason = ?)
  and (?::text = '' or position('|' || workflow || '/' || step || '|' in ?::text) > 0)

-- name: insert_run
-- for: operator worker
-- A second start for the same event inserts nothing: the caller then reads the run that stands. A run begins at
-- its beginning.
create or replace function holdfast.insert_run(
    p_run_id uuid, p_workflow text, p_version integer, p_event_id text, p_generation integer, p_input_hash text,
    p_status text, p_seq integer, p_fence bigint, p_worker text, p_due bigint, p_created_at bigint,
    p_started_at bigint, p_finished_at bigint, p_updated_at bigint, p_step text, p_reason text,
    p_retry_count integer, p_compensation_count integer, p_duplicates_prevented integer, p_outputs text,
    p_open text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    added bigint;
begin
    if not holdfast.is_owner() and (p_status not in ('queued', 'held') or p_seq <> 1 or p_fence <> 0) then
        raise exception 'a run begins queued or held, at its first version' using errcode = '42501';
    end if;
    insert into holdfast.run ({run_columns})
    values (p_run_id, p_workflow, p_version, p_event_id, p_generation, p_input_hash, p_status, p_seq, p_fence,
            p_worker, p_due, p_created_at, p_started_at, p_finished_at, p_updated_at, p_step, p_reason,
            p_retry_count, p_compensation_count, p_duplicates_prevented, p_outputs, p_open)
    on conflict (event_id, workflow) do nothing;
    get diagnostics added = row_count;
    -- Asked after the insert, which waits for whoever is removing the run of this event.
    if added > 0 and exists (
        select from holdfast.archived_run where event_id = p_event_id and workflow = p_workflow) then
        delete from holdfast.run where run_id = p_run_id;
        return 0;
    end if;
    if added > 0 then
        perform holdfast.owe(array['start', 'rerun'], p_run_id::text, p_run_id::text, jsonb_build_object(
            'workflow', p_workflow, 'version', p_version, 'event_id', p_event_id, 'input_hash', p_input_hash));
    end if;
    return added;
end
$$

-- name: insert_journal
-- for: operator worker
-- The first row of a run that was started in this transaction, by whoever started it. The unique (run_id, seq) is
-- what a re-read after a commit of unknown outcome looks for.
create or replace function holdfast.insert_journal(
    p_run_id uuid, p_seq integer, p_at bigint, p_worker text, p_fence bigint, p_entries text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if not holdfast.is_owner() and (
        p_seq <> 1 or jsonb_array_length(p_entries::jsonb) <> 1
        or p_entries::jsonb -> 0 ->> 'actor' is distinct from session_user::text
        or not exists (select from holdfast.run
                       where run_id = p_run_id and xmin = pg_current_xact_id()::xid)) then
        raise exception 'the journal of a run begins with its start, in the name of %', session_user
            using errcode = '42501';
    end if;
    insert into holdfast.journal (run_id, seq, at, worker, fence, entries)
    values (p_run_id, p_seq, p_at, p_worker, p_fence, p_entries);
    return 1;
end
$$

-- name: run_by_id
-- One run.
select {run_columns} from holdfast.run where run_id = ?

-- name: run_by_event
-- The run a source event already has.
select {run_columns} from holdfast.run where workflow = ? and event_id = ?

-- name: runs_of_event
-- The runs one event id has, one for each workflow at most.
select {run_columns} from holdfast.run where event_id = ? order by run_id desc

-- name: runs_newest
-- A page of all runs; run ids are ordered by time, so the id is the cursor.
select {run_columns} from holdfast.run
where run_id < ? and run_id >= ?
  and {run_residue}
order by run_id desc limit ?

-- name: runs_of_status
-- A page of one status. Several statuses are merged by the caller, so each stays an index range. Pairs
-- are compared because only the index of both then gives the order: a planner that has not seen the
-- status would walk all runs instead.
select {run_columns} from holdfast.run
where (status, run_id) < (?, ?) and (status, run_id) >= (?, ?)
  and {run_residue}
order by status desc, run_id desc limit ?

-- name: runs_of_workflow
-- A page of one workflow.
select {run_columns} from holdfast.run
where (workflow, run_id) < (?, ?) and (workflow, run_id) >= (?, ?)
  and {run_residue}
order by workflow desc, run_id desc limit ?

-- name: runs_of_reason
-- A page of one reason; the empty reason is left out so that the partial index serves.
select {run_columns} from holdfast.run
where reason <> '' and (reason, run_id) < (?, ?) and (reason, run_id) >= (?, ?)
  and {run_residue}
order by reason desc, run_id desc limit ?

-- name: count_newest
-- The same, counted no further than asked.
select count(*) from (
    select 1 from holdfast.run
    where run_id < ? and run_id >= ?
      and {run_residue}
    limit ?) as few

-- name: count_of_status
-- The same, counted no further than asked.
select count(*) from (
    select 1 from holdfast.run
    where (status, run_id) < (?, ?) and (status, run_id) >= (?, ?)
      and {run_residue}
    order by status desc, run_id desc limit ?) as few

-- name: count_of_workflow
-- The same, counted no further than asked.
select count(*) from (
    select 1 from holdfast.run
    where (workflow, run_id) < (?, ?) and (workflow, run_id) >= (?, ?)
      and {run_residue}
    order by workflow desc, run_id desc limit ?) as few

-- name: count_of_reason
-- The same, counted no further than asked.
select count(*) from (
    select 1 from holdfast.run
    where reason <> '' and (reason, run_id) < (?, ?) and (reason, run_id) >= (?, ?)
      and {run_residue}
    order by reason desc, run_id desc limit ?) as few

-- name: bound_newest
-- How far a page may look: the id so many rows further on.
select run_id from holdfast.run where run_id < ? and run_id >= ?
order by run_id desc limit 1 offset ?

-- name: bound_of_status
-- How far a page may look: the id so many rows further on.
select run_id from holdfast.run where (status, run_id) < (?, ?) and (status, run_id) >= (?, ?)
order by status desc, run_id desc limit 1 offset ?

-- name: bound_of_workflow
-- How far a page may look: the id so many rows further on.
select run_id from holdfast.run where (workflow, run_id) < (?, ?) and (workflow, run_id) >= (?, ?)
order by workflow desc, run_id desc limit 1 offset ?

-- name: bound_of_reason
-- How far a page may look: the id so many rows further on.
select run_id from holdfast.run where reason <> '' and (reason, run_id) < (?, ?) and (reason, run_id) >= (?, ?)
order by reason desc, run_id desc limit 1 offset ?

-- name: run_reasons
-- From one reason to the next by the index, however many runs stand for each.
with recursive found (reason) as (
    select min(reason) from holdfast.run where reason <> ''
    union all
    select (select min(reason) from holdfast.run where reason <> '' and reason > found.reason)
    from found where found.reason is not null)
select reason from found where reason is not null limit ?

-- name: runs_page
-- All runs, oldest first, for rebuilding.
select {run_columns} from holdfast.run where run_id > ? order by run_id limit ?

-- name: open_runs
-- What is in flight.
select {run_columns} from holdfast.run where worker is not null order by run_id

-- name: journal_of_run
-- The whole truth about one run.
select {journal_columns} from holdfast.journal where run_id = ? order by seq

-- name: journal_after
-- What is new since an id; also counts what started since a pause.
select {journal_columns} from holdfast.journal where id > ? order by id limit ?

-- name: next_due
-- The earliest instant at which a run nobody holds is due.
with recursive {waiting_workflows}
select min((select min(due) from holdfast.run as run
            where run.worker is null and run.due is not null and run.workflow = waiting.workflow))
from waiting

-- name: next_lease
-- The earliest expiry among the leases that hold a run; a worker nobody knows has expired.
select min(coalesce((select lease_until from holdfast.worker where id = run.worker), 0))
from holdfast.run as run where worker is not null

-- name: commanded_free_run
-- Whether a pending command waits for a run that nobody holds.
select 1 from holdfast.command as command join holdfast.run as run on run.run_id = command.run_id
where command.applied_at is null and run.worker is null limit 1

-- name: unsettled_runs
-- What a worker that runs until idle still has to wait for. An approval or an event may be waited for
-- elsewhere, however soon its time-out.
select count(*) from holdfast.run
where status in ('queued', 'running', 'compensating')
   or (status = 'waiting' and (due is not null or worker is not null)
       and reason not in ('approval_needed', 'event', 'pause'))

-- name: count_runs_not_final
-- Each status from the index alone, and no further than asked.
select column1, (
    select count(*) from (select 1 from holdfast.run where status = listed.column1 limit ?) as few)
from (values ('queued'), ('running'), ('waiting'), ('review'), ('compensating'), ('held')) as listed

-- name: count_runs_final
-- The same for those that ended.
select column1, (
    select count(*) from (select 1 from holdfast.run where status = listed.column1 limit ?) as few)
from (values
    ('succeeded'), ('succeeded_partial'), ('failed'), ('compensated'), ('compensation_failed'),
    ('cancelled')) as listed

-- name: count_open_runs
-- Answered from the partial index of owned runs.
select count(*) from holdfast.run where worker is not null

-- name: replace_run
-- for: admin
-- Rebuilding: the projected columns as the journal gives them, whatever stood there.
update holdfast.run set
    workflow = ?::text, version = ?::integer, event_id = ?::text, generation = ?::integer,
    input_hash = ?::text, status = ?::text, seq = ?::integer, fence = ?::bigint, worker = ?::text,
    due = ?::bigint, created_at = ?::bigint, started_at = ?::bigint, finished_at = ?::bigint,
    updated_at = ?::bigint, step = ?::text, reason = ?::text, retry_count = ?::integer,
    compensation_count = ?::integer, duplicates_prevented = ?::integer, outputs = ?::text,
    open = ?::text
where run_id = ?::uuid
