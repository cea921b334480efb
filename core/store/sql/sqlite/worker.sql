-- Workers and their leases.

-- fragment: worker_columns
-- The order row_reader expects.
id, host, pid, program_version, started_at, lease_until, state

-- name: keep_life
-- Whoever slept, or was away, for longer than is overlooked begins a new life; the old one is a row of its own.
insert into worker ({worker_columns}, lived_until)
select id || '/' || started_at, host, pid, program_version, started_at, 0, 'gone', max(lease_until, lived_until)
from worker where id = ? and max(lease_until, lived_until) < ?
on conflict (id) do nothing

-- name: begin_life
-- After its old life was kept.
update worker set started_at = ?, lived_until = 0 where id = ? and max(lease_until, lived_until) < ?

-- name: register_worker
-- A worker that comes back under its id starts a new lease, and goes on with its life.
insert into worker ({worker_columns}) values (?, ?, ?, ?, ?, ?, ?)
on conflict (id) do update set
    host = excluded.host, pid = excluded.pid, program_version = excluded.program_version,
    lease_until = excluded.lease_until, state = excluded.state

-- name: renew_lease
-- The lease is counted in the database's time.
update worker set lease_until = ?, state = ? where id = ? returning lease_until

-- name: workers
-- All that ever registered.
select {worker_columns}, lived_until from worker order by started_at, id

-- name: void_leases
-- Whoever holds the file's lock is alone: every older lease is over. Until when it ran is still known.
update worker set lived_until = lease_until, lease_until = 0 where lease_until > 0

-- name: pulse
-- Signs of life, each from an index.
select (select coalesce(max(id), 0) from journal),
    (select coalesce(max(seq), 0) from audit),
    (select count(*) from command where applied_at is null),
    (select count(*) from run where worker is not null),
    (select count(*) from worker where lease_until > ? and state <> 'gone')

-- name: newest_instant
-- Time goes on from here, whatever the wall clock says.
select max(coalesce((select at from journal where id = (select max(id) from journal)), 0),
    coalesce((select at from audit where seq = (select max(seq) from audit)), 0))

-- name: mark
-- How far this database has come, and which one it is.
select coalesce((select value from setting where name = 'database_id'), ''),
    '',
    (select coalesce(max(id), 0) from journal),
    (select coalesce(max(seq), 0) from audit)
