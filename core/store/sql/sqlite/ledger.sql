-- The ledger of keys.

-- fragment: ledger_columns
-- The order row_reader expects.
operation, key, hash, status, run_id, step, direction, request, result, created_at, expires_at

-- name: claim_key
-- Whoever comes first owns the key; the other is shown the row that stands.
insert into ledger ({ledger_columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (key, operation) do nothing

-- name: ledger_row
-- The row that stands for a key of an operation.
select {ledger_columns} from ledger where operation = ? and key = ?

-- name: update_ledger
-- Only the owner settles a key.
update ledger set status = ?, result = ?, expires_at = ?
where operation = ? and key = ? and run_id = ?

-- name: take_over_ledger
-- A failed or expired row passes to another run; one in progress or settled never does.
update ledger set
    status = ?, result = ?, expires_at = ?, run_id = ?, step = ?, direction = ?, hash = ?,
    request = ?, created_at = ?
where operation = ? and key = ? and status in ('failed', 'expired')

-- name: unclaim_key
-- The run that claimed this key in this transaction turned out to be fenced off.
delete from ledger where operation = ? and key = ? and run_id = ? and status = 'processing'

-- name: ledger_of_key
-- Every operation that used a key.
select {ledger_columns} from ledger where key = ? order by operation

-- name: ledger_page
-- The whole ledger in the order of its index.
select {ledger_columns} from ledger where (key, operation) > (?, ?) order by key, operation limit ?

-- name: ledger_of_status
-- Those of one status, to the end of the ledger.
select {ledger_columns} from ledger where (key, operation) > (?, ?) and status = ?
order by key, operation limit ?

-- name: ledger_bound
-- How far a page may look: the row so many further on.
select key, operation from ledger where (key, operation) > (?, ?)
order by key, operation limit 1 offset ?

-- name: ledger_of_status_within
-- Those of one status, up to that row.
select {ledger_columns} from ledger
where (key, operation) > (?, ?) and (key, operation) <= (?, ?) and status = ?
order by key, operation limit ?

-- name: sweep_ledger
-- An expired key becomes a tombstone: the key and its hash stay, the payloads go. A key that an open run still
-- needs never expires.
update ledger set status = 'expired', request = '{}', result = '{}'
where (key, operation) in (
    select key, operation from ledger l
    where expires_at is not null and status <> 'expired' and status <> 'processing'
      and expires_at <= ?
      and not exists (select 1 from run r where r.run_id = l.run_id and r.finished_at is null)
    order by expires_at limit ?)

-- name: replace_ledger
-- Rebuilding: the row as the journal gives it.
insert into ledger ({ledger_columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (key, operation) do update set
    hash = excluded.hash, status = excluded.status, run_id = excluded.run_id,
    step = excluded.step, direction = excluded.direction, request = excluded.request,
    result = excluded.result, created_at = excluded.created_at, expires_at = excluded.expires_at
