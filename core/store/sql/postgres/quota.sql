-- What all workers together may use of a dependency's limits. No lock on these rows outlives its statement, so
-- that a worker which stands still keeps nobody waiting.

-- fragment: quota_columns
-- The order row_reader expects.
dependency, version, state

-- name: quotas
-- Those of these dependencies that exist.
select {quota_columns} from holdfast.quota where dependency = any (?::text[]) order by dependency

-- name: swap_quotas
-- for: worker
-- All of them or none: each must still be the version that was read, and 0 says that there was none. Two who bring
-- the same row into being at once are told apart by the conflict.
create or replace function holdfast.swap_quotas(p_dependencies text[], p_versions bigint[], p_states text[])
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    changed bigint;
begin
    perform from holdfast.quota where dependency = any (p_dependencies) order by dependency for update;
    if exists (
        select from unnest(p_dependencies, p_versions) as seen (dependency, version)
        left join holdfast.quota as standing on standing.dependency = seen.dependency
        where coalesce(standing.version, 0) <> seen.version) then
        return false;
    end if;
    insert into holdfast.quota as standing (dependency, version, state)
    select seen.dependency, seen.version + 1, seen.state
    from unnest(p_dependencies, p_versions, p_states) as seen (dependency, version, state)
    order by seen.dependency
    on conflict (dependency) do update set version = excluded.version, state = excluded.state
    where standing.version = excluded.version - 1;
    get diagnostics changed = row_count;
    if changed <> cardinality(p_dependencies) then
        raise exception 'a quota came into being meanwhile' using errcode = '40001';
    end if;
    return true;
end
$$

-- name: reclaim_quotas
-- for: worker
-- Takes back the places of workers whose lease has run out and who have no attempt open. Whoever turns holds its own
-- row in share mode and is passed over; its runs are looked for in a statement of its own, after the lock.
create or replace function holdfast.reclaim_quotas(p_dependencies text[]) returns bigint
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
    found_quota holdfast.quota;
    holder text;
    held jsonb;
    reclaimed bigint := 0;
begin
    for found_quota in select * from holdfast.quota where dependency = any (p_dependencies) order by dependency for update
    loop
        held := found_quota.state::jsonb -> 'places';
        for holder in select jsonb_object_keys(held) loop
            perform from holdfast.worker
            where id = holder and lease_until < (extract(epoch from clock_timestamp()) * 1000)::bigint
            for update skip locked;
            if found and not exists (select from holdfast.run where worker = holder) then
                held := held - holder;
                reclaimed := reclaimed + 1;
            end if;
        end loop;
        update holdfast.quota
        set version = version + 1, state = holdfast.canonical(jsonb_set(state::jsonb, '{places}', held))
        where dependency = found_quota.dependency and state::jsonb -> 'places' <> held;
    end loop;
    return reclaimed;
end
$$
