-- Workers and their leases.

-- fragment: worker_columns
-- The order row_reader expects.
id, host, pid, program_version, started_at, lease_until, state

-- name: register_worker
-- A worker that comes back under its id starts a new lease.
insert into holdfast.worker ({worker_columns}) values (?, ?, ?, ?, ?, ?, ?)
on conflict (id) do update set
    host = excluded.host, pid = excluded.pid, program_version = excluded.program_version,
    started_at = excluded.started_at, lease_until = excluded.lease_until, state = excluded.state

-- name: renew_lease
-- The lease is counted in the database's time.
update holdfast.worker set lease_until = ?, state = ? where id = ? returning lease_until

-- name: workers
-- All that ever registered.
select {worker_columns} from holdfast.worker order by started_at, id

-- name: pulse
-- Signs of life, each from an index.
select (select coalesce(max(id), 0) from holdfast.journal),
    (select coalesce(max(seq), 0) from holdfast.audit),
    (select count(*) from holdfast.command where applied_at is null),
    (select count(*) from holdfast.run where worker is not null),
    (select count(*) from holdfast.worker where lease_until > ? and state <> 'gone')
