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
asked (id) as (select jsonb_array_elements_text(?::jsonb))

-- name: add_failure_groups
-- for: worker
-- They stay as they were first seen, and what people decided with them. A group that stands is not locked, so that
-- workers who see the same trouble do not wait for each other.
create or replace function holdfast.add_failure_groups(
    p_ids text[], p_workflows text[], p_steps text[], p_directions text[], p_classes text[], p_reasons text[],
    p_messages text[], p_dependencies text[], p_first_at bigint[])
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    added bigint;
begin
    insert into holdfast.failure_group (
        id, workflow, step, direction, class, reason, message, dependency, first_at)
    select * from unnest(
        p_ids, p_workflows, p_steps, p_directions, p_classes, p_reasons, p_messages, p_dependencies, p_first_at)
    on conflict (id) do nothing;
    get diagnostics added = row_count;
    if added < array_length(p_ids, 1) then
        update holdfast.failure_group as kept set first_at = v.first_at
        from unnest(p_ids, p_first_at) as v (id, first_at) where kept.id = v.id and kept.first_at > v.first_at;
    end if;
    return added;
end
$$

-- name: add_failures
-- for: worker
-- Added to what the runs have in the groups already.
insert into holdfast.failure as kept (group_id, run_id, version, first_at, last_at, occurrences, outcome, day)
select v.*, '', v.first_at / 86400000
from unnest(?::text[], ?::uuid[], ?::integer[], ?::bigint[], ?::bigint[], ?::bigint[])
    as v (group_id, run_id, version, first_at, last_at, occurrences)
on conflict (group_id, run_id)
do update set last_at = excluded.last_at, occurrences = kept.occurrences + excluded.occurrences

-- name: set_outcomes
-- for: worker
-- What became of the runs, in every group they stand in.
update holdfast.failure as kept set outcome = v.outcome
from unnest(?::uuid[], ?::text[]) as v (run_id, outcome)
where kept.run_id = v.run_id and kept.outcome <> v.outcome

-- name: put_failure_group
-- for: admin
-- Rebuilding: what the journal says about a group; what people decided stays.
insert into holdfast.failure_group as kept (
    id, workflow, step, direction, class, reason, message, dependency, first_at)
values (?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::bigint)
on conflict (id) do update set
    workflow = excluded.workflow, step = excluded.step, direction = excluded.direction, class = excluded.class,
    reason = excluded.reason, message = excluded.message, first_at = least(kept.first_at, excluded.first_at)

-- name: delete_failures_of_run
-- for: admin
-- Rebuilding a run's failures starts from nothing.
delete from holdfast.failure where run_id = ?::uuid

-- name: put_failure
-- for: admin
-- Rebuilding: the row as the journal gives it.
insert into holdfast.failure (group_id, run_id, version, first_at, last_at, occurrences, outcome, day)
select v.*, v.first_at / 86400000
from (values (?::text, ?::uuid, ?::integer, ?::bigint, ?::bigint, ?::bigint, ?::text))
    as v (group_id, run_id, version, first_at, last_at, occurrences, outcome)

-- name: decide_group
-- for: operator
-- One act of a person on one group; nothing is changed where the group, or what it is to be merged into, does not
-- fit. Groups are locked in the order of their ids; none is merged into one that is merged itself.
create or replace function holdfast.decide_group(
    p_id text, p_act text, p_version integer, p_owner text, p_tags text, p_text text, p_into text, p_by text,
    p_at bigint)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    changed bigint;
    moment constant bigint := holdfast.moment(p_at);
    facts constant jsonb := jsonb_build_object('act', p_act) || case p_act
        when 'resolve' then jsonb_build_object('version', p_version)
        when 'assign' then jsonb_build_object('owner', p_owner)
        when 'tag' then jsonb_build_object('tags', p_tags::jsonb)
        when 'note' then jsonb_build_object('text', p_text)
        when 'merge' then jsonb_build_object('into', p_into)
        else '{}' end;
begin
    perform holdfast.acting(p_by);
    perform holdfast.need_role('operator', p_act || ' a failure group');
    perform from holdfast.failure_group where id in (p_id, p_into) order by id for update;
    if p_act in ('resolve', 'archive', 'reopen') then
        update holdfast.failure_group set decided_by = p_by, decided_at = moment,
            disposition = case p_act when 'resolve' then 'resolved' when 'archive' then 'archived' else '' end,
            resolved_version = case when p_act = 'resolve' then p_version else 0 end
        where id = p_id;
    elsif p_act = 'assign' then
        update holdfast.failure_group set owner = p_owner where id = p_id;
    elsif p_act = 'tag' then
        update holdfast.failure_group set tags = p_tags where id = p_id;
    elsif p_act = 'note' then
        update holdfast.failure_group set note = p_text where id = p_id;
    elsif p_act = 'merge' then
        update holdfast.failure_group set merged_into = p_into
        where (id = p_id or merged_into = p_id) and p_into <> p_id and exists (
            select from holdfast.failure_group as root where root.id = p_into and root.merged_into is null);
    elsif p_act = 'unmerge' then
        update holdfast.failure_group set merged_into = null where id = p_id and merged_into is not null;
    else
        raise exception 'a failure group cannot be told to %', p_act using errcode = '42501';
    end if;
    get diagnostics changed = row_count;
    if changed > 0 then
        if p_act = 'note' then
            insert into holdfast.failure_note (group_id, at, actor, text) values (p_id, moment, p_by, p_text);
        end if;
        perform holdfast.owe(array['group'], 'system', p_id, facts);
    end if;
    return changed;
