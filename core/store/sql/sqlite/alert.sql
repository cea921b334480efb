-- Alerts on their way to their targets, and the rules that pause by themselves.

-- fragment: target_columns
-- The order row_reader expects.
name, url, secrets, kinds, workflows, allow_private, state, reason, made_by, made_at

-- fragment: delivery_columns
-- The order row_reader expects.
outbox_id, target, kind, run_id, at, state, attempts, next_at, ended_at, status, error

-- fragment: tripwire_columns
-- The order row_reader expects.
name, measure, workflow, step, failure, scope, target, depth, window_ms, threshold, least, state, made_by, made_at,
armed_at, base_count, base_of, pause, fired_at

-- name: announce
-- Told once, however often it is written.
insert into outbox (id, at, kind, run_id, payload, delivered_at) values (?, ?, ?, ?, ?, ?) on conflict (id) do nothing

-- name: insert_alert_target
-- One of each name.
insert into alert_target ({target_columns}) values (?, ?, ?, ?, ?, ?, 'enabled', '', ?, ?)
on conflict (name) do nothing

-- name: set_alert_target
-- Who does it, ?3, is asked about in the other database only.
update alert_target set state = ?1, reason = ?2 where name = ?4 and ?3 <> ''

-- name: delete_alert_target
-- The same.
delete from alert_target where name = ?1 and ?2 <> ''

-- name: abandon_deliveries
-- Nobody is left to take them.
update delivery set state = 'given_up', next_at = null, ended_at = ?, error = 'the target was removed'
where target = ? and state = 'waiting'

-- name: alert_targets
-- All by name.
select {target_columns} from alert_target order by name

-- name: lock_outbox
-- The transaction already excludes other writers.
select {outbox_columns} from outbox where delivered_at is null order by at, id limit ?

-- name: hand_out
-- From now on its deliveries stand.
update outbox set delivered_at = ? where id = ?

-- name: insert_delivery
-- One of each alert and target.
insert into delivery ({delivery_columns}) values (?, ?, ?, ?, ?, 'waiting', 0, ?, null, 0, '')
on conflict (outbox_id, target) do nothing

-- name: take_deliveries
-- Counts the try and puts off the next, so that it is sent again should this one never be told of. Of each target at
-- most each_most are under way; what is due again before until_at counts as such. A number is given once, because Qt
-- counts every place it stands at.
with given (until_at, now_at, most, each_most) as (select ?, ?, ?, ?),
whom as materialized (
    select name, (
        select count(*) from delivery as sent where sent.target = alert_target.name
          and sent.state = 'waiting' and sent.attempts > 0 and sent.next_at > now_at and sent.next_at <= until_at)
        as under_way
    from alert_target, given where state = 'enabled'),
due as (
    select outbox_id, target, next_at,
        under_way + row_number() over (partition by target order by next_at, outbox_id) as place
    from given cross join whom cross join delivery
    where delivery.target = whom.name and state = 'waiting' and next_at <= now_at)
update delivery set attempts = attempts + 1, next_at = (select until_at from given)
where (outbox_id, target) in (
    select outbox_id, target from due where place <= (select each_most from given)
    order by next_at, outbox_id, target limit (select most from given))
returning {delivery_columns}

-- name: settle_delivery
-- What was taken is delivered, whoever sent it; else only the last try says what follows. A status below 0 gives the
-- try back.
update delivery set state = ?1, next_at = ?2, ended_at = ?3, status = max(?4, 0), error = ?5,
    attempts = attempts - (?4 < 0)
where outbox_id = ?6 and target = ?7 and state = 'waiting' and (?1 = 'delivered' or attempts = ?8)

-- name: any_delivery_due
-- Answered from partial indexes, target by target: what waits for a disabled one is not looked at.
select exists (select 1 from outbox where delivered_at is null)
    or exists (select 1 from alert_target as whom where whom.state = 'enabled' and exists (
        select 1 from delivery where delivery.target = whom.name and delivery.state = 'waiting'
          and delivery.next_at <= ?))

-- name: outbox_by_id
-- One alert.
select {outbox_columns} from outbox where id = ?

-- name: deliveries
-- The newest first; an empty name or state means any.
select {delivery_columns} from delivery
where target = coalesce(nullif(?, ''), target) and state = coalesce(nullif(?, ''), state)
order by at desc, outbox_id desc, target limit ?

-- name: sweep_deliveries
-- Those of alerts that are swept next.
delete from delivery where outbox_id in (
    select id from outbox where delivered_at < ?1
      and not exists (select 1 from delivery as open where open.outbox_id = outbox.id and open.state = 'waiting')
    order by delivered_at, id limit ?2)

-- name: sweep_outbox
-- Alerts that were handed out before then and none of whose deliveries is left.
delete from outbox where id in (
    select id from outbox where delivered_at < ?1
      and not exists (select 1 from delivery as open where open.outbox_id = outbox.id)
    order by delivered_at, id limit ?2)

-- name: insert_tripwire
-- One of each name.
insert into tripwire ({tripwire_columns})
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'enabled', ?, ?, null, 0, 0, '', null)
on conflict (name) do nothing

-- name: set_tripwire
-- Enabled again, it counts anew, once the pause it pulled is lifted. Who does it, ?2, is asked about in the other
-- database only.
update tripwire set state = ?1, armed_at = null where name = ?3 and ?2 <> ''

-- name: delete_tripwire
-- The same.
delete from tripwire where name = ?1 and ?2 <> ''

-- name: tripwires
-- All by name.
select {tripwire_columns} from tripwire order by name

-- name: lock_tripwire
-- The transaction already excludes other writers.
select {tripwire_columns} from tripwire where name = ? and state = 'enabled'

-- name: keep_tripwire
-- What a watch keeps.
update tripwire set armed_at = ?, base_count = ?, base_of = ?, pause = ?, fired_at = ? where name = ?
