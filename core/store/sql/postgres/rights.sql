-- What the functions that change tables ask about whoever calls them. A person and a worker own nothing and may
-- execute functions only; these run as the owner of the schema, so the caller is session_user, never a name
-- that came as an argument.

-- fragment: guarded_call
-- What a client prepares for a statement that is a function.
select * from holdfast.{name}({arguments})

-- fragment: guarded_change
-- The function of a statement that changes rows; it says how many.
create or replace function holdfast.{name}({types}) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
    changed bigint;
begin
    {text};
    get diagnostics changed = row_count;
    return changed;
end
$$

-- fragment: guarded_query
-- The function of a statement that gives rows back.
create or replace function holdfast.{name}({types}) returns {returns}
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
    return query {text};
end
$$

-- name: rights
-- What this login finds and may do, before anything is created.
select
    exists (select from pg_namespace where nspname = 'holdfast'),
    has_database_privilege(current_database(), 'create'),
    coalesce((select has_schema_privilege(oid, 'usage') from pg_namespace
              where nspname = 'holdfast'), false),
    coalesce((select has_schema_privilege(oid, 'create') from pg_namespace
              where nspname = 'holdfast'), false),
    exists (select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
            where nspname = 'holdfast' and relname = 'setting'),
    session_user::text, current_database()::text,
    coalesce((select has_table_privilege(pg_class.oid, 'select')
              from pg_class join pg_namespace on pg_namespace.oid = relnamespace
              where nspname = 'holdfast' and relname = 'setting'), false),
    coalesce((select has_table_privilege(pg_class.oid, 'select')
              from pg_class join pg_namespace on pg_namespace.oid = relnamespace
              where nspname = 'holdfast' and relname = 'seen_setting'), false)

-- name: functions_hash
-- Which functions stand in this database: their hash, and the version of the program that made them.
select value from holdfast.setting where name = 'functions'

-- name: set_functions_hash
-- Written in the transaction that made them.
insert into holdfast.setting (name, value) values ('functions', ?)
on conflict (name) do update set value = excluded.value

-- name: living_workers
-- Those whose lease is not over, and of which versions their programs are.
select count(*), coalesce(string_agg(distinct program_version, ', '), '') from holdfast.worker
where state <> 'gone' and lease_until > (extract(epoch from clock_timestamp()) * 1000)::bigint

-- name: roles_of_login
-- The roles this login has here, and whether it owns the schema.
select
    (select string_agg(role, ' ') from unnest(array['viewer', 'operator', 'approver', 'worker', 'admin']) as role
     where exists (select from pg_roles where rolname = current_database() || '_holdfast_' || role
                   and pg_has_role(session_user, oid, 'member'))),
    (select pg_has_role(session_user, nspowner, 'member') from pg_namespace where nspname = 'holdfast')

-- name: is_owner
-- for: nobody
-- Whoever owns the schema may do anything to it; a rule that pretended otherwise would be none.
create or replace function holdfast.is_owner() returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return (select pg_has_role(session_user, nspowner, 'member') from pg_namespace where nspname = 'holdfast');
end
$$

-- name: has_role
-- for: nobody
-- Group roles bear the name of the database, because a cluster knows roles of all its databases.
create or replace function holdfast.has_role(p_role text) returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return holdfast.is_owner() or exists (
        select from pg_roles where rolname = current_database() || '_holdfast_' || p_role
        and pg_has_role(session_user, oid, 'member'));
end
$$

-- name: need_role
-- for: nobody
-- Says what is missing and who can mend it.
create or replace function holdfast.need_role(p_role text, p_act text) returns void
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    if not holdfast.has_role(p_role) then
        raise exception 'the login % may not %: that takes the role %; an owner can grant it with "holdfastctl admin grant % %"',
            session_user, p_act, p_role, session_user, p_role using errcode = '42501';
    end if;
end
$$

-- name: acting
-- for: nobody
-- In whose name something is done: the login's own. The owner may act in any name, as the demo does.
create or replace function holdfast.acting(p_actor text) returns text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    if p_actor <> session_user and not holdfast.is_owner() then
        raise exception 'the login % cannot act as %', session_user, p_actor using errcode = '42501';
    end if;
    return p_actor;
end
$$

-- name: moment
-- for: nobody
-- An instant that the caller read from this database a moment ago; any other is replaced. The owner may write
-- of the past, as the demo does.
create or replace function holdfast.moment(p_at bigint) returns bigint
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
    now_ms constant bigint := (extract(epoch from clock_timestamp()) * 1000)::bigint;
begin
    return case when abs(now_ms - p_at) <= 60000 or holdfast.is_owner() then p_at else now_ms end;
end
$$

-- name: owe
-- for: nobody
-- A change that a person made owes an audit row: append_audit pays it, and no transaction commits with a debt.
-- The row has to say at least these facts.
create or replace function holdfast.owe(p_actions text[], p_chain text, p_subject text, p_facts jsonb)
returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
    if not holdfast.is_owner() then
        insert into holdfast.owed (xid, actions, chain, subject, facts)
        values (pg_current_xact_id(), p_actions, p_chain, p_subject, p_facts);
    end if;
end
$$
