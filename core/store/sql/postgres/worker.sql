-- Workers and their leases.

-- fragment: worker_columns
-- The order row_reader expects.
id, host, pid, program_version, started_at, lease_until, state

-- name: keep_life
-- for: worker
-- Whoever slept, or was away, for longer than is overlooked begins a new life; the old one is a row of its own.
insert into holdfast.worker ({worker_columns}, lived_until)
select id || '/' || started_at, host, pid, program_version, started_at, 0, 'gone', greatest(lease_until, lived_until)
from holdfast.worker where id = ?::text and greatest(lease_until, lived_until) < ?::bigint
on conflict (id) do nothing

-- name: begin_life
-- for: worker
-- After its old life was kept.
update holdfast.worker set started_at = ?::bigint, lived_until = 0
where id = ?::text and greatest(lease_until, lived_until) < ?::bigint

-- name: register_worker
-- for: worker
-- A worker that comes back under its id starts a new lease, and goes on with its life.
insert into holdfast.worker ({worker_columns}) values (
    ?::text, ?::text, ?::bigint, ?::text, ?::bigint, ?::bigint, ?::text)
on conflict (id) do update set
    host = excluded.host, pid = excluded.pid, program_version = excluded.program_version,
    lease_until = excluded.lease_until, state = excluded.state

-- name: renew_lease
-- for: worker
-- The lease is counted in the database's time.
update holdfast.worker set lease_until = ?::bigint, state = ?::text where id = ?::text

-- name: workers
-- All that ever registered.
select {worker_columns}, lived_until from holdfast.worker order by started_at, id

-- name: pulse
-- Signs of life, each from an index.
select (select coalesce(max(id), 0) from holdfast.journal),
    (select coalesce(max(seq), 0) from holdfast.audit),
    (select count(*) from holdfast.command where applied_at is null),
    (select count(*) from holdfast.run where worker is not null),
    (select count(*) from holdfast.worker where lease_until > ? and state <> 'gone')

-- name: mark
-- How far this database has come, and which one it is.
select coalesce((select value from holdfast.setting where name = 'database_id'), ''),
    (select system_identifier::text from pg_control_system()) || '/'
        || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
    (select coalesce(max(id), 0) from holdfast.journal),
    (select coalesce(max(seq), 0) from holdfast.audit)
