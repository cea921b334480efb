-- Runs that were copied into a file and removed: the archive, and what stays of each run so that its event is still one run.
create table holdfast.archive (
    id text collate "C" not null primary key,
    file text not null check (file <> ''),
    host text not null,
    before_at bigint not null check (before_at > 0),
    reason text not null check (reason <> ''),
    actor text not null,
    state text not null check (state in ('writing', 'written', 'removing', 'done', 'dropped')),
    note text not null,
    runs bigint not null check (runs >= 0),
    size bigint not null check (size >= 0),
    hash text not null,
    manifest text not null,
    started_at bigint not null,
    written_at bigint,
    ended_at bigint,
    constraint archive_written check ((written_at is not null) = (state in ('written', 'removing', 'done'))),
    constraint archive_hashed check ((hash <> '') = (state in ('written', 'removing', 'done'))),
    constraint archive_ended check ((ended_at is not null) = (state in ('done', 'dropped')))
);

create index archive_started on holdfast.archive (started_at, id);

create table holdfast.archived_run (
    run_id uuid not null primary key,
    archive text collate "C" not null references holdfast.archive,
    workflow text collate "C" not null,
    version integer not null check (version >= 1),
    event_id text collate "C" not null,
    generation integer not null check (generation >= 1),
    input_hash text not null,
    status text not null,
    seq integer not null check (seq >= 1),
    created_at bigint not null,
    started_at bigint,
    finished_at bigint not null,
    unique (event_id, workflow)
);

create index archived_run_archive on holdfast.archived_run (archive);

create index command_run on holdfast.command (run_id) where run_id is not null;

create view holdfast.seen_archive as select * from holdfast.archive;

create view holdfast.seen_archived_run as select * from holdfast.archived_run;

-- They deleted what is sealed now; those that take their place say from where on.
drop function if exists holdfast.delete_rollups();

drop function if exists holdfast.delete_days();

drop function if exists holdfast.delete_hours();

drop function if exists holdfast.delete_hour_totals();
