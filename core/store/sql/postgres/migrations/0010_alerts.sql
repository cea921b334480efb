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

-- What was announced while nobody could be told is history, not news.
update holdfast.outbox set delivered_at = at where delivered_at is null;

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
