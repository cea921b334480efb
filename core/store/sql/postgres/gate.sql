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
update holdfast.gate set changes = changes + 1 where name = 'pause'

-- name: journal_mark
-- The highest journal id there is: what is above it started after the pause.
select coalesce(max(id), 0) from holdfast.journal

-- name: insert_pause
-- Several pauses stack.
insert into holdfast.pause ({pause_columns}) values (?, ?, ?, ?, ?, ?, ?, ?, null, '', '', '')

-- name: pause_by_id
-- A pause sent twice is one pause.
select {pause_columns} from holdfast.pause where id = ?

-- name: lift_pauses
-- Lifts exactly what is named; the empty id and depth mean any.
update holdfast.pause set lifted_at = ?, lifted_by = ?, lifted_reason = ?
where lifted_at is null and scope = ? and target = ? and (?::text = '' or depth = ?)
  and (?::text = '' or id = ?)
returning {pause_columns}

-- name: wake_held
-- What a pause held looks again once one is lifted; the gates decide whether it may go on.
update holdfast.run set due = ? where status = 'held' and worker is null

-- name: wake_at_breaker
-- What waited for a breaker that a person closed need not wait out its time.
update holdfast.run set due = ? where status = 'waiting' and reason = 'breaker' and worker is null

-- name: set_ramp
-- A pause that was lifted meanwhile has no ramp any more.
update holdfast.pause set ramp = ?, journal_mark = ? where id = ? and lifted_at is null

-- name: wake_admitted
-- Of what is held, those that a ramp lets through.
update holdfast.run set due = ? where status = 'held' and worker is null and run_id <= ?::uuid

-- name: pauses_active
-- Those not lifted.
select {pause_columns} from holdfast.pause where lifted_at is null order by at, id

-- name: pauses_all
-- With those that were lifted.
select {pause_columns} from holdfast.pause order by at, id

-- name: breakers
-- All breakers by name.
select {breaker_columns} from holdfast.breaker order by dependency

-- name: create_breakers
-- A breaker nobody has used yet is closed. In name order, so that two turns cannot wait for each
-- other.
insert into holdfast.breaker ({breaker_columns})
select name, 'closed', '[]', null, null, '' from unnest(?::text[]) as name order by name
on conflict (dependency) do nothing

-- name: lock_breakers
-- In name order, for the same reason.
select {breaker_columns} from holdfast.breaker where dependency = any (?::text[])
order by dependency for update

-- name: set_breakers
-- Writes each state as a whole, in name order.
insert into holdfast.breaker ({breaker_columns})
select * from unnest(?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::text[])
on conflict (dependency) do update set
    state = excluded.state, failures = excluded.failures, open_until = excluded.open_until,
    trial_until = excluded.trial_until, reason = excluded.reason

-- name: set_breaker
-- Writes the state as a whole.
insert into holdfast.breaker ({breaker_columns}) values (?, ?, ?, ?, ?, ?)
on conflict (dependency) do update set
    state = excluded.state, failures = excluded.failures, open_until = excluded.open_until,
    trial_until = excluded.trial_until, reason = excluded.reason

-- name: now_ms
-- The database's time, not that of the transaction's start.
select (extract(epoch from clock_timestamp()) * 1000)::bigint

-- name: lock_gates
-- Run as one text, not prepared: each statement in it has a snapshot of its own, so what is read
-- was read after the lock was granted. A prepared statement may carry a snapshot from before it
-- waited.
lock table holdfast.gate in row share mode;
select
    (extract(epoch from clock_timestamp()) * 1000)::bigint,
    (select coalesce(json_agg(row_to_json(active)), '[]')::text from (
        select {pause_columns} from holdfast.pause where lifted_at is null order by at, id
    ) as active),
    (select coalesce(json_agg(row_to_json(every)), '[]')::text from (
        select {breaker_columns} from holdfast.breaker order by dependency
    ) as every)

-- name: lock_gates_for_change
-- Exclusive on the table, so that turns which come after wait behind it instead of overtaking.
-- Waits for the turns under way, but not for ever.
set local lock_timeout = '5s';
lock table holdfast.gate in exclusive mode
