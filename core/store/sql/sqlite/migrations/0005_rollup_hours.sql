-- Minutes added up by the hour once it is over, so that a month is no more to read than a day was.
-- setting rollup_hours_until says up to where; what is not in there yet is in rollup.
create table rollup_hour (
    hour integer not null,
    workflow text not null,
    step text not null,
    dependency text not null,
    counter text not null,
    value integer not null,
    primary key (hour, workflow, step, dependency, counter)
) strict, without rowid;

-- The same for all workflows together.
create table rollup_hour_total (
    hour integer not null,
    counter text not null,
    value integer not null,
    primary key (hour, counter)
) strict, without rowid;

-- Hours added up by the day, in universal time.
create table rollup_day (
    day integer not null,
    workflow text not null,
    step text not null,
    dependency text not null,
    counter text not null,
    value integer not null,
    primary key (day, workflow, step, dependency, counter)
) strict, without rowid;
