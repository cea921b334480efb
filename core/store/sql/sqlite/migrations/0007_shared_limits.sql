-- What all workers together may use of a dependency's limits; the state is engine::Quota.
create table quota (
    dependency text not null primary key,
    version integer not null check (version >= 1),
    state text not null check (json_type(state, '$.places') is 'object')
) strict;

-- Claims take turns between workflows: each has its own runs in the order in which they are due.
drop index run_due;
create index run_due on run (workflow, due) where worker is null and due is not null;
