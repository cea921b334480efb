-- Counters by minute, written in the same commit as the journal.

-- name: add_rollups
-- for: operator worker
-- Added to what is there. The caller has summed rows of the same key: one statement may not touch a
-- row twice. A minute of an hour that was added up already has that hour added up again. Who starts runs counts
-- those, and nothing else.
create or replace function holdfast.add_rollups(
    p_minutes bigint[], p_workflows text[], p_steps text[], p_dependencies text[], p_workers text[],
    p_counters text[], p_values bigint[])
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    added bigint;
begin
    if exists (select from unnest(p_counters) as counter where counter <> 'runs_started') then
        perform holdfast.need_role('worker', 'count what runs did');
    end if;
    update holdfast.setting set value = first.hour::text
    from (select min(minute) / 3600000 * 3600000 as hour from unnest(p_minutes) as minute) as first
    where name = 'rollup_hours_until' and setting.value::bigint > first.hour;
    insert into holdfast.rollup (minute, workflow, step, dependency, worker, counter, value)
    select * from unnest(p_minutes, p_workflows, p_steps, p_dependencies, p_workers, p_counters, p_values)
    on conflict (minute, workflow, step, dependency, worker, counter)
    do update set value = rollup.value + excluded.value;
    get diagnostics added = row_count;
    return added;
end
$$

-- name: rollups_between
-- Rows of one (minute, workflow, step, dependency, worker) come together.
select minute, workflow, step, dependency, worker, counter, value from holdfast.rollup
where minute >= ? and minute < ?
order by minute, workflow, step, dependency, worker

-- name: delete_rollups
-- for: admin
-- Rebuilding starts from nothing but what is sealed.
delete from holdfast.rollup where minute >= ?::bigint

-- name: rollup_series
-- Sums by bucket, counted from the first instant.
select ?::bigint + (minute - ?::bigint) / ?::bigint * ?::bigint, counter, sum(value)::bigint from holdfast.rollup
where minute >= ? and minute < ? group by 1, 2 order by 1

-- name: rollup_sums
-- Sums by operation.
select workflow, step, dependency, counter, sum(value)::bigint from holdfast.rollup
where minute >= ? and minute < ?
group by workflow, step, dependency, counter order by workflow, step, dependency

-- name: summed_until
-- The end of the last hour that was added up.
select value::bigint from holdfast.setting where name = 'rollup_hours_until'

-- name: lock_summed_until
-- for: worker
-- returns: setof bigint
-- The same, for whoever adds up next: one at a time.
select value::bigint from holdfast.setting where name = 'rollup_hours_until' for update

-- name: first_minute_from
-- Where to go on adding up; hours in which nothing happened are passed over.
select min(minute) from holdfast.rollup where minute >= ?

-- name: sum_hours
-- for: worker
-- Again, where an hour was added up before and got another minute since.
insert into holdfast.rollup_hour (hour, workflow, step, dependency, counter, value)
select minute / 3600000 * 3600000, workflow, step, dependency, counter, sum(value)::bigint
from holdfast.rollup where minute >= ?::bigint and minute < ?::bigint group by 1, 2, 3, 4, 5
on conflict (hour, workflow, step, dependency, counter) do update set value = excluded.value

-- name: sum_hour_totals
-- for: worker
-- From the hours, which are far fewer rows.
insert into holdfast.rollup_hour_total (hour, counter, value)
select hour, counter, sum(value)::bigint from holdfast.rollup_hour
where hour >= ?::bigint and hour < ?::bigint group by 1, 2
on conflict (hour, counter) do update set value = excluded.value

-- name: sum_days
-- for: worker
-- Days whose every hour was added up.
insert into holdfast.rollup_day (day, workflow, step, dependency, counter, value)
select hour / 86400000 * 86400000, workflow, step, dependency, counter, sum(value)::bigint
from holdfast.rollup_hour where hour >= ?::bigint and hour < ?::bigint group by 1, 2, 3, 4, 5
on conflict (day, workflow, step, dependency, counter) do update set value = excluded.value

-- name: hour_series
-- Sums by bucket of whole hours, counted from the first instant.
select ?::bigint + (hour - ?::bigint) / ?::bigint * ?::bigint, counter, sum(value)::bigint from holdfast.rollup_hour_total
where hour >= ? and hour < ? group by 1, 2 order by 1

-- name: hour_sums
-- Sums by operation, of whole hours.
select workflow, step, dependency, counter, sum(value)::bigint from holdfast.rollup_hour
where hour >= ? and hour < ?
group by workflow, step, dependency, counter order by workflow, step, dependency

-- name: day_sums
-- Sums by operation, of whole days.
select workflow, step, dependency, counter, sum(value)::bigint from holdfast.rollup_day
where day >= ? and day < ?
group by workflow, step, dependency, counter order by workflow, step, dependency

-- name: delete_days
-- for: admin
-- With the minutes they were added up from.
delete from holdfast.rollup_day where day >= ?::bigint

-- name: delete_hours
-- for: admin
-- With the minutes they were added up from.
delete from holdfast.rollup_hour where hour >= ?::bigint

-- name: delete_hour_totals
-- for: admin
-- With the minutes they were added up from.
delete from holdfast.rollup_hour_total where hour >= ?::bigint
