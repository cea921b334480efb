-- The audit: one chain per run and one for the system.

-- name: audit_head
-- The end of a chain, created for a new one and locked either way: appenders queue up here.
insert into holdfast.audit_head (chain, chain_seq, hash) values (?, 0, '')
on conflict (chain) do update set chain_seq = audit_head.chain_seq
returning chain_seq, hash

-- name: set_audit_head
-- Moves the end of a chain.
insert into holdfast.audit_head (chain, chain_seq, hash) values (?, ?, ?)
on conflict (chain) do update set chain_seq = excluded.chain_seq, hash = excluded.hash

-- name: insert_audit
-- The unique (chain, chain_seq) is the second witness that a chain does not fork.
insert into holdfast.audit (chain, chain_seq, at, actor, action, subject, body, previous, hash)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: audit_after
-- In the order of writing.
select seq, chain, chain_seq, at, actor, action, subject, body, previous, hash from holdfast.audit
where seq > ? order by seq limit ?

-- name: audit_mark
-- The highest number there is.
select coalesce(max(seq), 0) from holdfast.audit

-- name: audit_before
-- The newest first.
select seq, chain, chain_seq, at, actor, action, subject, body, previous, hash from holdfast.audit
where seq < ? and seq >= ? and (?::text = '' or actor = ?) and (?::text = '' or action = ?)
order by seq desc limit ?

-- name: audit_of_chain
-- The same for one chain, which is short.
select seq, chain, chain_seq, at, actor, action, subject, body, previous, hash from holdfast.audit
where chain = ? and seq < ? and (?::text = '' or actor = ?) and (?::text = '' or action = ?)
order by chain_seq desc limit ?
