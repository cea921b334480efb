-- Pauses and breakers: what may keep an intent from being committed.

-- fragment: pause_columns
-- The order row_reader expects.
id, scope, target, depth, reason, actor, at, journal_mark, lifted_at, lifted_by, lifted_reason,
ramp

-- fragment: breaker_columns
-- The order row_reader expects.
dependency, state, failures, open_until, trial_until, reason

-- name: touch_gate
-- Counts the changes of the gates.
update gate set changes = changes + 1 where name = 'pause'

-- name: journal_mark
-- The highest journal id there is: what is above it started after the pause.
select coalesce(max(id), 0) from journal

-- name: insert_pause
-- Several pauses stack.
insert into pause ({pause_columns}) values (?, ?, ?, ?, ?, ?, ?, ?, null, '', '', '')

-- name: pause_by_id
-- A pause sent twice is one pause.
select {pause_columns} from pause where id = ?

-- name: lift_pauses
-- Lifts exactly what is named; the empty id and depth mean any.
update pause set lifted_at = ?, lifted_by = ?, lifted_reason = ?
where lifted_at is null and scope = ? and target = ? and (? = '' or depth = ?)
  and (? = '' or id = ?)
returning {pause_columns}

-- name: wake_held
-- What a pause held looks again once one is lifted; the gates decide whether it may go on.
update run set due = ? where status = 'held' and worker is null

-- name: wake_at_breaker
-- What waited for a breaker that a person closed need not wait out its time.
update run set due = ? where status = 'waiting' and reason = 'breaker' and worker is null

-- name: set_ramp
-- A pause that was lifted meanwhile has no ramp any more.
update pause set ramp = ?, journal_mark = ? where id = ? and lifted_at is null

-- name: wake_admitted
-- Of what is held, those that a ramp lets through.
update run set due = ? where status = 'held' and worker is null and run_id <= ?

-- name: pauses_active
-- Those not lifted.
select {pause_columns} from pause where lifted_at is null order by at, id

-- name: pauses_all
-- With those that were lifted.
select {pause_columns} from pause order by at, id

-- name: breakers
-- All breakers by name.
select {breaker_columns} from breaker order by dependency

-- name: create_breaker
-- A breaker nobody has used yet is closed.
insert into breaker ({breaker_columns}) values (?, 'closed', '[]', null, null, '')
on conflict (dependency) do nothing

-- name: lock_breaker
-- The transaction already excludes other writers.
select {breaker_columns} from breaker where dependency = ?

-- name: write_breaker
-- A turn's: only over the state on which it was decided.
insert into breaker ({breaker_columns}) values (?, ?, ?, ?, ?, ?)
on conflict (dependency) do update set
    state = excluded.state, failures = excluded.failures, open_until = excluded.open_until,
    trial_until = excluded.trial_until, reason = excluded.reason
where breaker.state = ?

-- name: set_breaker
-- Writes the state as a whole.
insert into breaker ({breaker_columns}) values (?, ?, ?, ?, ?, ?)
on conflict (dependency) do update set
    state = excluded.state, failures = excluded.failures, open_until = excluded.open_until,
    trial_until = excluded.trial_until, reason = excluded.reason
