-- One act on many runs, and what became of each.

-- fragment: batch_columns
-- The order row_reader expects.
id, act, arguments, reason, actor, filter, rate, includes_unsafe, state, note, items, chosen, taken, base, taken_at,
started_at, ended_at

-- name: insert_batch
-- Started twice, it is one batch.
insert into batch ({batch_columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (id) do nothing

-- name: insert_batch_item
-- In the order in which they are taken; those set apart come last.
insert into batch_item (batch, place, run_id, review, version, verdict, state, command, message)
values (?, ?, ?, ?, ?, ?, ?, '', ?)

-- name: set_batch_state
-- What has ended stays ended; whoever lets it go on begins with one again. Who does it, ?3, is asked about in the
-- other database only.
update batch set state = ?1, note = ?2,
    base = case when ?1 = 'running' then taken else base end,
    ended_at = case when ?1 in ('done', 'stopped') then ?4 end
where id = ?5 and (state = 'running' or (state = 'held' and ?1 <> 'done')) and state <> ?1

-- name: skip_batch_items
-- What a stopped batch has not come to is left as it is.
update batch_item set state = 'skipped', message = 'the batch was stopped before'
where batch = ? and state = 'pending'

-- name: any_batch_goes
-- Answered from partial indexes.
select exists (select 1 from batch where state = 'running')
    or exists (select 1 from batch_item where state = 'recorded')

-- name: lock_batches
-- The transaction already excludes other writers.
select {batch_columns} from batch where state = 'running' order by id

-- name: settle_batch_items
-- What became of the command became of the item.
update batch_item
set state = case when told.result = 'applied' then 'applied' else 'refused' end, message = told.message
from command as told
where batch_item.state = 'recorded' and told.id = batch_item.command and told.applied_at is not null

-- name: take_batch_item
-- Each in its turn, and only while the batch is running.
update batch set taken = ?1, taken_at = ?2 where id = ?3 and state = 'running' and taken = ?1 - 1

-- name: set_batch_item
-- An item is taken once.
update batch_item set state = ?, command = ?, message = ? where batch = ? and place = ? and state = 'pending'

-- name: batches
-- The newest first.
select {batch_columns} from batch order by started_at desc, id desc limit ?

-- name: batch_by_id
-- One batch.
select {batch_columns} from batch where id = ?

-- name: batch_items
-- A page in their order, with how the run stands now.
select batch_item.place, batch_item.run_id, batch_item.review, batch_item.version, batch_item.verdict,
    batch_item.state, batch_item.command, batch_item.message,
    coalesce(run.status, (select status from archived_run where archived_run.run_id = batch_item.run_id), '')
from batch_item left join run on run.run_id = batch_item.run_id
where batch_item.batch = ? and batch_item.place > ? order by batch_item.place limit ?

-- name: batch_items_of_state
-- The same of one state.
select batch_item.place, batch_item.run_id, batch_item.review, batch_item.version, batch_item.verdict,
    batch_item.state, batch_item.command, batch_item.message,
    coalesce(run.status, (select status from archived_run where archived_run.run_id = batch_item.run_id), '')
from batch_item left join run on run.run_id = batch_item.run_id
where batch_item.batch = ? and batch_item.place > ? and batch_item.state = ? order by batch_item.place limit ?

-- name: batch_counts
-- Every item is counted once. How a run stands now is asked of those only that were touched.
select batch_item.state, batch_item.verdict, coalesce(run.status, ''), count(*)
from batch_item left join run on batch_item.state = 'applied' and run.run_id = batch_item.run_id
where batch_item.batch = ? and batch_item.place > ? group by 1, 2, 3
