-- What people signed, and what a report asks besides the counters.

-- fragment: signoff_columns
-- The order row_reader expects.
since, until, signed_by, at, note, figures, figures_hash, audit_seq, audit_rows, audit_hash

-- name: insert_signoff
-- for: operator
-- A window is signed once, by whoever is logged in.
create or replace function holdfast.insert_signoff(
    p_since bigint, p_until bigint, p_signed_by text, p_at bigint, p_note text, p_figures text, p_figures_hash text,
    p_audit_seq bigint, p_audit_rows bigint, p_audit_hash text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    added bigint;
begin
    perform holdfast.acting(p_signed_by);
    perform holdfast.need_role('operator', 'sign a report');
    if p_figures_hash <> encode(sha256(convert_to(p_figures, 'UTF8')), 'hex') then
        raise exception 'the figures do not have the hash that is signed' using errcode = '42501';
    end if;
    if p_until > holdfast.moment(p_at) then
        raise exception 'the window is not over; its figures still change' using errcode = '42501';
    end if;
    insert into holdfast.signoff ({signoff_columns})
    values (p_since, p_until, p_signed_by, holdfast.moment(p_at), p_note, p_figures, p_figures_hash, p_audit_seq,
            p_audit_rows, p_audit_hash)
    on conflict (since, until) do nothing;
    get diagnostics added = row_count;
    if added > 0 then
        perform holdfast.owe(array['report_sign'], 'system', '', jsonb_build_object(
            'figures_hash', p_figures_hash, 'audit_seq', p_audit_seq, 'audit_hash', p_audit_hash));
    end if;
    return added;
end
$$

-- name: signoff_of
-- Of one window.
select {signoff_columns} from holdfast.signoff where since = ? and until = ?

-- name: signoffs
-- The newest first.
select {signoff_columns} from holdfast.signoff order by at desc limit ?

-- name: system_audit
-- The newest first, answered from an index that holds nothing else.
select seq, chain, chain_seq, at, actor, action, subject, body, previous, hash from holdfast.audit
where chain = 'system' and at >= ? and at < ? order by at desc, seq desc limit ?

-- name: undone_runs
-- The newest first.
select {run_columns} from holdfast.run
where status in ('compensated', 'compensation_failed') and finished_at >= ? and finished_at < ?
order by finished_at desc, run_id desc limit ?
