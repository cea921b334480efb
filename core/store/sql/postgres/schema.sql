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

create index run_due on holdfast.run (workflow, due) where worker is null and due is not null;
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
    state text not null check (state in ('running', 'draining', 'gone')),
    -- A voided lease is forgotten as a lease, not as a time in which somebody worked.
    lived_until bigint not null default 0
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

-- What a person's change owes to the audit, within one transaction: the row is added by the change and deleted by
-- the audit row that tells of it. No transaction commits with a debt.
create unlogged table holdfast.owed (
    xid xid8 not null,
    actions text[] not null,
    chain text not null,
    subject text not null,
    facts jsonb not null
);

create index owed_xid on holdfast.owed (xid);

create function holdfast.check_owed() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if exists (select from holdfast.owed where xid = pg_current_xact_id()) then
        raise exception 'a change without its audit row: %', new.actions using errcode = '42501';
    end if;
    return null;
end
$$;

create constraint trigger owed_is_paid after insert on holdfast.owed
deferrable initially deferred for each row execute function holdfast.check_owed();

revoke all on function holdfast.check_owed() from public;

-- What a viewer reads in place of the tables: the same rows, without bodies, receipts and what people wrote to commands.
create function holdfast.without_bodies(p_value jsonb) returns jsonb
language plpgsql immutable security definer set search_path = pg_catalog, pg_temp as $$
begin
    if jsonb_typeof(p_value) = 'array' then
        return (select coalesce(jsonb_agg(holdfast.without_bodies(item) order by place), '[]')
                from jsonb_array_elements(p_value) with ordinality as items (item, place));
    elsif jsonb_typeof(p_value) = 'object' then
        return (select coalesce(jsonb_object_agg(name, holdfast.without_bodies(value)), '{}')
                from jsonb_each(p_value) as members (name, value)
                where name not in ('input', 'request', 'response', 'body', 'headers', 'receipt', 'before', 'output',
                                   'outputs', 'data', 'evidence', 'value', 'result', 'text', 'error'));
    end if;
    return p_value;
end
$$;

revoke all on function holdfast.without_bodies(jsonb) from public;

comment on function holdfast.without_bodies(jsonb) is 'viewer operator approver worker admin';

create view holdfast.seen_setting as
select name, value from holdfast.setting
where name like 'view:%' or name in ('schema_version', 'functions', 'rollup_hours_until');

create view holdfast.seen_workflow as select * from holdfast.workflow;

create view holdfast.seen_dependency as select * from holdfast.dependency;

create view holdfast.seen_run as
select run_id, workflow, version, event_id, generation, input_hash, status, seq, fence, worker, due, created_at,
    started_at, finished_at, updated_at, step, reason, retry_count, compensation_count, duplicates_prevented,
    '{}'::text as outputs, open
from holdfast.run;

create view holdfast.seen_journal as
select id, run_id, seq, at, worker, fence, holdfast.without_bodies(entries::jsonb)::text as entries
from holdfast.journal;

create view holdfast.seen_ledger as
select operation, key, hash, status, run_id, step, direction, '{}'::text as request, '{}'::text as result,
    created_at, expires_at
from holdfast.ledger;

create view holdfast.seen_review as
select id, kind, run_id, step, direction, workflow, dependency, version, opened_at, decided_at, decided_by,
    decision, reason, expires_at, holdfast.without_bodies(evidence::jsonb)::text as evidence, claimed_by,
    claimed_until, snoozed_until
from holdfast.review;

create view holdfast.seen_pause as select * from holdfast.pause;

create view holdfast.seen_breaker as select * from holdfast.breaker;

create view holdfast.seen_rollup as select * from holdfast.rollup;

create view holdfast.seen_rollup_hour as select * from holdfast.rollup_hour;

create view holdfast.seen_rollup_hour_total as select * from holdfast.rollup_hour_total;

create view holdfast.seen_rollup_day as select * from holdfast.rollup_day;

create view holdfast.seen_worker as select * from holdfast.worker;

create view holdfast.seen_command as
select id, name, run_id, actor, '{}'::text as arguments, at, applied_at, result, message from holdfast.command;

create view holdfast.seen_audit as
select seq, chain, chain_seq, at, actor, action, subject, holdfast.without_bodies(body::jsonb)::text as body,
    previous, hash
from holdfast.audit;

-- What all workers together may use of a dependency's limits; the state is engine::Quota.
create table holdfast.quota (
    dependency text collate "C" not null primary key,
    version bigint not null check (version >= 1),
    state text not null check (coalesce(jsonb_typeof(state::jsonb -> 'places'), '') = 'object')
) with (fillfactor = 50);

