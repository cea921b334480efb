-- What the owner of the schema does to let others in. Nothing here is granted to anybody.

-- name: create_roles
-- for: owner
-- The group roles of this database, and nothing for whoever has none of them: not even temporary tables, which
-- could stand in for ours.
create or replace function holdfast.create_roles() returns void
language plpgsql security invoker set search_path = pg_catalog, pg_temp as $$
declare
    role text;
begin
    foreach role in array array['viewer', 'operator', 'approver', 'worker', 'admin'] loop
        if not exists (select from pg_roles where rolname = current_database() || '_holdfast_' || role) then
            execute format('create role %I nologin', current_database() || '_holdfast_' || role);
        end if;
    end loop;
    execute format('revoke all on database %I from public', current_database());
    revoke all on schema public from public;
    perform holdfast.grant_rights();
end
$$

-- name: grant_rights
-- for: owner
-- Gives each role what the comments of the functions say; does nothing while there are no roles. Tables can be
-- read and nothing else; a viewer reads views.
create or replace function holdfast.grant_rights() returns void
language plpgsql security invoker set search_path = pg_catalog, pg_temp as $$
declare
    prefix constant text := current_database() || '_holdfast_';
    role text;
    table_or_view text;
    guarded record;
begin
    if not exists (select from pg_roles where rolname = prefix || 'viewer') then
        return;
    end if;
    foreach role in array array['viewer', 'operator', 'approver', 'worker', 'admin'] loop
        execute format('grant connect on database %I to %I', current_database(), prefix || role);
        execute format('grant usage on schema holdfast to %I', prefix || role);
        for table_or_view in
            select relname from pg_class where relnamespace = 'holdfast'::regnamespace and relkind in ('r', 'v')
            and relname <> 'owed' and (role <> 'viewer' or relname like 'seen\_%')
        loop
            execute format('grant select on holdfast.%I to %I', table_or_view, prefix || role);
        end loop;
    end loop;
    for guarded in
        select pg_proc.oid::regprocedure::text as signature, obj_description(pg_proc.oid, 'pg_proc') as roles
        from pg_proc join pg_namespace on pg_namespace.oid = pronamespace where nspname = 'holdfast'
    loop
        foreach role in array array['viewer', 'operator', 'approver', 'worker', 'admin'] loop
            if role = any (string_to_array(guarded.roles, ' ')) then
                execute format('grant execute on function %s to %I', guarded.signature, prefix || role);
            else
                execute format('revoke all on function %s from %I', guarded.signature, prefix || role);
            end if;
        end loop;
    end loop;
end
$$

-- name: grant_role
-- for: owner
-- A login gets a role here. Whoever holds a transaction open stands in others' way, so that ends by itself.
create or replace function holdfast.grant_role(p_login text, p_role text) returns void
language plpgsql security invoker set search_path = pg_catalog, pg_temp as $$
begin
    if not exists (select from pg_roles where rolname = current_database() || '_holdfast_' || p_role) then
        raise exception 'the roles of this database do not exist yet; run "holdfastctl admin init" first'
            using errcode = 'HF404';
    end if;
    if not exists (select from pg_roles where rolname = p_login and rolcanlogin) then
        raise exception 'there is no login %; create it first, one for each person and each worker', p_login
            using errcode = 'HF404';
    end if;
    execute format('grant %I to %I', current_database() || '_holdfast_' || p_role, p_login);
    execute format('alter role %I in database %I set idle_in_transaction_session_timeout = ''30s''', p_login,
                   current_database());
    execute format('alter role %I in database %I set lock_timeout = ''10s''', p_login, current_database());
end
$$

-- name: revoke_role
-- for: owner
-- The login keeps its connection, and none of the rights.
create or replace function holdfast.revoke_role(p_login text, p_role text) returns void
language plpgsql security invoker set search_path = pg_catalog, pg_temp as $$
begin
    if not exists (
        select from pg_auth_members
        join pg_roles as granted on granted.oid = roleid
        join pg_roles as login on login.oid = member
        where granted.rolname = current_database() || '_holdfast_' || p_role and login.rolname = p_login) then
        raise exception 'the login % does not have the role %', p_login, p_role using errcode = 'HF404';
    end if;
    execute format('revoke %I from %I', current_database() || '_holdfast_' || p_role, p_login);
end
$$

-- name: members_of_roles
-- Who may do what, by login.
select login.rolname::text,
    string_agg(substr(granted.rolname, length(current_database() || '_holdfast_') + 1), ' ' order by granted.rolname)
from pg_auth_members
join pg_roles as granted on granted.oid = roleid
join pg_roles as login on login.oid = member
where starts_with(granted.rolname, current_database() || '_holdfast_')
group by 1 order by 1
