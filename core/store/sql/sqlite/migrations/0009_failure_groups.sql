-- Failures that are alike, and what people decided about them. The rows of runs follow from the journal.
create table failure_group (
    id text not null primary key check (length(id) = 16),
    workflow text not null,
    step text not null,
    direction text not null check (direction in ('forward', 'verify', 'compensate', 'snapshot')),
    class text not null check (class in ('transient', 'permanent', 'ambiguous')),
    reason text not null,
    message text not null check (length(message) <= 120),
    dependency text not null,
    first_at integer not null,
    disposition text not null default '' check (disposition in ('', 'resolved', 'archived')),
    resolved_version integer not null default 0 check (resolved_version >= 0),
    decided_by text not null default '',
    decided_at integer,
    owner text not null default '',
    tags text not null default '[]' check (json_type(tags) = 'array'),
    note text not null default '',
    merged_into text references failure_group check (merged_into <> id),
    constraint failure_group_resolved check ((disposition = 'resolved') = (resolved_version > 0))
) strict, without rowid;

create index failure_group_merged on failure_group (merged_into) where merged_into is not null;

create index failure_group_first on failure_group (first_at);

create table failure_note (
    id integer not null primary key,
    group_id text not null references failure_group,
    at integer not null,
    actor text not null,
    text text not null check (text <> '')
) strict;

create index failure_note_group on failure_note (group_id, id);

-- What one run has in one group.
create table failure (
    group_id text not null,
    run_id text not null,
    version integer not null check (version >= 1),
    first_at integer not null,
    last_at integer not null,
    occurrences integer not null check (occurrences >= 1),
    outcome text not null check (outcome in (
        '', 'succeeded', 'succeeded_partial', 'failed', 'compensated', 'compensation_failed', 'cancelled')),
    day integer not null check (day = first_at / 86400000),
    primary key (group_id, run_id)
) strict, without rowid;

-- A window is answered from this alone, in the order in which it is added up.
create index failure_day on failure (day, group_id, outcome, first_at, last_at, occurrences, run_id);

create index failure_last on failure (group_id, last_at, version);

create index failure_run on failure (run_id);
