-- Items that wait for a person.

-- fragment: review_columns
-- The order row_reader expects.
id, kind, run_id, step, direction, workflow, dependency, version, opened_at, decided_at, decided_by,
decision, reason, expires_at, evidence

-- fragment: review_row
-- The order row_reader expects; who claimed an item is no part of opening it.
{review_columns}, claimed_by, claimed_until, snoozed_until

-- name: insert_review
-- for: worker
-- Opening the same item twice is one item.
insert into holdfast.review ({review_columns}) values (
    ?::text, ?::text, ?::uuid, ?::text, ?::text, ?::text, ?::text, ?::integer, ?::bigint, ?::bigint,
    ?::text, ?::text, ?::text, ?::bigint, ?::text)
on conflict (id) do nothing

-- name: insert_reviews
-- for: worker
-- The same for all items of a turn.
insert into holdfast.review ({review_columns})
select * from unnest(
    ?::text[], ?::text[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::integer[],
    ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[])
on conflict (id) do nothing

-- name: close_reviews
-- for: worker
-- Closes what is still open, except items of runs that were fenced off. No engine approves, and it names a
-- person only who commanded that run.
create or replace function holdfast.close_reviews(
    p_ids text[], p_decisions text[], p_by text[], p_reasons text[], p_ats bigint[], p_fenced uuid[])
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    closed bigint;
begin
    update holdfast.review as kept
    set decision = v.decision, decided_by = v.decided_by, reason = v.reason, decided_at = v.decided_at
    from unnest(p_ids, p_decisions, p_by, p_reasons, p_ats) as v (id, decision, decided_by, reason, decided_at)
    where kept.id = v.id and kept.decided_at is null
      and not coalesce(kept.run_id = any (p_fenced), false)
      and (holdfast.is_owner()
           or (not (kept.kind = 'approval' and v.decision = 'approve')
               and (v.decided_by = 'engine' or exists (
                   select from holdfast.command as told
                   where told.run_id = kept.run_id and told.actor = v.decided_by))));
    get diagnostics closed = row_count;
    return closed;
end
$$

-- name: decide_review
-- for: operator approver
-- The first decision stands. An approval takes an approver, and another person than the one who started the run
-- where the step asks for it.
create or replace function holdfast.decide_review(
    p_decision text, p_by text, p_reason text, p_at bigint, p_id text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    item holdfast.review;
    decided bigint;
begin
    perform holdfast.acting(p_by);
    select * into item from holdfast.review where id = p_id for update;
    if item.kind = 'approval' then
        perform holdfast.need_role('approver', 'decide an approval');
        if p_decision = 'approve' and item.evidence::jsonb -> 'four_eyes' = 'true' and p_by = (
            select actor from holdfast.audit where chain = item.run_id::text order by chain_seq limit 1) then
            raise exception '% started this run; somebody else has to approve it', p_by using errcode = '42501';
        end if;
    else
        perform holdfast.need_role('operator', 'decide an item');
    end if;
    update holdfast.review
    set decision = p_decision, decided_by = p_by, reason = p_reason, decided_at = holdfast.moment(p_at)
    where id = p_id and decided_at is null;
    get diagnostics decided = row_count;
    if decided > 0 then
        perform holdfast.owe(
            case when p_decision in ('approve', 'reject') then array[p_decision] else array['resolve'] end,
            coalesce(item.run_id::text, 'system'), p_id, jsonb_build_object('review', p_id));
    end if;
    return decided;
end
$$

-- name: reopen_review
-- for: worker
-- What was decided could not be done: the question stands.
update holdfast.review set decision = '', decided_by = '', reason = '', decided_at = null
where id = ?::text

-- name: review_by_id
-- One item.
select {review_row} from holdfast.review where id = ?

-- name: reviews_open
-- Open items of one kind, or of all, the oldest first.
select {review_row} from holdfast.review
where decided_at is null and (?::text = '' or kind = ?) order by opened_at, id limit ?

-- name: reviews_of_run
-- Items of one run, open or all.
select {review_row} from holdfast.review
where run_id = ? and (?::integer = 0 or decided_at is null) and (?::text = '' or kind = ?)
order by opened_at, id limit ?

-- name: reviews_all
-- Items decided or not, the newest first.
select {review_row} from holdfast.review
where (?::text = '' or kind = ?) and kind <> ? and opened_at >= ? and opened_at < ?
order by opened_at desc, id desc limit ?

-- name: count_open_reviews
-- Answered from the partial index of open items.
select kind, count(*), min(opened_at) from holdfast.review where decided_at is null group by kind

-- name: claim_review
-- for: operator approver
-- One person at a time looks at an item; a claim that has run out is anybody's.
create or replace function holdfast.claim_review(
    p_claimed_by text, p_until bigint, p_id text, p_by text, p_now bigint)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    claimed bigint;
begin
    perform holdfast.acting(p_by);
    if p_claimed_by not in ('', p_by) then
        raise exception '% cannot claim an item for %', p_by, p_claimed_by using errcode = '42501';
    end if;
    update holdfast.review set claimed_by = p_claimed_by, claimed_until = p_until
    where id = p_id and decided_at is null
      and (claimed_by = '' or claimed_by = p_by or claimed_until <= holdfast.moment(p_now));
    get diagnostics claimed = row_count;
    if claimed > 0 then
        perform holdfast.owe(array['claim'], '', p_id, '{}');
    end if;
    return claimed;
end
$$

-- name: snooze_review
-- for: operator approver
-- Out of sight until then; it stays open all the same.
create or replace function holdfast.snooze_review(p_until bigint, p_id text) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    snoozed bigint;
begin
    update holdfast.review set snoozed_until = p_until where id = p_id and decided_at is null;
    get diagnostics snoozed = row_count;
    if snoozed > 0 then
        perform holdfast.owe(array['snooze'], '', p_id, '{}');
    end if;
    return snoozed;
end
$$
