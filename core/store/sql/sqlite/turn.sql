-- What a turn claims and writes. One writer holds the file, so there are no row locks here.

-- fragment: waiting_workflows
-- The workflows that have runs with a due instant: one step in the index for each, however many runs.
waiting (workflow) as (
    select min(workflow) from run where worker is null and due is not null
    union all
    select (select min(workflow) from run
            where worker is null and due is not null and workflow > waiting.workflow)
    from waiting where waiting.workflow is not null)

-- name: due_workflows
-- Those of them that have something due by now.
with recursive {waiting_workflows}
select workflow from waiting
where exists (select 1 from run where worker is null and workflow = waiting.workflow and due <= ?)

-- name: claim_due
-- Runs of a workflow which nobody holds and whose instant has come.
select {run_columns} from run where worker is null and workflow = ? and due <= ? order by due limit ?

-- name: claim_commanded
-- Runs nobody holds for which a person or a late report left a command.
select {run_columns} from run
where worker is null and run_id in (select run_id from command where applied_at is null)
limit ?

-- name: claim_orphaned
-- Runs whose worker's lease has run out, or whose worker is not known at all.
select {run_columns} from run
where worker is not null and worker not in (select id from worker where lease_until >= ?)
limit ?

-- name: journals_of_runs
-- The journals of all claimed runs at once; the ids come as one JSON array.
select {journal_columns} from journal where run_id in (select value from json_each(?))
order by run_id, seq

-- name: write_run
-- The fence and the version must be what the writer saw; a zombie changes nothing.
update run set
    status = ?, seq = ?, fence = ?, worker = ?, due = ?, started_at = ?, finished_at = ?,
    updated_at = ?, step = ?, reason = ?, retry_count = ?, compensation_count = ?,
    duplicates_prevented = ?, outputs = ?, open = ?
where run_id = ? and fence = ? and seq = ?

-- name: unchanged_run
select count(*) from run where run_id = ? and fence = ? and seq = ?

-- name: release_run
-- Nothing changed but when to look again. One that keeps its instant keeps its place in the index.
update run set due = ? where run_id = ? and fence = ? and worker is null and due is not ?

-- name: write_run_in_place
-- For a run that stays where it stands in every list.
update run set
    seq = ?, fence = ?, started_at = ?, updated_at = ?, step = ?, retry_count = ?,
    compensation_count = ?, duplicates_prevented = ?, outputs = ?, open = ?
where run_id = ? and fence = ? and seq = ?
