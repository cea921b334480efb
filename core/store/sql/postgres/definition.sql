-- Deployed workflows and dependencies, and settings.

-- fragment: workflow_columns
-- The order row_reader expects.
name, version, owner, source, hash, deployed_at, deployed_by

-- fragment: dependency_columns
-- The order row_reader expects.
name, revision, owner, source, hash, deployed_at, deployed_by

-- name: insert_workflow
-- for: admin
-- A version is immutable: the caller compares what stands.
create or replace function holdfast.insert_workflow(
    p_name text, p_version integer, p_owner text, p_source text, p_hash text, p_deployed_at bigint,
    p_deployed_by text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    added bigint;
begin
    insert into holdfast.workflow (name, version, owner, source, hash, deployed_at, deployed_by)
    values (p_name, p_version, p_owner, p_source, p_hash, holdfast.moment(p_deployed_at),
            holdfast.acting(p_deployed_by))
    on conflict (name, version) do nothing;
    get diagnostics added = row_count;
    if added > 0 then
        perform holdfast.owe(array['deploy'], 'system', '', jsonb_build_object('workflows', jsonb_build_array(
            jsonb_build_object('workflow', p_name, 'version', p_version, 'hash', p_hash))));
    end if;
    return added;
end
$$

-- name: workflow_version
-- One version.
select {workflow_columns} from holdfast.workflow where name = ? and version = ?

-- name: workflow_newest
-- The newest version.
select {workflow_columns} from holdfast.workflow where name = ? order by version desc limit 1

-- name: workflows
-- All versions, the newest of each first.
select {workflow_columns} from holdfast.workflow order by name, version desc

-- name: insert_dependency
-- for: admin
-- Every change is a revision of its own.
create or replace function holdfast.insert_dependency(
    p_name text, p_revision integer, p_owner text, p_source text, p_hash text, p_deployed_at bigint,
    p_deployed_by text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    insert into holdfast.dependency (name, revision, owner, source, hash, deployed_at, deployed_by)
    values (p_name, p_revision, p_owner, p_source, p_hash, holdfast.moment(p_deployed_at),
            holdfast.acting(p_deployed_by));
    perform holdfast.owe(array['deploy'], 'system', '', jsonb_build_object('dependencies', jsonb_build_array(
        jsonb_build_object('dependency', p_name, 'revision', p_revision))));
    return 1;
end
$$

-- name: dependency_revision
-- One revision.
select {dependency_columns} from holdfast.dependency where name = ? and revision = ?

-- name: dependency_newest
-- The newest revision.
select {dependency_columns} from holdfast.dependency where name = ? order by revision desc limit 1

-- name: dependencies
-- The newest revision of each.
select {dependency_columns} from holdfast.dependency as newest
where revision = (select max(revision) from holdfast.dependency where name = newest.name)
order by name

-- name: schema_version
-- What the migrations have brought this database to.
select value from holdfast.setting where name = 'schema_version'

-- name: set_schema_version
-- Written in the transaction of the migration itself.
insert into holdfast.setting (name, value) values ('schema_version', ?)
on conflict (name) do update set value = excluded.value

-- name: settings
-- Those whose name starts so; there are few.
select name, value from holdfast.setting where substr(name, 1, length(?::text)) = ? order by name collate "C"

-- name: put_setting
-- for: operator approver worker
-- The last one stands. People keep views; an engine keeps how far it has added up.
create or replace function holdfast.put_setting(p_name text, p_value text) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if p_name = 'rollup_hours_until' then
        perform holdfast.need_role('worker', 'add up hours');
    elsif p_name like 'view:%' then
        perform holdfast.owe(array['save_view'], 'system', p_name, '{}');
    elsif not holdfast.is_owner() then
        raise exception 'the setting % is not changed by a login like %', p_name, session_user using errcode = '42501';
    end if;
    insert into holdfast.setting (name, value) values (p_name, p_value)
    on conflict (name) do update set value = excluded.value;
    return 1;
end
$$

-- name: remove_setting
-- for: operator approver admin
-- By its whole name.
create or replace function holdfast.remove_setting(p_name text) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    removed bigint;
begin
    if p_name = 'rollup_hours_until' then
        perform holdfast.need_role('admin', 'rebuild');
    elsif p_name not like 'view:%' and not holdfast.is_owner() then
        raise exception 'the setting % is not changed by a login like %', p_name, session_user using errcode = '42501';
    end if;
    delete from holdfast.setting where name = p_name;
    get diagnostics removed = row_count;
    if removed > 0 and p_name like 'view:%' then
        perform holdfast.owe(array['delete_view'], 'system', p_name, '{}');
    end if;
    return removed;
end
$$
