-- Failures that are alike, and what people decided about them. The rows of runs follow from the journal.
create table holdfast.failure_group (
    id text collate "C" not null primary key check (length(id) = 16),
    workflow text not null,
    step text not null,
    direction text not null check (direction in ('forward', 'verify', 'compensate', 'snapshot')),
    class text not null check (class in ('transient', 'permanent', 'ambiguous')),
    reason text not null,
    message text not null check (length(message) <= 120),
    dependency text not null,
    first_at bigint not null,
    disposition text not null default '' check (disposition in ('', 'resolved', 'archived')),
    resolved_version integer not null default 0 check (resolved_version >= 0),
    decided_by text not null default '',
    decided_at bigint,
    owner text not null default '',
    tags text not null default '[]' check (jsonb_typeof(tags::jsonb) = 'array'),
    note text not null default '',
    merged_into text collate "C" references holdfast.failure_group check (merged_into <> id),
    constraint failure_group_resolved check ((disposition = 'resolved') = (resolved_version > 0))
);

create index failure_group_merged on holdfast.failure_group (merged_into) where merged_into is not null;

create index failure_group_first on holdfast.failure_group (first_at);

create table holdfast.failure_note (
    id bigint generated always as identity primary key,
    group_id text collate "C" not null references holdfast.failure_group,
    at bigint not null,
    actor text not null,
    text text not null check (text <> '')
);

create index failure_note_group on holdfast.failure_note (group_id, id);

-- What one run has in one group.
create table holdfast.failure (
    group_id text collate "C" not null,
    run_id uuid not null,
    version integer not null check (version >= 1),
    first_at bigint not null,
    last_at bigint not null,
    occurrences bigint not null check (occurrences >= 1),
    outcome text collate "C" not null check (outcome in (
        '', 'succeeded', 'succeeded_partial', 'failed', 'compensated', 'compensation_failed', 'cancelled')),
    day bigint not null check (day = first_at / 86400000),
    primary key (group_id, run_id)
);

-- A window is answered from this alone, in the order in which it is added up.
create index failure_day on holdfast.failure (day, group_id, outcome, first_at, last_at, occurrences, run_id);

create index failure_last on holdfast.failure (group_id, last_at, version);

create index failure_run on holdfast.failure (run_id);

-- What a service answered may tell of a person; whoever reads no bodies reads no messages.
create view holdfast.seen_failure_group as
select id, workflow, step, direction, class, reason, ''::text as message, dependency, first_at, disposition,
    resolved_version, decided_by, decided_at, owner, tags, note, merged_into
from holdfast.failure_group;

create view holdfast.seen_failure_note as select * from holdfast.failure_note;

create view holdfast.seen_failure as select * from holdfast.failure;
