-- Runs that were copied into a file and removed: the archive, and what stays of each run so that its event is still one run.
create table archive (
    id text not null primary key,
    file text not null check (file <> ''),
    host text not null,
    before_at integer not null check (before_at > 0),
    reason text not null check (reason <> ''),
    actor text not null,
    state text not null check (state in ('writing', 'written', 'removing', 'done', 'dropped')),
    note text not null,
    runs integer not null check (runs >= 0),
    size integer not null check (size >= 0),
    hash text not null,
    manifest text not null,
    started_at integer not null,
    written_at integer,
    ended_at integer,
    constraint archive_written check ((written_at is not null) = (state in ('written', 'removing', 'done'))),
    constraint archive_hashed check ((hash <> '') = (state in ('written', 'removing', 'done'))),
    constraint archive_ended check ((ended_at is not null) = (state in ('done', 'dropped')))
) strict;

create index archive_started on archive (started_at, id);

create table archived_run (
    run_id text not null primary key,
    archive text not null references archive,
    workflow text not null,
    version integer not null check (version >= 1),
    event_id text not null,
    generation integer not null check (generation >= 1),
    input_hash text not null,
    status text not null,
    seq integer not null check (seq >= 1),
    created_at integer not null,
    started_at integer,
    finished_at integer not null,
    unique (event_id, workflow)
) strict;

create index archived_run_archive on archived_run (archive);

create index command_run on command (run_id) where run_id is not null;
