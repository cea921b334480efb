-- Counters by minute, written in the same commit as the journal.

-- name: add_rollups
-- Added to what is there. The caller has summed rows of the same key: one statement may not touch a
-- row twice.
insert into holdfast.rollup (minute, workflow, step, dependency, worker, counter, value)
select * from unnest(
    ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[])
on conflict (minute, workflow, step, dependency, worker, counter)
do update set value = rollup.value + excluded.value

-- name: rollups_between
-- Rows of one (minute, workflow, step, dependency, worker) come together.
select minute, workflow, step, dependency, worker, counter, value from holdfast.rollup
where minute >= ? and minute < ?
order by minute, workflow, step, dependency, worker

-- name: delete_rollups
-- Rebuilding starts from nothing.
delete from holdfast.rollup

-- name: rollup_series
-- Sums by bucket, counted from the first instant.
select ?::bigint + (minute - ?::bigint) / ?::bigint * ?::bigint, counter, sum(value)::bigint from holdfast.rollup
where minute >= ? and minute < ? group by 1, 2 order by 1

-- name: rollup_sums
-- Sums by operation.
select workflow, step, dependency, counter, sum(value)::bigint from holdfast.rollup
where minute >= ? and minute < ?
group by workflow, step, dependency, counter order by workflow, step, dependency
