-- Counters by minute, written in the same commit as the journal.

-- name: add_rollup
-- Added to what is there.
insert into rollup (minute, workflow, step, dependency, worker, counter, value)
values (?, ?, ?, ?, ?, ?, ?)
on conflict (minute, workflow, step, dependency, worker, counter)
do update set value = value + excluded.value

-- name: rollups_between
-- Rows of one (minute, workflow, step, dependency, worker) come together.
select minute, workflow, step, dependency, worker, counter, value from rollup
where minute >= ? and minute < ?
order by minute, workflow, step, dependency, worker

-- name: delete_rollups
-- Rebuilding starts from nothing.
delete from rollup

-- name: rollup_series
-- Sums by bucket, counted from the first instant.
select ? + (minute - ?) / ? * ?, counter, sum(value) from rollup
where minute >= ? and minute < ? group by 1, 2 order by 1

-- name: rollup_sums
-- Sums by operation.
select workflow, step, dependency, counter, sum(value) from rollup
where minute >= ? and minute < ?
group by workflow, step, dependency, counter order by workflow, step, dependency
