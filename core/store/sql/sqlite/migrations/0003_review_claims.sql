-- Who is looking at an item, and until when nobody needs to.
alter table review add column claimed_by text not null default '';
alter table review add column claimed_until integer;
alter table review add column snoozed_until integer;

-- Whoever waits longest comes first, however many were decided before.
create index review_waiting on review (opened_at, id) where decided_at is null;

-- Reports ask for the items of a span of time, decided or not.
create index review_opened on review (opened_at, id);
