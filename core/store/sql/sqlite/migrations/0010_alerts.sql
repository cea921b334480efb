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

-- What was announced while nobody could be told is history, not news.
update outbox set delivered_at = at where delivered_at is null;

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
