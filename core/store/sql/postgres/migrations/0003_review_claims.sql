-- Who is looking at an item, and until when nobody needs to.
alter table holdfast.review add column claimed_by text not null default '';
alter table holdfast.review add column claimed_until bigint;
alter table holdfast.review add column snoozed_until bigint;

-- Whoever waits longest comes first, however many were decided before.
create index review_waiting on holdfast.review (opened_at, id) where decided_at is null;

-- Reports ask for the items of a span of time, decided or not.
create index review_opened on holdfast.review (opened_at, id);
