-- The readable whole: what all migrations together produce; a test compares the two.
-- All instants are integer milliseconds since 1970; "never" is NULL.

create table setting (
    name text not null primary key,
    value text not null
) strict, without rowid;

create table workflow (
    name text not null,
    version integer not null check (version >= 1),
    owner text not null,
    source text not null,
    hash text not null,
    deployed_at integer not null,
    deployed_by text not null,
    primary key (name, version)
) strict;

create table dependency (
    name text not null,
    revision integer not null check (revision >= 1),
    owner text not null,
    source text not null,
    hash text not null,
    deployed_at integer not null,
    deployed_by text not null,
    primary key (name, revision)
) strict;

-- The folded columns lists filter by; the journal is the truth.
create table run (
    run_id text not null primary key,
    workflow text not null,
    version integer not null check (version >= 1),
    event_id text not null,
    generation integer not null check (generation >= 1),
    input_hash text not null,
    -- Differs because SQLite builds a table for every longer IN list each time the check runs.
    status text not null check (
        status = 'running' or status = 'succeeded' or status = 'queued' or status = 'waiting'
        or status = 'review' or status = 'compensating' or status = 'held'
        or status = 'succeeded_partial' or status = 'failed' or status = 'compensated'
        or status = 'compensation_failed' or status = 'cancelled'),
    seq integer not null check (seq >= 1),
    fence integer not null check (fence >= 0),
    worker text check (worker <> ''),
    due integer,
    created_at integer not null,
    started_at integer,
    finished_at integer,
    updated_at integer not null,
    step text not null,
    reason text not null,
    retry_count integer not null check (retry_count >= 0),
    compensation_count integer not null check (compensation_count >= 0),
    duplicates_prevented integer not null check (duplicates_prevented >= 0),
    outputs text not null,
    open text not null,
    -- One source event, one run; the event first, so that it can be looked up alone.
    unique (event_id, workflow),
    constraint run_finished check ((finished_at is not null) = (
        status = 'succeeded' or status = 'succeeded_partial' or status = 'failed'
        or status = 'compensated' or status = 'compensation_failed' or status = 'cancelled')),
    -- A run is owned exactly while an attempt is open.
    constraint run_owned check ((worker is not null) = (open <> '[]'))
) strict;

create index run_due on run (workflow, due) where worker is null and due is not null;
create index run_worker on run (worker) where worker is not null;
create index run_status on run (status, run_id);
create index run_workflow on run (workflow, run_id);
create index run_reason on run (reason, run_id) where reason <> '';

-- Entries are bytes here and text in the other database; differs because Qt binds bytes to SQLite
-- without a conversion.
create table journal (
    id integer not null primary key,
    run_id text not null references run (run_id),
    seq integer not null check (seq >= 1),
    at integer not null,
    worker text not null,
    fence integer not null check (fence >= 0),
    entries blob not null,
    unique (run_id, seq)
) strict;

-- Keyed by key first, so that the one index also answers "who used this key".
create table ledger (
    operation text not null,
    key text not null check (key <> ''),
    hash text not null,
    status text not null check (
        status = 'processing' or status = 'succeeded' or status = 'failed'
        or status = 'compensated' or status = 'expired'),
    run_id text not null,
    step text not null,
    direction text not null check (direction = 'forward' or direction = 'compensate'),
    request text not null,
    result text not null,
    created_at integer not null,
    expires_at integer,
    primary key (key, operation)
) strict, without rowid;

create index ledger_expiry on ledger (expires_at)
    where expires_at is not null and status <> 'expired';

create table review (
    id text not null primary key,
    kind text not null check (kind in (
        'ambiguous', 'approval', 'compensation_failed', 'conflict', 'dead_letter', 'tripwire')),
    run_id text,
    step text not null,
    direction text not null,
    workflow text not null,
    dependency text not null,
    version integer not null,
    opened_at integer not null,
    decided_at integer,
    decided_by text not null,
    decision text not null,
    reason text not null,
    expires_at integer,
    evidence text not null,
    claimed_by text not null default '',
    claimed_until integer,
    snoozed_until integer,
    constraint review_decided check ((decided_at is not null) = (decision <> ''))
) strict;

create index review_open on review (kind, opened_at) where decided_at is null;
create index review_waiting on review (opened_at, id) where decided_at is null;
create index review_opened on review (opened_at, id);
create index review_run on review (run_id) where run_id is not null;

