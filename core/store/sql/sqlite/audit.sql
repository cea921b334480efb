-- The audit: one chain per run and one for the system.

-- name: audit_head
-- The end of a chain; the transaction already excludes other writers.
select chain_seq, hash from audit_head where chain = ?

-- name: set_audit_head
-- Moves the end of a chain.
insert into audit_head (chain, chain_seq, hash) values (?, ?, ?)
on conflict (chain) do update set chain_seq = excluded.chain_seq, hash = excluded.hash

-- name: insert_audit
-- The unique (chain, chain_seq) is the second witness that a chain does not fork.
insert into audit (chain, chain_seq, at, actor, action, subject, body, previous, hash)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: audit_after
-- In the order of writing.
select seq, chain, chain_seq, at, actor, action, subject, body, previous, hash from audit
where seq > ? order by seq limit ?

-- name: audit_mark
-- The highest number there is.
select coalesce(max(seq), 0) from audit

-- name: audit_before
-- The newest first.
select seq, chain, chain_seq, at, actor, action, subject, body, previous, hash from audit
where seq < ? and seq >= ? and (? = '' or actor = ?) and (? = '' or action = ?)
order by seq desc limit ?

-- name: audit_of_chain
-- The same for one chain, which is short.
select seq, chain, chain_seq, at, actor, action, subject, body, previous, hash from audit
where chain = ? and seq < ? and (? = '' or actor = ?) and (? = '' or action = ?)
order by chain_seq desc limit ?

-- name: settled_audit
-- There is one writer, so none comes late.
select coalesce(max(seq), 0) from audit
