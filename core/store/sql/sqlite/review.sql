-- Items that wait for a person.

-- fragment: review_columns
-- The order row_reader expects.
id, kind, run_id, step, direction, workflow, dependency, version, opened_at, decided_at, decided_by,
decision, reason, expires_at, evidence

-- fragment: review_row
-- The order row_reader expects; who claimed an item is no part of opening it.
{review_columns}, claimed_by, claimed_until, snoozed_until

-- name: insert_review
-- Opening the same item twice is one item.
insert into review ({review_columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (id) do nothing

-- name: decide_review
-- The first decision stands.
update review set decision = ?, decided_by = ?, reason = ?, decided_at = ?
where id = ? and decided_at is null

-- name: reopen_review
-- What was decided could not be done: the question stands.
update review set decision = '', decided_by = '', reason = '', decided_at = null where id = ?

-- name: review_by_id
-- One item.
select {review_row} from review where id = ?

-- name: reviews_open
-- Open items of one kind, or of all, the oldest first.
select {review_row} from review
where decided_at is null and (? = '' or kind = ?) order by opened_at, id limit ?

-- name: reviews_of_run
-- Items of one run, open or all.
select {review_row} from review
where run_id = ? and (? = 0 or decided_at is null) and (? = '' or kind = ?)
order by opened_at, id limit ?

-- name: reviews_all
-- Items decided or not, the newest first.
select {review_row} from review
where (? = '' or kind = ?) and kind <> ? and opened_at >= ? and opened_at < ?
order by opened_at desc, id desc limit ?

-- name: count_open_reviews
-- Answered from the partial index of open items.
select kind, count(*), min(opened_at) from review where decided_at is null group by kind

-- name: claim_review
-- One person at a time looks at an item; a claim that has run out is anybody's.
update review set claimed_by = ?, claimed_until = ?
where id = ? and decided_at is null
  and (claimed_by = '' or claimed_by = ? or claimed_until <= ?)

-- name: snooze_review
-- Out of sight until then; it stays open all the same.
update review set snoozed_until = ? where id = ? and decided_at is null