create table pause (
    id text not null primary key,
    scope text not null check (scope in ('all', 'workflow', 'dependency')),
    target text not null,
    depth text not null check (depth in ('intake', 'writes', 'all')),
    reason text not null,
    actor text not null,
    at integer not null,
    journal_mark integer not null,
    lifted_at integer,
    lifted_by text not null,
    lifted_reason text not null,
    ramp text not null default '',
    constraint pause_target check ((scope = 'all') = (target = ''))
) strict;

create index pause_active on pause (at) where lifted_at is null;

-- What a turn locks before it reads the pauses, and a pause locks against the turns. SQLite needs
-- no such lock (one writer); the row counts the changes all the same.
create table gate (
    name text not null primary key,
    changes integer not null
) strict, without rowid;

insert into gate (name, changes) values ('pause', 0);

create table breaker (
    dependency text not null primary key,
    state text not null check (state in ('closed', 'open', 'half_open')),
    failures text not null,
    open_until integer,
    trial_until integer,
    reason text not null
) strict, without rowid;

-- One row per counter, so that a new counter needs no new column.
create table rollup (
    minute integer not null,
    workflow text not null,
    step text not null,
    dependency text not null,
    worker text not null,
    counter text not null,
    value integer not null,
    primary key (minute, workflow, step, dependency, worker, counter)
) strict, without rowid;

-- Minutes added up by the hour once it is over, so that a month is no more to read than a day was.
-- setting rollup_hours_until says up to where; what is not in there yet is in rollup.
create table rollup_hour (
    hour integer not null,
    workflow text not null,
    step text not null,
    dependency text not null,
    counter text not null,
    value integer not null,
    primary key (hour, workflow, step, dependency, counter)
) strict, without rowid;

-- The same for all workflows together.
create table rollup_hour_total (
    hour integer not null,
    counter text not null,
    value integer not null,
    primary key (hour, counter)
) strict, without rowid;

-- Hours added up by the day, in universal time.
create table rollup_day (
    day integer not null,
    workflow text not null,
    step text not null,
    dependency text not null,
    counter text not null,
    value integer not null,
    primary key (day, workflow, step, dependency, counter)
) strict, without rowid;

create table worker (
    id text not null primary key,
    host text not null,
    pid integer not null,
    program_version text not null,
    started_at integer not null,
    lease_until integer not null check (lease_until >= 0),
    state text not null check (state in ('running', 'draining', 'gone'))
    -- A voided lease is forgotten as a lease, not as a time in which somebody worked. The comma stands where SQLite
    -- puts it when a column is added.
    , lived_until integer not null default 0) strict, without rowid;

create index worker_lease on worker (lease_until);

create table command (
    id text not null primary key,
    name text not null,
    run_id text,
    actor text not null,
    arguments text not null,
    at integer not null,
    applied_at integer,
    result text not null check (result in ('', 'applied', 'rejected')),
    message text not null,
    constraint command_applied check ((applied_at is not null) = (result <> ''))
) strict;

create index command_pending on command (at) where applied_at is null;

create table audit (
    seq integer not null primary key,
    chain text not null,
    chain_seq integer not null check (chain_seq >= 1),
    at integer not null,
    actor text not null,
    action text not null,
    subject text not null,
    body text not null,
    previous text not null,
    hash text not null,
    unique (chain, chain_seq)
) strict;

-- The end of each audit chain: the row an appender locks.
create table audit_head (
    chain text not null primary key,
    chain_seq integer not null check (chain_seq >= 1),
    hash text not null
) strict, without rowid;

create table outbox (
    id text not null primary key,
    at integer not null,
    kind text not null,
    run_id text,
    payload text not null,
    delivered_at integer
) strict;

create index outbox_undelivered on outbox (at) where delivered_at is null;

-- What all workers together may use of a dependency's limits; the state is engine::Quota.
create table quota (
    dependency text not null primary key,
    version integer not null check (version >= 1),
    state text not null check (json_type(state, '$.places') is 'object')
) strict;

