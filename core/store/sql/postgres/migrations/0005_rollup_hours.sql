-- Minutes added up by the hour once it is over, so that a month is no more to read than a day was.
-- setting rollup_hours_until says up to where; what is not in there yet is in rollup.
create table holdfast.rollup_hour (
    hour bigint not null,
    workflow text collate "C" not null,
    step text collate "C" not null,
    dependency text collate "C" not null,
    counter text collate "C" not null,
    value bigint not null,
    primary key (hour, workflow, step, dependency, counter)
);

-- The same for all workflows together.
create table holdfast.rollup_hour_total (
    hour bigint not null,
    counter text collate "C" not null,
    value bigint not null,
    primary key (hour, counter)
);

-- Hours added up by the day, in universal time.
create table holdfast.rollup_day (
    day bigint not null,
    workflow text collate "C" not null,
    step text collate "C" not null,
    dependency text collate "C" not null,
    counter text collate "C" not null,
    value bigint not null,
    primary key (day, workflow, step, dependency, counter)
);
