-- The ledger of keys.

-- fragment: ledger_columns
-- The order row_reader expects.
operation, key, hash, status, run_id, step, direction, request, result, created_at, expires_at

-- name: claim_keys
-- for: worker
-- returns: table (operation text, key text)
-- Whoever comes first owns the key; another transaction's uncommitted claim is waited for. The
-- caller sends keys in order, so that two turns cannot wait for each other.
insert into holdfast.ledger ({ledger_columns})
select * from unnest(
    ?::text[], ?::text[], ?::text[], ?::text[], ?::uuid[], ?::text[], ?::text[], ?::text[],
    ?::text[], ?::bigint[], ?::bigint[])
on conflict (key, operation) do nothing
returning operation, key

-- name: standing_keys
-- for: worker
-- returns: setof holdfast.ledger
-- The rows that stood, locked so that what is decided on them still holds at the commit.
select {ledger_columns} from holdfast.ledger
where (key, operation) in (select * from unnest(?::text[], ?::text[]))
order by key, operation for update

-- name: update_ledger
-- for: worker
-- Only the owner settles a key.
update holdfast.ledger as kept
set status = v.status, result = v.result, expires_at = v.expires_at
from unnest(?::text[], ?::text[], ?::uuid[], ?::text[], ?::text[], ?::bigint[])
    as v (operation, key, run_id, status, result, expires_at)
where kept.operation = v.operation and kept.key = v.key and kept.run_id = v.run_id

-- name: take_over_ledger
-- for: worker
-- A failed or expired row passes to another run; one in progress or settled never does.
update holdfast.ledger as kept
set status = v.status, result = v.result, expires_at = v.expires_at, run_id = v.run_id,
    step = v.step, direction = v.direction, hash = v.hash, request = v.request,
    created_at = v.created_at
from unnest(?::text[], ?::text[], ?::uuid[], ?::text[], ?::text[], ?::bigint[], ?::text[],
            ?::text[], ?::text[], ?::text[], ?::bigint[])
    as v (operation, key, run_id, status, result, expires_at, step, direction, hash, request,
          created_at)
where kept.operation = v.operation and kept.key = v.key and kept.status in ('failed', 'expired')

-- name: unclaim_key
-- for: worker
-- The run that claimed this key in this transaction turned out to be fenced off.
delete from holdfast.ledger
where operation = ?::text and key = ?::text and run_id = ?::uuid and status = 'processing'

-- name: ledger_of_key
-- Every operation that used a key.
select {ledger_columns} from holdfast.ledger where key = ? order by operation

-- name: ledger_page
-- The whole ledger in the order of its index.
select {ledger_columns} from holdfast.ledger where (key, operation) > (?, ?)
order by key, operation limit ?

-- name: ledger_of_status
-- Those of one status, to the end of the ledger.
select {ledger_columns} from holdfast.ledger where (key, operation) > (?, ?) and status = ?
order by key, operation limit ?

-- name: ledger_bound
-- How far a page may look: the row so many further on.
select key, operation from holdfast.ledger where (key, operation) > (?, ?)
order by key, operation limit 1 offset ?

-- name: ledger_of_status_within
-- Those of one status, up to that row.
select {ledger_columns} from holdfast.ledger
where (key, operation) > (?, ?) and (key, operation) <= (?, ?) and status = ?
order by key, operation limit ?

-- name: sweep_ledger
-- for: worker
-- An expired key becomes a tombstone: the key and its hash stay, the payloads go. A key that an open run still
-- needs never expires.
update holdfast.ledger set status = 'expired', request = '{}', result = '{}'
where (key, operation) in (
    select key, operation from holdfast.ledger l
    where expires_at is not null and status <> 'expired' and status <> 'processing'
      and expires_at <= ?::bigint
      and not exists (select 1 from holdfast.run r where r.run_id = l.run_id and r.finished_at is null)
    order by expires_at limit ?::integer for update skip locked)

-- name: replace_ledger
-- for: admin
-- Rebuilding: the row as the journal gives it.
insert into holdfast.ledger ({ledger_columns}) values (
    ?::text, ?::text, ?::text, ?::text, ?::uuid, ?::text, ?::text, ?::text, ?::text, ?::bigint,
    ?::bigint)
on conflict (key, operation) do update set
    hash = excluded.hash, status = excluded.status, run_id = excluded.run_id,
    step = excluded.step, direction = excluded.direction, request = excluded.request,
    result = excluded.result, created_at = excluded.created_at, expires_at = excluded.expires_at
