-- What a person's change owes to the audit, within one transaction: the row is added by the change and deleted by
-- the audit row that tells of it. No transaction commits with a debt.
create unlogged table holdfast.owed (
    xid xid8 not null,
    actions text[] not null,
    chain text not null,
    subject text not null,
    facts jsonb not null
);

create index owed_xid on holdfast.owed (xid);

create function holdfast.check_owed() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if exists (select from holdfast.owed where xid = pg_current_xact_id()) then
        raise exception 'a change without its audit row: %', new.actions using errcode = '42501';
    end if;
    return null;
end
$$;

create constraint trigger owed_is_paid after insert on holdfast.owed
deferrable initially deferred for each row execute function holdfast.check_owed();

revoke all on function holdfast.check_owed() from public;

-- What a viewer reads in place of the tables: the same rows, without bodies, receipts and what people wrote to commands.
create function holdfast.without_bodies(p_value jsonb) returns jsonb
language plpgsql immutable security definer set search_path = pg_catalog, pg_temp as $$
begin
    if jsonb_typeof(p_value) = 'array' then
        return (select coalesce(jsonb_agg(holdfast.without_bodies(item) order by place), '[]')
                from jsonb_array_elements(p_value) with ordinality as items (item, place));
    elsif jsonb_typeof(p_value) = 'object' then
        return (select coalesce(jsonb_object_agg(name, holdfast.without_bodies(value)), '{}')
                from jsonb_each(p_value) as members (name, value)
                where name not in ('input', 'request', 'response', 'body', 'headers', 'receipt', 'before', 'output',
                                   'outputs', 'data', 'evidence', 'value', 'result', 'text', 'error'));
    end if;
    return p_value;
end
$$;

revoke all on function holdfast.without_bodies(jsonb) from public;

comment on function holdfast.without_bodies(jsonb) is 'viewer operator approver worker admin';

create view holdfast.seen_setting as
select name, value from holdfast.setting
where name like 'view:%' or name in ('schema_version', 'functions', 'rollup_hours_until');

create view holdfast.seen_workflow as select * from holdfast.workflow;

create view holdfast.seen_dependency as select * from holdfast.dependency;

create view holdfast.seen_run as
select run_id, workflow, version, event_id, generation, input_hash, status, seq, fence, worker, due, created_at,
    started_at, finished_at, updated_at, step, reason, retry_count, compensation_count, duplicates_prevented,
    '{}'::text as outputs, open
from holdfast.run;

create view holdfast.seen_journal as
select id, run_id, seq, at, worker, fence, holdfast.without_bodies(entries::jsonb)::text as entries
from holdfast.journal;

create view holdfast.seen_ledger as
select operation, key, hash, status, run_id, step, direction, '{}'::text as request, '{}'::text as result,
    created_at, expires_at
from holdfast.ledger;

create view holdfast.seen_review as
select id, kind, run_id, step, direction, workflow, dependency, version, opened_at, decided_at, decided_by,
    decision, reason, expires_at, holdfast.without_bodies(evidence::jsonb)::text as evidence, claimed_by,
    claimed_until, snoozed_until
from holdfast.review;

create view holdfast.seen_pause as select * from holdfast.pause;

create view holdfast.seen_breaker as select * from holdfast.breaker;

create view holdfast.seen_rollup as select * from holdfast.rollup;

create view holdfast.seen_rollup_hour as select * from holdfast.rollup_hour;

create view holdfast.seen_rollup_hour_total as select * from holdfast.rollup_hour_total;

create view holdfast.seen_rollup_day as select * from holdfast.rollup_day;

create view holdfast.seen_worker as select * from holdfast.worker;

create view holdfast.seen_command as
select id, name, run_id, actor, '{}'::text as arguments, at, applied_at, result, message from holdfast.command;

create view holdfast.seen_audit as
select seq, chain, chain_seq, at, actor, action, subject, holdfast.without_bodies(body::jsonb)::text as body,
    previous, hash
from holdfast.audit;

-- By which whoever was there before knows the database again.
insert into holdfast.setting (name, value) values ('database_id', gen_random_uuid()::text);
