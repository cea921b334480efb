-- Retention: archives, which runs may go into one, and taking them out.

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
    when run.run_id = (select last.run_id from journal as last where last.id = (select max(id) from journal))
        then 'newest'
    when exists (select 1 from review as item where item.run_id = run.run_id and item.decided_at is null)
        then 'review'
    when exists (select 1 from command as told where told.run_id = run.run_id and told.applied_at is null)
        then 'command'
    when run.run_id in (
        select item.run_id from batch_item as item join batch as kept on kept.id = item.batch
        where kept.state in ('running', 'held') and item.state in ('pending', 'recorded') and item.run_id is not null)
        then 'batch'
    else '' end

-- name: insert_archive
-- Started twice, it is one archive.
insert into archive ({archive_columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing

-- name: drop_archives
-- What was never written is given up for another.
update archive set state = 'dropped', note = 'another archive was started', ended_at = ? where state = 'writing' and id <> ?

-- name: unfinished_archive
-- Another whose file stands and whose runs are not all taken out.
select count(*) from archive where state in ('written', 'removing') and id <> ?

-- name: set_archive
-- Only on from where the caller saw it.
update archive set state = ?, note = ?, runs = ?, size = ?, hash = ?, manifest = ?, written_at = ?, ended_at = ?
where id = ? and state = ?

-- name: archives
-- The newest first, with how many runs were taken out.
select {archive_columns}, (select count(*) from archived_run where archived_run.archive = archive.id)
from archive order by started_at desc, id desc limit ?

-- name: archive_by_id
-- One archive.
select {archive_columns}, (select count(*) from archived_run where archived_run.archive = archive.id)
from archive where id = ?

-- name: sealed_until
-- The end of the minute of the latest cut-off before which runs were taken out.
select coalesce((max(before_at) + 59999) / 60000 * 60000, 0) from archive where state in ('removing', 'done')

-- name: archivable
-- A page of all runs, oldest first.
select run.run_id, run.seq, {kept_for}
from run, (select ? as before_at) as cut
where run.run_id > ? order by run.run_id limit ?

-- name: archived_run
-- What stays of one run.
select {archived_columns} from archived_run where run_id = ?

-- name: archived_by_event
-- The run an event had.
select {archived_columns} from archived_run where event_id = ? and workflow = ?

-- name: commands_of_run
-- All there ever were, the oldest first.
select {command_columns} from command where run_id = ? order by at, id

-- name: keep_archived
-- A run that is as it is in the file, and still may go.
insert into archived_run ({archived_columns})
select run.run_id, ?, run.workflow, run.version, run.event_id, run.generation, run.input_hash, run.status, run.seq,
    run.created_at, run.started_at, run.finished_at
from run, (select ? as before_at) as cut
where run.run_id = ? and run.seq = ? and {kept_for} = ''

-- name: delete_journal
-- Of a run that was archived.
delete from journal where run_id = ?

-- name: delete_reviews
-- Of a run that was archived.
delete from review where run_id = ?

-- name: delete_commands
-- Of a run that was archived.
delete from command where run_id = ?

-- name: delete_run
-- One that was archived.
delete from run where run_id = ?

-- name: copy_run
-- Into the file of an archive, as are the following.
insert into run ({run_columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: copy_journal
-- With the id it has.
insert into journal ({journal_columns}) values (?, ?, ?, ?, ?, ?, ?)

-- name: copy_review
-- With who looked at it.
insert into review ({review_row}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: copy_audit
-- With its place in the whole; hashed with what came before in its chain.
insert into audit (seq, chain, chain_seq, at, actor, action, subject, body, previous, hash)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: copy_workflow
-- Once, however many runs used it.
insert into workflow ({workflow_columns}) values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing

-- name: copy_dependency
-- Once, however many runs used it.
insert into dependency ({dependency_columns}) values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing

-- name: copied_runs
-- What is in the file of an archive.
select run_id, seq from run where run_id > ? order by run_id limit ?

-- name: index_copied_ledger
-- Keys are read run by run here, which a run database never does.
create index if not exists ledger_run on ledger (run_id)

-- name: copied_ledger
-- Of one run.
select {ledger_columns} from ledger where run_id = ? order by key, operation

-- name: copied_workflows
-- In an order that does not change.
select {workflow_columns} from workflow order by name, version

-- name: copied_dependencies
-- In an order that does not change.
select {dependency_columns} from dependency order by name, revision
