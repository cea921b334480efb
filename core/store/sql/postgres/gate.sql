-- Pauses and breakers: what may keep an intent from being committed.

-- fragment: pause_columns
-- The order row_reader expects.
id, scope, target, depth, reason, actor, at, journal_mark, lifted_at, lifted_by, lifted_reason,
ramp

-- fragment: breaker_columns
-- The order row_reader expects.
dependency, state, failures, open_until, trial_until, reason

-- name: touch_gate
-- for: operator worker
-- Counts the changes of the gates.
update holdfast.gate set changes = changes + 1 where name = 'pause'

-- name: journal_mark
-- The highest journal id there is: what is above it started after the pause.
select coalesce(max(id), 0) from holdfast.journal

-- name: insert_pause
-- for: operator worker
-- Several pauses stack. An engine pauses a dependency that refuses its credentials, everything when the
-- database went back in time, and what a tripwire guards.
create or replace function holdfast.insert_pause(
    p_id text, p_scope text, p_target text, p_depth text, p_reason text, p_actor text, p_at bigint,
    p_journal_mark bigint)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if p_actor = 'engine' then
        perform holdfast.need_role('worker', 'speak for the engine');
        if p_scope = 'workflow' and not exists (
            select from holdfast.tripwire
            where state = 'enabled' and scope = p_scope and target = p_target and depth = p_depth) then
            raise exception 'an engine pauses a dependency or everything, or a workflow that a tripwire guards'
                using errcode = '42501';
        end if;
        perform holdfast.owe(array['pause'], 'system', '', jsonb_build_object('pause', p_id));
    else
        perform holdfast.acting(p_actor);
        perform holdfast.need_role('operator', 'pause');
        perform holdfast.owe(array['pause'], 'system', p_id, jsonb_build_object(
            'scope', p_scope, 'target', p_target, 'depth', p_depth, 'reason', p_reason));
    end if;
    lock table holdfast.gate in exclusive mode;
    insert into holdfast.pause (id, scope, target, depth, reason, actor, at, journal_mark, lifted_at, lifted_by,
                                lifted_reason, ramp)
    values (p_id, p_scope, p_target, p_depth, p_reason, p_actor, holdfast.moment(p_at), p_journal_mark, null, '',
            '', '');
    return 1;
end
$$

-- name: pause_by_id
-- A pause sent twice is one pause.
select {pause_columns} from holdfast.pause where id = ?

-- name: lift_pauses
-- for: operator worker
-- Lifts exactly what is named; the empty id and depth mean any. An engine lifts a pause only at the end of a ramp
-- that a person began.
create or replace function holdfast.lift_pauses(
    p_at bigint, p_by text, p_reason text, p_scope text, p_target text, p_depth text, p_depth_again text,
    p_id text, p_id_again text)
returns setof holdfast.pause
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    lifted holdfast.pause;
begin
    lock table holdfast.gate in exclusive mode;
    if p_by = 'engine' then
        perform holdfast.need_role('worker', 'speak for the engine');
        if not holdfast.is_owner() and not exists (
            select from holdfast.pause where id = p_id and lifted_at is null and ramp <> ''
            and ramp::jsonb ->> 'state' = 'ramping'
            and (ramp::jsonb ->> 'stage')::integer >= jsonb_array_length(ramp::jsonb -> 'stages') - 2) then
            raise exception 'a worker does not resume: no ramp of the pause % is at its end', p_id
                using errcode = '42501';
        end if;
    else
        perform holdfast.acting(p_by);
        perform holdfast.need_role('operator', 'resume');
    end if;
    for lifted in
        update holdfast.pause
        set lifted_at = holdfast.moment(p_at), lifted_by = p_by, lifted_reason = p_reason
        where lifted_at is null and scope = p_scope and target = p_target
          and (p_depth = '' or depth = p_depth) and (p_id = '' or id = p_id)
        returning *
    loop
        if p_by = 'engine' then
            perform holdfast.owe(array['ramp'], 'system', lifted.id, '{"state": "done"}');
        else
            perform holdfast.owe(array['resume'], 'system', '', jsonb_build_object(
                'resumed', jsonb_build_array(jsonb_build_object('id', lifted.id))));
        end if;
        return next lifted;
    end loop;
end
$$

-- name: wake_held
-- for: operator worker
-- What a pause held looks again once one is lifted; the gates decide whether it may go on.
update holdfast.run set due = ?::bigint where status = 'held' and worker is null

-- name: wake_at_breaker
-- for: operator worker
-- What waited for a breaker that a person closed need not wait out its time.
update holdfast.run set due = ?::bigint where status = 'waiting' and reason = 'breaker' and worker is null

-- name: set_ramp
-- for: operator worker
-- A pause that was lifted meanwhile has no ramp any more. A person begins a ramp, holds it and lets it go on; an
-- engine counts and raises the stages as they were planned; either stops it.
create or replace function holdfast.set_ramp(p_ramp text, p_journal_mark bigint, p_id text) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    before jsonb;
    after constant jsonb := p_ramp::jsonb;
