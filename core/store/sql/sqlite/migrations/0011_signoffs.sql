-- What a person signed: the figures of a window as they stood then, and the end of the audit.
create table signoff (
    since integer not null,
    until integer not null,
    signed_by text not null check (signed_by <> ''),
    at integer not null,
    note text not null,
    figures text not null,
    figures_hash text not null,
    audit_seq integer not null check (audit_seq >= 0),
    audit_rows integer not null check (audit_rows >= 0),
    audit_hash text not null,
    primary key (since, until),
    constraint signoff_span check (since < until)
) strict;

create index signoff_at on signoff (at);

-- A report asks by time what concerned everything, and which runs were compensated.
create index audit_system on audit (at, seq) where chain = 'system';

create index run_undone on run (finished_at, run_id)
    where status in ('compensated', 'compensation_failed');

-- A voided lease is forgotten as a lease, not as a time in which somebody worked.
alter table worker add column lived_until integer not null default 0;
