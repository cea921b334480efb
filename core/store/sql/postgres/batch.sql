-- One act on many runs, and what became of each. A person starts a batch and says whether it goes on; a worker
-- carries it out and decides nothing.

-- fragment: batch_columns
-- The order row_reader expects.
id, act, arguments, reason, actor, filter, rate, includes_unsafe, state, note, items, chosen, taken, base, taken_at,
started_at, ended_at

-- name: start_batch
-- for: operator
-- Started twice, it is one batch. Batch and items come at once, so that nobody adds to another's. Those set apart
-- come last.
create or replace function holdfast.start_batch(
    p_id text, p_act text, p_arguments text, p_reason text, p_actor text, p_filter text, p_rate integer,
    p_includes_unsafe integer, p_at bigint, p_run_ids uuid[], p_reviews text[], p_versions integer[],
    p_verdicts text[], p_states text[], p_messages text[])
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    chosen constant integer := coalesce(array_length(array_positions(p_states, 'pending'), 1), 0);
    added bigint;
begin
    perform holdfast.acting(p_actor);
    perform holdfast.need_role('operator', p_act || ' runs in a batch');
    if exists (select from unnest(p_states) with ordinality as given (state, place)
               where given.state <> case when given.place <= chosen then 'pending' else 'apart' end) then
        raise exception 'items of a batch are pending or set apart, in this order' using errcode = '42501';
    end if;
    insert into holdfast.batch ({batch_columns})
    values (p_id, p_act, (p_arguments::jsonb || jsonb_build_object('reason', p_reason))::text, p_reason, p_actor,
            p_filter, p_rate, p_includes_unsafe, 'running', '', array_length(p_states, 1), chosen, 0, 0, null,
            holdfast.moment(p_at), null)
    on conflict (id) do nothing;
    get diagnostics added = row_count;
    if added > 0 then
        insert into holdfast.batch_item (batch, place, run_id, review, version, verdict, state, command, message)
        select p_id, given.place, given.run_id, given.review, given.version, given.verdict, given.state, '',
            given.message
        from unnest(p_run_ids, p_reviews, p_versions, p_verdicts, p_states, p_messages)
            with ordinality as given (run_id, review, version, verdict, state, message, place);
        perform holdfast.owe(array['batch'], 'system', p_id, jsonb_build_object(
            'act', p_act, 'items', array_length(p_states, 1), 'chosen', chosen, 'reason', p_reason));
    end if;
    return added;
end
$$

