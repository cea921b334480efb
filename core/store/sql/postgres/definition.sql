-- Deployed workflows and dependencies, and settings.

-- fragment: workflow_columns
-- The order row_reader expects.
name, version, owner, source, hash, deployed_at, deployed_by

-- fragment: dependency_columns
-- The order row_reader expects.
name, revision, owner, source, hash, deployed_at, deployed_by

-- name: insert_workflow
-- A version is immutable: the caller compares what stands.
insert into holdfast.workflow ({workflow_columns}) values (?, ?, ?, ?, ?, ?, ?)
on conflict (name, version) do nothing

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
-- Every change is a revision of its own.
insert into holdfast.dependency ({dependency_columns}) values (?, ?, ?, ?, ?, ?, ?)

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
-- The last one stands.
insert into holdfast.setting (name, value) values (?, ?)
on conflict (name) do update set value = excluded.value

-- name: remove_setting
-- By its whole name.
delete from holdfast.setting where name = ?

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
    session_user::text, current_database()::text
