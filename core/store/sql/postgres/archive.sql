-- Retention: archives, which runs may go into one, and taking them out. All of it is an admin's: nobody else, and no
-- worker, has a function that removes a run.

-- fragment: archive_columns
-- The order row_reader expects.
id, file, host, before_at, reason, actor, state, note, runs, size, hash, manifest, started_at, written_at, ended_at

-- fragment: archived_columns
-- The order row_reader expects.
run_id, archive, workflow, version, event_id, generation, input_hash, status, seq, created_at, started_at,
finished_at

-- fragment: kept_for
-- Why a run is not archived with the cut-off `cut`. The newest journal row stays, so that ids go on from there.
case
    when run.finished_at is null then 'open'
    when run.finished_at >= cut.before_at or run.updated_at >= cut.before_at then 'later'
    when run.run_id = (select last.run_id from holdfast.journal as last where last.id = (select max(id) from holdfast.journal))
        then 'newest'
    when exists (select 1 from holdfast.review as item where item.run_id = run.run_id and item.decided_at is null)
        then 'review'
    when exists (select 1 from holdfast.command as told where told.run_id = run.run_id and told.applied_at is null)
        then 'command'
    when run.run_id in (
        select item.run_id from holdfast.batch_item as item join holdfast.batch as kept on kept.id = item.batch
        where kept.state in ('running', 'held') and item.state in ('pending', 'recorded') and item.run_id is not null)
        then 'batch'
    else '' end

-- name: start_archive
-- for: admin
-- Started twice, it is one archive. One that was never written is given up for it; one whose file stands has to be
-- finished first.
create or replace function holdfast.start_archive(
    p_id text, p_file text, p_host text, p_before bigint, p_reason text, p_actor text, p_at bigint)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    added bigint;
    moment constant bigint := holdfast.moment(p_at);
begin
    perform holdfast.acting(p_actor);
    perform holdfast.need_role('admin', 'archive runs');
    lock table holdfast.archive in share row exclusive mode;
    if exists (select from holdfast.archive where id = p_id or state in ('written', 'removing')) then
        return 0;
    end if;
    if p_before > moment then
        raise exception 'the cut-off of an archive lies in the past' using errcode = '42501';
    end if;
    update holdfast.archive set state = 'dropped', note = 'another archive was started', ended_at = moment
    where state = 'writing';
    insert into holdfast.archive ({archive_columns})
    values (p_id, p_file, p_host, p_before, p_reason, p_actor, 'writing', '', 0, 0, '', '{}', moment, null, null);
    get diagnostics added = row_count;
    perform holdfast.owe(array['archive'], 'system', p_id, jsonb_build_object(
        'state', 'writing', 'file', p_file, 'reason', p_reason));
    return added;
end
$$

-- name: set_archive
-- for: admin
-- Only on from where the caller saw it, and only one step.
create or replace function holdfast.set_archive(
    p_state text, p_note text, p_runs bigint, p_size bigint, p_hash text, p_manifest text, p_at bigint, p_actor text,
    p_id text, p_from text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    changed bigint;
    moment constant bigint := holdfast.moment(p_at);
begin
    perform holdfast.acting(p_actor);
    perform holdfast.need_role('admin', 'archive runs');
    if (p_from, p_state) not in (('writing', 'written'), ('writing', 'dropped'), ('written', 'removing'),
                                 ('removing', 'done')) then
        raise exception 'an archive that is % does not become %', p_from, p_state using errcode = '42501';
    end if;
    update holdfast.archive as kept set state = p_state, note = p_note,
        runs = case when p_state = 'written' then p_runs else kept.runs end,
        size = case when p_state = 'written' then p_size else kept.size end,
        hash = case when p_state = 'written' then p_hash else kept.hash end,
        manifest = case when p_state = 'written' then p_manifest else kept.manifest end,
        written_at = case when p_state = 'written' then moment else kept.written_at end,
        ended_at = case when p_state in ('done', 'dropped') then moment end
    where kept.id = p_id and kept.state = p_from;
    get diagnostics changed = row_count;
    if changed > 0 then
        perform holdfast.owe(array['archive'], 'system', p_id, jsonb_build_object('state', p_state));
    end if;
    return changed;
end
$$

-- name: remove_runs
-- for: admin
-- Takes out what is as it is in the file and still may go. The rows are locked first, so that whoever told one of
-- these runs something at the same moment is seen, or sees that the run is gone.
create or replace function holdfast.remove_runs(
    p_archive text, p_run_ids uuid[], p_seqs integer[], p_actor text)
returns setof uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
    removing holdfast.archive;
    gone uuid[];
begin
    perform holdfast.acting(p_actor);
    perform holdfast.need_role('admin', 'archive runs');
    select * into removing from holdfast.archive where id = p_archive for update;
    if removing.state is distinct from 'removing' then
        raise exception 'the archive % does not remove runs', p_archive using errcode = 'HF409';
    end if;
    perform from holdfast.run where run_id = any (p_run_ids) order by run_id for update;
    with kept as (
        insert into holdfast.archived_run ({archived_columns})
        select run.run_id, p_archive, run.workflow, run.version, run.event_id, run.generation, run.input_hash,
            run.status, run.seq, run.created_at, run.started_at, run.finished_at
        from unnest(p_run_ids, p_seqs) as given (run_id, seq)
        join holdfast.run as run on run.run_id = given.run_id and run.seq = given.seq
        cross join (select removing.before_at as before_at) as cut
        where {kept_for} = ''
        returning run_id)
    select coalesce(array_agg(kept.run_id), '{}') into gone from kept;
    delete from holdfast.journal where run_id = any (gone);
    delete from holdfast.review where run_id = any (gone);
    delete from holdfast.command where run_id = any (gone);
    delete from holdfast.run where run_id = any (gone);
    perform holdfast.owe(array['archive'], 'system', p_archive, jsonb_build_object(
        'state', 'removing', 'removed', cardinality(gone)));
    return query select unnest(gone);
end
$$

-- name: archives
-- The newest first, with how many runs were taken out.
select {archive_columns}, (select count(*) from holdfast.archived_run as gone where gone.archive = kept.id)
from holdfast.archive as kept order by started_at desc, id desc limit ?

-- name: archive_by_id
-- One archive.
select {archive_columns}, (select count(*) from holdfast.archived_run as gone where gone.archive = kept.id)
from holdfast.archive as kept where id = ?

-- name: sealed_until
-- The end of the minute of the latest cut-off before which runs were taken out.
select coalesce((max(before_at) + 59999) / 60000 * 60000, 0) from holdfast.archive where state in ('removing', 'done')

-- name: archivable
-- A page of all runs, oldest first.
select run.run_id, run.seq, {kept_for}
from holdfast.run as run, (select ?::bigint as before_at) as cut
where run.run_id > ? order by run.run_id limit ?

-- name: archived_run
-- What stays of one run.
select {archived_columns} from holdfast.archived_run where run_id = ?

-- name: archived_by_event
-- The run an event had.
select {archived_columns} from holdfast.archived_run where event_id = ? and workflow = ?

-- name: commands_of_run
-- All there ever were, the oldest first.
select {command_columns} from holdfast.command where run_id = ? order by at, id