-- name: set_batch_state
-- for: operator worker
-- What has ended stays ended; whoever lets it go on begins with one again. An engine holds a batch, and says that it
-- is done when nothing is left of it; all else is a person's.
create or replace function holdfast.set_batch_state(
    p_state text, p_note text, p_by text, p_at bigint, p_id text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    changed bigint;
begin
    if p_by = 'engine' then
        perform holdfast.need_role('worker', 'speak for the engine');
        if p_state not in ('held', 'done') then
            raise exception 'an engine neither starts nor stops a batch' using errcode = '42501';
        end if;
    else
        perform holdfast.acting(p_by);
        perform holdfast.need_role('operator', 'hold, stop or let a batch go on');
        if p_state = 'done' then
            raise exception 'a batch is done when nothing is left of it' using errcode = '42501';
        end if;
    end if;
    update holdfast.batch as kept set state = p_state, note = p_note,
        base = case when p_state = 'running' then taken else base end,
        ended_at = case when p_state in ('done', 'stopped') then holdfast.moment(p_at) end
    where kept.id = p_id and (kept.state = 'running' or (kept.state = 'held' and p_state <> 'done'))
      and kept.state <> p_state
      and (p_state <> 'done' or not exists (
          select from holdfast.batch_item as item
          where item.batch = p_id and item.state in ('pending', 'recorded')));
    get diagnostics changed = row_count;
    if changed > 0 then
        perform holdfast.owe(array['batch'], 'system', p_id, jsonb_build_object('state', p_state));
    end if;
    return changed;
end
$$

-- name: skip_batch_items
-- for: operator
-- What a stopped batch has not come to is left as it is.
update holdfast.batch_item set state = 'skipped', message = 'the batch was stopped before'
where batch = ?::text and state = 'pending'
  and exists (select from holdfast.batch as stopped where stopped.id = batch_item.batch and stopped.state = 'stopped')

-- name: any_batch_goes
-- Answered from partial indexes.
select (exists (select 1 from holdfast.batch where state = 'running')
    or exists (select 1 from holdfast.batch_item where state = 'recorded'))::integer

-- name: lock_batches
-- for: worker
-- returns: setof holdfast.batch
-- One worker at a time works on a batch; another leaves it alone.
select {batch_columns} from holdfast.batch where state = 'running' order by id for update skip locked

-- name: settle_batch_items
-- for: worker
-- What became of the command became of the item.
update holdfast.batch_item as item
set state = case when told.result = 'applied' then 'applied' else 'refused' end, message = told.message
from holdfast.command as told
where item.state = 'recorded' and told.id = item.command and told.applied_at is not null

-- name: take_batch_item
-- for: worker
-- Each in its turn, and only while the batch is running. A worker says that an item is to be recorded; what that
-- means stands in rows that a person wrote. Nothing, where that person may not do it any more: the batch is held.
create or replace function holdfast.take_batch_item(
    p_batch text, p_place integer, p_state text, p_message text, p_at bigint)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    ordered holdfast.batch;
    item holdfast.batch_item;
    asked holdfast.review;
    arguments jsonb;
    told constant text := p_batch || ':' || p_place;
    moment constant bigint := holdfast.moment(p_at);
begin
    select * into ordered from holdfast.batch where id = p_batch for update;
    select * into item from holdfast.batch_item where batch = p_batch and place = p_place and state = 'pending';
    if item.place is null or ordered.state <> 'running' or ordered.taken <> p_place - 1
       or p_state not in ('recorded', 'refused', 'skipped') then
        raise exception 'item % of batch % is not to be taken', p_place, p_batch using errcode = 'HF409';
    end if;
    if not holdfast.may_go_on(ordered.actor) then
        update holdfast.batch set state = 'held', note = ordered.actor || ' has the role operator no more'
        where id = p_batch;
        perform holdfast.chain_audit('system', moment, 'engine', 'batch', p_batch, holdfast.canonical(
            jsonb_build_object('state', 'held', 'note', ordered.actor || ' has the role operator no more')));
        return 0;
    end if;
    update holdfast.batch set taken = p_place, taken_at = moment where id = p_batch;
    if p_state = 'recorded' then
        if not exists (select from holdfast.run where run_id = item.run_id and seq = item.version) then
            raise exception 'run % moved on from version %', item.run_id, item.version using errcode = 'HF409';
        end if;
        arguments := ordered.arguments::jsonb;
        if ordered.act = 'resolve' then
            select * into asked from holdfast.review where id = item.review and run_id = item.run_id for update;
            if asked.id is null or asked.decided_at is not null or asked.kind = 'approval' then
                raise exception 'item % cannot be decided by a batch', item.review using errcode = 'HF409';
            end if;
            arguments := arguments || jsonb_build_object('review', item.review);
            if arguments ->> 'verdict' <> 'verify' then
                update holdfast.review set decision = arguments ->> 'verdict', decided_by = ordered.actor,
                    reason = ordered.reason, decided_at = moment
                where id = item.review;
            end if;
        end if;
        insert into holdfast.command (id, name, run_id, actor, arguments, at, applied_at, result, message)
        values (told, ordered.act, item.run_id, ordered.actor,
                (arguments || jsonb_build_object('version', item.version))::text, moment, null, '', '');
        perform holdfast.chain_audit(
            item.run_id::text, moment, ordered.actor, ordered.act,
            coalesce(nullif(item.review, ''), item.run_id::text),
            holdfast.canonical(arguments || jsonb_build_object('batch', p_batch, 'command', told)));
    end if;
    update holdfast.batch_item
    set state = p_state, message = p_message, command = case when p_state = 'recorded' then told else '' end
    where batch = p_batch and place = p_place;
    return 1;
end
$$

-- name: may_go_on
-- for: nobody
-- Whoever started it may still do it. A name that is no login was given by the owner, as the demo does.
create or replace function holdfast.may_go_on(p_actor text) returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return not exists (select from pg_roles where rolname = p_actor)
        or (select pg_has_role(p_actor, nspowner, 'member') from pg_namespace where nspname = 'holdfast')
        or exists (select from pg_roles where rolname = current_database() || '_holdfast_operator'
                   and pg_has_role(p_actor, oid, 'member'));
end
$$

-- name: batches
-- The newest first.
select {batch_columns} from holdfast.batch order by started_at desc, id desc limit ?

-- name: batch_by_id
-- One batch.
select {batch_columns} from holdfast.batch where id = ?

-- name: batch_items
-- A page in their order, with how the run stands now.
select item.place, item.run_id, item.review, item.version, item.verdict, item.state, item.command, item.message,
    coalesce(run.status, (select gone.status from holdfast.archived_run as gone where gone.run_id = item.run_id), '')
from holdfast.batch_item as item left join holdfast.run as run on run.run_id = item.run_id
where item.batch = ? and item.place > ? order by item.place limit ?

-- name: batch_items_of_state
-- The same of one state.
select item.place, item.run_id, item.review, item.version, item.verdict, item.state, item.command, item.message,
    coalesce(run.status, (select gone.status from holdfast.archived_run as gone where gone.run_id = item.run_id), '')
from holdfast.batch_item as item left join holdfast.run as run on run.run_id = item.run_id
where item.batch = ? and item.place > ? and item.state = ? order by item.place limit ?

-- name: batch_counts
-- Every item is counted once. How a run stands now is asked of those only that were touched.
select item.state, item.verdict, coalesce(run.status, ''), count(*)
from holdfast.batch_item as item
left join holdfast.run as run on item.state = 'applied' and run.run_id = item.run_id
where item.batch = ? and item.place > ? group by 1, 2, 3
