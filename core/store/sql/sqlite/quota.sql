-- What all workers together may use of a dependency's limits. A file has one worker at a time; who was there before
-- is known by what it still held.

-- fragment: quota_columns
-- The order row_reader expects.
dependency, version, state

-- name: quotas
-- Those of these dependencies that exist; the names come as one JSON array.
select {quota_columns} from quota where dependency in (select value from json_each(?)) order by dependency

-- name: all_quotas
-- What a turn reads with the other gates.
select {quota_columns} from quota order by dependency

-- name: insert_quota
-- The first of a dependency.
insert into quota (dependency, version, state) values (?, 1, ?) on conflict do nothing

-- name: swap_quota
-- Only as the next version of the one that was read.
update quota set version = version + 1, state = ? where dependency = ? and version = ?

-- name: reclaim_quotas
-- Takes back the places of workers whose lease has run out and who have no attempt open.
update quota set version = version + 1, state = json_set(state, '$.places', json((
    select json_group_object(held.key, held.value) from json_each(quota.state, '$.places') as held
    where held.key in (select id from worker where lease_until >= ?)
       or held.key in (select worker from run where worker is not null))))
where dependency in (select value from json_each(?))
  and exists (select 1 from json_each(quota.state, '$.places') as held
              where held.key not in (select id from worker where lease_until >= ?)
                and held.key not in (select worker from run where worker is not null))
