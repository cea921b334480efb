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
