-- Counters by minute, written in the same commit as the journal.

-- name: add_rollup
-- Added to what is there.
insert into rollup (minute, workflow, step, dependency, worker, counter, value)
values (?, ?, ?, ?, ?, ?, ?)
on conflict (minute, workflow, step, dependency, worker, counter)
do update set value = value + excluded.value

-- name: lower_summed_until
-- A minute of an hour that was added up already: that hour is added up again.
update setting set value = ? where name = 'rollup_hours_until' and cast(value as integer) > ?

-- name: rollups_between
-- Rows of one (minute, workflow, step, dependency, worker) come together.
select minute, workflow, step, dependency, worker, counter, value from rollup
where minute >= ? and minute < ?
order by minute, workflow, step, dependency, worker

-- name: delete_rollups
-- Rebuilding starts from nothing but what is sealed.
delete from rollup where minute >= ?

-- name: rollup_series
-- Sums by bucket, counted from the first instant.
select ? + (minute - ?) / ? * ?, counter, sum(value) from rollup
where minute >= ? and minute < ? group by 1, 2 order by 1

-- name: rollup_sums
-- Sums by operation.
select workflow, step, dependency, counter, sum(value) from rollup
where minute >= ? and minute < ?
group by workflow, step, dependency, counter order by workflow, step, dependency

-- name: summed_until
-- The end of the last hour that was added up.
select cast(value as integer) from setting where name = 'rollup_hours_until'

-- name: lock_summed_until
-- The transaction already excludes other writers.
select cast(value as integer) from setting where name = 'rollup_hours_until'

-- name: first_minute_from
-- Where to go on adding up; hours in which nothing happened are passed over.
select min(minute) from rollup where minute >= ?

-- name: sum_hours
-- Again, where an hour was added up before and got another minute since.
insert into rollup_hour (hour, workflow, step, dependency, counter, value)
select minute / 3600000 * 3600000, workflow, step, dependency, counter, sum(value)
from rollup where minute >= ? and minute < ? group by 1, 2, 3, 4, 5
on conflict (hour, workflow, step, dependency, counter) do update set value = excluded.value

-- name: sum_hour_totals
-- From the hours, which are far fewer rows.
insert into rollup_hour_total (hour, counter, value)
select hour, counter, sum(value) from rollup_hour where hour >= ? and hour < ? group by 1, 2
on conflict (hour, counter) do update set value = excluded.value

-- name: sum_days
-- Days whose every hour was added up.
insert into rollup_day (day, workflow, step, dependency, counter, value)
select hour / 86400000 * 86400000, workflow, step, dependency, counter, sum(value)
from rollup_hour where hour >= ? and hour < ? group by 1, 2, 3, 4, 5
on conflict (day, workflow, step, dependency, counter) do update set value = excluded.value

-- name: hour_series
-- Sums by bucket of whole hours, counted from the first instant.
select ? + (hour - ?) / ? * ?, counter, sum(value) from rollup_hour_total
where hour >= ? and hour < ? group by 1, 2 order by 1

-- name: hour_sums
-- Sums by operation, of whole hours.
select workflow, step, dependency, counter, sum(value) from rollup_hour
where hour >= ? and hour < ?
group by workflow, step, dependency, counter order by workflow, step, dependency

-- name: day_sums
-- Sums by operation, of whole days.
select workflow, step, dependency, counter, sum(value) from rollup_day
where day >= ? and day < ?
group by workflow, step, dependency, counter order by workflow, step, dependency

-- name: delete_days
-- With the minutes they were added up from.
delete from rollup_day where day >= ?

-- name: delete_hours
-- With the minutes they were added up from.
delete from rollup_hour where hour >= ?

-- name: delete_hour_totals
-- With the minutes they were added up from.
delete from rollup_hour_total where hour >= ?