end
$$

-- name: failure_counts
-- By day, group and outcome, in the order of the index, which has all that is asked for.
select day * 86400000, group_id, outcome, count(*), sum(occurrences)::bigint, max(last_at)
from holdfast.failure where {failures_first_seen} group by day, group_id, outcome

-- name: failure_counts_of
-- The same for some groups as if they were one.
select seen_day * 86400000, '', outcome, count(*), sum(occurrences)::bigint, max(last_at)
from (
    select min(day) as seen_day, max(outcome) as outcome, sum(occurrences) as occurrences, max(last_at) as last_at
    from holdfast.failure where group_id in (select jsonb_array_elements_text(?::jsonb)) and {failures_first_seen}
    group by run_id) as runs
group by seen_day, outcome

-- name: failing_runs
-- However many groups a run stands in, it is one.
select count(distinct run_id) from holdfast.failure where {failures_first_seen}

-- name: failure_groups
-- These, and what is merged into them.
with {asked_groups}
select {group_columns} from holdfast.failure_group
where id in (select id from asked) or merged_into in (select id from asked)

-- name: newest_failure_groups
-- The one first seen last comes first.
select {group_columns} from holdfast.failure_group order by first_at desc limit ?

-- name: regressed_groups
-- Resolved, and seen since in that version or a later one.
with {asked_groups}
select root.id from holdfast.failure_group as root
where root.id in (select id from asked) and root.disposition = 'resolved'
  and exists (
      select 1 from holdfast.failure as failure
      where failure.group_id in (
          select part.id from holdfast.failure_group as part where part.id = root.id or part.merged_into = root.id)
        and failure.last_at > root.decided_at and failure.version >= root.resolved_version)

-- name: failures_of_group
-- The newest first.
select failure.group_id, failure.run_id, failure.version, failure.first_at, failure.last_at, failure.occurrences,
    failure.outcome, coalesce(run.event_id, '')
from holdfast.failure as failure left join holdfast.run as run on run.run_id = failure.run_id
where failure.group_id = ? order by failure.last_at desc limit ?

-- name: failures_of_run
-- In every group it stands in.
select group_id, run_id, version, first_at, last_at, occurrences, outcome, '' from holdfast.failure
where run_id = ? order by group_id

-- name: failure_versions
-- Of the workflow, in which the group was seen.
select distinct version from holdfast.failure where group_id = ? order by version

-- name: group_notes
-- The oldest first.
select at, actor, text from holdfast.failure_note where group_id = ? order by id

-- name: run_in_group
-- Whether a run has a failure of this group.
select count(*) from holdfast.failure where group_id = ? and run_id = ?

-- fragment: run_of_failure
-- Looked up for each failure. The offset keeps the planner from walking all runs beside those of the group.
cross join lateral (select {run_columns} from holdfast.run where run_id = failed.failed_id offset 0) as run

-- name: runs_of_group
-- A page of one group, in the order of its index; statuses are compared row by row.
select {run_columns} from (
    select group_id as failed_group, run_id as failed_id from holdfast.failure
    where (group_id, run_id) < (?, ?) and (group_id, run_id) >= (?, ?)) as failed
{run_of_failure}
where {run_residue} and (?::text = '' or strpos(?::text, '|' || status || '|') > 0)
order by failed.failed_group desc, failed.failed_id desc limit ?

-- name: count_of_group
-- The same, counted no further than asked.
select count(*) from (
    select 1 from (
        select run_id as failed_id from holdfast.failure
        where (group_id, run_id) < (?, ?) and (group_id, run_id) >= (?, ?)) as failed
    {run_of_failure}
    where {run_residue} and (?::text = '' or strpos(?::text, '|' || status || '|') > 0)
    limit ?) as few

-- name: bound_of_group
-- How far a page may look: the id so many rows further on.
select run_id from holdfast.failure where (group_id, run_id) < (?, ?) and (group_id, run_id) >= (?, ?)
order by group_id desc, run_id desc limit 1 offset ?
