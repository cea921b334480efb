-- Failures that are alike: what runs have in each group, and what people decided about it.

-- fragment: group_columns
-- The order row_reader expects.
id, workflow, step, direction, class, reason, message, dependency, first_at, disposition, resolved_version,
decided_by, decided_at, owner, tags, note, coalesce(merged_into, '')

-- fragment: failures_first_seen
-- A window by the instants runs were first seen; the days lead through the index.
day >= ? and day <= ? and first_at >= ? and first_at < ?

-- fragment: asked_groups
-- The ids come as one JSON array.
asked (id) as (select value from json_each(?))

-- name: add_failure_group
-- It stays as it was first seen, and what people decided with it.
insert into failure_group (id, workflow, step, direction, class, reason, message, dependency, first_at)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (id) do update set first_at = excluded.first_at where excluded.first_at < first_at

-- name: add_failure
-- Added to what the run has in the group already.
insert into failure (group_id, run_id, version, first_at, last_at, occurrences, outcome, day)
values (?1, ?2, ?3, ?4, ?5, ?6, '', ?4 / 86400000)
on conflict (group_id, run_id)
do update set last_at = excluded.last_at, occurrences = occurrences + excluded.occurrences

-- name: set_outcome
-- What became of the run, in every group it stands in.
update failure set outcome = ?1 where run_id = ?2 and outcome <> ?1

-- name: put_failure_group
-- Rebuilding: what the journal says about a group; what people decided stays.
insert into failure_group (id, workflow, step, direction, class, reason, message, dependency, first_at)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (id) do update set
    workflow = excluded.workflow, step = excluded.step, direction = excluded.direction, class = excluded.class,
    reason = excluded.reason, message = excluded.message, first_at = min(first_at, excluded.first_at)

-- name: delete_failures_of_run
-- Rebuilding a run's failures starts from nothing.
delete from failure where run_id = ?

-- name: put_failure
-- Rebuilding: the row as the journal gives it.
insert into failure (group_id, run_id, version, first_at, last_at, occurrences, outcome, day)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?4 / 86400000)

-- name: set_group_disposition
-- Resolved in a version, archived until it escalates, or neither.
update failure_group set disposition = ?, resolved_version = ?, decided_by = ?, decided_at = ? where id = ?

-- name: set_group_owner
-- Who looks after it; empty: nobody.
update failure_group set owner = ? where id = ?

-- name: set_group_tags
-- All of them, as a JSON array.
update failure_group set tags = ? where id = ?

-- name: set_group_note
-- The latest one, for lists.
update failure_group set note = ? where id = ?

-- name: add_group_note
-- None is ever changed.
insert into failure_note (group_id, at, actor, text) values (?, ?, ?, ?)

-- name: merge_group
-- With what was merged into it before. Never into one that is merged itself, so that there is no chain to follow.
update failure_group set merged_into = ?1
where (id = ?2 or merged_into = ?2) and ?1 <> ?2
  and exists (select 1 from failure_group as root where root.id = ?1 and root.merged_into is null)

-- name: unmerge_group
-- It stands alone again.
update failure_group set merged_into = null where id = ? and merged_into is not null

-- name: failure_counts
-- By day, group and outcome, in the order of the index, which has all that is asked for.
select day * 86400000, group_id, outcome, count(*), sum(occurrences), max(last_at)
from failure where {failures_first_seen} group by day, group_id, outcome

-- name: failure_counts_of
-- The same for some groups as if they were one. The plus keeps the planner from reading all that they ever had.
select seen_day * 86400000, '', outcome, count(*), sum(occurrences), max(last_at)
from (
    select min(day) as seen_day, max(outcome) as outcome, sum(occurrences) as occurrences, max(last_at) as last_at
    from failure where +group_id in (select value from json_each(?)) and {failures_first_seen}
    group by run_id) as runs
group by seen_day, outcome

-- name: failing_runs
-- However many groups a run stands in, it is one.
select count(distinct run_id) from failure where {failures_first_seen}

-- name: failure_groups
-- These, and what is merged into them.
with {asked_groups}
select {group_columns} from failure_group
where id in (select id from asked) or merged_into in (select id from asked)

-- name: newest_failure_groups
-- The one first seen last comes first.
select {group_columns} from failure_group order by first_at desc limit ?

-- name: regressed_groups
-- Resolved, and seen since in that version or a later one.
with {asked_groups}
select root.id from failure_group as root
where root.id in (select id from asked) and root.disposition = 'resolved'
  and exists (
      select 1 from failure
      where failure.group_id in (
          select part.id from failure_group as part where part.id = root.id or part.merged_into = root.id)
        and failure.last_at > root.decided_at and failure.version >= root.resolved_version)

-- name: failures_of_group
-- The newest first.
select failure.group_id, failure.run_id, failure.version, failure.first_at, failure.last_at, failure.occurrences,
    failure.outcome, coalesce(run.event_id, '')
from failure left join run on run.run_id = failure.run_id
where failure.group_id = ? order by failure.last_at desc limit ?

-- name: failures_of_run
-- In every group it stands in.
select group_id, run_id, version, first_at, last_at, occurrences, outcome, '' from failure
where run_id = ? order by group_id

-- name: failure_versions
-- Of the workflow, in which the group was seen.
select distinct version from failure where group_id = ? order by version

-- name: group_notes
-- The oldest first.
select at, actor, text from failure_note where group_id = ? order by id

-- name: run_in_group
-- Whether a run has a failure of this group.
select count(*) from failure where group_id = ? and run_id = ?

-- name: runs_of_group
-- A page of one group, in the order of its index; statuses are compared row by row.
select {run_columns} from (
    select group_id as failed_group, run_id as failed_id from failure
    where (group_id, run_id) < (?, ?) and (group_id, run_id) >= (?, ?)) as failed
cross join run
where run.run_id = failed.failed_id and {run_residue}
  and (? = '' or instr(?, '|' || status || '|') > 0)
order by failed.failed_group desc, failed.failed_id desc limit ?

-- name: count_of_group
-- The same, counted no further than asked.
select count(*) from (
    select 1 from (
        select run_id as failed_id from failure
        where (group_id, run_id) < (?, ?) and (group_id, run_id) >= (?, ?)) as failed
    cross join run
    where run.run_id = failed.failed_id and {run_residue}
  and (? = '' or instr(?, '|' || status || '|') > 0)
    limit ?) as few

-- name: bound_of_group
-- How far a page may look: the id so many rows further on.
select run_id from failure where (group_id, run_id) < (?, ?) and (group_id, run_id) >= (?, ?)
order by group_id desc, run_id desc limit 1 offset ?
