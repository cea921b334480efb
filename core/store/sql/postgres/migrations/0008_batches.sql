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
