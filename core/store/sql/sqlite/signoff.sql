-- What people signed, and what a report asks besides the counters.

-- fragment: signoff_columns
-- The order row_reader expects.
since, until, signed_by, at, note, figures, figures_hash, audit_seq, audit_rows, audit_hash

-- name: insert_signoff
-- A window is signed once.
insert into signoff ({signoff_columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (since, until) do nothing

-- name: signoff_of
-- Of one window.
select {signoff_columns} from signoff where since = ? and until = ?

-- name: signoffs
-- The newest first.
select {signoff_columns} from signoff order by at desc limit ?

-- name: system_audit
-- The newest first, answered from an index that holds nothing else; left to itself, the planner takes another.
select seq, chain, chain_seq, at, actor, action, subject, body, previous, hash from audit indexed by audit_system
where chain = 'system' and at >= ? and at < ? order by at desc, seq desc limit ?

-- name: undone_runs
-- The newest first, likewise.
select {run_columns} from run indexed by run_undone
where status in ('compensated', 'compensation_failed') and finished_at >= ? and finished_at < ?
order by finished_at desc, run_id desc limit ?