create view holdfast.seen_quota as select * from holdfast.quota;

-- One act on many runs: the batch as a person started it, and its items in the order in which they are taken.
create table holdfast.batch (
    id text collate "C" not null primary key,
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
    taken_at bigint,
    started_at bigint not null,
    ended_at bigint,
    constraint batch_ended check ((ended_at is not null) = (state in ('done', 'stopped')))
);

create index batch_running on holdfast.batch (id) where state = 'running';

create index batch_started on holdfast.batch (started_at, id);

create table holdfast.batch_item (
    batch text collate "C" not null references holdfast.batch,
    place integer not null check (place >= 1),
    run_id uuid,
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
);

create index batch_item_state on holdfast.batch_item (batch, state, place);

create index batch_item_recorded on holdfast.batch_item (command) where state = 'recorded';

create view holdfast.seen_batch as
select id, act, holdfast.without_bodies(arguments::jsonb)::text as arguments, reason, actor, filter, rate,
    includes_unsafe, state, note, items, chosen, taken, base, taken_at, started_at, ended_at
from holdfast.batch;

create view holdfast.seen_batch_item as select * from holdfast.batch_item;

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
-- Whom alerts are sent to; secrets stand here by name only. What is sent to whom, and how it went.
create table holdfast.alert_target (
    name text collate "C" not null primary key check (name <> ''),
    url text not null check (url like 'http://%' or url like 'https://%'),
    secrets text not null,
    kinds text not null,
    workflows text not null,
    allow_private integer not null check (allow_private in (0, 1)),
    state text not null check (state in ('enabled', 'disabled')),
    reason text not null,
    made_by text not null,
    made_at bigint not null
);

create table holdfast.delivery (
    outbox_id text collate "C" not null,
    target text collate "C" not null,
    kind text not null,
    run_id uuid,
    at bigint not null,
    state text not null check (state in ('waiting', 'delivered', 'given_up')),
    attempts integer not null check (attempts >= 0),
    next_at bigint,
    ended_at bigint,
    status integer not null,
    error text not null,
    primary key (outbox_id, target),
    constraint delivery_ended check ((ended_at is not null) = (state <> 'waiting')),
    constraint delivery_next check ((next_at is not null) = (state = 'waiting'))
);

create index delivery_waiting on holdfast.delivery (target, next_at) where state = 'waiting';

create index delivery_at on holdfast.delivery (at, outbox_id, target);

create index outbox_handed on holdfast.outbox (delivered_at) where delivered_at is not null;

-- Rules that pause by themselves. The last five columns are what a watch keeps.
create table holdfast.tripwire (
    name text collate "C" not null primary key check (name <> ''),
    measure text not null check (measure in
        ('compensation_rate', 'ambiguity_rate', 'failure_rate', 'retry_rate', 'failures')),
    workflow text not null,
    step text not null,
    failure text not null,
    scope text not null check (scope in ('all', 'workflow', 'dependency')),
    target text not null,
    depth text not null check (depth in ('intake', 'writes', 'all')),
    window_ms bigint not null check (window_ms > 0),
    threshold bigint not null check (threshold > 0),
    least bigint not null check (least > 0),
    state text not null check (state in ('enabled', 'disabled')),
    made_by text not null,
    made_at bigint not null,
    armed_at bigint,
    base_count bigint not null,
    base_of bigint not null,
    pause text not null,
    fired_at bigint,
    constraint tripwire_target check ((target = '') = (scope = 'all'))
);

create view holdfast.seen_alert_target as select * from holdfast.alert_target;

create view holdfast.seen_delivery as select * from holdfast.delivery;

create view holdfast.seen_tripwire as select * from holdfast.tripwire;

-- What a person signed: the figures of a window as they stood then, and the end of the audit.
create table holdfast.signoff (
    since bigint not null,
    until bigint not null,
    signed_by text not null check (signed_by <> ''),
    at bigint not null,
    note text not null,
    figures text not null,
    figures_hash text not null,
    audit_seq bigint not null check (audit_seq >= 0),
    audit_rows bigint not null check (audit_rows >= 0),
    audit_hash text not null,
    primary key (since, until),
    constraint signoff_span check (since < until)
);

create index signoff_at on holdfast.signoff (at);

-- A report asks by time what concerned everything, and which runs were compensated.
create index audit_system on holdfast.audit (at, seq) where chain = 'system';

create index run_undone on holdfast.run (finished_at, run_id)
    where status in ('compensated', 'compensation_failed');

create view holdfast.seen_signoff as select * from holdfast.signoff;
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

-- By which whoever was there before knows the database again.
insert into holdfast.setting (name, value) values ('database_id', gen_random_uuid()::text);
