-- Items that wait for a person.

-- fragment: review_columns
-- The order row_reader expects.
id, kind, run_id, step, direction, workflow, dependency, version, opened_at, decided_at, decided_by,
decision, reason, expires_at, evidence

-- name: insert_review
-- Opening the same item twice is one item.
insert into review ({review_columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (id) do nothing

-- name: decide_review
-- The first decision stands.
update review set decision = ?, decided_by = ?, reason = ?, decided_at = ?
where id = ? and decided_at is null

-- name: review_by_id
-- One item.
select {review_columns} from review where id = ?

-- name: reviews_open
-- Open items of one kind, or of all, the oldest first.
select {review_columns} from review
where decided_at is null and (? = '' or kind = ?) order by opened_at, id limit ?

-- name: reviews_of_run
-- Items of one run, open or all.
select {review_columns} from review
where run_id = ? and (? = 0 or decided_at is null) and (? = '' or kind = ?)
order by opened_at, id limit ?

-- name: reviews_all
-- Items decided or not.
select {review_columns} from review where (? = '' or kind = ?) order by opened_at, id limit ?

-- name: count_open_reviews
-- Answered from the partial index of open items.
select kind, count(*) from review where decided_at is null group by kind
