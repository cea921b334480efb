-- What all workers together may use of a dependency's limits; the state is engine::Quota.
create table holdfast.quota (
    dependency text collate "C" not null primary key,
    version bigint not null check (version >= 1),
    state text not null check (coalesce(jsonb_typeof(state::jsonb -> 'places'), '') = 'object')
) with (fillfactor = 50);

create view holdfast.seen_quota as select * from holdfast.quota;

-- Claims take turns between workflows: each has its own runs in the order in which they are due.
drop index holdfast.run_due;
create index run_due on holdfast.run (workflow, due) where worker is null and due is not null;