begin
    lock table holdfast.gate in exclusive mode;
    select case when ramp = '' then '{"state": "none"}' else ramp end into before
    from holdfast.pause where id = p_id and lifted_at is null;
    if not found then
        return 0;
    end if;
    if before ->> 'state' in ('none', 'repaused') then
        perform holdfast.need_role('operator', 'resume by stages');
        perform holdfast.owe(array['resume'], 'system', '', jsonb_build_object('pause', p_id, 'ramp', true));
    elsif before -> 'stages' <> after -> 'stages' then
        raise exception 'the stages of a ramp that has begun stay as they are' using errcode = '42501';
    elsif after ->> 'state' = 'repaused' then
        perform holdfast.owe(array['ramp'], 'system', p_id, '{}');
    elsif after ->> 'state' <> before ->> 'state' then
        perform holdfast.need_role('operator', 'hold a ramp or let it go on');
        perform holdfast.owe(array['ramp'], 'system', p_id, '{}');
    elsif after -> 'stage' <> before -> 'stage' then
        perform holdfast.need_role('worker', 'raise a stage');
        perform holdfast.owe(array['ramp'], 'system', p_id, '{}');
    end if;
    update holdfast.pause set ramp = p_ramp, journal_mark = p_journal_mark where id = p_id;
    return 1;
end
$$

-- name: wake_admitted
-- for: operator worker
-- Of what is held, those that a ramp lets through.
update holdfast.run set due = ?::bigint
where status = 'held' and worker is null and run_id <= ?::uuid

-- name: pauses_active
-- Those not lifted.
select {pause_columns} from holdfast.pause where lifted_at is null order by at, id

-- name: pauses_all
-- With those that were lifted.
select {pause_columns} from holdfast.pause order by at, id

-- name: breakers
-- All breakers by name.
select {breaker_columns} from holdfast.breaker order by dependency

-- name: create_breakers
-- for: operator worker
-- A breaker nobody has used yet is closed. In name order, so that two turns cannot wait for each
-- other.
insert into holdfast.breaker ({breaker_columns})
select name, 'closed', '[]', null, null, '' from unnest(?::text[]) as name order by name
on conflict (dependency) do nothing

-- name: lock_breakers
-- for: operator worker
-- returns: setof holdfast.breaker
-- In name order, for the same reason.
select {breaker_columns} from holdfast.breaker where dependency = any (?::text[])
order by dependency for update

-- name: write_breakers
-- for: worker
-- Each as a whole, and only over the state on which it was decided: one that was closed is not locked by a turn
-- that expects no failure, and may have been moved since it was read.
update holdfast.breaker as kept
set state = v.state, failures = v.failures, open_until = v.open_until, trial_until = v.trial_until, reason = v.reason
from unnest(?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::text[], ?::text[])
    as v (dependency, state, failures, open_until, trial_until, reason, state_before)
where kept.dependency = v.dependency and kept.state = v.state_before

-- name: set_breaker
-- for: operator
-- A person overrules a breaker: the state as a whole.
create or replace function holdfast.set_breaker(
    p_dependency text, p_state text, p_failures text, p_open_until bigint, p_trial_until bigint, p_reason text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    lock table holdfast.gate in exclusive mode;
    insert into holdfast.breaker (dependency, state, failures, open_until, trial_until, reason)
    values (p_dependency, p_state, p_failures, p_open_until, p_trial_until, p_reason)
    on conflict (dependency) do update set
        state = excluded.state, failures = excluded.failures, open_until = excluded.open_until,
        trial_until = excluded.trial_until, reason = excluded.reason;
    perform holdfast.owe(array['breaker'], 'system', p_dependency,
                         jsonb_build_object('state', p_state, 'reason', p_reason));
    return 1;
end
$$

-- name: now_ms
-- The database's time, not that of the transaction's start.
select (extract(epoch from clock_timestamp()) * 1000)::bigint

-- name: lock_gates
-- for: operator worker
-- The lock is a statement of its own, and the function is volatile: what is read after it has a snapshot from
-- after it was granted, so a pause that was waited for is seen. The lock on a worker's own row keeps others from taking
-- back what it holds of the quotas until its turn has ended.
create or replace function holdfast.lock_gates(p_worker text)
returns table (now_ms bigint, pauses text, breakers text, quotas text)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
    lock table holdfast.gate in row share mode;
    perform from holdfast.worker where id = p_worker for share;
    return query select
        (extract(epoch from clock_timestamp()) * 1000)::bigint,
        (select coalesce(json_agg(row_to_json(active)), '[]')::text from (
            select {pause_columns} from holdfast.pause where lifted_at is null order by at, id
        ) as active),
        (select coalesce(json_agg(row_to_json(every)), '[]')::text from (
            select {breaker_columns} from holdfast.breaker order by dependency
        ) as every),
        (select coalesce(json_agg(row_to_json(each)), '[]')::text from (
            select {quota_columns} from holdfast.quota order by dependency
        ) as each);
end
$$

-- name: lock_gates_for_change
-- for: operator worker
-- Exclusive on the table, so that turns which come after wait behind it instead of overtaking.
-- Waits for the turns under way, but not for ever.
create or replace function holdfast.lock_gates_for_change() returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform set_config('lock_timeout', '5s', true);
    lock table holdfast.gate in exclusive mode;
end
$$
