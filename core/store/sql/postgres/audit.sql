-- The audit: one chain per run and one for the system.

-- name: append_audit
-- for: operator approver admin worker
-- The next row of a chain. Whoever appends locks the end of the chain, so appenders queue up there. A row tells
-- of a change in the same transaction, or it is refused; what an engine sees of its clock is no change.
create or replace function holdfast.append_audit(
    p_chain text, p_at bigint, p_actor text, p_action text, p_subject text, p_body text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    paid bigint;
begin
    if p_actor = 'engine' then
        perform holdfast.need_role('worker', 'speak for the engine');
    else
        perform holdfast.acting(p_actor);
    end if;
    delete from holdfast.owed
    where xid = pg_current_xact_id() and p_action = any (actions) and chain in (p_chain, '')
      and subject in (p_subject, '') and p_body::jsonb @> facts;
    get diagnostics paid = row_count;
    if paid = 0 and not holdfast.is_owner() and not (p_actor = 'engine' and p_action = 'clock_jumped') then
        raise exception 'an audit row tells of a change, and % changed nothing that this one tells of', session_user
            using errcode = '42501';
    end if;
    perform holdfast.chain_audit(p_chain, holdfast.moment(p_at), p_actor, p_action, p_subject, p_body);
    return 1;
end
$$

-- name: chain_audit
-- for: nobody
-- The row itself, for functions that know by what right it is written.
create or replace function holdfast.chain_audit(
    p_chain text, p_at bigint, p_actor text, p_action text, p_subject text, p_body text)
returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
    head record;
    digest text;
begin
    insert into holdfast.audit_head (chain, chain_seq, hash) values (p_chain, 0, '')
    on conflict (chain) do update set chain_seq = audit_head.chain_seq
    returning chain_seq + 1 as seq, hash as previous into head;
    select encode(sha256(convert_to('[' || string_agg(to_json(field)::text, ',' order by place) || ']', 'UTF8')), 'hex')
    into digest
    from unnest(array[head.previous, p_chain, head.seq::text, p_at::text, p_actor, p_action, p_subject, p_body])
        with ordinality as fields (field, place);
    insert into holdfast.audit (chain, chain_seq, at, actor, action, subject, body, previous, hash)
    values (p_chain, head.seq, p_at, p_actor, p_action, p_subject, p_body, head.previous, digest);
    update holdfast.audit_head set chain_seq = head.seq, hash = digest where chain = p_chain;
end
$$

-- name: canonical
-- for: nobody
-- The one text that stands for a value, on every database: members by name, and nothing that could be left out.
create or replace function holdfast.canonical(p_value jsonb) returns text
language plpgsql immutable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return case jsonb_typeof(p_value)
        when 'object' then
            (select '{' || coalesce(string_agg(to_json(name)::text || ':' || holdfast.canonical(value), ','
                                               order by name collate "C"), '') || '}'
             from jsonb_each(p_value) as members (name, value))
        when 'array' then
            (select '[' || coalesce(string_agg(holdfast.canonical(item), ',' order by place), '') || ']'
             from jsonb_array_elements(p_value) with ordinality as items (item, place))
        else p_value::text
    end;
end
$$

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

-- name: settled_audit
-- for: operator approver admin
-- Numbers are given before rows are committed. Whoever has one is waited for, and nobody takes one meanwhile.
create or replace function holdfast.settled_audit() returns bigint
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform set_config('lock_timeout', '5s', true);
    lock table holdfast.audit in share mode;
    return (select coalesce(max(seq), 0) from holdfast.audit);
end
$$
