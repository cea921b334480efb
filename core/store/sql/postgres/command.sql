-- People's commands and late reports, and what is to be told to others.

-- fragment: command_columns
-- The order row_reader expects.
id, name, run_id, actor, arguments, at, applied_at, result, message

-- fragment: outbox_columns
-- The order row_reader expects.
id, at, kind, run_id, payload, delivered_at

-- name: insert_command
-- Sent twice, it acts once.
insert into holdfast.command ({command_columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (id) do nothing

-- name: insert_commands
-- The same for all late reports of a turn.
insert into holdfast.command ({command_columns})
select * from unnest(
    ?::text[], ?::text[], ?::uuid[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::text[],
    ?::text[])
on conflict (id) do nothing

-- name: apply_commands
-- The first application stands.
update holdfast.command as kept
set applied_at = v.applied_at, result = v.result, message = v.message
from unnest(?::text[], ?::bigint[], ?::text[], ?::text[])
    as v (id, applied_at, result, message)
where kept.id = v.id and kept.applied_at is null

-- name: pending_commands
-- The oldest first.
select {command_columns} from holdfast.command where applied_at is null order by at, id limit ?

-- name: command_by_id
-- One command.
select {command_columns} from holdfast.command where id = ?

-- name: count_pending_commands
-- Answered from the partial index.
select count(*) from holdfast.command where applied_at is null

-- name: insert_outboxes
-- Told once, however often it is written.
insert into holdfast.outbox ({outbox_columns})
select * from unnest(?::text[], ?::bigint[], ?::text[], ?::uuid[], ?::text[], ?::bigint[])
on conflict (id) do nothing

-- name: outbox_undelivered
-- The oldest first.
select {outbox_columns} from holdfast.outbox where delivered_at is null order by at, id limit ?
