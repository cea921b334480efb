-- Alerts on their way to their targets, and the rules that pause by themselves. People say who is told and which rules
-- there are; a worker tells, disables a target that is gone, and pauses where a rule says so.

-- fragment: target_columns
-- The order row_reader expects.
name, url, secrets, kinds, workflows, allow_private, state, reason, made_by, made_at

-- fragment: delivery_columns
-- The order row_reader expects.
outbox_id, target, kind, run_id, at, state, attempts, next_at, ended_at, status, error

-- fragment: tripwire_columns
-- The order row_reader expects.
name, measure, workflow, step, failure, scope, target, depth, window_ms, threshold, least, state, made_by, made_at,
armed_at, base_count, base_of, pause, fired_at

-- name: announce
-- for: operator admin worker
-- Told once, however often it is written. Of runs a turn tells, in its own statement.
create or replace function holdfast.announce(
    p_id text, p_at bigint, p_kind text, p_run_id uuid, p_payload text, p_delivered_at bigint)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    added bigint;
begin
    if not holdfast.has_role('worker') and p_kind not in
        ('pause.set', 'pause.cleared', 'breaker.opened', 'breaker.closed', 'alert.test') then
        raise exception 'a person announces no %', p_kind using errcode = '42501';
    end if;
    insert into holdfast.outbox (id, at, kind, run_id, payload, delivered_at)
    values (p_id, holdfast.moment(p_at), p_kind, p_run_id, p_payload, null)
    on conflict (id) do nothing;
    get diagnostics added = row_count;
    return added;
end
$$

-- name: insert_alert_target
-- for: admin
-- One of each name.
create or replace function holdfast.insert_alert_target(
    p_name text, p_url text, p_secrets text, p_kinds text, p_workflows text, p_allow_private integer, p_by text,
    p_at bigint)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    added bigint;
begin
    perform holdfast.acting(p_by);
    perform holdfast.need_role('admin', 'say who is told');
    insert into holdfast.alert_target ({target_columns})
    values (p_name, p_url, p_secrets, p_kinds, p_workflows, p_allow_private, 'enabled', '', p_by, holdfast.moment(p_at))
    on conflict (name) do nothing;
    get diagnostics added = row_count;
    if added > 0 then
        perform holdfast.owe(array['alert_target_do'], 'system', p_name,
                             jsonb_build_object('act', 'add', 'url', p_url));
    end if;
    return added;
end
$$