-- One act on many runs: the batch as a person started it, and its items in the order in which they are taken.
create table batch (
    id text not null primary key,
    act text not null check (act in ('retry', 'cancel', 'compensate', 'resolve')),
    arguments text not null,
    reason text not null check (reason <> ''),
    actor text not null,
    filter text not null,
    rate integer not null check (rate between 1 and 1000),
    includes_unsafe integer not null check (includes_unsafe in (0, 1)),
    state text not null check (state in ('running', 'held', 'done', 'stopped')),
    note text not null,
    items integer not null check (items >= 1),
    chosen integer not null check (chosen between 1 and items),
    taken integer not null check (taken between 0 and chosen),
    base integer not null check (base between 0 and taken),
    taken_at integer,
    started_at integer not null,
    ended_at integer,
    constraint batch_ended check ((ended_at is not null) = (state in ('done', 'stopped')))
) strict;

create index batch_running on batch (id) where state = 'running';

create index batch_started on batch (started_at, id);

create table batch_item (
    batch text not null references batch,
    place integer not null check (place >= 1),
    run_id text,
    review text not null,
    version integer not null,
    verdict text not null check (verdict in ('safe', 'verify', 'duplicate', 'impossible')),
    state text not null check (state in ('pending', 'apart', 'recorded', 'applied', 'refused', 'skipped')),
    command text not null,
    message text not null,
    primary key (batch, place),
    unique (batch, run_id, review),
    constraint batch_item_commanded check (
        case when state in ('recorded', 'applied') then command <> '' and run_id is not null
        when state = 'refused' then true else command = '' end)
) strict;

create index batch_item_state on batch_item (batch, state, place);

create index batch_item_recorded on batch_item (command) where state = 'recorded';

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
-- Whom alerts are sent to; secrets stand here by name only. What is sent to whom, and how it went.
create table alert_target (
    name text not null primary key check (name <> ''),
    url text not null check (url like 'http://%' or url like 'https://%'),
    secrets text not null,
    kinds text not null,
    workflows text not null,
    allow_private integer not null check (allow_private in (0, 1)),
    state text not null check (state in ('enabled', 'disabled')),
    reason text not null,
    made_by text not null,
    made_at integer not null
) strict;

create table delivery (
    outbox_id text not null,
    target text not null,
    kind text not null,
    run_id text,
    at integer not null,
    state text not null check (state in ('waiting', 'delivered', 'given_up')),
    attempts integer not null check (attempts >= 0),
    next_at integer,
    ended_at integer,
    status integer not null,
    error text not null,
    primary key (outbox_id, target),
    constraint delivery_ended check ((ended_at is not null) = (state <> 'waiting')),
    constraint delivery_next check ((next_at is not null) = (state = 'waiting'))
) strict;

create index delivery_waiting on delivery (target, next_at) where state = 'waiting';

create index delivery_at on delivery (at, outbox_id, target);

create index outbox_handed on outbox (delivered_at) where delivered_at is not null;

-- Rules that pause by themselves. The last five columns are what a watch keeps.
create table tripwire (
    name text not null primary key check (name <> ''),
    measure text not null check (measure in
        ('compensation_rate', 'ambiguity_rate', 'failure_rate', 'retry_rate', 'failures')),
    workflow text not null,
    step text not null,
    failure text not null,
    scope text not null check (scope in ('all', 'workflow', 'dependency')),
    target text not null,
    depth text not null check (depth in ('intake', 'writes', 'all')),
    window_ms integer not null check (window_ms > 0),
    threshold integer not null check (threshold > 0),
    least integer not null check (least > 0),
    state text not null check (state in ('enabled', 'disabled')),
    made_by text not null,
    made_at integer not null,
    armed_at integer,
    base_count integer not null,
    base_of integer not null,
    pause text not null,
    fired_at integer,
    constraint tripwire_target check ((target = '') = (scope = 'all'))
) strict;

-- What a person signed: the figures of a window as they stood then, and the end of the audit.
create table signoff (
    since integer not null,
    until integer not null,
    signed_by text not null check (signed_by <> ''),
    at integer not null,
    note text not null,
    figures text not null,
    figures_hash text not null,
    audit_seq integer not null check (audit_seq >= 0),
    audit_rows integer not null check (audit_rows >= 0),
    audit_hash text not null,
    primary key (since, until),
    constraint signoff_span check (since < until)
) strict;

create index signoff_at on signoff (at);

-- A report asks by time what concerned everything, and which runs were compensated.
create index audit_system on audit (at, seq) where chain = 'system';

create index run_undone on run (finished_at, run_id)
    where status in ('compensated', 'compensation_failed');
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

-- By which whoever was there before knows the database again.
insert into setting (name, value) values ('database_id', lower(hex(randomblob(16))));
