-- People's commands and late reports, and what is to be told to others.

-- fragment: command_columns
-- The order row_reader expects.
id, name, run_id, actor, arguments, at, applied_at, result, message

-- fragment: outbox_columns
-- The order row_reader expects.
id, at, kind, run_id, payload, delivered_at

-- name: insert_command
-- Sent twice, it acts once.
insert into command ({command_columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (id) do nothing

-- name: apply_command
-- The first application stands.
update command set applied_at = ?, result = ?, message = ? where id = ? and applied_at is null

-- name: pending_commands
-- The oldest first.
select {command_columns} from command where applied_at is null order by at, id limit ?

-- name: command_by_id
-- One command.
select {command_columns} from command where id = ?

-- name: count_pending_commands
-- Answered from the partial index.
select count(*) from command where applied_at is null

-- name: insert_outbox
-- Told once, however often it is written.
insert into outbox ({outbox_columns}) values (?, ?, ?, ?, ?, ?) on conflict (id) do nothing

-- name: outbox_undelivered
-- The oldest first.
select {outbox_columns} from outbox where delivered_at is null order by at, id limit ?
