-- People's commands and late reports, and what is to be told to others.

-- fragment: command_columns
-- The order row_reader expects.
id, name, run_id, actor, arguments, at, applied_at, result, message

-- fragment: outbox_columns
-- The order row_reader expects.
id, at, kind, run_id, payload, delivered_at

-- name: insert_command
-- for: operator approver
-- Sent twice, it acts once. One that is applied already is the remembered answer of an act that leaves nothing
-- to fold.
create or replace function holdfast.insert_command(
    p_id text, p_name text, p_run_id uuid, p_actor text, p_arguments text, p_at bigint,
    p_applied_at bigint, p_result text, p_message text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    added bigint;
    seen constant bigint := (p_arguments::jsonb ->> 'version')::bigint;
    item constant text := p_arguments::jsonb ->> 'review';
begin
    perform holdfast.acting(p_actor);
    perform holdfast.need_role(
        case when p_name in ('approve', 'reject') then 'approver' else 'operator' end, p_name || ' a run');
    if p_name = 'late_report' then
        raise exception 'only a worker reports late' using errcode = '42501';
    end if;
    if p_name in ('approve', 'reject') and not exists (
        select from holdfast.review
        where id = item and kind = 'approval' and run_id = p_run_id and decided_by = p_actor and decision = p_name) then
        raise exception 'the item % was not decided so by %', item, p_actor using errcode = '42501';
    end if;
    -- Whoever archives the run waits for this, or has taken it out.
    perform from holdfast.run where run_id = p_run_id for key share;
    if not found and exists (select from holdfast.archived_run where run_id = p_run_id) then
        raise exception 'the run % is archived', p_run_id using errcode = 'HF404';
    end if;
    if p_applied_at is null and seen is not null
       and not exists (select from holdfast.run where run_id = p_run_id and seq = seen)
       and not exists (select from holdfast.review where id = item and version = seen) then
        raise exception 'the run moved on from version % since you looked; look again', seen using errcode = 'HF409';
    end if;
    if p_applied_at is not null and p_run_id is not null then
        raise exception 'a command to a run is applied by a worker' using errcode = '42501';
    end if;
    insert into holdfast.command (id, name, run_id, actor, arguments, at, applied_at, result, message)
    values (p_id, p_name, p_run_id, p_actor, p_arguments, holdfast.moment(p_at), p_applied_at, p_result, p_message)
    on conflict (id) do nothing;
    get diagnostics added = row_count;
    if added > 0 and p_applied_at is null then
        perform holdfast.owe(array[p_name], p_run_id::text, '', jsonb_build_object('command', p_id));
    end if;
    return added;
end
$$

-- name: insert_commands
-- for: worker
-- Late reports of a turn. Everything else that is commanded is commanded by a person.
create or replace function holdfast.insert_commands(
    p_ids text[], p_names text[], p_run_ids uuid[], p_actors text[], p_arguments text[], p_ats bigint[],
    p_applied_ats bigint[], p_results text[], p_messages text[])
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    added bigint;
begin
    if exists (select from unnest(p_names) as name where name <> 'late_report') and not holdfast.is_owner() then
        raise exception 'a worker reports, it does not command' using errcode = '42501';
    end if;
    insert into holdfast.command (id, name, run_id, actor, arguments, at, applied_at, result, message)
    select * from unnest(
        p_ids, p_names, p_run_ids, p_actors, p_arguments, p_ats, p_applied_ats, p_results, p_messages)
    on conflict (id) do nothing;
    get diagnostics added = row_count;
    return added;
end
$$

-- name: apply_commands
-- for: worker
-- The first application stands.
update holdfast.command as kept
set applied_at = v.applied_at, result = v.result, message = v.message
from unnest(?::text[], ?::bigint[], ?::text[], ?::text[])
    as v (id, applied_at, result, message)
where kept.id = v.id and kept.applied_at is null

-- name: pending_commands
-- The oldest first.
select {command_columns} from holdfast.command where applied_at is null order by at, id limit ?

-- name: command_by_id
-- One command.
select {command_columns} from holdfast.command where id = ?

-- name: count_pending_commands
-- Answered from the partial index.
select count(*) from holdfast.command where applied_at is null

-- name: insert_outboxes
-- for: worker
-- Told once, however often it is written.
insert into holdfast.outbox ({outbox_columns})
select * from unnest(?::text[], ?::bigint[], ?::text[], ?::uuid[], ?::text[], ?::bigint[])
on conflict (id) do nothing

-- name: outbox_undelivered
-- The oldest first.
select {outbox_columns} from holdfast.outbox where delivered_at is null order by at, id limit ?
