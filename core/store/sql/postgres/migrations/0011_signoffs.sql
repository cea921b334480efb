-- What a person signed: the figures of a window as they stood then, and the end of the audit.
create table holdfast.signoff (
    since bigint not null,
    until bigint not null,
    signed_by text not null check (signed_by <> ''),
    at bigint not null,
    note text not null,
    figures text not null,
    figures_hash text not null,
    audit_seq bigint not null check (audit_seq >= 0),
    audit_rows bigint not null check (audit_rows >= 0),
    audit_hash text not null,
    primary key (since, until),
    constraint signoff_span check (since < until)
);

create index signoff_at on holdfast.signoff (at);

-- A report asks by time what concerned everything, and which runs were compensated.
create index audit_system on holdfast.audit (at, seq) where chain = 'system';

create index run_undone on holdfast.run (finished_at, run_id)
    where status in ('compensated', 'compensation_failed');

create view holdfast.seen_signoff as select * from holdfast.signoff;

-- A voided lease is forgotten as a lease, not as a time in which somebody worked.
alter table holdfast.worker add column lived_until bigint not null default 0;

create or replace view holdfast.seen_worker as select * from holdfast.worker;