-- name: set_alert_target
-- for: operator admin worker
-- An engine disables a target whose receiver is gone; it enables none.
create or replace function holdfast.set_alert_target(p_state text, p_reason text, p_by text, p_name text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    changed bigint;
begin
    if p_by = 'engine' then
        perform holdfast.need_role('worker', 'speak for the engine');
        if p_state <> 'disabled' then
            raise exception 'an engine enables no target' using errcode = '42501';
        end if;
    else
        perform holdfast.acting(p_by);
        if not holdfast.has_role('operator') then
            perform holdfast.need_role('admin', 'say who is told');
        end if;
    end if;
    update holdfast.alert_target set state = p_state, reason = p_reason where name = p_name;
    get diagnostics changed = row_count;
    if changed > 0 then
        perform holdfast.owe(array['alert_target_do'], 'system', p_name, jsonb_build_object('state', p_state));
    end if;
    return changed;
end
$$

-- name: delete_alert_target
-- for: admin
-- The same for one that is told nothing any more.
create or replace function holdfast.delete_alert_target(p_name text, p_by text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    changed bigint;
begin
    perform holdfast.acting(p_by);
    perform holdfast.need_role('admin', 'say who is told');
    delete from holdfast.alert_target where name = p_name;
    get diagnostics changed = row_count;
    if changed > 0 then
        perform holdfast.owe(array['alert_target_do'], 'system', p_name, jsonb_build_object('act', 'remove'));
    end if;
    return changed;
end
$$

-- name: abandon_deliveries
-- for: admin
-- Nobody is left to take them.
update holdfast.delivery set state = 'given_up', next_at = null, ended_at = ?::bigint, error = 'the target was removed'
where target = ?::text and state = 'waiting'
  and not exists (select from holdfast.alert_target as standing where standing.name = delivery.target)

-- name: alert_targets
-- All by name.
select {target_columns} from holdfast.alert_target order by name

-- name: lock_outbox
-- for: worker
-- returns: setof holdfast.outbox
-- Another worker hands out what this one has.
select {outbox_columns} from holdfast.outbox where delivered_at is null order by at, id limit ?::integer
for update skip locked

-- name: hand_out
-- for: worker
-- From now on its deliveries stand.
update holdfast.outbox set delivered_at = ?::bigint where id = ?::text

-- name: insert_delivery
-- for: worker
-- One of each alert and target.
insert into holdfast.delivery ({delivery_columns})
values (?::text, ?::text, ?::text, ?::uuid, ?::bigint, 'waiting', 0, ?::bigint, null, 0, '')
on conflict (outbox_id, target) do nothing

-- name: take_deliveries
-- for: worker
-- Counts the try and puts off the next, so that it is sent again should this one never be told of. Of each target at
-- most p_each are under way; what is due again before p_until counts as such. Differs because rows that are numbered
-- cannot be locked.
create or replace function holdfast.take_deliveries(p_until bigint, p_now bigint, p_limit integer, p_each integer)
returns setof holdfast.delivery
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    return query
    update holdfast.delivery as taken set attempts = taken.attempts + 1, next_at = p_until
    from (
        select due.outbox_id, due.target from holdfast.alert_target as whom cross join lateral (
            select free.outbox_id, free.target, free.next_at from holdfast.delivery as free
            where free.target = whom.name and free.state = 'waiting' and free.next_at <= p_now
            order by free.next_at, free.outbox_id
            limit greatest(0, p_each - (
                select count(*) from holdfast.delivery as sent where sent.target = whom.name
                and sent.state = 'waiting' and sent.attempts > 0 and sent.next_at > p_now and sent.next_at <= p_until))
            for update skip locked) as due
        where whom.state = 'enabled'
        order by due.next_at, due.outbox_id, due.target limit p_limit) as chosen
    where taken.outbox_id = chosen.outbox_id and taken.target = chosen.target
    returning taken.*;
end
$$

-- name: settle_delivery
-- for: worker
-- What was taken is delivered, whoever sent it; else only the last try says what follows. A status below 0 gives the
-- try back.
create or replace function holdfast.settle_delivery(
    p_state text, p_next_at bigint, p_ended_at bigint, p_status integer, p_error text, p_outbox_id text,
    p_target text, p_attempts integer)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    changed bigint;
begin
    update holdfast.delivery set state = p_state, next_at = p_next_at, ended_at = p_ended_at,
        status = greatest(p_status, 0), error = p_error, attempts = attempts - (p_status < 0)::integer
    where outbox_id = p_outbox_id and target = p_target and state = 'waiting'
      and (p_state = 'delivered' or attempts = p_attempts);
    get diagnostics changed = row_count;
    return changed;
end
$$

-- name: any_delivery_due
-- Answered from partial indexes, target by target: what waits for a disabled one is not looked at.
select (exists (select from holdfast.outbox where delivered_at is null)
    or exists (select from holdfast.alert_target as whom where whom.state = 'enabled' and exists (
        select from holdfast.delivery where delivery.target = whom.name and delivery.state = 'waiting'
          and delivery.next_at <= ?)))::integer

-- name: outbox_by_id
-- One alert.
select {outbox_columns} from holdfast.outbox where id = ?

-- name: deliveries
-- The newest first; an empty name or state means any.
select {delivery_columns} from holdfast.delivery
where target = coalesce(nullif(?::text, ''), target) and state = coalesce(nullif(?::text, ''), state)
order by at desc, outbox_id desc, target limit ?

-- name: sweep_deliveries
-- for: worker
-- Those of alerts that are swept next.
delete from holdfast.delivery where outbox_id in (
    select id from holdfast.outbox where delivered_at < ?::bigint
      and not exists (select from holdfast.delivery as waits
                      where waits.outbox_id = outbox.id and waits.state = 'waiting')
    order by delivered_at, id limit ?::integer)

-- name: sweep_outbox
-- for: worker
-- Alerts that were handed out before then and none of whose deliveries is left.
delete from holdfast.outbox where id in (
    select done.id from holdfast.outbox as done where done.delivered_at < ?::bigint
      and not exists (select from holdfast.delivery as kept where kept.outbox_id = done.id)
    order by done.delivered_at, done.id limit ?::integer)

-- name: insert_tripwire
-- for: operator
-- One of each name.
create or replace function holdfast.insert_tripwire(
    p_name text, p_measure text, p_workflow text, p_step text, p_failure text, p_scope text, p_target text,
    p_depth text, p_window bigint, p_threshold bigint, p_least bigint, p_by text, p_at bigint)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    added bigint;
begin
    perform holdfast.acting(p_by);
    perform holdfast.need_role('operator', 'set a tripwire');
    insert into holdfast.tripwire ({tripwire_columns})
    values (p_name, p_measure, p_workflow, p_step, p_failure, p_scope, p_target, p_depth, p_window, p_threshold,
            p_least, 'enabled', p_by, holdfast.moment(p_at), null, 0, 0, '', null)
    on conflict (name) do nothing;
    get diagnostics added = row_count;
    if added > 0 then
        perform holdfast.owe(array['tripwire_do'], 'system', p_name,
                             jsonb_build_object('act', 'add', 'measure', p_measure, 'threshold', p_threshold));
    end if;
    return added;
end
$$

-- name: set_tripwire
-- for: operator
-- Enabled again, it counts anew, once the pause it pulled is lifted.
create or replace function holdfast.set_tripwire(p_state text, p_by text, p_name text) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    changed bigint;
begin
    perform holdfast.acting(p_by);
    perform holdfast.need_role('operator', 'set a tripwire');
    update holdfast.tripwire set state = p_state, armed_at = null where name = p_name;
    get diagnostics changed = row_count;
    if changed > 0 then
        perform holdfast.owe(array['tripwire_do'], 'system', p_name, jsonb_build_object('state', p_state));
    end if;
    return changed;
end
$$

-- name: delete_tripwire
-- for: operator
-- The same for one that guards nothing any more.
create or replace function holdfast.delete_tripwire(p_name text, p_by text) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    changed bigint;
begin
    perform holdfast.acting(p_by);
    perform holdfast.need_role('operator', 'set a tripwire');
    delete from holdfast.tripwire where name = p_name;
    get diagnostics changed = row_count;
    if changed > 0 then
        perform holdfast.owe(array['tripwire_do'], 'system', p_name, jsonb_build_object('act', 'remove'));
    end if;
    return changed;
end
$$

-- name: tripwires
-- All by name.
select {tripwire_columns} from holdfast.tripwire order by name

-- name: lock_tripwire
-- for: worker
-- returns: setof holdfast.tripwire
-- One worker at a time pulls it; another waits and then sees that it was pulled.
select {tripwire_columns} from holdfast.tripwire where name = ?::text and state = 'enabled' for update

-- name: keep_tripwire
-- for: worker
-- What a watch keeps; the rule itself is a person's.
update holdfast.tripwire set armed_at = ?::bigint, base_count = ?::bigint, base_of = ?::bigint, pause = ?::text,
    fired_at = ?::bigint
where name = ?::text
