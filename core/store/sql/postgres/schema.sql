-- The readable whole: what all migrations together produce; a test compares the two.
-- All instants are integer milliseconds since 1970; "never" is NULL.

create table holdfast.setting (
    name text not null primary key,
    value text not null
);

create table holdfast.workflow (
    name text collate "C" not null,
    version integer not null check (version >= 1),
    owner text not null,
    source text not null,
    hash text not null,
    deployed_at bigint not null,
    deployed_by text not null,
    primary key (name, version)
);

create table holdfast.dependency (
    name text collate "C" not null,
    revision integer not null check (revision >= 1),
    owner text not null,
    source text not null,
    hash text not null,
    deployed_at bigint not null,
    deployed_by text not null,
    primary key (name, revision)
);

-- The folded columns lists filter by; the journal is the truth.
create table holdfast.run (
    run_id uuid not null primary key,
    workflow text collate "C" not null,
    version integer not null check (version >= 1),
    event_id text collate "C" not null,
    generation integer not null check (generation >= 1),
    input_hash text not null,
    status text collate "C" not null check (status in (
        'queued', 'running', 'waiting', 'review', 'compensating', 'held', 'succeeded',
        'succeeded_partial', 'failed', 'compensated', 'compensation_failed', 'cancelled')),
    seq integer not null check (seq >= 1),
    fence bigint not null check (fence >= 0),
    worker text collate "C" check (worker <> ''),
    due bigint,
    created_at bigint not null,
    started_at bigint,
    finished_at bigint,
    updated_at bigint not null,
    step text not null,
    reason text collate "C" not null,
    retry_count integer not null check (retry_count >= 0),
    compensation_count integer not null check (compensation_count >= 0),
    duplicates_prevented integer not null check (duplicates_prevented >= 0),
    outputs text not null,
    open text not null,
    -- One source event, one run; the event first, so that it can be looked up alone.
    unique (event_id, workflow),
    constraint run_finished check ((finished_at is not null) = (status in (
        'succeeded', 'succeeded_partial', 'failed', 'compensated', 'compensation_failed',
        'cancelled'))),
    -- A run is owned exactly while an attempt is open.
    constraint run_owned check ((worker is not null) = (open <> '[]'))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

create index run_due on holdfast.run (due) where worker is null and due is not null;
create index run_worker on holdfast.run (worker) where worker is not null;
create index run_status on holdfast.run (status, run_id);
create index run_workflow on holdfast.run (workflow, run_id);
create index run_reason on holdfast.run (reason, run_id) where reason <> '';

-- Entries are text here and bytes in the other database; differs because QPSQL speaks text only.
-- No foreign key to run; differs because it would lock and look up a row for every row written,
-- and write() inserts only for runs it has just updated.
create table holdfast.journal (
    id bigint generated always as identity primary key,
    run_id uuid not null,
    seq integer not null check (seq >= 1),
    at bigint not null,
    worker text not null,
    fence bigint not null check (fence >= 0),
    entries text not null,
    unique (run_id, seq)
);

-- Keyed by key first, so that the one index also answers "who used this key".
create table holdfast.ledger (
    operation text collate "C" not null,
    key text collate "C" not null check (key <> ''),
    hash text not null,
    status text not null check (status in (
        'processing', 'succeeded', 'failed', 'compensated', 'expired')),
    run_id uuid not null,
    step text not null,
    direction text not null check (direction in ('forward', 'compensate')),
    request text not null,
    result text not null,
    created_at bigint not null,
    expires_at bigint,
    primary key (key, operation)
);

create index ledger_expiry on holdfast.ledger (expires_at)
    where expires_at is not null and status <> 'expired';

create table holdfast.review (
    id text not null primary key,
    kind text not null check (kind in (
        'ambiguous', 'approval', 'compensation_failed', 'conflict', 'dead_letter', 'tripwire')),
    run_id uuid,
    step text not null,
    direction text not null,
    workflow text not null,
    dependency text not null,
    version integer not null,
    opened_at bigint not null,
    decided_at bigint,
    decided_by text not null,
    decision text not null,
    reason text not null,
    expires_at bigint,
    evidence text not null,
    claimed_by text not null default '',
    claimed_until bigint,
    snoozed_until bigint,
    constraint review_decided check ((decided_at is not null) = (decision <> ''))
);

create index review_open on holdfast.review (kind, opened_at) where decided_at is null;
create index review_waiting on holdfast.review (opened_at, id) where decided_at is null;
create index review_opened on holdfast.review (opened_at, id);
create index review_run on holdfast.review (run_id) where run_id is not null;

create table holdfast.pause (
    id text not null primary key,
    scope text not null check (scope in ('all', 'workflow', 'dependency')),
    target text not null,
    depth text not null check (depth in ('intake', 'writes', 'all')),
    reason text not null,
    actor text not null,
    at bigint not null,
    journal_mark bigint not null,
    lifted_at bigint,
    lifted_by text not null,
    lifted_reason text not null,
    ramp text not null default '',
    constraint pause_target check ((scope = 'all') = (target = ''))
);

create index pause_active on holdfast.pause (at) where lifted_at is null;

-- What a turn locks before it reads the pauses, and a pause locks against the turns; the row counts
-- the changes.
create table holdfast.gate (
    name text not null primary key,
    changes bigint not null
);

insert into holdfast.gate (name, changes) values ('pause', 0);

create table holdfast.breaker (
    dependency text collate "C" not null primary key,
    state text not null check (state in ('closed', 'open', 'half_open')),
    failures text not null,
    open_until bigint,
    trial_until bigint,
    reason text not null
);

-- One row per counter, so that a new counter needs no new column.
create table holdfast.rollup (
    minute bigint not null,
    workflow text collate "C" not null,
    step text collate "C" not null,
    dependency text collate "C" not null,
    worker text collate "C" not null,
    counter text collate "C" not null,
    value bigint not null,
    primary key (minute, workflow, step, dependency, worker, counter)
) with (fillfactor = 50);

-- Minutes added up by the hour once it is over, so that a month is no more to read than a day was.
-- setting rollup_hours_until says up to where; what is not in there yet is in rollup.
create table holdfast.rollup_hour (
    hour bigint not null,
    workflow text collate "C" not null,
    step text collate "C" not null,
    dependency text collate "C" not null,
    counter text collate "C" not null,
    value bigint not null,
    primary key (hour, workflow, step, dependency, counter)
);

-- The same for all workflows together.
create table holdfast.rollup_hour_total (
    hour bigint not null,
    counter text collate "C" not null,
    value bigint not null,
    primary key (hour, counter)
);

-- Hours added up by the day, in universal time.
create table holdfast.rollup_day (
    day bigint not null,
    workflow text collate "C" not null,
    step text collate "C" not null,
    dependency text collate "C" not null,
    counter text collate "C" not null,
    value bigint not null,
    primary key (day, workflow, step, dependency, counter)
);

create table holdfast.worker (
    id text not null primary key,
    host text not null,
    pid bigint not null,
    program_version text not null,
    started_at bigint not null,
    lease_until bigint not null check (lease_until >= 0),
    state text not null check (state in ('running', 'draining', 'gone'))
);

create index worker_lease on holdfast.worker (lease_until);

create table holdfast.command (
    id text not null primary key,
    name text not null,
    run_id uuid,
    actor text not null,
    arguments text not null,
    at bigint not null,
    applied_at bigint,
    result text not null check (result in ('', 'applied', 'rejected')),
    message text not null,
    constraint command_applied check ((applied_at is not null) = (result <> ''))
);

create index command_pending on holdfast.command (at) where applied_at is null;

create table holdfast.audit (
    seq bigint generated always as identity primary key,
    chain text not null,
    chain_seq bigint not null check (chain_seq >= 1),
    at bigint not null,
    actor text not null,
    action text not null,
    subject text not null,
    body text not null,
    previous text not null,
    hash text not null,
    unique (chain, chain_seq)
);

-- The end of each audit chain: the row an appender locks.
create table holdfast.audit_head (
    chain text not null primary key,
    chain_seq bigint not null check (chain_seq >= 0),
    hash text not null
);

create table holdfast.outbox (
    id text not null primary key,
    at bigint not null,
    kind text not null,
    run_id uuid,
    payload text not null,
    delivered_at bigint
);

create index outbox_undelivered on holdfast.outbox (at) where delivered_at is null;
